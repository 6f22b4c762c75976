/**
 * What the graph and its table show: the first seat's chances and lead after each move of the main line.
 *
 * A `ReviewedMove` is told from its mover's side and knows the lead only before the move, so the lead after a
 * move is that of the next review. `x` counts moves; 0 is the start.
 */
import type { ReviewedMove } from "../protocol";

export type Mistake = NonNullable<ReviewedMove["mistake"]>;
export const MISTAKES: Mistake[] = ["blunder", "mistake", "inaccuracy"];

const NOTABLE_LEAD = 0.1; // points

export interface GraphData {
  x: number[];
  /** 0 to 100, of the first seat. */
  win: (number | null)[];
  /** In points, of the first seat; null where the game has none. */
  lead: (number | null)[];
}

export function graphData(reviewed: readonly ReviewedMove[], total: number): GraphData {
  const x = Array.from({ length: total + 1 }, (_, at) => at);
  const win: (number | null)[] = x.map(() => null);
  const lead: (number | null)[] = x.map(() => null);
  for (const move of reviewed) {
    const after = move.seat === 0 ? move.win_after : 1 - move.win_after;
    win[move.number] = percent(after);
    if (move.number === 1) win[0] = percent(move.seat === 0 ? move.win_before : 1 - move.win_before);
    if (move.lead !== null) lead[move.number - 1] = move.seat === 0 ? move.lead : -move.lead;
  }
  return { x, win, lead };
}

/** Whether the lead is worth a line of its own: known, and not even all the way. */
export function hasLead(data: GraphData): boolean {
  return data.lead.some((value) => value !== null && Math.abs(value) >= NOTABLE_LEAD);
}

function percent(win: number): number {
  return Math.round(win * 1000) / 10;
}

/** How much of the mover's chances a move gave away, 0 to 1. */
export function loss(move: ReviewedMove): number {
  return Math.max(0, move.win_before - move.win_after);
}

/** The number of the next move that was a mistake of one of these sizes, or null. */
export function nextMistake(
  reviewed: readonly ReviewedMove[],
  from: number,
  step: 1 | -1,
  sizes: readonly Mistake[] = MISTAKES,
): number | null {
  const wanted = reviewed
    .filter((move) => move.mistake !== null && sizes.includes(move.mistake))
    .filter((move) => (move.number - from) * step > 0)
    .map((move) => move.number);
  if (!wanted.length) return null;
  return step === 1 ? Math.min(...wanted) : Math.max(...wanted);
}

/** By seat, how many mistakes of each size, and the mean of the chances given away. */
export interface Tally {
  counts: Record<Mistake, number>;
  moves: number;
  /** 0 to 100, falling with what a move gave away on average: 1 % of the win rate is 93, 5 % is 70, 10 % is 50. A move
   * counts for as much as the game was open before or after it: what is played in a decided game says little, and
   * throwing such a game away says all. Null while too little has been looked at. */
  accuracy: number | null;
  word: AccuracyWord | null;
}

export type AccuracyWord = "accuracy_superb" | "accuracy_good" | "accuracy_fair" | "accuracy_rough";
const WORDS: [number, AccuracyWord][] = [
  [95, "accuracy_superb"],
  [80, "accuracy_good"],
  [60, "accuracy_fair"],
  [0, "accuracy_rough"],
];

// Set so that levels against their like come where players of that strength see themselves elsewhere: in Go on 9x9
// level 1 at 40 to 50, level 5 at 70 to 80, level 10 above 95.
const STRICT = 7;
const TELLING = 8; // even moves' worth of a player, while others are not yet looked at
const LEAST = 0.2; // of a whole game

export function tallies(reviewed: readonly ReviewedMove[], whole = true): [Tally, Tally] {
  const of = (seat: number): Tally => {
    const own = reviewed.filter((move) => move.seat === seat);
    const counts: Record<Mistake, number> = { blunder: 0, mistake: 0, inaccuracy: 0 };
    for (const move of own) if (move.mistake) counts[move.mistake] += 1;
    const weight = own.reduce((sum, move) => sum + open(move), 0);
    const lost = own.reduce((sum, move) => sum + open(move) * loss(move), 0);
    const tells = weight >= (whole ? LEAST : TELLING);
    const accuracy = tells ? percent(Math.exp((-STRICT * lost) / weight)) : null;
    const word = accuracy === null ? null : WORDS.find(([least]) => accuracy >= least)![1];
    return { counts, moves: own.length, accuracy, word };
  };
  return [of(0), of(1)];
}

/** How open the game was before or after a move: 1 where both may win alike, 0 where one has won. */
function open(move: ReviewedMove): number {
  return Math.max(...[move.win_before, move.win_after].map((win) => 4 * win * (1 - win)));
}
