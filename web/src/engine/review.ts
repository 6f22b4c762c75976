/** The search over a game in the page: what `/api/review`, `/api/explore` and `/api/studies/review` stream. */
import type { Analysis, Exploration, Finding, NodeReview, ReviewedMove, ReviewRequest, Study, StudyReview } from "../protocol";
import { lineThrough, pathTo, placeOf, ROOT } from "../review/study";
import type { Core } from "./core/types";
import { keepReview } from "./table/kept";

const VISITS = 400;
const GROWTH = 1.1; // after which a search is kept again

/** Where in which study a position stands. */
export interface StudyPlace {
  study: Study;
  node: number;
}

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

/** What is found is kept while it is searched: whoever leaves or reloads the page loses next to nothing of it. */
export async function exploreHere(
  core: Core,
  { place, seconds = 30 }: Exploration,
  { study, node }: StudyPlace,
  onFinding: (finding: Finding) => void,
  signal: AbortSignal,
): Promise<void> {
  let kept = 0; // visits
  const keep = (analysis: Analysis): Promise<void> => {
    kept = analysis.visits;
    return keepReview(study, { node, analysis, review: null });
  };
  const onReport = (analysis: Analysis): void => {
    onFinding({ analysis, message: "", done: false });
    if (analysis.visits > GROWTH * kept) void keep(analysis);
  };
  const analysis = await core.analyse(place, { seconds }, { signal, onReport });
  await keep(analysis);
  signal.throwIfAborted();
  onFinding({ analysis, message: "", done: true });
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
