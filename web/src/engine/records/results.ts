/** How a game ended, in the words of SGF's RE. */
import type { Outcome } from "../../protocol";

const HOW: Record<string, string> = { r: "resign", resign: "resign", t: "time", time: "time", f: "forfeit", forfeit: "forfeit" };

/** What RE says; `margin` where only the difference is known. Null when it is not understood. */
export function readResult(text: string): { outcome: Outcome; margin: number | null } | null {
  const word = text.trim().toLowerCase();
  const drawn = (reason: string) => ({ outcome: { winner: null, reason, score: null }, margin: null });
  if (["0", "draw", "jigo"].includes(word)) return drawn("agreement");
  if (word === "void") return drawn("void");
  const found = /^([bw])\+(.*)$/.exec(word);
  if (!found) return null;
  const reason = HOW[found[2]!.trim()] ?? "score";
  const margin = reason === "score" && found[2]!.trim() !== "" ? Number(found[2]) : NaN;
  const outcome = { winner: found[1] === "b" ? 0 : 1, reason, score: null };
  return { outcome, margin: Number.isFinite(margin) ? margin : null };
}

/** RE; `scored` says whether the winner is the side with more points, so that the margin is one. */
export function writeResult({ winner, reason, score }: Outcome, scored: boolean): string {
  if (winner === null) return reason === "void" || reason === "repetition" ? "Void" : "0";
  const words: Record<string, string> = { resign: "R", time: "T", forfeit: "F", ...(scored ? { repetition: "Repetition" } : {}) };
  const how = words[reason] ?? (score && scored ? String(Math.abs(score[0] - score[1])) : "");
  return `${"BW"[winner]}+${how}`;
}

/** The result as the board gives it where that agrees with what the file says, else the file's. */
export function settled(found: Outcome | null, stated: ReturnType<typeof readResult>, scored: boolean): Outcome | null {
  if (!found) return stated?.outcome ?? null;
  if (!stated) return scored ? null : found;
  const { winner, reason } = stated.outcome;
  if (winner !== found.winner || !["score", "agreement", "void"].includes(reason)) return stated.outcome;
  if (winner === null) return (reason === "void") === (found.reason === "repetition") ? found : stated.outcome;
  if (!scored) return found;
  const margin = found.score && Math.abs(found.score[0] - found.score[1]);
  return margin !== null && margin === stated.margin ? found : stated.outcome;
}
