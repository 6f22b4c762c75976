/**
 * The agreement on dead stones: one set of marks that both seats change and accept, as src/tengen/match/agreement.py
 * has it. Marks are whole chains and whole regions; a region is neutral when all its empty points have been chosen.
 */
import { Refusal } from "./refusal";

export interface Marks {
  cells: readonly number[]; // a code a cell, 0 for an empty one
  width: number;
  dead: number[]; // whole chains
  chosen: number[]; // empty points only
  accepted: [boolean, boolean];
  touched: boolean; // by a seat: from then on a suggestion comes too late
}

export type Mark = "dead" | "neutral";

export function unmarked(cells: readonly number[], width: number): Marks {
  return { cells, width, dead: [], chosen: [], accepted: [false, false], touched: false };
}

export function neutral(marks: Marks): number[] {
  const found = new Set<number>();
  for (const cell of marks.chosen) {
    if (found.has(cell)) continue;
    const whole = region(marks, cell);
    if (isChosen(marks, whole)) for (const each of whole) found.add(each);
  }
  return sorted(found);
}

/** The marks after a change, and whether the chain or region is marked now. */
export function mark(marks: Marks, what: Mark, cell: number, on: boolean | null): { marks: Marks; on: boolean } {
  if (cell < 0 || cell >= marks.cells.length) throw new Refusal("malformed", "There is no such point.");
  const group = what === "dead" ? chain(marks, cell) : region(marks, cell);
  const was = what === "dead" ? marks.dead.includes(cell) : isChosen(marks, group);
  if (on === was) throw new Refusal("not-now", "That is already marked so.");
  const changed =
    what === "dead"
      ? { dead: turned(marks.dead, group, was) }
      : { chosen: turned(marks.chosen, empties(marks, group), was) };
  return { marks: { ...marks, ...changed, accepted: [false, false], touched: true }, on: !was };
}

/** These marks in place of all: any stones of the dead chains, any points of the neutral regions. */
export function suggested(marks: Marks, dead: readonly number[], points: readonly number[]): Marks {
  if (marks.touched) throw new Refusal("not-now", "The players have begun to mark by themselves.");
  const chains = dead.flatMap((cell) => [...chain(marks, cell)]);
  const marked: Marks = { ...marks, dead: sorted(chains), chosen: [] };
  const regions = points.flatMap((cell) => [...region(marked, cell)]);
  return { ...marked, chosen: sorted(empties(marked, regions)), accepted: [false, false] };
}

export function accepted(marks: Marks, seat: number): Marks {
  if (marks.accepted[seat]) throw new Refusal("not-now", "You have already accepted these marks.");
  return { ...marks, accepted: [seat === 0 || marks.accepted[0], seat === 1 || marks.accepted[1]], touched: true };
}

function chain(marks: Marks, cell: number): Set<number> {
  const colour = marks.cells[cell];
  if (!colour) throw new Refusal("malformed", "There is no stone on that point.");
  return flood(marks, cell, (other) => marks.cells[other] === colour);
}

function region(marks: Marks, cell: number): Set<number> {
  const open = (each: number) => !marks.cells[each] || marks.dead.includes(each);
  if (!open(cell)) throw new Refusal("malformed", "Only empty points and dead stones can be neutral.");
  return flood(marks, cell, open);
}

function empties({ cells }: Marks, group: Iterable<number>): number[] {
  return [...group].filter((cell) => !cells[cell]);
}

function isChosen(marks: Marks, whole: Iterable<number>): boolean {
  return empties(marks, whole).every((cell) => marks.chosen.includes(cell));
}

function turned(list: number[], group: Iterable<number>, off: boolean): number[] {
  const gone = new Set(group);
  return off ? list.filter((cell) => !gone.has(cell)) : sorted([...list, ...gone]);
}

function sorted(cells: Iterable<number>): number[] {
  return [...new Set(cells)].sort((a, b) => a - b);
}

function flood({ cells, width }: Marks, from: number, belongs: (cell: number) => boolean): Set<number> {
  const found = new Set([from]);
  for (const cell of found) {
    const column = cell % width;
    const beside = [cell - width, cell + width, ...(column ? [cell - 1] : []), ...(column < width - 1 ? [cell + 1] : [])];
    for (const next of beside) if (next >= 0 && next < cells.length && belongs(next)) found.add(next);
  }
  return found;
}
