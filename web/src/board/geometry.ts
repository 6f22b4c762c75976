/**
 * Where cells lie, in the units of the drawing: a cell is UNIT wide. Start reading at `layout`.
 *
 * A cell is its index row by row from the top left of the board as the rules see it; flipping turns the drawing
 * by half a turn and nothing else. A row that does not fit is wrapped into lines.
 */
export const UNIT = 100;
const LOW = 88; // the least height of a territory in a row: its number and its piece have room
export const TALL = 136; // the most: taller ones would look like doors
const LINE_GAP = 12;

const LARGE_CELL_PX = 120; // beyond it the margin grows no more

/** Below this many pixels a cell is too small for a finger, and touch gets a loupe. */
export const SMALL_CELL_PX = 40;
const LEAST_TERRITORY_PX = 44;
const LEAST_BOARD_PX = 300; // less is a picture, which nobody taps
const MOST_IN_LINE = 20;
const GAPS_COST = 0.1; // of a map's worth, for a last line that is nearly empty

export type BoardKind = "points" | "squares" | "row";
export type Point = { x: number; y: number };

export type Layout = {
  kind: BoardKind;
  count: number; // cells
  columns: number; // cells in a drawn line
  lines: number;
  margin: number; // around the cells, for coordinates
  cellHeight: number;
  pitch: number; // from a line to the next
  width: number; // of the whole drawing
  height: number;
  flipped: boolean;
};

export type Shape = {
  kind: BoardKind;
  width: number;
  height: number;
  flipped: boolean;
  coordinates: boolean;
  pixels: number; // the width that there is; 0 while it is not known
};

export function layout({ kind, width, height, flipped, coordinates, pixels }: Shape): Layout {
  if (kind === "row") {
    const columns = territoriesInLine(width, pixels);
    const lines = Math.ceil(width / columns);
    const margin = 14;
    const cellHeight = Math.min(TALL, Math.max(LOW, heightInSquare(columns, lines)));
    const pitch = cellHeight + LINE_GAP;
    return {
      kind,
      count: width,
      columns,
      lines,
      margin,
      cellHeight,
      pitch,
      width: columns * UNIT + 2 * margin,
      height: lines * pitch - LINE_GAP + 2 * margin,
      flipped,
    };
  }
  const margin = coordinates ? marginFor(width, pixels) : 14;
  return {
    kind,
    count: width * height,
    columns: width,
    lines: height,
    margin,
    cellHeight: UNIT,
    pitch: UNIT,
    width: width * UNIT + 2 * margin,
    height: height * UNIT + 2 * margin,
    flipped,
  };
}

/** Room for coordinates that can still be read where cells are small. */
function marginFor(width: number, pixels: number): number {
  if (pixels > 0 && pixels / width < 24) return 84;
  if (pixels / width > LARGE_CELL_PX) return Math.round((46 * LARGE_CELL_PX * width) / pixels);
  return width > 13 ? 64 : 46;
}

/** How tall territories are whose lines stand as high together as they are wide. */
const heightInSquare = (columns: number, lines: number): number => (columns * UNIT + LINE_GAP) / lines - LINE_GAP;

/**
 * A map that fills a room as wide as high: of the lines that fit into it, those whose territories are largest, where a
 * last line with gaps is worth a little less. Where a finger needs more width than that leaves, the map grows downwards.
 */
function territoriesInLine(count: number, pixels: number): number {
  const picture = pixels > 0 && pixels < LEAST_BOARD_PX;
  const most = pixels > 0 && !picture ? Math.min(Math.floor(pixels / LEAST_TERRITORY_PX), MOST_IN_LINE) : MOST_IN_LINE;
  let best = Math.min(count, most);
  let worth = 0;
  for (let columns = 1; columns <= Math.min(count, most); columns++) {
    const lines = Math.ceil(count / columns);
    const height = heightInSquare(columns, lines);
    if (height < LOW) continue;
    const gaps = (lines * columns - count) / columns;
    const now = (Math.min(height, TALL) / columns ** 2) * (1 - GAPS_COST * gaps);
    if (now > worth) [best, worth] = [columns, now];
  }
  return best;
}

/** The place of a cell among the drawn lines. */
export function slot(at: Layout, cell: number): { line: number; column: number } {
  const turned = at.flipped ? at.count - 1 - cell : cell;
  return { line: Math.floor(turned / at.columns), column: turned % at.columns };
}

/** The cell drawn there, or -1. */
export function cellInSlot(at: Layout, line: number, column: number): number {
  if (line < 0 || column < 0 || line >= at.lines || column >= at.columns) return -1;
  const turned = line * at.columns + column;
  if (turned >= at.count) return -1;
  return at.flipped ? at.count - 1 - turned : turned;
}

export function centre(at: Layout, cell: number): Point {
  const { line, column } = slot(at, cell);
  return { x: at.margin + column * UNIT + UNIT / 2, y: at.margin + line * at.pitch + at.cellHeight / 2 };
}

/** The cell under a point of the drawing, or -1. */
export function cellAt(at: Layout, point: Point): number {
  const column = Math.floor((point.x - at.margin) / UNIT);
  const line = Math.floor((point.y - at.margin) / at.pitch);
  return cellInSlot(at, line, column);
}

/** A point of the window in the drawing, given the box that the drawing fills. */
export function toDrawing(at: Layout, box: DOMRect, clientX: number, clientY: number): Point {
  return {
    x: ((clientX - box.left) / (box.width || 1)) * at.width,
    y: ((clientY - box.top) / (box.height || 1)) * at.height,
  };
}

/** The cells that share a side, by drawn lines; a wrapped row goes on in the next line. */
export function neighbours(at: Layout, cell: number): number[] {
  if (at.kind === "row") return [cell - 1, cell + 1].filter((other) => other >= 0 && other < at.count);
  const { line, column } = slot(at, cell);
  return [
    cellInSlot(at, line - 1, column),
    cellInSlot(at, line, column + 1),
    cellInSlot(at, line + 1, column),
    cellInSlot(at, line, column - 1),
  ].filter((other) => other >= 0);
}

/** The cells joined to this one through sides that hold the same letter. */
export function group(at: Layout, cells: string, start: number): number[] {
  const letter = cells[start];
  const found = new Set([start]);
  for (const cell of found) {
    for (const beside of neighbours(at, cell)) if (cells[beside] === letter) found.add(beside);
  }
  return [...found];
}
