/** The search over a game in the page: what `/api/review`, `/api/explore` and `/api/studies/review` stream. */
import type { Exploration, Finding, NodeReview, ReviewedMove, ReviewRequest, StudyReview } from "../protocol";
import { lineThrough, pathTo, placeOf, ROOT } from "../review/study";
import type { Core } from "./core/types";
import { keepReview } from "./table/kept";

const VISITS = 400;

export async function reviewHere(
  core: Core,
  { place, visits = VISITS }: ReviewRequest,
  onMove: (move: ReviewedMove) => void,
  signal: AbortSignal,
): Promise<void> {
  const { moves = [], resumptions = [] } = place;
  for (const [index, actions] of moves.entries()) {
    const resumed = resumptions.filter(([after]) => after <= index);
    const before = { ...place, moves: moves.slice(0, index), resumptions: resumed };
    const { review } = await core.review(before, actions, visits, { signal });
    signal.throwIfAborted();
    onMove({ ...review, number: index + 1 + resumed.length });
  }
}

export async function exploreHere(
  core: Core,
  { place, seconds = 30 }: Exploration,
  onFinding: (finding: Finding) => void,
  signal: AbortSignal,
): Promise<void> {
  const told = (done: boolean) => (analysis: Finding["analysis"]) => onFinding({ analysis, message: "", done });
  const found = await core.analyse(place, { seconds }, { signal, onReport: told(false) });
  signal.throwIfAborted();
  told(true)(found);
}

/** Every move of a study that says nothing of it yet, the main line first. */
export async function reviewStudyHere(
  core: Core,
  { study, visits = VISITS }: StudyReview,
  onNode: (found: NodeReview) => void,
  signal: AbortSignal,
): Promise<void> {
  const main = lineThrough(study, ROOT);
  const order = [...main, ...[...study.nodes.keys()].filter((at) => !main.includes(at))];
  const moves = order.filter((at) => study.nodes[at]!.actions.length > 0);
  const wanted = moves.filter((at) => !study.nodes[at]!.review);
  const total = moves.length;
  const tell = async (found: NodeReview): Promise<void> => {
    onNode(found);
    await keepReview(study, found);
  };
  for (const [index, at] of wanted.entries()) {
    const { parent, actions } = study.nodes[at]!;
    const { review, before } = await core.review(placeOf(study, parent!), actions, visits, { signal });
    signal.throwIfAborted();
    const done = total - wanted.length + index;
    await tell({ node: parent!, review: null, analysis: before, message: "", done, total });
    const number = pathTo(study, at).length - 1;
    await tell({ node: at, review: { ...review, number }, analysis: null, message: "", done: done + 1, total });
  }
}
