/** What a key does to the cursor on the board. Directions are those of the screen, so flipping needs no care. */
import { cellInSlot, slot, type Layout } from "./geometry";

/** Where the cursor goes, or -1 where the key does not move it. */
export function moved(at: Layout, cursor: number, key: string, control: boolean): number {
  const { line, column } = slot(at, cursor);
  const lastColumn = (of: number) => {
    let end = at.columns - 1;
    while (end > 0 && cellInSlot(at, of, end) < 0) end--;
    return end;
  };
  const inside = (toLine: number, toColumn: number) =>
    cellInSlot(at, Math.max(0, Math.min(toLine, at.lines - 1)), Math.max(0, toColumn));
  switch (key) {
    case "ArrowUp":
      return orStay(inside(line - 1, column), cursor);
    case "ArrowDown":
      return orStay(inside(line + 1, column), cursor);
    case "ArrowLeft":
      return sideways(at, cursor, line, column, -1);
    case "ArrowRight":
      return sideways(at, cursor, line, column, 1);
    case "Home":
      return control ? inside(0, 0) : inside(line, 0);
    case "End":
      return control ? inside(at.lines - 1, lastColumn(at.lines - 1)) : inside(line, lastColumn(line));
    case "PageUp":
      return orStay(inside(0, column), cursor);
    case "PageDown":
      return orStay(inside(at.lines - 1, Math.min(column, lastColumn(at.lines - 1))), cursor);
    default:
      return -1;
  }
}

/** A wrapped row goes on in the next line; a grid stops at its edge. */
function sideways(at: Layout, cursor: number, line: number, column: number, step: number): number {
  if (at.kind !== "row") return orStay(cellInSlot(at, line, column + step), cursor);
  const next = cursor + (at.flipped ? -step : step);
  return next >= 0 && next < at.count ? next : cursor;
}

function orStay(cell: number, cursor: number): number {
  return cell >= 0 ? cell : cursor;
}
