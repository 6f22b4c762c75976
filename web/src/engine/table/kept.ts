/** What this device keeps, for lists and for those who want it elsewhere. No engine is needed for it. */
import { newId } from "../../net/socket.svelte";
import type { MatchSummary, Study } from "../../protocol";
import { summaryOf } from "./row";
import { shelf } from "./shelf";

/** The latest first. */
export async function keptMatches(): Promise<MatchSummary[]> {
  const rows = await (await shelf()).matches();
  return rows.map(summaryOf).sort((one, other) => other.moved_ms - one.moved_ms);
}

export async function removeMatch(match: string): Promise<void> {
  await (await shelf()).remove(match);
}

/** Which study on the server the match has become, if it was sent. */
export async function sentAs(match: string): Promise<string | null> {
  return (await (await shelf()).match(match))?.sent ?? null;
}

export async function markSent(match: string, study: string): Promise<void> {
  const kept = await shelf();
  const row = await kept.match(match);
  if (row) await kept.put({ ...row, sent: study }, row.kept.events.length);
}

export async function keepStudy(study: Study): Promise<Study> {
  const kept = { ...study, id: `~${newId()}` };
  await (await shelf()).putStudy(kept);
  return kept;
}

export async function keptStudy(id: string): Promise<Study | null> {
  return (await shelf()).study(id);
}
