/**
 * What a click or Enter on a cell means in Kelasu: picking a piece up, putting it down, or choosing blanks for
 * a merge. Where pieces may go comes from `View.details`; nothing is decided here.
 */
import type { KelasuDetails, KelasuTarget } from "../protocol";

export type Choice =
  | { kind: "pick"; cell: number }
  | { kind: "drop" } // nothing is held any more
  | { kind: "move"; actions: number[] }
  | { kind: "select"; cells: number[] }
  | { kind: "none" };

export function targetsOf(details: KelasuDetails, cell: number | null): KelasuTarget[] {
  if (cell === null) return [];
  return details.moves.find((move) => move.from === cell)?.targets ?? [];
}

/** The blanks that can take part in some merge now. */
export function mergeable(details: KelasuDetails): number[] {
  return [...new Set(details.merges.flatMap((merge) => merge.targets))].sort((a, b) => a - b);
}

type Situation = {
  details: KelasuDetails;
  picked: number | null;
  selection: readonly number[] | null; // the blanks chosen so far; null outside of merge mode
  selectable: readonly number[];
};

export function choose({ details, picked, selection, selectable }: Situation, cell: number): Choice {
  if (selection) {
    if (selection.includes(cell)) return { kind: "select", cells: selection.filter((other) => other !== cell) };
    return selectable.includes(cell) ? { kind: "select", cells: [...selection, cell] } : { kind: "none" };
  }
  if (picked !== null && targetsOf(details, picked).some((target) => target.cell === cell)) {
    return { kind: "move", actions: [picked, cell] };
  }
  if (cell !== picked && details.moves.some((move) => move.from === cell)) return { kind: "pick", cell };
  return picked === null ? { kind: "none" } : { kind: "drop" };
}
