/**
 * The grammar of SGF, read forgivingly and written plainly: a game is a tree of nodes, a node properties with values.
 * What properties mean is in reading.ts. The server reads the same (src/tengen/records/_sgf_structure.py).
 */
import { Refusal } from "../table/refusal";

export interface SgfNode {
  properties: Map<string, string[]>; // values without their escapes
  children: SgfNode[];
}

const MOST_NODES = 200_000; // of a collection
const ROOT = "FF GM SZ CA AP ST VW KM RU HA RE PB PW BR WR DT EV GN PC SO US AB AW PL B W C TENGEN".split(" ");
// A game begins with (; or, where a program forgot that, with a property of the root, whose name old programs wrote
// out with small letters in between: GaMe.
const LONG = ROOT.map((name) => [...name].map((letter) => `${letter}[a-z]*`).join("")).join("|");
const START = new RegExp(`\\(\\s*(?:;|(?:${LONG}|${ROOT.join("|").toLowerCase()})\\s*\\[)`);
const TOKEN = /[();]|([A-Za-z][A-Za-z0-9_]{0,63})(?=\s*\[)|\[((?:[^\\\]]|\\[\s\S])*)(?:\]|\\?$)/g;
const AFTER_VALUE = /\s*(?:[;()[]|[A-Z][A-Za-z]{0,63}\s*\[|$)/y;
const NODE = /;\s*[A-Za-z]{1,64}\s*\[/;
const NO_TEXT = new Set(["B", "W", "AB", "AW", "AE", "PL", "SZ", "GM", "FF", "KM", "HA"]); // no bracket within

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
  for (const { token, name, value } of tokens(text)) {
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
      values = node?.properties.get(name) ?? [];
      node?.properties.set(name, values);
    } else if (value !== undefined) {
      values?.push(unescaped(value));
    }
    if (!open.length) [open, node] = [[], null];
  }
  if (!games.length) throw new Refusal("malformed", "This is not SGF: there is no game that begins with '(;'.");
  return games;
}

interface Token {
  token: string;
  name?: string;
  value?: string;
}

/** A bracket in a comment that should have been escaped is one of the comment if what follows shows that. */
function* tokens(text: string): Generator<Token> {
  const pattern = new RegExp(TOKEN);
  pattern.lastIndex = text.search(START);
  if (pattern.lastIndex < 0) return;
  let name = "";
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const [token, word, raw] = found;
    if (word !== undefined) {
      name = /^[A-Za-z]+$/.test(word) ? word.replace(/[a-z]/g, "") || word.toUpperCase() : "";
      if (name) yield { token, name };
      continue;
    }
    if (raw === undefined) {
      name = "";
      yield { token };
      continue;
    }
    let value = raw;
    while (name && !NO_TEXT.has(name) && !goesOnAfter(text, pattern.lastIndex)) {
      const end = text.indexOf("]", pattern.lastIndex);
      if (end < 0 || NODE.test(text.slice(pattern.lastIndex, end))) break;
      value += `\\]${text.slice(pattern.lastIndex, end)}`;
      pattern.lastIndex = end + 1;
    }
    if (name) yield { token, value };
  }
}

function goesOnAfter(text: string, at: number): boolean {
  AFTER_VALUE.lastIndex = at;
  return AFTER_VALUE.test(text);
}

export function nodesOf(root: SgfNode): number {
  let found = 0;
  for (const waiting = [root]; waiting.length; found++) waiting.push(...waiting.pop()!.children);
  return found;
}

export function unescaped(value: string): string {
  const lines = value.replace(/\r\n?|\n\r/g, "\n").replace(/[\t\f\v]/g, " ");
  return lines.replace(/\\\n/g, "").replace(/\\([\s\S])/g, "$1");
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
  const word = value.replace(/\s/g, "").toLowerCase();
  if (word === "" || word === "pass" || word === "tt") return "pass";
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
