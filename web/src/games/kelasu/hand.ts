/**
 * What a click or Enter on a cell means: picking a piece up, putting it down, or choosing blanks for a merge.
 * Where pieces may go comes from `View.details`; nothing is decided here.
 */
import type { Choice, HandFace, Situation, Target } from "../../board/face";
import type { KelasuDetails, View } from "../../protocol";

export const detailsOf = (view: View): KelasuDetails => view.details as KelasuDetails;

export function targetsOf(details: KelasuDetails, cell: number | null): readonly Target[] {
  if (cell === null) return [];
  return details.moves.find((move) => move.from === cell)?.targets ?? [];
}

/** The blanks that can take part in some merge now. */
export function mergeable(details: KelasuDetails): number[] {
  return [...new Set(details.merges.flatMap((merge) => merge.targets))].sort((a, b) => a - b);
}

function choose({ view, legal, picked, selection, selectable }: Situation, cell: number): Choice {
  const details = detailsOf(view);
  if (details.stages.length > 0) return legal.has(cell) ? { kind: "move", actions: [cell] } : { kind: "refuse" };
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

export const hand: HandFace = {
  places: false,
  drags: true,
  choose,
  targets: ({ view }, cell) => targetsOf(detailsOf(view), cell),
  inviting: ({ view, picked }, cell) => {
    const details = detailsOf(view);
    return targetsOf(details, cell).length > 0 || targetsOf(details, picked).some((target) => target.cell === cell);
  },
  selectable: (view) => mergeable(detailsOf(view)),
};
