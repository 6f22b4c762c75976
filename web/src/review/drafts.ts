/** Variations and comments that somebody has made, kept in this browser so that a reload loses none of them. */
import type { Study } from "../protocol";
import { readJson, write } from "../storage";
import { bare, lineThrough, node, ROOT } from "./study";

const KEY = "tengen.study-drafts";
const OLD_KEY = "tengen.drafts"; // which the last choices for new games have for themselves now
const MOST = 10; // the ones changed last
const MOST_CHARS = 400_000;

type Drafts = Record<string, Study>;

function all(): Drafts {
  const found = readJson(KEY) ?? readJson(OLD_KEY);
  if (typeof found !== "object" || found === null) return {};
  return Object.fromEntries(Object.entries(found as Drafts).filter(([, draft]) => Array.isArray(draft?.nodes)));
}

export function keepDraft(name: string, study: Study): void {
  const { [name]: _, ...others } = all();
  const kept = [...Object.entries(others).slice(1 - MOST), [name, bare(study)]];
  while (kept.length && JSON.stringify(kept).length > MOST_CHARS) kept.shift();
  write(KEY, JSON.stringify(Object.fromEntries(kept)));
}

/** The draft of that name, if it is of this very game. */
export function draftOf(name: string, study: Study): Study | null {
  const draft = all()[name];
  if (!draft || draft.game !== study.game || !Array.isArray(draft.nodes)) return null;
  return follows(draft, study) ? { ...study, nodes: draft.nodes } : null;
}

/** Whether the draft has the whole main line of the study in it. */
function follows(draft: Study, study: Study): boolean {
  let at = ROOT;
  for (const each of lineThrough(study, ROOT).slice(1)) {
    const wanted = node(study, each);
    at = draft.nodes.findIndex(
      (one) => one.parent === at && one.resumed === wanted.resumed && String(one.origin ?? "") === String(wanted.origin ?? "") && one.actions.join() === wanted.actions.join(),
    );
    if (at < 0) return false;
  }
  return true;
}
