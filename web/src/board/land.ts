/**
 * The territories of a row as a map: each is a land whose borders its neighbours share, and a drawn line of them has a
 * coast around it. How they are bent depends on their numbers alone, so that a map always looks the same.
 */
import { cellInSlot, slot, UNIT, type Layout, type Point } from "./geometry";

const INSET = 9; // above and below, which leaves the sea between two lines
const SWAY = 6; // of corners and of coasts above and below
const BEND = 13; // of borders
const CAPE = 40; // where the coast at an end begins to turn, from the middle of its land
const BAY = 54;

/** The outline of a territory around its centre. */
export function land(at: Layout, cell: number): string {
  const [left, right] = [side(at, cell, -1), side(at, cell, 1)];
  const [up, down] = [edge(at, cell, left[0]!, right[0]!, -1), edge(at, cell, right[3]!, left[3]!, 1)];
  const there = [up[0]!, up[1]!, right[0]!, right[1]!, right[2]!, right[3]!];
  const back = [down[0]!, down[1]!, left[3]!, left[2]!, left[1]!, left[0]!];
  return `M${text(left[0]!)}C${[...there, ...back].map(text).join(" ")}Z`;
}

/** From above to below: a border, or the coast at an end of a line. */
function side(at: Layout, cell: number, towards: 1 | -1): Point[] {
  const { line, column } = slot(at, cell);
  const beside = cellInSlot(at, line, column + towards);
  const half = at.cellHeight / 2 - INSET;
  const third = half / 3;
  if (beside < 0) {
    const [cape, bay] = [towards * CAPE, towards * BAY];
    return [{ x: cape, y: -half }, { x: bay, y: -half + third }, { x: bay, y: half - third }, { x: cape, y: half }];
  }
  const number = Math.min(cell, beside);
  const x = (way: number, much: number) => towards * (UNIT / 2) + much * sway(number, way);
  return [
    { x: x(1, SWAY), y: -half + SWAY * sway(number, 2) },
    { x: x(3, BEND), y: -third },
    { x: x(4, BEND), y: third },
    { x: x(5, SWAY), y: half + SWAY * sway(number, 6) },
  ];
}

/** What bends the coast above or below, on the way from one corner to the other. */
function edge(at: Layout, cell: number, from: Point, to: Point, towards: 1 | -1): Point[] {
  const y = (way: number) => towards * (at.cellHeight / 2 - INSET) + SWAY * sway(cell, way);
  const third = (to.x - from.x) / 3;
  return [{ x: from.x + third, y: y(7 + towards) }, { x: to.x - third, y: y(10 + towards) }];
}

/** From -1 to 1, the same whenever it is asked. */
function sway(number: number, way: number): number {
  const far = Math.sin(number * 12.9898 + way * 78.233) * 43758.5453;
  return 2 * (far - Math.floor(far)) - 1;
}

const text = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
