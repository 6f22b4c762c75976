/** Which study a page shows, and whether it may be analysed. */
import { api } from "../net";
import type { Snapshot, Study } from "../protocol";
import { studyOfMatch } from "./study";

/** Whether looking at the match with a machine's help would be cheating: one plays it against a person. */
export function mustWait({ match, you }: Pick<Snapshot, "match" | "you">): boolean {
  if (match.status === "over" || match.status === "cancelled") return false;
  return match.seats.some((seat, number) => you.length > 0 && !you.includes(number) && seat.kind !== "machine");
}

export async function studyFor(match: string): Promise<Study | "wait"> {
  const snapshot = await api.snapshot(match);
  if (mustWait(snapshot)) return "wait";
  if (snapshot.match.status === "over") return api.study(match);
  return studyOfMatch(snapshot.match, snapshot.line, snapshot.now.outcome);
}
