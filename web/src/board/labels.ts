/** What a screen reader says of a cell: its name, what stands there, and what is special about it. */
import { language, plural, t, word } from "../i18n";
import type { GoDetails, GreatKingdomDetails, KelasuDetails, View } from "../protocol";
import { seatOf } from "./drawn";
import { mergeable, targetsOf } from "./kelasu";
import { cellName } from "./names";

export type Told = {
  game: string;
  view: View;
  cells: string; // as drawn, pending actions included
  owners: readonly number[] | null; // as the board draws them: 1 the first seat's, -1 or 2 the second's
  dead: ReadonlySet<number>;
  neutral: ReadonlySet<number>;
  picked: number | null;
  selection: readonly number[];
  playable: boolean; // whether the reader can act on this board
};

const PIECES = {
  B: "board.blank",
  W: "board.warrior",
  R: "board.runner",
  D: "board.diplomat",
  C: "board.champion",
  G: "board.general",
  S: "board.stone",
} as const;

const CONTENT: Record<string, Record<string, string>> = {
  go: { ".": "board.empty", X: "board.black_stone", O: "board.white_stone" },
  "great-kingdom": {
    ".": "board.empty",
    B: "board.blue_castle",
    O: "board.orange_castle",
    N: "board.neutral_castle",
  },
  "dominion-duel": {
    ".": "board.open",
    "#": "board.locked",
    X: "board.first_claim",
    O: "board.second_claim",
  },
};

const TERRITORY = {
  go: ["board.territory_black", "board.territory_white"],
  "great-kingdom": ["board.territory_blue", "board.territory_orange"],
} as const;

const TARGETS = {
  move: "board.to_move",
  capture: "board.to_capture",
  convert: "board.to_convert",
  recall: "board.to_recall",
} as const;

/** The seat that owns a cell by a value of `owners`, or -1; less than half owned is nobody's. */
export function ownerSeat(value: number | undefined): number {
  if (value === undefined || Math.abs(value) < 0.5) return -1;
  return value === 2 || value < 0 ? 1 : 0;
}

export function pieceName(game: string, letter: string): string {
  if (game === "kelasu") {
    const name = PIECES[letter.toUpperCase() as keyof typeof PIECES];
    if (!name) return t("board.empty");
    return t(seatOf(game, letter) === 0 ? "board.blue_piece" : "board.red_piece", { piece: t(name) });
  }
  return word(CONTENT[game]?.[letter] ?? "", letter);
}

export function cellLabel(told: Told, cell: number): string {
  const { game, view, cells } = told;
  const letter = cells[cell] ?? ".";
  const words = [cellName({ kind: view.board, width: view.width, height: view.height }, cell), pieceName(game, letter)];
  if (game === "kelasu") words.push(...kelasuWords(told, cell));
  else words.push(...gridWords(told, cell, letter));
  if (view.captured.includes(cell)) words.push(t("board.captured"));
  if (view.last.includes(cell)) words.push(t("board.last"));
  return words.join(", ");
}

const libertiesTexts = new Map<string, string>();

/** Kept, because counting by the rules of a language is slow and a board asks for hundreds. */
function libertiesText(count: number): string {
  const key = `${language()} ${count}`;
  const known = libertiesTexts.get(key) ?? plural("board.liberties", count);
  libertiesTexts.set(key, known);
  return known;
}

function gridWords({ game, view, owners, dead, neutral, playable }: Told, cell: number, letter: string): string[] {
  const words: string[] = [];
  const details = view.details as Partial<GreatKingdomDetails & GoDetails>;
  const liberties = details.liberties?.[cell] ?? 0;
  if (letter !== "." && liberties > 0) words.push(libertiesText(liberties));
  if (details.ko === cell) words.push(t("board.ko"));
  if (playable && details.suicide?.includes(cell)) words.push(t("board.suicide"));
  const seat = ownerSeat(owners?.[cell]);
  const territory = TERRITORY[game as "go"];
  if (seat >= 0 && territory && (letter === "." || dead.has(cell))) words.push(t(territory[seat as 0 | 1]));
  if (dead.has(cell)) words.push(t("board.dead"));
  if (neutral.has(cell)) words.push(t("board.neutral"));
  return words;
}

function kelasuWords({ view, picked, selection, playable }: Told, cell: number): string[] {
  const details = view.details as KelasuDetails;
  const words: string[] = [];
  if (details.victory_tiles.includes(cell)) words.push(t("board.tile"));
  if (details.moved.includes(cell)) words.push(t("board.moved"));
  if (selection.includes(cell)) words.push(t("board.chosen"));
  if (!playable) return words;
  const target = targetsOf(details, picked).find((other) => other.cell === cell);
  if (target) words.push(t(TARGETS[target.kind]));
  if (picked === cell) words.push(t("board.picked"));
  else if (picked === null && details.moves.some((move) => move.from === cell)) words.push(t("board.can_move"));
  if (picked === null && mergeable(details).includes(cell)) words.push(t("board.can_merge"));
  return words;
}
