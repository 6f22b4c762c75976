/**
 * The hand for a game whose whole moves the server lists with the cells that make them: a cell of one move plays
 * it; a cell of several is picked up, so that another cell of the move tells it apart, and where no other cell
 * does, the moves are asked about.
 */
import type { HandFace, Situation, Target } from "../../board/face";
import type { MoveChoice } from "../../protocol";

function movesAt(moves: readonly MoveChoice[], cell: number): MoveChoice[] {
  return moves.filter((move) => move.cells.includes(cell));
}

/** Whether each of the moves has a cell besides this one that none of the others has. */
function toldApart(moves: readonly MoveChoice[], cell: number): boolean {
  return moves.every((move) =>
    move.cells.some((other) => other !== cell && movesAt(moves, other).length === 1),
  );
}

function targets({ view, moves }: Situation, cell: number | null): readonly Target[] {
  if (cell === null) return [];
  const own = movesAt(moves, cell);
  if (own.length < 2 || !toldApart(own, cell)) return [];
  const cells = new Set(own.flatMap((move) => move.cells.filter((other) => other !== cell)));
  return [...cells].map((other) => ({ cell: other, kind: view.cells[other] === "." ? "move" : "capture" }));
}

export const choosing: HandFace = {
  places: false,
  drags: true,
  targets,
  inviting: ({ moves }, cell) => moves.some((move) => move.cells.includes(cell)),
  selectable: () => [],
  choose(situation, cell) {
    const { moves, picked } = situation;
    const own = movesAt(moves, cell);
    const left = picked === null || picked === cell ? [] : own.filter((move) => move.cells.includes(picked));
    const [only, ...more] = left.length > 0 ? left : own;
    if (picked === cell) return { kind: "drop" };
    if (!only) return picked === null ? { kind: "refuse" } : { kind: "drop" };
    if (more.length === 0) return { kind: "move", actions: only.actions };
    if (left.length === 0 && toldApart(own, cell)) return { kind: "pick", cell };
    return { kind: "ask", moves: [only, ...more] };
  },
};
