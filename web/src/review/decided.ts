/**
 * Why a game was lost: the last blunder of the loser, as the review judges moves, or else the stretch over which it
 * slipped away and the largest step of that. `decided` is the rule and the same as in `tengen/turning.py`
 * (`decided.cases.json` is for both); `turningHere` asks the core in the page for as few reviews as it needs.
 */
import type { Core } from "../engine/core/types";
import type { Place, ReviewedMove, TurningPoint, TurningRequest } from "../protocol";

const LEAST = 0.2; // of the win rate: whoever has less has no blunder left to make
const EVEN = 0.5; // from which on what had happened before is forgotten
const FAIR = 0.25; // with which a game that was given up was not lost yet
const STEP = 0.01; // of the win rate: less is no step that could be named
const NEAR = 6; // moves that are looked at one by one
const VISITS = 400; // of a reviewed move
const OPEN_S = 0.4;

type Judged = Pick<ReviewedMove, "win_before" | "win_after" | "mistake">;

/** Which of the loser's moves lost the game, alone or as the largest step of a stretch, with the chances at its ends. */
export interface Lost {
  kind: "move" | "slowly";
  at: number;
  since: number;
  until: number;
  had: number;
  left: number;
}

/** Of the loser's moves, in their order; null where there was never a chance to lose. */
export function decided(moves: readonly Judged[]): Lost | null {
  let mistake: number | null = null;
  let last: number | null = null;
  let since = 0;
  for (let index = moves.length - 1; index >= 0; index--) {
    const judged = moves[index]!;
    if (judged.mistake === "blunder") {
      mistake = index;
      break;
    }
    if (judged.win_before >= LEAST) last ??= index;
    if (judged.mistake === "mistake" && judged.win_before >= LEAST) mistake ??= index;
    if (judged.win_before >= EVEN) {
      since = index;
      break;
    }
  }
  if (mistake !== null) {
    const { win_before: had, win_after: left } = moves[mistake]!;
    return { kind: "move", at: mistake, since: mistake, until: mistake, had, left };
  }
  return last === null ? null : slipped(moves, since, last);
}

function slipped(moves: readonly Judged[], since: number, last: number): Lost {
  const step = (index: number) => moves[index]!.win_before - moves[index]!.win_after;
  let at = since;
  for (let index = since + 1; index <= last; index++) if (step(index) > step(at)) at = index;
  const next = moves[last + 1];
  const [until, left] = next ? [last + 1, next.win_before] : [last, moves[last]!.win_after];
  return { kind: "slowly", at, since, until, had: moves[since]!.win_before, left };
}

/** The same of `count` moves, of which only some are asked for: from the end backwards, at last in growing steps. */
export async function sought(count: number, ask: (index: number) => Promise<Judged>): Promise<Lost | null> {
  const known = new Map<number, Judged>();
  const judged = async (at: number): Promise<Judged> => {
    if (!known.has(at)) known.set(at, await ask(at));
    return known.get(at)!;
  };
  const alive = async (at: number) => (await judged(at)).win_before >= LEAST;
  let lost = count; // from there on there was nothing to lose
  let at = count;
  for (let stride = 1; ; ) {
    if (lost === 0) return null;
    at = Math.max(0, lost - stride);
    if (await alive(at)) break;
    lost = at;
    if (count - lost >= NEAR) stride *= 2;
  }
  while (lost - at > 1) {
    const middle = (lost + at) >> 1;
    if (await alive(middle)) at = middle;
    else lost = middle;
  }
  let first = at;
  for (let here = await judged(at); first > 0 && here.mistake !== "blunder" && here.win_before < EVEN; ) {
    first -= 1;
    here = await judged(first);
  }
  const stretch = Math.min(at + 2, count) - first;
  const found = decided(Array.from({ length: stretch }, (_, index) => known.get(first + index)!));
  return found && { ...found, at: first + found.at, since: first + found.since, until: first + found.until };
}

/** What a whole review of a game says, with the chances of the loser where it ended. */
export function turningOf(reviewed: readonly ReviewedMove[], loser: number, proven: (number: number) => boolean): TurningPoint {
  const last = reviewed.at(-1);
  const chance = last ? (last.seat === loser ? last.win_after : 1 - last.win_after) : 0;
  if (chance >= FAIR) return told("open", loser, { chance });
  const own = reviewed.filter((move) => move.seat === loser);
  return byMove(decided(own), loser, (index) => own[index]!, proven);
}

/** What `/api/turning` answers, by the core in the page. */
export async function turningHere(core: Core, { place, loser }: TurningRequest, signal?: AbortSignal): Promise<TurningPoint> {
  const { positions } = await core.line(place);
  const thinking = signal ? { signal } : {};
  if (!positions.at(-1)!.outcome) {
    const end = await core.analyse(place, { seconds: OPEN_S }, thinking);
    signal?.throwIfAborted();
    const chance = end.to_move === loser ? end.win : 1 - end.win;
    if (chance >= FAIR) return told("open", loser, { chance });
  }
  const own = movesOf(place, positions).filter(({ seat }) => seat === loser);
  const reviews = new Map<number, ReviewedMove>();
  const found = await sought(own.length, async (index) => {
    const { number, before, actions } = own[index]!;
    const { review } = await core.review(before, actions, VISITS, thinking);
    signal?.throwIfAborted();
    reviews.set(index, { ...review, number });
    return review;
  });
  return byMove(found, loser, (index) => reviews.get(index)!, () => false);
}

/** The moves that lead to a place: where each was made, and its number among moves and resumptions. */
function movesOf(place: Place, positions: readonly { seat: number | null; resumed: number | null }[]) {
  const { moves = [], resumptions = [] } = place;
  const numbers = [...positions.keys()].filter((number) => number > 0 && positions[number]!.resumed === null);
  return numbers.map((number, index) => ({
    number,
    seat: positions[number]!.seat,
    before: { ...place, moves: moves.slice(0, index), resumptions: resumptions.filter(([after]) => after <= index) },
    actions: moves[index]!,
  }));
}

function byMove(lost: Lost | null, loser: number, reviewOf: (index: number) => ReviewedMove, proven: (number: number) => boolean): TurningPoint {
  if (!lost) return told("never", loser);
  const { kind, had, left } = lost;
  const stretch = { since: reviewOf(lost.since).number, until: reviewOf(lost.until).number, had, left };
  const { number, move, best: better, win_before: chance, win_after, line, line_actions } = reviewOf(lost.at);
  if (kind === "slowly" && (better === move || chance - win_after < STEP))
    return told(kind, loser, { number: stretch.since, move: reviewOf(lost.since).move, chance: had, ...stretch });
  return told(kind, loser, { number, move, better, proven: proven(number), chance, line, line_actions, ...stretch });
}

function told(kind: TurningPoint["kind"], seat: number, more: Partial<TurningPoint> = {}): TurningPoint {
  const nothing = { number: 0, move: "", better: "", proven: false, chance: 0, line: [], line_actions: [] };
  return { kind, seat, ...nothing, since: 0, until: 0, had: 0, left: 0, ...more };
}
