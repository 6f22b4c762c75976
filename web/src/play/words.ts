/**
 * A match in sentences: who sits where, whose turn it is, how it stands, and why it ended. Everything here
 * reads what the server sent and decides nothing. Start reading at `status` and `ending`.
 */
import { seatOf } from "../board/drawn";
import { cellName } from "../board/names";
import { plural, t, word } from "../i18n";
import type { GoDetails, GreatKingdomDetails, KelasuDetails, LineMove, MatchInfo, Now, Outcome, View } from "../protocol";
import { points } from "./score";

const SEATS: Record<string, readonly [string, string]> = {
  "great-kingdom": ["seat_blue", "seat_orange"],
  go: ["seat_black", "seat_white"],
  kelasu: ["seat_blue", "seat_red"],
};

/** What a seat is called in its game: Blue, White, Player 2. */
export function seatName(game: string, seat: number): string {
  const [first, second] = SEATS[game] ?? ["seat_first", "seat_second"];
  return word(`play.${seat === 0 ? first : second}`, `${seat + 1}`);
}

export function gameName(game: string): string {
  return word(`common.${game.replaceAll("-", "_")}`, game);
}

/** Who sits there, by name; somebody without one is "you" to themselves. */
export function playerName(info: MatchInfo, seat: number, you: readonly number[] = []): string {
  const { kind, name, player } = info.seats[seat]!;
  const level = /^level:(\d+)$/.exec(player);
  if (level) return t("play.level", { number: level[1]! });
  const brain = /^brain:([^@]+)/.exec(player);
  if (brain) return t("home.brain_of", { name: brain[1]! });
  if (name) return name;
  if (you.includes(seat)) return t("play.you_name");
  return t(kind === "machine" ? "play.machine" : kind === "person" ? "play.somebody" : "play.free_seat");
}

export function nameOfCell(view: View, cell: number): string {
  return cellName({ kind: view.board, width: view.width, height: view.height }, cell);
}

function namesOf(view: View, cells: readonly number[]): string {
  return listed(cells.map((cell) => nameOfCell(view, cell)));
}

/** D4, `D4 and E4`, `D4, E4 and F4`. */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return t("play.list_and", { list: names.slice(0, -1).join(", "), last: names.at(-1)! });
}

/** One sentence on what happens now, and one more where there is something to know. */
export interface Status {
  text: string;
  note: string;
}

interface Situation {
  info: MatchInfo;
  now: Now;
  line: readonly LineMove[];
  you: readonly number[];
}

export function status({ info, now, line, you }: Situation): Status {
  if (info.status === "cancelled") return { text: t("play.cancelled"), note: "" };
  if (info.status === "open") return { text: t("play.open"), note: "" };
  if (now.outcome) return { text: endingTitle(info, now.outcome, you), note: "" };
  if (now.suspended) return { text: t("play.suspended"), note: "" };
  if (now.phase === "agreement") return { text: t("play.agreement"), note: "" };
  return { text: turnText(info, now.view.to_move, you), note: note(info, now, line) };
}

function turnText(info: MatchInfo, seat: number, you: readonly number[]): string {
  const name = seatName(info.game, seat);
  if (you.length === 2) return t("play.their_turn", { seat: name });
  if (you.includes(seat)) return t("play.your_turn_as", { seat: name });
  if (info.seats[seat]!.kind === "machine") return t("play.thinks", { name: playerName(info, seat) });
  return t("play.their_turn", { seat: name });
}

function note(info: MatchInfo, now: Now, line: readonly LineMove[]): string {
  const last = line.at(-1);
  if (last?.text === "pass" && last.seat !== null) {
    const seat = seatName(info.game, last.seat);
    return info.game === "go" ? t("play.passed_go", { seat }) : t("play.passed", { seat });
  }
  if (info.game === "go") {
    const { ko } = now.view.details as GoDetails;
    return ko === null || ko === undefined ? "" : t("play.ko", { point: nameOfCell(now.view, ko) });
  }
  if (info.game === "kelasu") return plural("play.energy_left", (now.view.details as KelasuDetails).energy);
  return "";
}

