/** Dominion Duel on the board: a row of territories that are claimed or locked. */
import { placements } from "../../board/drawn";
import { boardFace } from "../../board/face";
import { t } from "../../i18n";
import { art } from "./art";
import "./board.css";

const LETTERS = "XO";
const LOCK = "#";
const MOST_PLACED = 4; // a claim with two locks, or a little more
const NAMES = {
  ".": "dominion_duel.open",
  [LOCK]: "dominion_duel.locked",
  X: "dominion_duel.first_claim",
  O: "dominion_duel.second_claim",
} as const;

export const board = boardFace({
  art,
  piece: (letter) => ({
    parts: [{ use: `#tg-dominion-duel-${letter === LOCK ? "lock" : letter}` }],
    transform: "translate(0 5) scale(0.74)",
  }),
  seatOf: (letter) => LETTERS.indexOf(letter),
  placed: (seat) => LETTERS[seat]!,
  pieceName: (letter) => t(NAMES[letter as keyof typeof NAMES]),
  style: { className: "dominion-duel" },
  foreseen: (cells, cell) =>
    [cell - 1, cell + 1].filter((beside) => cells[beside] === ".").map((beside) => ({ cell: beside, letter: LOCK })),
  changes: (before, after) => placements(before, after, MOST_PLACED),
});
