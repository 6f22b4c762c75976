/**
 * A match on this device that is open: answers what is asked with the messages of a server, stores every event before
 * it tells it, lets the machines play, and minds the clock. It stands still while nobody watches it.
 *
 * What is asked comes one after the other (`#turn`). A machine thinks beside that, and what it has found counts only
 * if the match is still where it was. Start reading at `Table.ask`.
 */
import type { Ask, Estimate, Event, FromServer, MatchInfo, Snapshot } from "../../protocol";
import type { Core, Manners } from "../core/types";
import { estimate } from "./estimate";
import { duty, perform } from "./house";
import { Match } from "./match";
import type { Setup } from "./match";
import { Refusal } from "./refusal";
import { infoOf, seatsOf } from "./row";
import type { Row } from "./row";
import type { Shelf } from "./shelf";

/** What every table of the device shares. */
export interface Room {
  core: Core;
  manners: Manners;
  shelf: Shelf;
  /** Whether a machine can say how a game of it stands in points. */
  estimates: (game: string) => boolean;
  clock: () => number;
  newId: () => string;
  /** A match was stored, for other tabs. */
  stored: (id: string) => void;
  /** A machine could not play: one sentence. */
  failed: (message: string) => void;
}

export interface Listener {
  receive(message: FromServer): void;
}

const FRESH_MS = 5_000; // a match that moved so lately was not left

