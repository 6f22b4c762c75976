/**
 * Views for small boards that nobody plays on: of a diagram (`MatchSummary.diagram`) and of a sample's frame.
 *
 * What a diagram does not tell, such as territory or energy, is left out or 0; such a view is for looking only.
 */
import type { GameInfo, Outcome, View } from "../protocol";

type Shape = Pick<View, "board" | "width" | "height">;

/** The cells of a diagram: rows joined by /, numbers for runs of empty cells. */
export function cellsOf(diagram: string): { cells: string; width: number; height: number } {
  const rows = diagram.split("/").map((row) => row.replace(/\d+/g, (run) => ".".repeat(Number(run))));
  return { cells: rows.join(""), width: rows[0]?.length ?? 0, height: rows.length };
}

export function diagramView(game: Pick<GameInfo, "name" | "board">, diagram: string, to_move: number | null): View {
  const { cells, width, height } = cellsOf(diagram);
  return stillView({ board: game.board, width, height }, game.name, cells, to_move ?? 0);
}

export interface Frame {
  cells: string;
  to_move: number;
  last: number[];
  captured: number[];
  territory?: string;
  energy?: number;
  moved?: number[];
}

export interface Sample {
  options: Record<string, number>;
  outcome: Outcome | null;
  frames: Frame[];
}

export function frameView(game: string, frame: Frame): View {
  const side = Math.round(Math.sqrt(frame.cells.length));
  const shape: Shape =
    game === "dominion-duel"
      ? { board: "row", width: frame.cells.length, height: 1 }
      : { board: game === "kelasu" ? "squares" : "points", width: side, height: side };
  const view = stillView(shape, game, frame.cells, frame.to_move);
  const details = { ...view.details };
  if (frame.territory) details.territory = [...frame.territory].map(Number);
  if (frame.energy !== undefined) details.energy = frame.energy;
  if (frame.moved) details.moved = frame.moved;
  return { ...view, last: frame.last, captured: frame.captured, details };
}

function stillView(shape: Shape, game: string, cells: string, to_move: number): View {
  return { ...shape, cells, to_move, last: [], captured: [], score: null, details: stillDetails(game, cells) };
}

function stillDetails(game: string, cells: string): Record<string, unknown> {
  const none = Array<number>(cells.length).fill(0);
  if (game === "great-kingdom") {
    return { territory: none, liberties: none, suicide: [], passes: 0, lead: 3, castles_left: null };
  }
  if (game === "go") return { liberties: none, ko: null, prisoners: [0, 0] };
  if (game === "kelasu") {
    const rest = { stages: [], moves: [], merges: [], may_end_turn: false };
    return { energy: 0, quiet_rounds: 0, moved: [], victory_tiles: [44, 45, 54, 55], ...rest };
  }
  return {};
}
