/** Great Kingdom on the board: castles on cells, and the territory that they wall in. */
import { boardFace, NO_SIGHT } from "../../board/face";
import { groupWords } from "../../board/labels";
import { t } from "../../i18n";
import type { GreatKingdomDetails } from "../../protocol";
import { art } from "./art";
import "./board.css";

const LETTERS = "BO";
const NAMES = {
  ".": "board.empty",
  B: "great_kingdom.blue_castle",
  O: "great_kingdom.orange_castle",
  N: "great_kingdom.neutral_castle",
} as const;

export const board = boardFace({
  art,
  piece: (letter) => ({ parts: [{ use: `#tg-great-kingdom-${letter}` }] }),
  seatOf: (letter) => LETTERS.indexOf(letter),
  placed: (seat) => LETTERS[seat]!,
  pieceName: (letter) => t(NAMES[letter as keyof typeof NAMES]),
  territoryName: (seat) => t(seat === 0 ? "great_kingdom.territory_blue" : "great_kingdom.territory_orange"),
  sight(view) {
    const { territory, liberties, suicide } = view.details as Partial<GreatKingdomDetails>;
    return { ...NO_SIGHT, territory: territory ?? null, liberties: liberties ?? [], loses: suicide ?? [] };
  },
  style: { className: "great-kingdom", chequered: true, numbersDown: 8 },
  cellWords: groupWords,
});
