/** Names of cells as people write them (D4, E0, 7), and reading them while they are typed. */
import { t } from "../i18n";
import type { View } from "../protocol";
import type { BoardFace } from "./face";
import type { BoardKind } from "./geometry";

export const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"; // no I
export const RANKS = "ABCDEFGHIJ";

/** `ranks`: a letter for the row from the top and a number for the column from 0, such as E0. */
export type Size = { kind: BoardKind; width: number; height: number; ranks?: boolean };

/** Whether cells are numbered through. */
const numbered = ({ kind, height }: Size): boolean => kind === "row" || height === 1;

function columnName(width: number, column: number): string {
  return width <= COLUMNS.length ? COLUMNS[column]! : String(column + 1);
}

export function cellName(size: Size, cell: number): string {
  const { width, height } = size;
  const row = Math.floor(cell / width);
  const column = cell % width;
  if (numbered(size)) return String(cell + 1);
  if (size.ranks) return `${RANKS[row]}${column}`;
  return `${columnName(width, column)}${height - row}`;
}

/** The cell of that name, or -1. */
export function namedCell(size: Size, name: string): number {
  const { width, height } = size;
  if (numbered(size)) {
    const number = /^\d+$/.test(name) ? Number(name) : 0;
    return number >= 1 && number <= width ? number - 1 : -1;
  }
  const parts = /^([A-Z])(\d{1,2})$/.exec(name.toUpperCase());
  if (!parts) return -1;
  const digits = Number(parts[2]);
  const [row, column] = size.ranks ? [RANKS.indexOf(parts[1]!), digits] : [height - digits, COLUMNS.indexOf(parts[1]!)];
  return row >= 0 && row < height && column >= 0 && column < width ? row * width + column : -1;
}

/**
 * Takes one more typed character: what has been typed so far, and the cell that it names (-1: none yet).
 * A letter begins anew; a digit that leads nowhere does too. `null` where the character has no use here.
 */
export function typed(size: Size, before: string, key: string): { text: string; cell: number } | null {
  const character = key.toUpperCase();
  if (/^[A-Z]$/.test(character)) {
    const known = size.ranks ? RANKS.slice(0, size.height) : COLUMNS.slice(0, size.width);
    return !numbered(size) && known.includes(character) ? { text: character, cell: -1 } : null;
  }
  if (!/^\d$/.test(character)) return null;
  const longer = namedCell(size, before + character);
  if (longer >= 0) return { text: before + character, cell: longer };
  if (numbered(size)) {
    const alone = namedCell(size, character);
    return { text: alone >= 0 ? character : "", cell: alone };
  }
  return before ? { text: before[0]!, cell: namedCell(size, before[0]! + character) } : null;
}

/** What stands along the sides: by drawn column and by drawn line, before any flipping. */
export function edgeNames({ kind, width, height, ranks }: Size): { columns: string[]; lines: string[] } {
  if (kind === "row") return { columns: [], lines: [] };
  const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
  if (ranks) return { columns: numbers(width).map(String), lines: [...RANKS.slice(0, height)] };
  return {
    columns: numbers(width).map((column) => (height === 1 ? String(column + 1) : columnName(width, column))),
    lines: height === 1 ? [""] : numbers(height).map((line) => String(height - line)),
  };
}

export function sizeOf(face: BoardFace, view: View): Size {
  return { kind: view.board, width: view.width, height: view.height, ranks: face.style.ranks };
}

/** D4, `D4 and E4`, `D4, E4 and F4`. */
export function listed(names: readonly string[]): string {
  if (names.length < 2) return names.join("");
  return t("play.list_and", { list: names.slice(0, -1).join(", "), last: names.at(-1)! });
}
