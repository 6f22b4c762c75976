/**
 * A match in sentences: who sits where, whose turn it is, how it stands, and why it ended. Everything here
 * reads what the server sent and decides nothing. Start reading at `status` and `ending`.
 */
import type { GameFace } from "../games/face";
import { points } from "../games/sheet";
import { t, word } from "../i18n";
import type { LineMove, MatchInfo, Now, Outcome, Person, View } from "../protocol";

const NAMELESS = ["latest", "default"]; // whichever is the champion, and the one that comes with tengen

/** A neural net by its name where it has one that says something; null where none plays. */
export function brainIn(player: string): string | null {
  const name = /^brain:([^@]+)/.exec(player)?.[1];
  if (name === undefined) return null;
  return NAMELESS.includes(name) ? t("home.opponent_brain") : t("home.brain_of", { name });
}

/** Who sits there, by name; somebody without one is "you" to themselves. */
export function playerName(info: MatchInfo, seat: number, you: readonly number[] = []): string {
  const { kind, name, player } = info.seats[seat]!;
  const level = levelIn(player);
  if (level !== undefined) return t("play.level", { number: level });
  const brain = brainIn(player);
  if (brain) return brain;
  if (name) return name;
  if (you.includes(seat)) return t("play.you_name");
  return t(kind === "machine" ? "play.machine" : kind === "person" ? "play.somebody" : "play.free_seat");
}

/** What a player is called in a record: a level in our own words, whatever the language was that it was written in. */
export function recordedName({ name, kind }: Person): string {
  const level = kind === "machine" ? /^level (\d+)\b/i.exec(name)?.[1] : undefined;
  return level === undefined ? name : t("play.level", { number: level });
}

/** The level that somebody plays with, if one does. */
export function levelOf({ seats }: MatchInfo): number | undefined {
  return seats.map(({ player }) => levelIn(player)).find((level) => level !== undefined);
}

function levelIn(player: string): number | undefined {
  const found = /^level:(\d+)$/.exec(player);
  return found ? Number(found[1]) : undefined;
}

/** One sentence on what happens now, and one more where there is something to know. */
export interface Status {
  text: string;
  note: string;
}

interface Situation {
  face: GameFace;
  info: MatchInfo;
  now: Now;
  line: readonly LineMove[];
  you: readonly number[];
}

export function status({ face, info, now, line, you }: Situation): Status {
  if (info.status === "cancelled") return { text: t("play.cancelled"), note: "" };
  if (info.status === "open") return { text: t("play.open"), note: "" };
  if (now.outcome) return { text: endingTitle(face, now.outcome, you), note: "" };
  if (now.suspended) return { text: t("play.suspended"), note: "" };
  if (now.paused) return { text: t("play.paused"), note: "" };
  if (now.phase === "agreement") return { text: t("play.agreement"), note: "" };
  return { text: turnText(face, info, now.view.to_move, you), note: note(face, now, line) };
}

function turnText(face: GameFace, info: MatchInfo, seat: number, you: readonly number[]): string {
  const name = face.seat(seat);
  if (you.length === 2) return t("play.their_turn", { seat: name });
  if (you.includes(seat)) return t("play.your_turn_as", { seat: name });
  if (info.seats[seat]!.kind === "machine") return t("play.thinks", { name: playerName(info, seat) });
  return t("play.their_turn", { seat: name });
}

function note(face: GameFace, now: Now, line: readonly LineMove[]): string {
  const last = line.at(-1);
  if (last?.text === "pass" && last.seat !== null) return face.table.passed(face.seat(last.seat));
  return face.table.note(now);
}

/** By how much a count is won, as it stands: "Black is ahead by 3.5". */
export function scoreText(face: GameFace, { lead }: { lead: number }): string {
  if (lead === 0) return t("play.score_even");
  return t("play.score_lead", { seat: face.seat(lead > 0 ? 0 : 1), by: points(Math.abs(lead)) });
}

/** Who won, from the point of view of `you`. */
export function endingTitle(face: GameFace, outcome: Outcome, you: readonly number[]): string {
  if (outcome.reason === "void") return t("play.end_void");
  if (outcome.winner === null) return t("play.end_draw");
  if (you.length === 1) return t(you.includes(outcome.winner) ? "play.end_you_won" : "play.end_you_lost");
  return t("play.end_won", { seat: face.seat(outcome.winner) });
}

/** Why it ended, for somebody who has never seen the game end so. */
export function ending(face: GameFace, view: View, outcome: Outcome): string {
  const winner = outcome.winner === null ? "" : face.seat(outcome.winner);
  const loser = outcome.winner === null ? "" : face.seat(1 - outcome.winner);
  const names = { winner, loser, first: face.seat(0), second: face.seat(1) };
  if (outcome.reason === "void") return t("play.end_void_why");
  const own = face.table.ending(view, outcome, names);
  if (own !== null) return own;
  const known = outcome.reason === "score" ? "" : word(`play.end_${outcome.reason}`, "", names);
  if (known) return known;
  return outcome.score ? scoreEnding(outcome, winner, loser) : t("play.end_other");
}

function scoreEnding(outcome: Outcome, winner: string, loser: string): string {
  const [a, b] = outcome.score ?? [0, 0];
  if (outcome.winner === null) return t("play.end_score_even", { a: points(a) });
  return t("play.end_score", { winner, loser, by: points(Math.abs(a - b)) });
}

/** A move as it is said aloud, with what it took. */
export function said(face: GameFace, move: LineMove, captured: number): string {
  if (move.seat === null) return t("play.said_resume");
  const seat = face.seat(move.seat);
  if (move.text === "pass") return t("play.said_pass", { seat });
  const own = face.table.said(move.text, seat);
  if (own !== null) return own;
  return [t("play.said_move", { seat, move: move.text }), face.table.taken(captured, false)].filter(Boolean).join(", ");
}

/** A move for the list: short, and a resumption in words. */
export function moveText(face: GameFace, text: string, seat: number | null): string {
  if (seat === null) return t("play.resumed");
  return text === "pass" ? t("play.pass") : (face.table.moveText(text) ?? text);
}
