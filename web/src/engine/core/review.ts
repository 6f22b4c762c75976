/** One move of a game beside the best that a search finds: what `tengen.analysis.review` says of it. */
import type { Analysis, Place } from "../../protocol.ts";
import { facts } from "./facts.ts";
import { CoreError, type Core, type Review } from "./types.ts";

interface Worth {
  win: number;
  lead: number | null;
}

export async function reviewed(
  core: Core,
  place: Place,
  actions: number[],
  visits: number,
  signal?: AbortSignal,
): Promise<Review> {
  const number = (place.moves?.length ?? 0) + 1;
  const { view } = await core.position(place);
  const seat = view.to_move;
  const look = async (after: number[], seed: number): Promise<Worth> => {
    if (signal?.aborted) throw new CoreError("stopped", "The review was stopped.");
    return worthAfter(core, { ...place, moves: [...(place.moves ?? []), after] }, seat, visits, seed);
  };
  const before = await core.analyse(place, { visits }, { seed: 1 });
  const best = before.moves[0]!;
  const after = await look(actions, 1);
  let { win: winBefore, lead: leadBefore } = after;
  let [loss, points] = [0, Infinity];
  if (String(actions) !== String(best.actions)) {
    const better = await look(best.actions, 1);
    [winBefore, leadBefore] = [better.win, better.lead];
    [loss, points] = [better.win - after.win, less(better.lead, after.lead)];
    if (loss >= facts.mistakes.at(-1)!.win) {
      const [again, worse] = [await look(best.actions, -1), await look(actions, -1)];
      loss = sure(loss, again.win - worse.win);
      points = sure(points, less(again.lead, worse.lead));
    }
    loss = Math.max(loss, 0);
    winBefore = after.win + loss;
  }
  const lead = before.lead !== null && leadBefore !== null ? agreed((before.lead + leadBefore) / 2, winBefore) : before.lead;
  const made = await core.move(place, actions);
  const byPoints = facts.games.find(({ name }) => name === place.game)!.estimates; // elsewhere a capture may end it
  const review = {
    number,
    seat,
    move: made.text,
    win_before: rounded(winBefore, 4),
    win_after: rounded(after.win, 4),
    lead: lead === null ? null : rounded(lead, 2),
    best: best.move,
    line: best.line,
    mistake: facts.mistakes.find((one) => loss >= one.win && (points >= one.points || !byPoints))?.word ?? null,
    line_actions: best.line_actions,
    by: before.by,
  };
  return { review, before };
}

/** What a position is worth to that seat, which has just moved. */
async function worthAfter(core: Core, place: Place, seat: number, visits: number, seed: number): Promise<Worth> {
  const { outcome, agreement, can_resume } = await core.position(place);
  if (outcome !== null && agreement && can_resume) return worthOfStopped(core, place, seat);
  if (outcome !== null) return { win: outcome.winner === null ? 0.5 : Number(outcome.winner === seat), lead: null };
  const found: Analysis = await core.analyse(place, { visits }, { seed });
  const sign = found.to_move === seat ? 1 : -1;
  const lead = found.lead === null || found.proven !== null ? null : sign * found.lead;
  return { win: sign === 1 ? found.win : 1 - found.win, lead };
}

/** Of a game that ends in an agreement: as a machine would count it. */
async function worthOfStopped(core: Core, place: Place, seat: number): Promise<Worth> {
  const { dead, neutral } = await core.estimate(place);
  const { points } = await core.count(place, dead, neutral);
  const lead = points[seat]! - points[1 - seat]!;
  return { win: lead === 0 ? 0.5 : Number(lead > 0), lead };
}

/** A lead never stands beside a win rate that denies it. */
function agreed(lead: number, win: number): number {
  return lead * (win - 0.5) > 0 ? lead : 0;
}

/** The points given away; without end where none are counted, so that the win rate alone decides. */
function less(best: number | null, played: number | null): number {
  return best === null || played === null ? Infinity : best - played;
}

/** As much of a loss as two searches agree on: their mean, less what they are apart. */
function sure(first: number, second: number): number {
  return first === second ? first : (first + second) / 2 - Math.abs(first - second);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
