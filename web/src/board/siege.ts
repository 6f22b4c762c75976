/** Why a group was lost, as things to draw: what closes each side of it. */
import { cellInSlot, centre, slot, UNIT, type Layout } from "./geometry";

/** A side of a cell in the group: closed by a piece, or by the edge of the board. The turn is in degrees. */
export type Wall = { x: number; y: number; turn: number; edge: boolean; beside: number };

const SIDES: [line: number, column: number, turn: number][] = [
  [-1, 0, 0],
  [0, 1, 90],
  [1, 0, 180],
  [0, -1, 270],
];

export function walls(at: Layout, group: readonly number[]): Wall[] {
  const own = new Set(group);
  return group.flatMap((cell) => {
    const { line, column } = slot(at, cell);
    const { x, y } = centre(at, cell);
    return SIDES.flatMap(([dy, dx, turn]) => {
      const beside = cellInSlot(at, line + dy, column + dx);
      if (own.has(beside)) return [];
      return [{ x: x + (dx * UNIT) / 2, y: y + (dy * UNIT) / 2, turn, edge: beside < 0, beside }];
    });
  });
}

/** Cells of the list by the letter on them: two groups that meet are drawn apart. */
export function byLetter(cells: string, list: readonly number[]): number[][] {
  const groups = new Map<string, number[]>();
  for (const cell of list) groups.set(cells[cell]!, [...(groups.get(cells[cell]!) ?? []), cell]);
  return [...groups.values()];
}