/** Great Kingdom: how the count stands against the lead that Blue needs, and who would win now. */
export function leadText(view: View): { stands: string; wins: string } {
  const { lead } = view.details as GreatKingdomDetails;
  const [blue, orange] = view.score ?? [0, 0];
  const by = Math.abs(blue - orange);
  const wins = t(blue - orange >= lead ? "play.lead_blue_wins" : "play.lead_orange_wins");
  if (lead > 0) {
    if (blue === orange) return { stands: t("play.lead_even", { lead }), wins };
    return { stands: t(blue > orange ? "play.lead_blue" : "play.lead_orange", { by, lead }), wins };
  }
  if (blue === orange) return { stands: t("play.lead_ties_even"), wins };
  const key = blue > orange ? "play.lead_ties_blue" : "play.lead_ties_orange";
  return { stands: t(key, { by, behind: -lead }), wins };
}

/** Who won, from the point of view of `you`. */
export function endingTitle(info: MatchInfo, outcome: Outcome, you: readonly number[]): string {
  if (outcome.reason === "void") return t("play.end_void");
  if (outcome.winner === null) return t("play.end_draw");
  if (you.length === 1) return t(you.includes(outcome.winner) ? "play.end_you_won" : "play.end_you_lost");
  return t("play.end_won", { seat: seatName(info.game, outcome.winner) });
}

/** Why it ended, for somebody who has never seen the game end so. */
export function ending(info: MatchInfo, view: View, outcome: Outcome): string {
  const { game } = info;
  const winner = outcome.winner === null ? "" : seatName(game, outcome.winner);
  const loser = outcome.winner === null ? "" : seatName(game, 1 - outcome.winner);
  const names = { winner, loser, first: seatName(game, 0), second: seatName(game, 1) };
  switch (outcome.reason) {
    case "capture": {
      const lost = view.captured.filter((cell) => seatOf(game, view.cells[cell]!) !== outcome.winner);
      return plural("play.end_capture", lost.length, { loser, cells: namesOf(view, lost) });
    }
    case "suicide":
      return t("play.end_suicide", { loser, cells: namesOf(view, view.last) });
    case "territory":
      return territoryEnding(view, outcome);
    case "score":
    case "claims":
      return scoreEnding(outcome, names);
    case "void":
      return t("play.end_void_why");
    default:
      return word(`play.end_${outcome.reason}`, t("play.end_other"), names);
  }
}

function territoryEnding(view: View, outcome: Outcome): string {
  const { lead } = view.details as GreatKingdomDetails;
  const [blue, orange] = outcome.score ?? [0, 0];
  const by = Math.abs(blue - orange);
  if (lead <= 0) return t("play.end_lead_ties", { blue, orange, behind: -lead });
  if (by === 0) return t("play.end_lead_even", { blue, lead });
  return t(blue > orange ? "play.end_lead" : "play.end_lead_behind", { blue, orange, lead, by });
}

function scoreEnding(outcome: Outcome, names: Record<"winner" | "loser" | "first" | "second", string>): string {
  const [a, b] = outcome.score ?? [0, 0];
  if (outcome.reason === "claims") {
    if (outcome.winner === null) return t("play.end_claims_even", { a: points(a) });
    return t("play.end_claims", { first: names.first, second: names.second, a: points(a), b: points(b) });
  }
  if (outcome.winner === null) return t("play.end_score_even", { a: points(a) });
  return t("play.end_score", { winner: names.winner, loser: names.loser, by: points(Math.abs(a - b)) });
}

/** A move as it is said aloud, with what it took. */
export function said(game: string, move: LineMove, captured: number): string {
  if (move.seat === null) return t("play.said_resume");
  const seat = seatName(game, move.seat);
  if (move.text === "pass") return t("play.said_pass", { seat });
  if (move.text === "end") return t("play.said_end", { seat });
  const text = t("play.said_move", { seat, move: move.text });
  if (!captured || game === "great-kingdom") return text;
  return `${text}, ${game === "go" ? plural("play.said_captured", captured) : t("play.said_takes")}`;
}

/** A move for the list: short, and a resumption in words. */
export function moveText(text: string, seat: number | null): string {
  if (seat === null) return t("play.resumed");
  return text === "pass" ? t("play.pass") : text === "end" ? t("play.end_turn") : text;
}
