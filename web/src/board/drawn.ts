/**
 * What stands where, with the actions that were sent and not yet confirmed already made, and how two such
 * pictures differ: the difference is what gets animated and heard. Nothing here decides what is legal.
 */
import type { KelasuDetails, View } from "../protocol";

/** Letters of `Game.letters` by seat, for games where a turn places one piece. */
const PLACED: Record<string, [string, string]> = {
  go: ["X", "O"],
  "great-kingdom": ["B", "O"],
  "dominion-duel": ["X", "O"],
};
const MERGE_FIRST = 100; // actions 100 to 105 begin a merge
export const MERGE_KINDS = "WRDCGS";

/** The seat that a letter belongs to, or -1 for neutral pieces and locks. */
export function seatOf(game: string, letter: string): number {
  if (game === "kelasu") return letter === letter.toUpperCase() ? 0 : 1;
  return PLACED[game]?.indexOf(letter) ?? -1;
}

/** What a turn of that seat puts on a cell, or "" where turns place nothing (Kelasu). */
export function placedLetter(game: string, seat: number): string {
  return PLACED[game]?.[seat === 1 ? 1 : 0] ?? "";
}

/** The cells as they look once those actions are made. Captures are left to the server. */
export function withPending(game: string, view: View, pending: readonly number[] | null, seat: number): string {
  if (!pending || pending.length === 0) return view.cells;
  const cells = [...view.cells];
  if (game === "kelasu") moveKelasu(cells, view, pending);
  else if (pending[0]! < cells.length) cells[pending[0]!] = placedLetter(game, seat);
  return cells.join("");
}

function moveKelasu(cells: string[], view: View, actions: readonly number[]): void {
  const stages = [...(view.details as KelasuDetails).stages, ...actions];
  const [first, second] = stages as [number, number | undefined];
  if (second === undefined || second >= cells.length) return;
  if (first >= MERGE_FIRST) {
    const kind = MERGE_KINDS[first - MERGE_FIRST];
    if (!kind) return;
    const blank = cells[second]!;
    for (const cell of stages.slice(1)) cells[cell] = ".";
    cells[second] = blank === blank.toUpperCase() ? kind : kind.toLowerCase();
    return;
  }
  const piece = cells[first]!;
  const target = cells[second]!;
  cells[first] = ".";
  cells[second] = piece.toUpperCase() === "D" && target !== "." ? swapCase(target) : piece;
}

function swapCase(letter: string): string {
  return letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
}

export type Effect =
  | { kind: "place"; cell: number }
  | { kind: "remove"; cell: number; letter: string } // taken off, or taken back
  | { kind: "slide"; from: number; to: number; far: boolean } // far: a recall, over everything between
  | { kind: "turn"; cell: number; by: { cell: number; letter: string } } // changed sides
  | { kind: "merge"; cell: number; from: { cell: number; letter: string }[] };

const MOST_PLACED = 4; // a claim with two locks, or a little more; beyond that it is a jump, not a move

/** The move between two pictures, as effects; a jump between positions that lie apart has none. */
export function changes(game: string, before: string, after: string): Effect[] {
  if (before === after || before.length !== after.length) return [];
  const gone: number[] = [];
  const come: number[] = [];
  const other: number[] = [];
  for (let cell = 0; cell < after.length; cell++) {
    if (before[cell] === after[cell]) continue;
    (after[cell] === "." ? gone : before[cell] === "." ? come : other).push(cell);
  }
  if (game === "kelasu") return kelasuChanges(before, after, gone, come, other);
  if (come.length > (game === "dominion-duel" ? MOST_PLACED : 1) || other.length > 0) return [];
  return [
    ...gone.map((cell): Effect => ({ kind: "remove", cell, letter: before[cell]! })),
    ...come.map((cell): Effect => ({ kind: "place", cell })),
  ];
}

function kelasuChanges(before: string, after: string, gone: number[], come: number[], other: number[]): Effect[] {
  const from = gone[0];
  const left = (cell: number) => ({ cell, letter: before[cell]! });
  if (from === undefined) return [];
  if (gone.length === 1 && come.length === 1 && other.length === 0) {
    const to = come[0]!;
    return after[to] === before[from] ? [{ kind: "slide", from, to, far: isRecall(before[from]!, from, to) }] : [];
  }
  if (come.length > 0 || other.length !== 1) return [];
  const to = other[0]!;
  if (gone.length === 1 && after[to] === before[from]) {
    return [
      { kind: "remove", ...left(to) },
      { kind: "slide", from, to, far: isRecall(before[from]!, from, to) },
    ];
  }
  if (gone.length === 1 && before[from]!.toUpperCase() === "D" && after[to] === swapCase(before[to]!)) {
    return [{ kind: "turn", cell: to, by: left(from) }];
  }
  const blank = before[to]!;
  if (blank.toUpperCase() === "B" && gone.every((cell) => before[cell] === blank)) {
    return [{ kind: "merge", cell: to, from: [...gone, to].map(left) }];
  }
  return [];
}

function isRecall(piece: string, from: number, to: number): boolean {
  return piece.toUpperCase() === "W" && Math.abs(from - to) === 90;
}
