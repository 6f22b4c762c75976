/**
 * What a match on the device waits for from the house, a machine's move or answer or the suggestion of dead stones,
 * and what the house then does. The manners are those of src/tengen/players/manners.py, its numbers come from there.
 */
import type { Budget, Core, Manners } from "../core/types";
import * as agreement from "./agreement";
import type { Match } from "./match";

export interface Duty {
  kind: "move" | "answer" | "suggest" | "agree";
  seat: number; // the machine's; a suggestion has -1
}

const MOST_S = 3; // as on a server; a level stops by itself long before
const MOVES_TO_GO = 25; // how many moves the time on a clock is spread over
const LEAST_S = 0.03;

/** What the house has to do next, if anything. */
export function duty(match: Match): Duty | null {
  const machine = (seat: number) => match.setup.seats[seat]!.kind === "machine";
  const { standing, phase } = match;
  if (standing.suspended || standing.paused || match.outcome) return null;
  if (phase === "playing") {
    const { offer } = standing;
    if (offer && machine(1 - offer.seat)) return { kind: "answer", seat: 1 - offer.seat };
    return machine(match.toMove) ? { kind: "move", seat: match.toMove } : null;
  }
  const marks = standing.marks!;
  if (!marks.touched && !isSuggested(match)) return { kind: "suggest", seat: -1 };
  const waiting = [0, 1].filter((seat) => !marks.accepted[seat]);
  // A machine answers after a person.
  return waiting.length && waiting.every(machine) ? { kind: "agree", seat: waiting[0]! } : null;
}

/** Whether the suggestion has been made in this agreement, which began with the last move. */
function isSuggested({ events, line }: Match): boolean {
  return events.slice(line.at(-1)?.event ?? 0).some((event) => event.kind === "suggest");
}

/** Does it: thinks, and comes back with the match after it. The signal stops the thinking; then it throws. */
export async function perform(
  { kind, seat }: Duty,
  match: Match,
  house: { core: Core; manners: Manners; table: string; clock: () => number; signal: AbortSignal },
): Promise<Match> {
  const { core, manners, clock, signal } = house;
  const { place } = match;
  if (kind === "move") {
    const budget: Budget = { seconds: moveSeconds(match, clock()) };
    const { player } = match.setup.seats[seat]!;
    const seed = Math.floor(Math.random() * 2 ** 31);
    const actions = await core.choose(place, player, `${house.table} ${seat}`, budget, { signal, seed });
    const asked = actions ? { kind: "move" as const, actions } : { kind: "resign" as const };
    return match.apply({ ...asked, seat, at_ms: clock() });
  }
  if (kind === "answer") {
    const what = match.standing.offer!.what;
    const accept = what !== "draw" || (await agreesToDraw(match, seat, core, manners, signal));
    return match.apply({ kind: "answer", what, accept, seat, at_ms: clock() });
  }
  const found = await core.estimate(place);
  if (kind === "suggest") return match.suggest(found.dead, found.neutral, clock());
  const playsOn = await isRobbed(match, seat, found, core);
  const resumed = match.events.filter((event) => event.kind === "resume" && event.seat === seat).length;
  if (playsOn && resumed < manners.most_resumes) return match.apply({ kind: "resume", seat, at_ms: clock() });
  return match.apply({ kind: "accept", seat, position: match.position, at_ms: clock() });
}

/** Whether the marks take the win from it that its own estimate gives it. */
async function isRobbed(
  match: Match,
  seat: number,
  found: { dead: number[]; neutral: number[] },
  core: Core,
): Promise<boolean> {
  const marks = match.standing.marks!;
  const own = (await core.count(match.place, found.dead, found.neutral)).points;
  const agreed = (await core.count(match.place, marks.dead, agreement.neutral(marks))).points;
  return own[seat]! > own[1 - seat]! && agreed[seat]! <= agreed[1 - seat]!;
}

async function agreesToDraw(
  match: Match,
  seat: number,
  core: Core,
  manners: Manners,
  signal: AbortSignal,
): Promise<boolean> {
  const found = await core.analyse(match.place, { visits: manners.judge_visits }, { signal });
  const chances = found.to_move === seat ? found.win : 1 - found.win;
  return found.proven === "draw" || chances < manners.draw_below;
}

/** How long a machine may think about its move now: a share of its clock. */
function moveSeconds(match: Match, at_ms: number): number {
  const { clock } = match.setup;
  if (clock.kind === "none") return MOST_S;
  const left_s = match.reading(match.toMove, at_ms).left_ms / 1000;
  const increment_ms = clock.kind === "fischer" ? clock.increment_ms : 0;
  const period_ms = clock.kind === "byo-yomi" ? clock.period_ms : 0;
  const share_s = left_s / MOVES_TO_GO + (0.5 * (increment_ms + period_ms)) / 1000;
  return Math.max(LEAST_S, Math.min(MOST_S, share_s, left_s * 0.5));
}
