/** The answer of the search, as the board's heat map and as a list. */
import type { BoardFace } from "../board/face";
import type { Heat } from "../board/types";
import { t } from "../i18n";
import type { Analysis, Candidate, MoveChoice, Position } from "../protocol";

const MOST_ON_BOARD = 12;
export const MOST_LISTED = 5;

type Seen = { view: Position["view"]; moves: readonly MoveChoice[] };

/** Best first; a cell that several moves lead to shows the best of them. A move of a piece has an arrow. */
export function heatOf(face: BoardFace, { view, moves }: Seen, analysis: Analysis): Heat[] {
  const heat: Heat[] = [];
  analysis.moves.forEach((move, index) => {
    const spot = face.spot(view, moves, move.actions);
    if (!spot || heat.length === MOST_ON_BOARD || heat.some((other) => other.cell === spot.cell)) return;
    const text = String(hundredths(figure(analysis, move)));
    heat.push({ ...spot, win: move.win, visits: move.visits, text, best: index === 0 });
  });
  return heat;
}

/** A win rate as it is said on the board and beside it: without a net it is rough, and said in steps of 5 %. */
export function figure({ by }: Pick<Analysis, "by">, { win, proven }: Pick<Candidate, "win" | "proven">): number {
  return by === "search" && !proven ? Math.round(win * 20) / 20 : win;
}

function hundredths(win: number): number {
  return Math.round(win * 100);
}

export function percent(win: number): string {
  return `${hundredths(win)}%`;
}

/** What is said beside a move: its chances, or that it is proven. */
export function chances(analysis: Pick<Analysis, "by">, move: Candidate): string {
  switch (move.proven) {
    case "win":
      return t("play.hint_proven_win");
    case "draw":
      return t("play.hint_proven_draw");
    case "loss":
      return t("play.hint_proven_loss");
    default:
      return percent(figure(analysis, move));
  }
}

/** A lead in points, "" where none is known; one that rounds to nothing has no sign. */
export function signed(lead: number | null): string {
  if (lead === null) return "";
  const points = Math.round(lead * 10) / 10 || 0;
  return `${points > 0 ? "+" : ""}${points.toFixed(1)}`;
}
