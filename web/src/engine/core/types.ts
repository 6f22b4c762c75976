/**
 * What the core in the page answers: the same C++ rules and search as the server's, compiled to WebAssembly and run
 * in a Web Worker. Questions are the protocol's own nouns, and so are the answers: what the page computes is what the
 * server would have sent. Nothing is remembered between calls but trees of searches, by the names that callers give.
 */
import type { Analysis, BrainInfo, Count, Estimate as Standing, GameInfo, Line, OptionValue, Place, Position, ReviewedMove } from "../../protocol.ts";

/** `notation` cannot be read, `illegal` can but is not allowed; `stopped` by the signal; `broken` is our fault. */
export type CoreCode = "notation" | "illegal" | "option" | "position" | "stopped" | "unavailable" | "broken";

/** Its message is one sentence for the player, the same as the server's. */
export class CoreError extends Error {
  constructor(
    readonly code: CoreCode,
    message: string,
  ) {
    super(message);
  }
}

/** A position with what a table must know of it beyond what a page shows. */
export interface Told extends Position {
  codes: number[]; // by cell, as the digest of a position is made from them
  mid_move: boolean; // the last action has begun a move that the next one goes on with
  can_resume: boolean; // play may go on after this end
  agreement: boolean; // an end by passes is followed by an agreement on dead stones
}

/** A turn that is read or played on: its actions, its text, and where it leads. */
export interface Made {
  actions: number[];
  text: string;
  after: Told;
}

export interface Estimate {
  dead: number[];
  seki: number[];
  neutral: number[];
  ownership: number[]; // by cell, 1 all the first seat's to -1 all the second's
}

/** A move that was judged, and what was thought of the position that it was made in. */
export interface Review {
  review: ReviewedMove;
  before: Analysis;
}

export interface Budget {
  seconds?: number;
  visits?: number;
}

export interface Thinking {
  seed?: number;
  signal?: AbortSignal;
  onReport?: (found: Analysis) => void; // about ten times a second
}

/** The facts of all built-in games and their machines, generated from Python (tools/facts.py). */
export interface Facts {
  games: GameInfo[];
  machines: Record<string, MachineFacts>; // by game
  champions: BrainInfo[]; // that can have a seat: a brain each game that has one
  manners: Manners;
  brains: { planned: number; simulations: number }; // up to so many simulations are planned; as many unless asked for others
  mistakes: { word: NonNullable<ReviewedMove["mistake"]>; win: number; points: number }[]; // the largest first
  resume: string; // what stands before the name of the seat that plays on
  most_cells: number; // of a board on a server
}

export interface MachineFacts {
  levels: LevelFacts[];
  defaults: Record<string, Record<string, Record<string, OptionValue>>>; // by option and value: what it changes
  resigns: boolean;
  brain_is_stronger: boolean; // than the search without one
  brain: BrainFacts | null; // that comes with tengen
}

export interface BrainFacts {
  name: string; // of its file, without .onnx
  digest: string; // SHA-256 of the file
  options: Record<string, OptionValue>;
  learned: Record<string, OptionValue>[]; // of all games that it was trained on
  any: boolean; // takes a board of any size
}

export interface LevelFacts {
  number: number;
  name: string;
  visits: number; // 0 where the game is known and the blur is the chance of carelessness
  blur: number;
  simulations: number; // of the shipped brain, 0 where it does not play
  brain_blur: number; // likewise
  seconds: number;
}

/** What a machine does at the table (players/manners.py). */
export interface Manners {
  most_resumes: number;
  judge_visits: number;
  draw_below: number;
  resign_below: number;
  resign_widths: number;
  resign_from: number;
}

export interface Core {
  /** Every option with its value, checked; throws `option`. */
  options(game: string, given: Record<string, OptionValue>): Promise<Record<string, OptionValue>>;
  line(place: Place): Promise<Line>;
  position(place: Place): Promise<Told>;
  /** A turn that a person wrote, played; it may break off within a move. Throws `notation` and `illegal`. */
  parse(place: Place, text: string): Promise<Made>;
  /** A turn that was made by hand: whole moves only. Throws `illegal`. */
  move(place: Place, actions: number[]): Promise<Made>;
  resume(place: Place, seat: number): Promise<Told>;
  estimate(place: Place): Promise<Estimate>;
  count(place: Place, dead: number[], neutral: number[]): Promise<Count>;
  /** How it stands while it is played, of a game whose facts say `estimates`. */
  standing(place: Place): Promise<Standing>;
  /** The search's view of a position, streamed; when the signal stops it, what has been found so far. */
  analyse(place: Place, budget: Budget, thinking?: Thinking): Promise<Analysis>;
  /** One move of a game beside the best that the search finds; `place` is before it. */
  review(place: Place, actions: number[], visits: number, thinking?: Thinking): Promise<Review>;
  /**
   * The actions of a machine's whole move: `level:3`, `mcts:500`, `mcts:2s`, `random`, `brain:default@64`, as the
   * server is asked for them.
   * The tree is kept under the name of the `table` between its moves. `null` where it gives up.
   */
  choose(place: Place, machine: string, table: string, limit: Budget, thinking?: Thinking): Promise<number[] | null>;
  /** Those trees are not needed again. */
  forget(table: string): void;
}
