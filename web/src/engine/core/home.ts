/**
 * `Core` over the compiled module, in whatever thread this runs: the worker's, or a test's. A search that is limited by
 * time goes on in slices, between which others have their turn and the signal is heard; one that is limited by visits
 * is done in one go, so that the same seed gives the same tree as on the server.
 */
import type { Analysis, Count, Estimate as Standing, Line, OptionValue, Place } from "../../protocol.ts";
import { Brains, type FetchBrain } from "./brains.ts";
import { facts } from "./facts.ts";
import type { CoreModule } from "./module.ts";
import { resolved } from "./options.ts";
import { reviewed } from "./review.ts";
import { standing } from "./standing.ts";
import {
  CoreError,
  type Budget,
  type Core,
  type Estimate,
  type LevelFacts,
  type Made,
  type Review,
  type Thinking,
  type Told,
} from "./types.ts";

const FIRST_SLICE_MS = 50;
const LONGEST_SLICE_MS = 400;
const SECOND_MS = 1000;
const MOST_TABLES = 8; // whose trees are kept

interface Kept {
  kept: number;
}

/** What a machine is, as the core makes one: a budget of search, or none and perfect or random moves. */
interface Player {
  visits: number;
  ms: number;
  blur: number;
  brain?: number; // by the number that the core keeps it under
  planned?: boolean; // few simulations with a brain
}

interface Seat {
  kept: number;
  generation: number;
  machine: string;
}

export class Home implements Core {
  #seats = new Map<string, Seat>(); // by table

  readonly brains: Brains;

  constructor(
    readonly module: CoreModule,
    fetchBrain: FetchBrain,
  ) {
    this.brains = new Brains(module, fetchBrain);
  }

  options(game: string, given: Record<string, OptionValue>): Promise<Record<string, OptionValue>> {
    return settled(() => resolved(game, given));
  }

  line(place: Place): Promise<Line> {
    return settled(() => {
      const line = this.#ask<Line>("line", place);
      for (const position of line.positions)
        if (position.resumed !== null) position.text = resumption(place.game, position.resumed);
      return line;
    });
  }