export class Table {
  #listeners = new Set<Listener>();
  #last: Promise<unknown> = Promise.resolve();
  #thinking: AbortController | null = null;
  #flag: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    private readonly room: Room,
    private row: Row,
    private match: Match,
  ) {}

  /** A new match, stored. */
  static async create(room: Room, setup: Setup, before: Row | null = null): Promise<Row> {
    const match = await Match.begin(room.core, setup);
    if (match.phase !== "playing") throw new Refusal("malformed", "The game is over in that position.");
    const links = { rematch: null, rematch_of: before?.id ?? null, sent: null };
    const row: Row = { ...shown(match), ...links, id: room.newId(), created_ms: setup.started_ms };
    await room.shelf.put(row, 0);
    return row;
  }

  /** The match of that id; null where the device has none. */
  static async open(room: Room, id: string): Promise<Table | null> {
    const row = await room.shelf.match(id);
    return row && new Table(room, row, await Match.restore(room.core, row.kept));
  }

  get id(): string {
    return this.row.id;
  }

  /** How many watch. */
  get watched(): number {
    return this.#listeners.size;
  }

  watch(listener: Listener): Promise<void> {
    this.#listeners.add(listener);
    return this.#turn(async () => {
      if (this.watched === 1) await this.#wake();
      listener.receive(await this.snapshot());
      this.#mind();
    });
  }

  async leave(listener: Listener): Promise<void> {
    this.#listeners.delete(listener);
    if (this.watched === 0) await this.rest();
  }

  /** Everything again, for one whose view does not fit together. */
  tell(listener: Listener): Promise<void> {
    return this.#turn(async () => listener.receive(await this.snapshot()));
  }

  /** The number of the event; throws `Refusal`. */
  ask(ask: Ask): Promise<number> {
    return this.#turn(async () => {
      const { kind, position, text, actions, what, accept, cell, on } = ask;
      const request = { kind, position, text, actions, what, accept, cell, on };
      const at_ms = this.room.clock();
      await this.#checkFlag(at_ms);
      const seat = this.#seatOf(ask);
      return this.#change((match) => match.apply({ ...request, seat, at_ms }));
    });
  }

  /** Another tab has played on, or has left and stopped the clock. */
  refresh(): Promise<void> {
    return this.#turn(async () => {
      await this.#reload();
      if (this.watched && this.match.standing.suspended) await this.#commit(this.match.proceed(this.room.clock()));
    });
  }

  /** Nobody is here: thinking ends, and so does the time of a clock that would run out meanwhile. */
  rest(): Promise<void> {
    this.#stop();
    return this.#turn(async () => {
      if (this.watched || !this.#isTimed || this.match.running === null) return;
      await this.#commit(this.match.suspend(this.room.clock()));
    });
  }

  /** How it stands; who plays here has nobody to hide it from. */
  estimate(): Promise<Estimate> {
    return estimate(this.room.core, this.match.place);
  }

  get #info(): MatchInfo {
    return infoOf(this.row, this.room.estimates(this.match.setup.game));
  }

  async snapshot(): Promise<Snapshot> {
    const line = this.match.line.map(({ reserves: _reserves, ...move }) => move);
    const now = await this.match.now(this.room.clock());
    return { type: "snapshot", match: this.#info, you: seatsOf(this.row), line, now };
  }

  /** One thing after the other. */
  #turn<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#last.then(act);
    this.#last = result.catch(() => undefined);
    return result;
  }

  get #isTimed(): boolean {
    return !["none", "correspondence"].includes(this.match.setup.clock.kind);
  }

  /** Somebody is back: a clock that stood still goes on, and one that nobody could stop lost nothing either. */
  async #wake(): Promise<void> {
    if (!this.#isTimed || this.match.outcome) return;
    const { match, room } = this;
    const last_ms = match.events.at(-1)?.at_ms ?? match.setup.started_ms;
    if (match.running !== null && room.clock() - last_ms > FRESH_MS) await this.#commit(match.suspend(last_ms));
    if (this.match.standing.suspended) await this.#commit(this.match.proceed(room.clock()));
  }

  #seatOf({ seat = null, kind }: Ask): number {
    const held = seatsOf(this.row);
    if (seat !== null) {
      if (!held.includes(seat)) throw new Refusal("stranger", "That seat is not yours.");
      return seat;
    }
    if (held.length === 1) return held[0]!;
    if (!held.length) throw new Refusal("stranger", "You have no seat in this match.");
    const { offer, marks } = this.match.standing;
    if (kind === "answer" && offer) return 1 - offer.seat;
    if (kind === "accept" && marks) return Number(marks.accepted[0]);
    return this.match.toMove;
  }

  // Changes

  /** Appends what `act` makes of the match; a match that has moved on elsewhere is read first, and asked again. */
  async #change(act: (match: Match) => Promise<Match>): Promise<number> {
    for (;;) {
      const next = await act(this.match);
      if (await this.#commit(next)) return next.events.length;
    }
  }

  /** Stores what is new of the match and tells it; false where another tab was first. */
  async #commit(next: Match): Promise<boolean> {
    const had = this.match.events.length;
    const row = { ...this.row, ...shown(next) };
    if (!(await this.room.shelf.put(row, had))) {
      await this.#reload();
      return false;
    }
    this.row = row;
    this.match = next;
    this.room.stored(this.id);
    await this.#update(next.events.slice(had));
    if (next.standing.rematch && !row.rematch) await this.#follow();
    this.#mind();
    return true;
  }

  async #reload(): Promise<void> {
    const row = await this.room.shelf.match(this.id);
    if (!row) throw new Refusal("unknown", "There is no such match.");
    this.row = row;
    this.match = await Match.restore(this.room.core, row.kept);
    const snapshot = await this.snapshot();
    for (const listener of this.#listeners) listener.receive(snapshot);
    this.#mind();
  }

  async #update(events: readonly Event[]): Promise<void> {
    const now = await this.match.now(this.room.clock());
    const message: FromServer = { type: "update", match: this.id, events: [...events], now };
    for (const listener of this.#listeners) listener.receive(message);
  }

  /** The rematch that was agreed on: the same with the seats swapped. */
  async #follow(): Promise<void> {
    const { setup } = this.match;
    const seats: Setup["seats"] = [setup.seats[1], setup.seats[0]];
    const next = await Table.create(this.room, { ...setup, seats, started_ms: this.room.clock() }, this.row);
    this.row = { ...this.row, rematch: next.id };
    await this.room.shelf.put(this.row, this.match.events.length);
    const info: FromServer = { type: "info", match: this.#info, you: seatsOf(this.row), watchers: 1 };
    for (const listener of this.#listeners) listener.receive(info);
  }

  // What the match waits for

  /** Sees to the flag and the machines, as the match stands now. */
  #mind(): void {
    this.#stop();
    if (!this.watched) return;
    const { flag_at_ms } = this.match;
    if (flag_at_ms !== null) {
      const wait_ms = Math.min(Math.max(0, flag_at_ms - this.room.clock()), 2 ** 31 - 1);
      this.#flag = setTimeout(() => void this.#turn(() => this.#checkFlag(this.room.clock())), wait_ms);
    }
    const found = duty(this.match);
    if (found) void this.#work(found);
  }

  #stop(): void {
    clearTimeout(this.#flag);
    this.#thinking?.abort();
    this.#thinking = null;
  }

  async #checkFlag(at_ms: number): Promise<void> {
    const ended = this.match.tick(at_ms);
    if (ended) await this.#commit(ended);
  }

  async #work(found: NonNullable<ReturnType<typeof duty>>): Promise<void> {
    const { match, room } = this;
    const thinking = (this.#thinking = new AbortController());
    const { core, manners, clock } = room;
    try {
      const next = await perform(found, match, { core, manners, clock, table: this.id, signal: thinking.signal });
      await this.#turn(async () => {
        if (this.match === match && !thinking.signal.aborted) await this.#commit(next);
      });
    } catch (error) {
      if (thinking.signal.aborted || (error instanceof Refusal && error.code === "time-up")) return;
      room.failed(error instanceof Error ? error.message : String(error));
    }
  }
}

/** What a row shows of a match. */
function shown(match: Match): Pick<Row, "kept" | "moved_ms" | "to_move" | "diagram" | "outcome"> {
  return {
    kept: match.kept,
    moved_ms: match.events.at(-1)?.at_ms ?? match.setup.started_ms,
    to_move: match.phase === "playing" ? match.toMove : null,
    diagram: match.told.diagram,
    outcome: match.outcome,
  };
}
