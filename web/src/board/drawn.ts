/**
 * How two pictures of a board differ: the difference is what gets animated and heard. A game whose moves do more
 * than put pieces down and take them off tells its differences itself. Nothing here decides what is legal.
 */
export type Effect =
  | { kind: "place"; cell: number }
  | { kind: "remove"; cell: number; letter: string } // taken off, or taken back
  | { kind: "slide"; from: number; to: number; far: boolean } // far: over everything between
  | { kind: "turn"; cell: number; by: { cell: number; letter: string } | null } // changed sides
  | { kind: "merge"; cell: number; from: { cell: number; letter: string }[] };

/** The cells that were left, filled, and filled with something else. */
export type Differences = { gone: number[]; come: number[]; other: number[] };

export function differences(before: string, after: string): Differences | null {
  if (before === after || before.length !== after.length) return null;
  const found: Differences = { gone: [], come: [], other: [] };
  for (let cell = 0; cell < after.length; cell++) {
    if (before[cell] === after[cell]) continue;
    (after[cell] === "." ? found.gone : before[cell] === "." ? found.come : found.other).push(cell);
  }
  return found;
}

/** Pieces taken off and put down, up to `most` of them; beyond that it is a jump, not a move. */
export function placements(before: string, after: string, most: number): Effect[] {
  const found = differences(before, after);
  if (!found || found.come.length > most || found.other.length > 0) return [];
  return [
    ...found.gone.map((cell): Effect => ({ kind: "remove", cell, letter: before[cell]! })),
    ...found.come.map((cell): Effect => ({ kind: "place", cell })),
  ];
}
