/**
 * Views for small boards that nobody plays on: of a diagram (`MatchSummary.diagram`) and of a sample's frame.
 *
 * What a diagram does not tell, such as territory or energy, is left out or 0; such a view is for looking only.
 */
import type { Frame, GameFace } from "../games/face";
import type { View } from "../protocol";

type Shape = Pick<View, "board" | "width" | "height">;

/** The cells of a diagram: rows joined by /, numbers for runs of empty cells. */
export function cellsOf(diagram: string): { cells: string; width: number; height: number } {
  const rows = diagram.split("/").map((row) => row.replace(/\d+/g, (run) => ".".repeat(Number(run))));
  return { cells: rows.join(""), width: rows[0]?.length ?? 0, height: rows.length };
}

export function diagramView(face: GameFace, board: View["board"], diagram: string, to_move: number | null): View {
  const { cells, width, height } = cellsOf(diagram);
  return stillView(face, { board, width, height }, cells, to_move ?? 0);
}

/** A position of a sample; what a frame does not tell is as in a picture. */
export function frameView(face: GameFace, { board, width, height }: Shape, frame: Frame): View {
  const view = stillView(face, { board, width, height }, frame.cells, frame.to_move);
  const details = { ...view.details };
  if (frame.territory) details.territory = [...frame.territory].map(Number);
  if (frame.energy !== undefined) details.energy = frame.energy;
  if (frame.moved) details.moved = frame.moved;
  return { ...view, last: frame.last, captured: frame.captured, details };
}

function stillView(face: GameFace, shape: Shape, cells: string, to_move: number): View {
  return { ...shape, cells, to_move, last: [], captured: [], score: null, details: face.home.stillDetails(cells) };
}
