/** The answer of the search, as the board's heat map and as a list. */
import type { Heat } from "../board/types";
import { t } from "../i18n";
import type { Analysis, Candidate, View } from "../protocol";

const MOST_ON_BOARD = 12;
export const MOST_LISTED = 5;

/** The cell that a move is about, or null for a pass and the end of a turn. A merge is about where the piece stands. */
export function cellOf(view: View, actions: readonly number[]): number | null {
  const cell = actions.length > 1 ? actions[1] : actions[0];
  return cell !== undefined && cell >= 0 && cell < view.cells.length ? cell : null;
}

/** Best first; a cell that several moves lead to shows the best of them. A move of a piece has an arrow. */
export function heatOf(view: View, analysis: Analysis): Heat[] {
  const heat: Heat[] = [];
  analysis.moves.forEach((move, index) => {
    const cell = cellOf(view, move.actions);
    if (cell === null || heat.length === MOST_ON_BOARD || heat.some((other) => other.cell === cell)) return;
    const [start] = move.actions;
    const from = move.actions.length > 1 && start! < view.cells.length ? { from: start! } : {};
    heat.push({ cell, ...from, win: move.win, visits: move.visits, text: String(hundredths(move.win)), best: index === 0 });
  });
  return heat;
}

function hundredths(win: number): number {
  return Math.round(win * 100);
}

export function percent(win: number): string {
  return `${hundredths(win)}%`;
}

/** What is said beside a move: its chances, or that it is proven. */
export function chances(move: Candidate): string {
  switch (move.proven) {
    case "win":
      return t("play.hint_proven_win");
    case "draw":
      return t("play.hint_proven_draw");
    case "loss":
      return t("play.hint_proven_loss");
    default:
      return percent(move.win);
  }
}
