/** What this device keeps, for lists and for those who want it elsewhere. No engine is needed for it. */
import { newId } from "../../net/socket.svelte";
import type { MatchSummary, NodeReview, Study } from "../../protocol";
import { keysOf } from "../../review/study";
import { summaryOf } from "./row";
import { shelf } from "./shelf";

type Judged = Pick<NodeReview, "node" | "analysis" | "review">;

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

/** What the engine of this page has found out about positions of the study. */
export async function keptReviews(study: Study): Promise<NodeReview[]> {
  const keys = keysOf(study).map((key) => whole(study, key));
  const known = await (await shelf()).judgements(keys);
  return keys.flatMap((key, node) => {
    const found = known.get(key);
    return found ? [{ node, analysis: found.analysis, review: found.review, message: "", done: 0, total: 0 }] : [];
  });
}

export async function keepReview(study: Study, { node, analysis, review }: Judged): Promise<void> {
  const key = whole(study, keysOf(study)[node]!);
  await (await shelf()).putJudgement({ key, at_ms: Date.now(), analysis, review });
}

/** The key of a position, the same for every study of the game from there. */
function whole({ game, options, origin }: Study, key: string): string {
  const sorted = Object.entries(options).sort(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([game, sorted, origin ?? null, key]);
}
