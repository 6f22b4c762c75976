/**
 * The matches of this device: the same questions as the server's, answered in the page. `Device` stands where the
 * connection to a server would; `LiveMatch` does not know the difference.
 */
import { t } from "../../i18n";
import { newId } from "../../net/socket.svelte";
import type { Watcher } from "../../net/socket.svelte";
import type { Ask, Created, Estimate, NewMatch, SeatWish, Snapshot, Study } from "../../protocol";
import { studyOfMatch } from "../../review/study";
import { toast } from "../../toast.svelte";
import { core, facts } from "../core";
import type { Occupant, Setup } from "./match";
import { Refusal } from "./refusal";
import { summaryOf } from "./row";
import { shelf } from "./shelf";
import { Table } from "./table";
import type { Room } from "./table";

const NEWS = "tengen.matches"; // what tabs tell each other

class Device {
  #room: Promise<Room> | null = null;
  #tables = new Map<string, Promise<Table | null>>();
  #news = typeof BroadcastChannel === "function" ? new BroadcastChannel(NEWS) : null;

  constructor() {
    this.#news?.addEventListener("message", ({ data }) => void this.#refresh(String(data)));
  }

  // As a connection

  async watch(watcher: Watcher): Promise<void> {
    const table = await this.#table(watcher.match);
    if (table) return table.watch(watcher);
    const message = t("play.not_on_device");
    watcher.receive({ type: "refused", match: watcher.match, id: null, code: "unknown", message });
  }

  async watchAfresh(watcher: Watcher): Promise<void> {
    await (await this.#table(watcher.match))?.tell(watcher);
  }

  async leave(watcher: Watcher): Promise<void> {
    const table = await this.#table(watcher.match);
    await table?.leave(watcher);
    if (table?.watched !== 0) return;
    this.#tables.delete(watcher.match);
    const { core } = await this.#open();
    for (const seat of [0, 1]) core.forget(`${watcher.match} ${seat}`);
  }

  async ask(ask: Ask): Promise<number> {
    return (await this.#known(ask.match)).ask(ask);
  }

  // As a server

  async create(wish: NewMatch): Promise<Created> {
    const room = await this.#open();
    const options = await room.core.options(wish.game, wish.options ?? {});
    const game = facts.games.find((each) => each.name === wish.game)!;
    const setup: Setup = {
      game: wish.game,
      seatNames: game.seats,
      options,
      origin: wish.origin ?? null,
      clock: wish.clock ?? { kind: "none" },
      seats: [occupant(wish, wish.seats[0]), occupant(wish, wish.seats[1])],
      started_ms: room.clock(),
      agreement: true,
    };
    const row = await Table.create(room, setup);
    void navigator.storage?.persist?.(); // asks the browser not to throw it away
    return { match: row.id, you: summaryOf(row).you, invitation: null, secret: null };
  }

  async snapshot(match: string): Promise<Snapshot> {
    return (await this.#known(match)).snapshot();
  }

  async estimate(match: string): Promise<Estimate> {
    return (await this.#known(match)).estimate();
  }

  async study(match: string): Promise<Study> {
    const { match: info, line, now } = await this.snapshot(match);
    return studyOfMatch(info, line, now.outcome);
  }

  // Within

  #open(): Promise<Room> {
    this.#room ??= this.#furnish().catch((error: unknown) => {
      this.#room = null;
      throw error;
    });
    return this.#room;
  }

  async #furnish(): Promise<Room> {
    return {
      core: await core(),
      shelf: await shelf(),
      manners: facts.manners,
      estimates: (game) => facts.games.some(({ name, estimates }) => name === game && estimates),
      clock: () => Date.now(),
      newId: () => `~${newId()}`,
      stored: (id) => this.#news?.postMessage(id),
      failed: (message) => toast(message, "bad"),
    };
  }

  #table(match: string): Promise<Table | null> {
    let table = this.#tables.get(match);
    if (!table) {
      table = this.#open().then((room) => Table.open(room, match));
      table.catch(() => this.#tables.delete(match));
      this.#tables.set(match, table);
    }
    return table;
  }

  async #known(match: string): Promise<Table> {
    const table = await this.#table(match);
    if (table) return table;
    throw new Refusal("unknown", t("play.not_on_device"));
  }

  async #refresh(match: string): Promise<void> {
    await (await this.#tables.get(match))?.refresh();
  }
}

function occupant(wish: NewMatch, { kind, player = "" }: SeatWish): Occupant {
  if (kind === "machine") return { kind, name: machineName(wish.game, player), player };
  return { kind: "person", name: wish.name ?? "", player: "" };
}

/** As the server calls it. */
function machineName(game: string, player: string): string {
  const [kind, rest = ""] = player.split(":");
  const level = facts.machines[game]?.levels.find(({ number }) => String(number) === rest);
  if (kind === "level" && level) return `Level ${level.number}, ${level.name}`;
  if (kind === "mcts") return `Search, ${rest} visits`;
  if (kind !== "brain") return "Random moves";
  const [name, simulations] = rest.split("@");
  return `Neural net ${name}${simulations ? `, ${simulations} simulations` : ""}`;
}

export const device = new Device();
