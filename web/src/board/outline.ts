/**
 * The border of a set of cells as one SVG path: each side that leaves the set is a directed edge, and the edges
 * are chained into loops, drawn a little inside the cells and with rounded corners.
 */
import { cellInSlot, slot, UNIT, type Layout } from "./geometry";

type Corner = [number, number];

const STEPS: Corner[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
];

/** `inset` moves the line into the cells, so that borders of neighbours do not lie on each other. */
export function outline(at: Layout, cells: Iterable<number>, inset = 5, radius = 16): string {
  return loops(at, new Set(cells))
    .map((loop) => rounded(loop.map((corner, i) => moved(at, loop, corner, i, inset)), radius))
    .join("");
}

/** Corners of each closed border, clockwise around the set, counted in cells; straight runs are one edge. */
export function loops(at: Layout, cells: Set<number>): Corner[][] {
  const edges = new Map<string, number>(); // "x,y,direction" of an edge that begins there
  for (const cell of cells) {
    const { line, column } = slot(at, cell);
    const sides: [number, number, number, number][] = [
      [line - 1, column, column, line],
      [line, column + 1, column + 1, line],
      [line + 1, column, column + 1, line + 1],
      [line, column - 1, column, line + 1],
    ];
    sides.forEach(([nearLine, nearColumn, x, y], direction) => {
      if (!cells.has(cellInSlot(at, nearLine, nearColumn))) edges.set(`${x},${y},${direction}`, direction);
    });
  }
  const found: Corner[][] = [];
  while (edges.size > 0) found.push(follow(edges));
  return found;
}

function follow(edges: Map<string, number>): Corner[] {
  const [first] = edges.keys();
  let [x, y, direction] = first!.split(",").map(Number) as [number, number, number];
  const loop: Corner[] = [];
  let last = -1;
  while (edges.delete(`${x},${y},${direction}`)) {
    if (direction !== last) loop.push([x, y]);
    last = direction;
    x += STEPS[direction]![0];
    y += STEPS[direction]![1];
    // Right first, so that cells that only meet at a corner stay apart.
    const turns = [(direction + 1) % 4, direction, (direction + 3) % 4];
    direction = turns.find((turn) => edges.has(`${x},${y},${turn}`)) ?? direction;
  }
  if (loop.length > 4 && direction === last && sameLine(loop)) loop.shift();
  return loop;
}

/** Whether the walk began in the middle of a straight run. */
function sameLine(loop: Corner[]): boolean {
  const [a, b, c] = [loop.at(-1)!, loop[0]!, loop[1]!];
  return (a[0] === b[0] && b[0] === c[0]) || (a[1] === b[1] && b[1] === c[1]);
}

function moved(at: Layout, loop: Corner[], corner: Corner, index: number, inset: number): Corner {
  const before = loop.at(index - 1)!;
  const next = loop[(index + 1) % loop.length]!;
  const into = [Math.sign(corner[0] - before[0]), Math.sign(corner[1] - before[1])];
  const out = [Math.sign(next[0] - corner[0]), Math.sign(next[1] - corner[1])];
  const x = at.margin + corner[0] * UNIT - (into[1]! + out[1]!) * inset;
  const y = at.margin + corner[1] * at.pitch + (into[0]! + out[0]!) * inset;
  return [x, y];
}

function rounded(points: Corner[], radius: number): string {
  let path = "";
  points.forEach((point, i) => {
    const before = points.at(i - 1)!;
    const next = points[(i + 1) % points.length]!;
    const [ax, ay] = towards(point, before, radius);
    const [bx, by] = towards(point, next, radius);
    path += `${i === 0 ? "M" : "L"}${ax} ${ay}Q${point[0]} ${point[1]} ${bx} ${by}`;
  });
  return `${path}Z`;
}

function towards(from: Corner, to: Corner, radius: number): Corner {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
  const part = Math.min(radius, length / 2) / length;
  return [round(from[0] + (to[0] - from[0]) * part), round(from[1] + (to[1] - from[1]) * part)];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
