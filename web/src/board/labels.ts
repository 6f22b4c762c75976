/** What a screen reader says of a cell: its name, what stands there, and what is special about it. */
import { language, plural, t } from "../i18n";
import type { BoardFace, Told } from "./face";
import { cellName, sizeOf } from "./names";

/** The seat that owns a cell by a value of `owners`, or -1; less than half owned is nobody's. */
export function ownerSeat(value: number | undefined): number {
  if (value === undefined || Math.abs(value) < 0.5) return -1;
  return value === 2 || value < 0 ? 1 : 0;
}

export function cellLabel(face: BoardFace, told: Told, cell: number): string {
  const { view, cells } = told;
  const letter = cells[cell] ?? ".";
  const words = [cellName(sizeOf(face, view), cell), face.pieceName(letter)];
  words.push(...face.cellWords(told, cell), ...countWords(face, told, cell, letter));
  if (view.captured.includes(cell)) words.push(t("board.captured"));
  if (view.last.includes(cell)) words.push(t("board.last"));
  return words.join(", ");
}

function countWords(face: BoardFace, { owners, dead, neutral }: Told, cell: number, letter: string): string[] {
  const words: string[] = [];
  const seat = ownerSeat(owners?.[cell]);
  const territory = seat >= 0 && (letter === "." || dead.has(cell)) ? face.territoryName(seat) : "";
  if (territory) words.push(territory);
  if (dead.has(cell)) words.push(t("board.dead"));
  if (neutral.has(cell)) words.push(t("board.neutral"));
  return words;
}

const libertiesTexts = new Map<string, string>();

/** Kept, because counting by the rules of a language is slow and a board asks for hundreds. */
function libertiesText(count: number): string {
  const key = `${language()} ${count}`;
  const known = libertiesTexts.get(key) ?? plural("board.liberties", count);
  libertiesTexts.set(key, known);
  return known;
}

/** For games in which groups live by their liberties: how many, and where one may not or should not play. */
export function groupWords({ sight, cells, playable }: Told, cell: number): string[] {
  const words: string[] = [];
  const liberties = sight.liberties[cell] ?? 0;
  if (cells[cell] !== "." && liberties > 0) words.push(libertiesText(liberties));
  if (sight.closed === cell) words.push(t("board.closed"));
  if (playable && sight.loses.includes(cell)) words.push(t("board.loses"));
  return words;
}
