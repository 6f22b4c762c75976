/**
 * The grammar of SGF, read forgivingly and written plainly: a game is a tree of nodes, a node properties with values.
 * What properties mean is in `study`. The server reads and writes the same (src/tengen/records/sgf.py) and knows more
 * of what old programs got wrong; this is for the time without one.
 */
import { Refusal } from "../table/refusal";

export interface SgfNode {
  properties: Map<string, string[]>; // values without their escapes
  children: SgfNode[];
}

const MOST_NODES = 5_000;

/** The games of a collection, each by its root. */
export function parseSgf(text: string): SgfNode[] {
  const games: SgfNode[] = [];
  let open: (SgfNode | null)[] = []; // the node that each bracket began after
  let node: SgfNode | null = null;
  let values: string[] | null = null;
  let count = 0;
  let fresh = false; // a bracket has opened, and no node yet
  const begin = (): void => {
    if (++count > MOST_NODES) throw new Refusal("malformed", `The SGF text has more than ${MOST_NODES} nodes.`);
    const next: SgfNode = { properties: new Map(), children: [] };
    if (node) node.children.push(next);
    else games.push(next);
    node = next;
    values = null;
    fresh = false;
  };
  for (const [token, name, value] of tokens(text)) {
    if (token === "(") {
      open.push(node);
      values = null;
      fresh = true;
    } else if (token === ")") {
      node = open.pop() ?? null;
    } else if (token === ";") {
      if (open.length) begin();
    } else if (name !== undefined) {
      if (fresh && open.length) begin(); // a program forgot the ;
      const ident = name.replace(/[a-z]/g, "") || name.toUpperCase();
      values = node?.properties.get(ident) ?? [];
      node?.properties.set(ident, values);
    } else if (value !== undefined) {
      values?.push(unescaped(value));
    }
    if (!open.length) [open, node] = [[], null];
  }
  if (!games.length) throw new Refusal("malformed", "This is not SGF: there is no game that begins with '(;'.");
  return games;
}

function* tokens(text: string): Generator<[string, string | undefined, string | undefined]> {
  const start = text.search(/\(\s*(?:;|(?:FF|GM|SZ|CA|AP|KM|RU|HA|RE|PB|PW|DT|EV|GN|AB|AW|B|W|C|GaMe|SiZe|TENGEN)\s*\[)/);
  if (start < 0) return;
  for (const found of text.slice(start).matchAll(/[();]|([A-Za-z]+)|\[((?:[^\\\]]|\\[\s\S])*)\]?/g)) {
    yield [found[0], found[1], found[2]];
  }
}

export function unescaped(value: string): string {
  return value.replace(/\r\n?|\n\r/g, "\n").replace(/\\\n/g, "").replace(/\\([\s\S])/g, "$1");
}

export function writeSgf(root: SgfNode): string {
  const parts: string[] = [];
  const write = (from: SgfNode): void => {
    let node = from;
    for (;;) {
      parts.push(`;${[...node.properties].map(([name, values]) => name + values.map(bracketed).join("")).join("")}`);
      if (node.children.length !== 1) break;
      node = node.children[0]!;
    }
    for (const child of node.children) {
      parts.push("(");
      write(child);
      parts.push(")");
    }
  };
  write(root);
  return `(${parts.join("\n")})\n`;
}

export function escaped(value: string): string {
  return value.replace(/[\\\]]/g, "\\$&");
}

function bracketed(value: string): string {
  return `[${escaped(value)}]`;
}

const LETTERS = "abcdefghijklmnopqrs";

/** The cell of a point, `pass`, or null where it is neither. */
export function readPoint(value: string, size: number): number | "pass" | null {
  const word = value.trim().toLowerCase();
  if (word === "" || word === "tt") return "pass";
  const [column, row] = [LETTERS.indexOf(word[0]!), LETTERS.indexOf(word[1] ?? "?")];
  const inside = word.length === 2 && column >= 0 && row >= 0 && column < size && row < size;
  return inside ? row * size + column : null;
}

export function writePoint(cell: number, size: number): string {
  return LETTERS[cell % size]! + LETTERS[Math.floor(cell / size)]!;
}

/** The cells of a list of points, where aa:cc is a rectangle; null when one cannot be read. */
export function readCells(values: readonly string[], size: number): number[] | null {
  const cells: number[] = [];
  const words = values.flatMap((each) => each.trim().replace(/\s*:\s*/g, ":").split(/[,;\s]+/));
  for (const value of words.filter(Boolean)) {
    const corners = value.split(":").map((each) => readPoint(each, size));
    const [from, to = from] = corners;
    if (corners.length > 2 || typeof from !== "number" || typeof to !== "number") return null;
    const rows = [Math.floor(from / size), Math.floor(to / size)].sort((a, b) => a - b);
    const columns = [from % size, to % size].sort((a, b) => a - b);
    for (let row = rows[0]!; row <= rows[1]!; row++) {
      for (let column = columns[0]!; column <= columns[1]!; column++) cells.push(row * size + column);
    }
  }
  return cells;
}
