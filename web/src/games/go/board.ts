/** Go on the board: stones on points, with lines through them. */
import { boardFace, NO_SIGHT } from "../../board/face";
import { groupWords } from "../../board/labels";
import { t } from "../../i18n";
import type { GoDetails } from "../../protocol";
import { art, STONE_KINDS } from "./art";
import "./board.css";

const LETTERS = "XO";
const NAMES = { ".": "board.empty", X: "go.black_stone", O: "go.white_stone" } as const;

/** The points that printed boards mark. */
export function starPoints(size: number): number[] {
  if (size < 7) return [];
  const near = size >= 13 ? 3 : 2;
  const lines = [near, size - 1 - near];
  const middle = (size - 1) / 2;
  const points = lines.flatMap((row) => lines.map((column) => row * size + column));
  if (size % 2 === 1) points.push(middle * size + middle);
  if (size % 2 === 1 && size >= 15) {
    for (const line of lines) points.push(middle * size + line, line * size + middle);
  }
  return points.sort((a, b) => a - b);
}

/** No two stones are the same; which of the few drawings one has follows from its place. */
function stoneKind(cell: number | null): number {
  return cell === null ? 0 : (cell * 7 + Math.floor(cell / 5)) % STONE_KINDS;
}

export const board = boardFace({
  art,
  piece: (letter, _flipped, cell) => ({ parts: [{ use: `#tg-go-${letter}${stoneKind(cell)}` }] }),
  seatOf: (letter) => LETTERS.indexOf(letter),
  placed: (seat) => LETTERS[seat]!,
  pieceName: (letter) => t(NAMES[letter as keyof typeof NAMES]),
  territoryName: (seat) => t(seat === 0 ? "go.territory_black" : "go.territory_white"),
  sight(view) {
    const { liberties, ko } = view.details as Partial<GoDetails>;
    return { ...NO_SIGHT, liberties: liberties ?? [], closed: ko ?? null };
  },
  style: {
    className: "go",
    lines: "through",
    stars: starPoints,
    last: "ring",
    dark: (letter) => letter === "X",
    paints: ["black", "white"],
    underPieces: false, // stones speak for themselves
  },
  cellWords: groupWords,
});
