/**
 * Lists of matches: in which order one's own stand, what a match is waiting for, and how it ended in words.
 */
import type { MatchSummary, Outcome } from "../protocol";

/** Where a match of one's own stands; in the order in which the list shows them. */
export const STANDINGS = ["yours", "waiting", "theirs", "over"] as const;
export type Standing = (typeof STANDINGS)[number];

export function standing(match: MatchSummary): Standing {
  if (match.info.status === "over" || match.info.status === "cancelled") return "over";
  if (match.info.status === "open") return "waiting";
  return match.to_move !== null && match.you.includes(match.to_move) ? "yours" : "theirs";
}

/** One's own matches: those that wait for oneself first, then the latest move first. */
export function sorted(matches: readonly MatchSummary[]): MatchSummary[] {
  const rank = (match: MatchSummary) => STANDINGS.indexOf(standing(match));
  return [...matches].sort((a, b) => rank(a) - rank(b) || b.moved_ms - a.moved_ms);
}

/** Which sentence tells how a match ended, and what it says. */
export interface ResultWords {
  key: "void" | "draw" | "drawScore" | "win" | "winScore" | "winBy";
  winner: number | null;
  reason: string;
  score: string;
  by: string;
}

/**
 * The words for an outcome. `winBy` tells by how many points, `winScore` shows both.
 */
export function resultWords(outcome: Outcome, winsBy: boolean): ResultWords {
  const { winner, reason, score } = outcome;
  const words = { winner, reason, score: "", by: "" };
  if (reason === "void") return { ...words, key: "void" };
  if (score) {
    words.score = score.map(number).join("–");
    words.by = number(Math.abs(score[0] - score[1]));
  }
  if (winner === null) return { ...words, key: score ? "drawScore" : "draw" };
  if (!score) return { ...words, key: "win" };
  return { ...words, key: winsBy ? "winBy" : "winScore" };
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}
