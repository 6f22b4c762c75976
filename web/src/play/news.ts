/**
 * What is new between two moments of a match, as short sentences for somebody who does not see the board.
 * One's own moves are not news.
 */
import { plural, t } from "../i18n";
import type { LineMove, MatchInfo, Now, Offer } from "../protocol";
import { ending, endingTitle, playerName, said } from "./words";

export interface Moment {
  info: MatchInfo;
  now: Now;
  line: readonly LineMove[];
}

export function news(before: Moment, after: Moment, you: readonly number[]): string[] {
  return [
    ...movesNews(before, after, you),
    ...offerNews(before, after, you),
    ...presenceNews(before, after, you),
    ...phaseNews(before, after, you),
  ];
}

function movesNews(before: Moment, after: Moment, you: readonly number[]): string[] {
  const known = before.line.at(-1)?.event ?? 0;
  const fresh = after.line.filter((move) => move.event > known);
  if (!fresh.length) return after.line.length < before.line.length ? [t("play.taken_back")] : [];
  const { game } = after.info;
  return fresh.flatMap((move) => {
    const captured = move === after.line.at(-1) ? after.now.view.captured.length : 0;
    if (move.seat === null || !you.includes(move.seat)) return [said(game, move, captured)];
    return captured && game === "go" ? [plural("play.said_captured", captured)] : [];
  });
}

function offerNews(before: Moment, after: Moment, you: readonly number[]): string[] {
  const [old, fresh] = [before.now.offer, after.now.offer];
  if (fresh && !same(old, fresh) && !you.includes(fresh.seat)) return [offerText(after.info, fresh)];
  const settled = after.line.length !== before.line.length || after.now.phase !== before.now.phase;
  if (!old || fresh || settled || !you.includes(old.seat)) return [];
  if (old.what === "rematch" && after.info.rematch) return [];
  return [declinedText(old.what)];
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
  }
}

function presenceNews(before: Moment, after: Moment, you: readonly number[]): string[] {
  return after.info.seats.flatMap((seat, number) => {
    const was = before.info.seats[number]!;
    if (seat.kind !== "person" || you.includes(number) || was.here === seat.here) return [];
    const name = playerName(after.info, number);
    return [seat.here ? t("play.said_joined", { name }) : t("play.said_left", { name })];
  });
}

function phaseNews(before: Moment, after: Moment, you: readonly number[]): string[] {
  const { outcome, phase, view } = after.now;
  if (outcome && !before.now.outcome) {
    return [`${endingTitle(after.info, outcome, you)}. ${ending(after.info, view, outcome)}`];
  }
  if (phase === "agreement" && before.now.phase === "playing") return [t("play.agreement")];
  if (after.info.rematch && !before.info.rematch) return [t("play.rematch_ready")];
  return [];
}