  position(place: Place): Promise<Told> {
    return settled(() => this.#ask<Told>("position", place));
  }

  parse(place: Place, text: string): Promise<Made> {
    return settled(() => this.#ask<Made>("parse", place, { text }));
  }

  move(place: Place, actions: number[]): Promise<Made> {
    return settled(() => this.#ask<Made>("move", place, { actions }));
  }

  resume(place: Place, seat: number): Promise<Told> {
    return settled(() => ({ ...this.#ask<Told>("resume", place, { seat }), text: resumption(place.game, seat) }));
  }

  estimate(place: Place): Promise<Estimate> {
    return settled(() => this.#ask<Estimate>("estimate", place));
  }

  count(place: Place, dead: number[], neutral: number[]): Promise<Count> {
    return settled(() => this.#ask<Count>("count", place, { dead, neutral }));
  }

  standing(place: Place): Promise<Standing> {
    return standing(this, place);
  }

  async analyse(place: Place, budget: Budget, { seed = 0, signal, onReport }: Thinking = {}): Promise<Analysis> {
    const brain = await this.brains.stronger(place);
    const begun = this.#ask<Kept | Analysis>("tree", place, { seed, brain });
    if (!("kept" in begun)) return begun;
    const tree = { do: "ask", kept: begun.kept, counted: isCounted(place.game) };
    const { generation } = this.module;
    try {
      if (budget.visits !== undefined) return this.module.ask<Analysis>({ ...tree, visits: budget.visits });
      const end = performance.now() + (budget.seconds ?? 1) * SECOND_MS;
      for (let slice = FIRST_SLICE_MS; ; slice = Math.min(LONGEST_SLICE_MS, slice * 1.5)) {
        const ms = Math.max(1, Math.round(Math.min(slice, end - performance.now())));
        const found = this.module.ask<Analysis>({ ...tree, ms });
        if (found.proven !== null || performance.now() >= end || signal?.aborted) return found;
        onReport?.(found);
        await turn();
        if (signal?.aborted) return found;
      }
    } finally {
      if (generation === this.module.generation) this.#drop(begun.kept); // else it went with the old instance
    }
  }

  review(place: Place, actions: number[], visits: number, { signal }: Thinking = {}): Promise<Review> {
    return reviewed(this, place, actions, visits, signal);
  }

  async choose(
    place: Place,
    machine: string,
    table: string,
    limit: Budget,
    { seed = 0 }: Thinking = {},
  ): Promise<number[] | null> {
    const player = await this.#player(place, machine);
    const searches = player.visits > 0 || player.ms > 0;
    if (searches && facts.machines[place.game]!.resigns && (await this.#isHopeless(place))) return null;
    const question = { do: "ask", place: this.#whole(place), ms: Math.round((limit.seconds ?? 0) * SECOND_MS) };
    const kept = this.#seat(place, machine, table, player, seed);
    return this.module.ask<{ actions: number[] }>({ ...question, kept }).actions;
  }

  forget(table: string): void {
    const seat = this.#seats.get(table);
    this.#seats.delete(table);
    if (seat?.generation === this.module.generation) this.#drop(seat.kept);
  }

  #ask<T>(wanted: string, place: Place, more: object = {}): T {
    return this.module.ask<T>({ do: wanted, place: this.#whole(place), ...more });
  }

  #whole(place: Place): Place {
    return { ...place, options: resolved(place.game, place.options ?? {}) };
  }

  #drop(kept: number): void {
    this.module.ask({ do: "drop", kept });
  }

  #seat(place: Place, machine: string, table: string, player: Player, seed: number): number {
    const known = this.#seats.get(table);
    if (known?.machine === machine && known.generation === this.module.generation) return known.kept;
    this.forget(table);
    for (const oldest of [...this.#seats.keys()].slice(0, Math.max(0, this.#seats.size + 1 - MOST_TABLES)))
      this.forget(oldest);
    const { kept } = this.#ask<Kept>("player", place, { ...player, seed });
    this.#seats.set(table, { kept, generation: this.module.generation, machine });
    return kept;
  }

  /** As `tengen.players.make_player` reads it. */
  async #player(place: Place, machine: string): Promise<Player> {
    const [, kind = "", rest = ""] = /^([a-z]*):?(.*)$/.exec(machine.trim()) ?? [];
    if (kind === "random" && rest === "") return { visits: 0, ms: 0, blur: 1 };
    if (kind === "level" || (kind === "" && rest !== "")) return this.#level(place, levelOf(place.game, Number(rest)));
    const [, name = "", text = ""] = /^(?:(.*?)@)?([^@]*)$/.exec(rest) ?? [];
    if (kind === "mcts" && name === "") {
      const budget = budgetOf(text);
      if (budget) return { ...budget, blur: 0 };
    }
    if (kind === "brain") {
      const budget = name === "" ? { visits: facts.brains.simulations, ms: 0 } : budgetOf(text);
      if (budget) return { ...budget, blur: 0, brain: await this.brains.named(place, name || text), planned: isPlanned(budget) };
    }
    throw new CoreError("unavailable", `The page has no machine ${machine}.`);
  }

  async #level(place: Place, { visits, blur, seconds, simulations, brain_blur }: LevelFacts): Promise<Player> {
    const brain = simulations > 0 ? await this.brains.stronger(place) : 0;
    const budget = { visits: brain ? simulations : visits, ms: visits > 0 ? seconds * SECOND_MS : 0 };
    return brain ? { ...budget, blur: brain_blur, brain, planned: isPlanned(budget) } : { ...budget, blur };
  }

  /** Whether a machine should give up: hopeless now and at its two turns before (players/manners.py). */
  async #isHopeless(place: Place): Promise<boolean> {
    const { resign_below, resign_widths, resign_from, judge_visits } = facts.manners;
    const moves = place.moves ?? [];
    const { view } = await this.position(place);
    if (moves.length < resign_from * view.cells.length) return false;
    for (const back of [0, 2, 4]) {
      const kept = moves.slice(0, moves.length - back);
      const resumptions = (place.resumptions ?? []).filter(([after]) => after <= kept.length);
      const before = { ...place, moves: kept, resumptions };
      const at = await this.position(before);
      if (at.outcome !== null || at.view.to_move !== view.to_move) return false;
      const { win, lead } = await this.analyse(before, { visits: judge_visits });
      const widths = lead === null ? 1 : Math.min(-lead / view.width, resign_widths);
      if (widths < 1 || win >= resign_below * widths) return false;
    }
    return true;
  }
}

function isCounted(game: string): boolean {
  return facts.games.find(({ name }) => name === game)?.counted ?? false;
}

function resumption(game: string, seat: number): string {
  return facts.resume + (facts.games.find(({ name }) => name === game)?.seats[seat] ?? "");
}

/** So many visits, or seconds with an s. */
function budgetOf(text: string): { visits: number; ms: number } | null {
  const [, amount = "", unit = ""] = /^([0-9]+(?:\.[0-9]+)?)(s?)$/.exec(text) ?? [];
  const number = Number(amount);
  if (!(number > 0) || (unit === "" && !Number.isInteger(number))) return null;
  return unit ? { visits: 0, ms: Math.max(1, Math.round(number * SECOND_MS)) } : { visits: number, ms: 0 };
}

function isPlanned({ visits }: { visits: number }): boolean {
  return visits > 0 && visits <= facts.brains.planned;
}

function levelOf(game: string, number: number): LevelFacts {
  const levels = facts.machines[game]?.levels ?? [];
  const found = levels[number - 1];
  if (!found) throw new CoreError("option", `${game} has levels 1 to ${levels.length}, not ${number}.`);
  return found;
}

function settled<T>(found: () => T): Promise<T> {
  return new Promise((done) => done(found()));
}

/** Lets what waits in this thread have its turn. */
function turn(): Promise<void> {
  return new Promise((done) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => {
      channel.port1.close();
      done();
    };
    channel.port2.postMessage(null);
  });
}
