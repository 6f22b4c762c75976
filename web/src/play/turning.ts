/**
 * Where a game was lost, as things to draw: the move that lost it or gave the most away, what would have been better,
 * and who was to die.
 */
import type { BoardFace } from "../board/face";
import type { BoardProps } from "../board/types";
import type { Position, TurningPoint, View } from "../protocol";

type Shown = Pick<BoardProps, "judged" | "better" | "doomed">;

interface Seen {
  found: TurningPoint;
  /** How many moves have been made in the position that is shown. */
  place: number;
  view: View;
  /** The position in which the better move was there to be made, and the actions that were chosen instead. */
  before: Pick<Position, "view" | "moves"> | undefined;
  played: readonly number[];
  /** How it ended. */
  last: View | undefined;
}

export function turningShown(face: BoardFace, { found, place, view, before, played, last }: Seen): Shown {
  if (!found.number || place < found.number - 1) return {};
  const doomed = (last?.captured ?? []).filter((cell) => {
    const letter = last!.cells[cell]!;
    return letter === view.cells[cell] && face.seatOf(letter) === found.seat;
  });
  if (!before || place > found.number) return { doomed };
  const spot = face.spot(before.view, before.moves, played);
  const ghost = found.better ? face.spot(before.view, before.moves, found.line_actions[0] ?? []) : null;
  const letter = ghost?.from === undefined ? face.placed(found.seat) : (before.view.cells[ghost.from] ?? "");
  return {
    doomed,
    better: ghost && { ...ghost, letter },
    judged: spot && found.better && place === found.number ? { cell: spot.cell, size: found.kind === "move" ? "blunder" : "inaccuracy" } : null,
  };
}
