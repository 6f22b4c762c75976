/** Names of cells as people write them (D4, E0, 7), and reading them while they are typed. */
import type { BoardKind } from "./geometry";

export const COLUMNS = "ABCDEFGHJKLMNOPQRST"; // no I
export const RANKS = "ABCDEFGHIJ";

type Size = { kind: BoardKind; width: number; height: number };

export function cellName({ kind, width, height }: Size, cell: number): string {
  const row = Math.floor(cell / width);
  const column = cell % width;
  if (kind === "row") return String(cell + 1);
  if (kind === "squares") return `${RANKS[row]}${column}`;
  return `${COLUMNS[column]}${height - row}`;
}

/** The cell of that name, or -1. */
export function namedCell(size: Size, name: string): number {
  const { kind, width, height } = size;
  if (kind === "row") {
    const number = /^\d+$/.test(name) ? Number(name) : 0;
    return number >= 1 && number <= width ? number - 1 : -1;
  }
  const parts = /^([A-Z])(\d{1,2})$/.exec(name.toUpperCase());
  if (!parts) return -1;
  const digits = Number(parts[2]);
  const [row, column] =
    kind === "squares" ? [RANKS.indexOf(parts[1]!), digits] : [height - digits, COLUMNS.indexOf(parts[1]!)];
  return row >= 0 && row < height && column >= 0 && column < width ? row * width + column : -1;
}

/**
 * Takes one more typed character: what has been typed so far, and the cell that it names (-1: none yet).
 * A letter begins anew; a digit that leads nowhere does too. `null` where the character has no use here.
 */
export function typed(size: Size, before: string, key: string): { text: string; cell: number } | null {
  const character = key.toUpperCase();
  if (/^[A-Z]$/.test(character)) {
    const known = size.kind === "points" ? COLUMNS.slice(0, size.width) : RANKS.slice(0, size.height);
    return size.kind !== "row" && known.includes(character) ? { text: character, cell: -1 } : null;
  }
  if (!/^\d$/.test(character)) return null;
  const longer = namedCell(size, before + character);
  if (longer >= 0) return { text: before + character, cell: longer };
  if (size.kind === "row") {
    const alone = namedCell(size, character);
    return { text: alone >= 0 ? character : "", cell: alone };
  }
  return before ? { text: before[0]!, cell: namedCell(size, before[0]! + character) } : null;
}

/** What stands along the sides: by drawn column and by drawn line, before any flipping. */
export function edgeNames({ kind, width, height }: Size): { columns: string[]; lines: string[] } {
  if (kind === "row") return { columns: [], lines: [] };
  const numbers = Array.from({ length: kind === "squares" ? width : height }, (_, i) =>
    kind === "squares" ? String(i) : String(height - i),
  );
  return kind === "squares"
    ? { columns: numbers, lines: [...RANKS.slice(0, height)] }
    : { columns: [...COLUMNS.slice(0, width)], lines: numbers };
}
