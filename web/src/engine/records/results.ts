/** How a game ended, in the words of SGF's RE. */
import { plainNumbers } from "../../games/numbers";
import type { Outcome } from "../../protocol";

const SIZE = String.raw`(?:\d{1,9}(?:[.,]\d{0,9})?|[.,]\d{1,9})`;
const DRAWN = /^(?:0|draw|jigo|tie|drawn|draw by agreement|和棋|和局|和|平局|持碁|ジゴ|무승부|빅)(?:\s*[(,].*)?$/;
const VOID = /^(?:(?:void|no[ -]?result)(?:\s*[(,].*)?|.*(?:無勝負|无胜负|무효|三劫循[环環]))$/;
const BLACK = "b|black|schwarz|noirs?|negro|negras|nero|ч[её]рные";
const WHITE = "w|white|weiss|blancs?|blanco|blancas|bianco|белые";
const WINS = "(?:wins?|won|gewinnt|gagnent|gagne|gana|ganan|vince|выиграли)(?![a-zа-я0-9_])";
const WINNER = new RegExp(String.raw`^(?:(${BLACK})|${WHITE})(?:\s*\+\s*|\s+${WINS}\s*|\s+(?=by\b)|\s*$)(.*)$`);
const LOSER = /^(?:(b|black)|w|white)\s+(?:(resign|forfeit)(?:s|ed)?|(?:loses?|lost)\b\s*(.*))$/;
const WINNERS: [string, number][] = [["黑", 0], ["黒", 0], ["흑", 0], ["先番", 0], ["白", 1], ["백", 1]];
/** What stands after the winner, as a whole; what is none of these tells the winner alone. */
const HOW: [string, RegExp][] = [
  ["resign", /^(?:(?:by|on|durch|par|por|per) )?(?:r|res|resign(?:s|ed|ation)?|aufgabe|abandono?|abbandono|中[盘盤押].*|불계.*)(?:[\s,(].*)?$/],
  ["time", /^(?:(?:by|on|durch|par|por|per) )?(?:t|time ?(?:out)?|zeit|temps|tiempo|tempo|(?:超时|超時|时间|時間|시간).*)(?:[\s,(].*)?$/],
  ["forfeit", /^(?:(?:by|on|durch|par|por|per) )?(?:f|forf|forfeit(?:s|ed|ure)?|walk ?over|default|disqualif\w*|disconnect\w*|illegal.*)(?:[\s,(].*)?$/],
  ["repetition", /^(?:(?:by|on|durch|par|por|per) )?(?:repetition|super ?ko)(?:[\s,(].*)?$/],
];
const POINTS = new RegExp(
  String.raw`^(?:by\s+|win\s+)?(?:(${SIZE})(\s+1/2)?|(1/2))` +
    String.raw`\s*(?:p|pts?\.?|points?|moku|stones?|목|[目집](半|반)?\s*(?:勝ち?|승)?)?\.?(?:\s*[(\[{].*)?$`,
);
const EAST_RESIGNED = /中[盘盤押]|불계/;
const EAST_TIME = /超时|超時|时间|時間|시간/;
const EAST_LATE = /超时|超時|時間切れ/; // which is said of whom it happened to
const EAST_FORFEIT = /기권|[弃棄][权権權]|不戦|不戰|不战/;
const COUNTED_STONES = 100; // so many are not by how much was won: 黑胜185子 says what the winner has of 361
const EAST_LOST = /[负負敗败]|패|投了|认输|認輸|投子|던짐/;
const EAST_GAVE_UP = /投了|认输|認輸|投子|던짐/;
const EAST_WON = /[勝胜贏赢]|승/;
const EAST_POINTS = new RegExp(
  String.raw`^(?:番|方|棋|の)?\s*[勝胜]?\s*(?:(${SIZE})(?:(?:\s*又\s*|\s+)([1-3])\s*/\s*([24]))?|([1-3])\s*/\s*([24])|(半|반))` +
    String.raw`\s*(目半|집\s*반|[目집子])?\s*(?:[勝胜]ち?|승)?$`,
);
const PLAIN = /^(?:|0|draw|jigo|void|[bw]\+(?:r|resign|t|time|f|forfeit|\d{1,4}(?:\.\d{1,3})?)?)$/i;

export interface Stated {
  outcome: Outcome;
  margin: number | null;
}

/**
 * What RE says; `margin` where only the difference is known. Null when it is not understood. The words are those of
 * src/tengen/records/_sgf_values.py, and sgf.cases.json holds the two together.
 */
export function readResult(text: string): Stated | null {
  const low = plainNumbers(text).replace(/ß/g, "ss").split(/\s+/).filter(Boolean).join(" ").replace(/[.!;:]+$/, "");
  if (DRAWN.test(low)) return ended(null, "agreement");
  if (VOID.test(low)) return ended(null, "void");
  const winner = WINNER.exec(low);
  if (winner) return won(winner[1] ? 0 : 1, winner[2]!.trim());
  const loser = LOSER.exec(low);
  if (loser) return won(loser[1] ? 1 : 0, loser[2] ?? loser[3]!.trim());
  const east = WINNERS.find(([word]) => low.startsWith(word));
  return east ? wonInTheEast(east[1], low.slice(east[0].length).trim()) : null;
}

/** Whether `writeResult` of what was read loses nothing of the text. */
export function isPlainResult(text: string): boolean {
  return PLAIN.test(text);
}

function ended(winner: number | null, reason: string, margin: number | null = null): Stated {
  return { outcome: { winner, reason, score: null }, margin };
}

function won(seat: number, how: string): Stated {
  const reason = HOW.find(([, words]) => words.test(how))?.[0];
  if (reason) return ended(seat, reason);
  const points = POINTS.exec(how);
  if (!points) return ended(seat, "score");
  return ended(seat, "score", number(points[1]) + (points[2] || points[3] || points[4] ? 0.5 : 0));
}

/** By what is said of that colour: 黑负 is a loss, and 黑投了 one by giving up. */
function wonInTheEast(seat: number, how: string): Stated | null {
  if (how.startsWith("+")) return won(seat, how.slice(1).trim());
  const isWon = EAST_WON.test(how);
  const late = EAST_TIME.test(how) ? "time" : EAST_FORFEIT.test(how) ? "forfeit" : "score";
  if (!isWon && [EAST_LOST, EAST_LATE, EAST_FORFEIT].some((words) => words.test(how))) {
    const gaveUp = EAST_GAVE_UP.test(how) || EAST_RESIGNED.test(how);
    return ended(1 - seat, gaveUp && late === "score" ? "resign" : late);
  }
  if (EAST_RESIGNED.test(how)) return ended(seat, "resign");
  if (late !== "score") return isWon ? ended(seat, late) : null;
  const points = EAST_POINTS.exec(how);
  if (!points) return isWon ? ended(seat, "score") : null;
  const [, whole, top, bottom, onlyTop, onlyBottom, half, unit] = points;
  let margin = number(whole);
  if (top ?? onlyTop) margin += Number(top ?? onlyTop) / Number(bottom ?? onlyBottom);
  if (half || /[半반]$/.test(unit ?? "")) margin += 0.5;
  if (unit !== "子") return ended(seat, "score", margin);
  return ended(seat, "score", margin < COUNTED_STONES ? 2 * margin : null); // a stone is two points
}

function number(text: string | undefined): number {
  return Number((text ?? "0").replace(",", ".")) || 0;
}

/** RE; `scored` says whether the winner is the side with more points, so that the margin is one. */
export function writeResult({ winner, reason, score }: Outcome, scored: boolean, margin: number | null = null): string {
  if (winner === null) return reason === "void" || reason === "repetition" ? "Void" : "0";
  const words: Record<string, string> = { resign: "R", time: "T", forfeit: "F", ...(scored ? { repetition: "Repetition" } : {}) };
  const how = words[reason] ?? (score && scored ? String(Math.abs(score[0] - score[1])) : margin === null ? "" : String(margin));
  return `${"BW"[winner]}+${how}`;
}

/** The result as the board gives it where that agrees with what the file says, else the file's. */
export function settled(found: Outcome | null, stated: Stated | null, scored: boolean): Outcome | null {
  if (!found) return stated?.outcome ?? null;
  if (!stated) return scored ? null : found;
  const { winner, reason } = stated.outcome;
  if (winner !== found.winner || !["score", "agreement", "void"].includes(reason)) return stated.outcome;
  if (winner === null) return (reason === "void") === (found.reason === "repetition") ? found : stated.outcome;
  if (!scored) return found;
  const margin = found.score && Math.abs(found.score[0] - found.score[1]);
  return margin !== null && margin === stated.margin ? found : stated.outcome;
}
