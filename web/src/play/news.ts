/**
 * What is new between two moments of a match, as short sentences. All of it is read out to somebody who does not see
 * the board; what cannot be seen on the page anyway (`shown`) also stands in the status line for a while. One's own
 * moves are not news.
 */
import type { GameFace } from "../games/face";
import { plural, t } from "../i18n";
import type { Event, LineMove, MatchInfo, Now, Offer } from "../protocol";
import { ending, endingTitle, playerName, said } from "./words";

export interface Moment {
  face: GameFace;
  info: MatchInfo;
  now: Now;
  line: readonly LineMove[];
  latest?: readonly Event[]; // what led here from the moment before, where that is known
}

export interface Item {
  text: string;
  shown: boolean;
}

export function news(before: Moment, after: Moment, you: readonly number[]): Item[] {
  return [
    ...movesNews(before, after, you),
    ...offerNews(before, after, you),
    ...marksNews(before, after, you),
    ...presenceNews(before, after, you),
    ...phaseNews(before, after, you),
  ];
}

const spoken = (text: string): Item => ({ text, shown: false });
const shown = (text: string): Item => ({ text, shown: true });

function movesNews(before: Moment, after: Moment, you: readonly number[]): Item[] {
  const known = before.line.at(-1)?.event ?? 0;
  const fresh = after.line.filter((move) => move.event > known);
  if (!fresh.length) return after.line.length < before.line.length ? [shown(t("play.taken_back"))] : [];
  const { face } = after;
  return fresh.flatMap((move) => {
    const captured = move === after.line.at(-1) ? after.now.view.captured.length : 0;
    if (move.seat === null) {
      const next = face.seat(after.now.view.to_move);
      return [shown(`${said(face, move, 0)}. ${t("play.resumed_means", { seat: next })}`)];
    }
    if (!you.includes(move.seat)) return [spoken(said(face, move, captured))];
    const taken = face.table.taken(captured, true);
    return taken ? [spoken(taken)] : [];
  });
}

function offerNews(before: Moment, after: Moment, you: readonly number[]): Item[] {
  const [old, fresh] = [before.now.offer, after.now.offer];
  if (fresh && !same(old, fresh) && !you.includes(fresh.seat)) return [spoken(offerText(after.info, fresh))];
  const settled =
    after.line.length !== before.line.length ||
    after.now.phase !== before.now.phase ||
    after.now.paused !== before.now.paused;
  if (!old || fresh || settled || !you.includes(old.seat)) return [];
  if (old.what === "rematch" && after.info.rematch) return [];
  return [shown(declinedText(old.what))];
}

/** The agreement on dead stones: what the others have marked or accepted, and that one's own acceptance is void. */
function marksNews(before: Moment, after: Moment, you: readonly number[]): Item[] {
  const [old, fresh] = [before.now.marking, after.now.marking];
  if (!old || !fresh || before.now === after.now || after.now.phase !== "agreement") return [];
  const items: Item[] = [];
  const marked = after.latest?.findLast((event) => event.kind === "mark" || event.kind === "suggest");
  if (marked && (marked.seat === null || !you.includes(marked.seat))) items.push(shown(marksText(after, old.dead, fresh.dead, marked)));
  if (you.some((seat) => old.accepted[seat] && !fresh.accepted[seat])) items.push(shown(t("play.accept_void")));
  for (const seat of [0, 1]) {
    if (you.includes(seat) || old.accepted[seat] || !fresh.accepted[seat]) continue;
    items.push(shown(t("play.accepted_by", { seat: after.face.seat(seat) })));
  }
  return items;
}

function marksText(after: Moment, old: readonly number[], fresh: readonly number[], { seat }: Event): string {
  const dead = fresh.filter((cell) => !old.includes(cell)).length;
  const alive = old.filter((cell) => !fresh.includes(cell)).length;
  if (seat === null) return fresh.length ? plural("play.marks_suggested", fresh.length) : t("play.marks_none");
  const name = after.face.seat(seat);
  if (dead) return plural("play.marks_dead", dead, { seat: name });
  return alive ? plural("play.marks_alive", alive, { seat: name }) : t("play.marks_changed", { seat: name });
}

function same(one: Offer | null, other: Offer): boolean {
  return one !== null && one.what === other.what && one.seat === other.seat;
}

/** What the other player asks for. */
export function offerText(info: MatchInfo, offer: Offer): string {
  const name = playerName(info, offer.seat);
  switch (offer.what) {
    case "draw":
      return t("play.offer_draw", { name });
    case "takeback":
      return t("play.offer_takeback", { name });
    case "rematch":
      return t("play.offer_rematch", { name });
    case "pause":
      return t("play.offer_pause", { name });
  }
}

function declinedText(what: Offer["what"]): string {
  switch (what) {
    case "draw":
      return t("play.declined_draw");
    case "takeback":
      return t("play.declined_takeback");
    case "rematch":
      return t("play.declined_rematch");
    case "pause":
      return t("play.declined_pause");
  }
}

function presenceNews(before: Moment, after: Moment, you: readonly number[]): Item[] {
  return after.info.seats.flatMap((seat, number) => {
    const was = before.info.seats[number]!;
    if (seat.kind !== "person" || you.includes(number) || was.here === seat.here) return [];
    const name = playerName(after.info, number);
    return [shown(seat.here ? t("play.said_joined", { name }) : t("play.said_left", { name }))];
  });
}

function phaseNews(before: Moment, after: Moment, you: readonly number[]): Item[] {
  const { outcome, phase, view } = after.now;
  if (outcome && !before.now.outcome) {
    return [spoken(`${endingTitle(after.face, outcome, you)}. ${ending(after.face, view, outcome)}`)];
  }
  if (phase === "agreement" && before.now.phase === "playing") return [spoken(t("play.agreement"))];
  if (after.info.rematch && !before.info.rematch) return [shown(t("play.rematch_ready"))];
  return [];
}
