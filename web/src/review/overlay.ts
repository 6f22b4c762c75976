/** What a review draws on the board: the size of a mistake on the piece that made it, and what was better. */
import type { BoardFace } from "../board/face";
import type { Better, Judged } from "../board/types";
import type { Position, ReviewedMove, StudyNode } from "../protocol";

type Seen = Pick<Position, "view" | "moves">;

export function judgedMove(face: BoardFace, before: Seen, node: StudyNode, verdict: ReviewedMove | null): Judged | null {
  const spot = verdict?.mistake ? face.spot(before.view, before.moves, node.actions) : null;
  return spot && { cell: spot.cell, size: verdict!.mistake! };
}

/** Of a move that was a mistake, and null for a pass: there is nowhere to draw one. */
export function betterThan(face: BoardFace, before: Seen, verdict: ReviewedMove | null): Better | null {
  const actions = verdict?.mistake ? verdict.line_actions[0] : undefined;
  const spot = actions ? face.spot(before.view, before.moves, actions) : null;
  if (!spot) return null;
  const letter = spot.from === undefined ? face.placed(verdict!.seat) : (before.view.cells[spot.from] ?? "");
  return { ...spot, letter };
}
