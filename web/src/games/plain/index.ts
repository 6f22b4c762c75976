/** The face of a game that has no folder here: any game that somebody has added to the server. */
import { plainBoard } from "../../board/face";
import { t, word } from "../../i18n";
import type { GameInfo, Outcome } from "../../protocol";
import { plainHome, plainReview, plainTable, type GameFace } from "../face";
import { reasonOf } from "../reasons";
import { points } from "../sheet";
import { plainBoardOf } from "./board";
import { Choosing } from "./choosing.svelte";

/** What the game itself says of that end, and of an end that nobody has words for its reason. */
function ending(info: GameInfo | null, outcome: Outcome): string | null {
  const { reason, score } = outcome;
  const why = info && reasonOf(info, outcome);
  if (why) return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
  return word(`play.end_${reason}`, "") || score ? null : t("play.end_reason", { reason });
}

/** Without `info` the server has not told yet what the game is like. */
export function plainFace(name: string, info: GameInfo | null): GameFace {
  const letter = (seat: number) => info?.look.pieces.find((piece) => piece.seat === seat)?.letter ?? null;
  return {
    name,
    title: info?.title ?? name,
    about: info?.about ?? "",
    seat: (number) => info?.seats[number] ?? t(number === 0 ? "play.seat_first" : "play.seat_second"),
    word: (_key, fallback) => fallback,
    board: info ? plainBoardOf(info) : plainBoard,
    table: {
      ...plainTable,
      letter,
      facts: (view, seat) => (view.score ? [{ name: t("play.points"), value: points(view.score[seat]!) }] : []),
      ending: (_view, outcome) => ending(info, outcome),
      bottom: info?.look.bottom ?? null,
      panel: () => import("./Panel.svelte"),
      companion: info?.look.hand === "choices" ? (session) => new Choosing(session) : null,
    },
    home: plainHome,
    review: { ...plainReview, bar: info?.look.hand === "choices" ? () => import("./Bar.svelte") : null },
    rules: null,
  };
}
