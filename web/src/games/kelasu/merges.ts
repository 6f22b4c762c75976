/**
 * Merges from the point of view of somebody who taps blanks: which kinds the chosen blanks can become,
 * how a choice grows to the number a kind needs, and the actions that are sent: the kind, where the piece stands,
 * and the other blanks, each next to one before it (KE 29).
 *
 * The server says which blanks can take part (`details.merges`) and has the last word; only that blanks of one
 * merge are joined side by side is looked at here, so that a player is not sent on a wrong way.
 */
import type { KelasuDetails, KelasuMerge } from "../../protocol";

const RANKS = "ABCDEFGHIJ";
const SIZE = 10;
const CELLS = SIZE * SIZE;
/** A merge begins with the action CELLS + the place of its kind; the action after those ends the turn. */
export const MERGE_KINDS = "WRDCGS";
export const END_TURN = CELLS + MERGE_KINDS.length;
/** In the order in which the legend and the panel show them. */
export const PIECES = ["B", "W", "R", "D", "C", "G", "S"] as const;
/** What merges make, as texts have them within a sentence. */
export const NAMES: Record<string, string> = {
  W: "warrior",
  R: "runner",
  D: "diplomat",
  C: "champion",
  G: "general",
  S: "stone",
};
export type Piece = (typeof PIECES)[number];

export function kelasuCell(cell: number): string {
  return `${RANKS[Math.floor(cell / SIZE)]}${cell % SIZE}`;
}

function neighbours(cell: number): number[] {
  const found = [];
  if (cell >= SIZE) found.push(cell - SIZE);
  if (cell % SIZE > 0) found.push(cell - 1);
  if (cell % SIZE < SIZE - 1) found.push(cell + 1);
  if (cell < SIZE * (SIZE - 1)) found.push(cell + SIZE);
  return found;
}

/** Whether the cells hang together side by side. */
export function joined(cells: readonly number[]): boolean {
  const [first] = cells;
  return first === undefined || reach([first], new Set(cells), Infinity).length === cells.length;
}

/** `start` and then, nearest first, cells of `among` that touch what is there already, up to `count` in all. */
function reach(start: readonly number[], among: ReadonlySet<number>, count: number): number[] {
  const found = [...start];
  const seen = new Set(start);
  for (let at = 0; at < found.length && found.length < count; at++) {
    for (const next of neighbours(found[at]!)) {
      if (among.has(next) && !seen.has(next) && found.length < count) {
        seen.add(next);
        found.push(next);
      }
    }
  }
  return found;
}

/** The kind that an action begins to merge, or undefined. */
export function mergeKind(action: number): string | undefined {
  return MERGE_KINDS[action - CELLS];
}

/**
 * The kind, the target, then again and again the lowest cell that touches those before it: as the rules stage a
 * merge. That the cells can merge is not checked.
 */
export function mergeActions(kind: string, cells: readonly number[], target: number): number[] {
  const order = [target];
  const rest = cells.filter((cell) => cell !== target).sort((a, b) => a - b);
  while (rest.length) {
    const at = Math.max(0, rest.findIndex((cell) => neighbours(cell).some((other) => order.includes(other))));
    order.push(...rest.splice(at, 1));
  }
  return [CELLS + MERGE_KINDS.indexOf(kind), ...order];
}

/** What a kind makes of the chosen blanks: `more` are still needed. */
export interface MergeChoice {
  kind: string;
  cost: number;
  more: number;
  /** The blanks that it would take: the chosen ones, and where some are missing those nearest to them. */
  cells: number[];
}

export function mergeChoices(details: KelasuDetails, chosen: readonly number[]): MergeChoice[] {
  return details.merges.flatMap((merge) => {
    const cells = grown(merge, chosen);
    return cells ? [{ kind: merge.kind, cost: merge.cost, more: merge.cost - chosen.length, cells }] : [];
  });
}

/** The chosen blanks, grown to the number that the merge takes; null if that cannot be. */
function grown(merge: KelasuMerge, chosen: readonly number[]): number[] | null {
  const among = new Set(merge.targets);
  if (!chosen.length || chosen.length > merge.cost || !chosen.every((cell) => among.has(cell))) return null;
  if (!joined(chosen)) return null;
  const cells = reach(chosen, among, merge.cost);
  return cells.length === merge.cost ? cells : null;
}
