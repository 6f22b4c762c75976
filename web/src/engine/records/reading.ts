/**
 * The study in an SGF text, as src/tengen/records/sgf.py and src/tengen/server/http/studies.py read it: files as people
 * really have them. What the rules forbid ends its branch with a word. Start reading at `readSgf`.
 */
import { known } from "../../games";
import type { SgfFace } from "../../games/face";
import type { GameInfo, Person, Place, Study } from "../../protocol";
import { Refusal } from "../table/refusal";
import { Growing, lastOf } from "./growing";
import type { Desk, Options, Origin } from "./growing";
import { isPlainResult, readResult, settled, writeResult } from "./results";
import { escaped, nodesOf, parseSgf, readCells, readPoint } from "./sgf";
import type { SgfNode } from "./sgf";

export const PRIVATE = "TENGEN"; // the game's name, then its options, a value each
/** What a file may say of a game, by SGF's property and by our name for it. */
export const INFO: Record<string, string> = {
  EV: "event",
  RO: "round",
  PC: "place",
  GN: "name",
  GC: "about",
  ON: "opening",
  AN: "annotator",
  US: "user",
  SO: "source",
  CP: "copyright",
  TM: "time_limit",
  OT: "overtime",
  BT: "team_0",
  WT: "team_1",
};
export const SET_UP = new Set(["B", "W", "AB", "AW", "AE", "PL", "C"]);
export const OF_THE_GAME = new Set([
  ...Object.keys(INFO),
  ...["FF", "GM", "CA", "AP", "SZ", "KM", "RU", "RE", "HA", "PB", "PW", "BR", "WR", "DT", PRIVATE],
]);
export const RANKS = ["rank_0", "rank_1"] as const; // of `info`: what a player's name ends with

const STONES = [["AE", 0], ["AB", 1], ["AW", 2]] as const;
const MOST_NODES = 8_000; // of a game
const OPENING = 10; // moves that tell where stones cannot have stood

type Simple = (ident: string) => string;

export async function readSgf(desk: Desk, text: string, number: number): Promise<Study> {
  const games = parseSgf(text);
  const root = games[number - 1];
  if (!root) throw new Refusal("malformed", `There is no game ${number}: the SGF text has ${games.length}.`);
  if (nodesOf(root) > MOST_NODES) {
    throw new Refusal("malformed", `There are more than ${MOST_NODES} moves, which is the most of this game here.`);
  }
  gatherInfo(root);
  const simple: Simple = (ident) => (root.properties.get(ident)?.[0] ?? "").replace(/\n/g, " ").trim();
  const begun = await gameOf(desk, root, simple);
  const growing = await grown(desk, begun, root);
  const { start, info, face } = begun;
  const person = (name: string, rank: string): Person => ({
    name: simple(rank) ? `${simple(name)} (${simple(rank)})` : simple(name),
    kind: "",
  });
  const stated = readResult(simple("RE"));
  const result = settled(growing.broken ? null : lastOf(growing).outcome, stated, face !== null);
  return {
    game: info.name,
    options: growing.place(0).options ?? {},
    nodes: growing.nodes,
    id: null,
    origin: start.origin ?? null,
    players: [person("PB", "BR"), person("PW", "WR")],
    result,
    title: simple("GN") || simple("EV"),
    number,
    games: games.length,
    info: Object.fromEntries([
      ...Object.entries(INFO).flatMap(([ident, name]) => (simple(ident) ? [[name, simple(ident)]] : [])),
      ...(simple("GC") ? [["about", root.properties.get("GC")![0]!.trim()]] : []), // the only one of several lines
      ...["BR", "WR"].flatMap((ident, seat) => (simple(ident) ? [[RANKS[seat], simple(ident)]] : [])),
      ...Object.entries(face?.stated?.(simple, growing.place(0).options ?? {}, begun.handicap || begun.placed, begun.handicap > 0) ?? {}),
      ...(isPlainResult(simple("RE")) ? [] : [["result", simple("RE")]]),
      ...(isPlainResult(simple("RE")) && stated && stated.margin !== null && result && !result.score
        ? [["result", writeResult(result, face !== null, stated.margin)]]
        : []),
    ]) as Record<string, string>,
    started: simple("DT"),
    notice: growing.notice,
  };
}

/** Puts what nodes before the first move say of the game as a whole into the root, where it is not there. */
function gatherInfo(root: SgfNode): void {
  for (let node = root; node.children.length === 1; ) {
    node = node.children[0]!;
    if (node.properties.has("B") || node.properties.has("W")) return;
    for (const [ident, values] of [...node.properties]) {
      if (!OF_THE_GAME.has(ident) || root.properties.has(ident)) continue;
      root.properties.set(ident, values);
      node.properties.delete(ident);
    }
  }
}

interface Begun {
  start: Place;
  info: GameInfo;
  face: SgfFace | null; // of a game that SGF has a number for
  handicap: number; // stones that the rules placed, and
  placed: number; // black ones that the file did
}

/** Where the game of a file begins. */
async function gameOf(desk: Desk, root: SgfNode, simple: Simple): Promise<Begun> {
  const own = root.properties.get(PRIVATE);
  if (own) {
    const [name = "", ...words] = own;
    const info = gameNamed(desk, name);
    const options = await desk.core.options(name, optionsOf(words));
    const origin = await originOf(desk, info, options, root, null);
    return { start: { game: name, options, origin }, info, face: null, handicap: 0, placed: 0 };
  }
  const stated = simple("GM");
  const wanted = (/^\d+$/.test(stated) ? stated.replace(/^0+/, "") : "") || "1";
  for (const { name, review } of known) {
    const face = review.sgf && (await review.sgf()).default;
    if (face?.number === wanted) return numbered(desk, gameNamed(desk, name), face, root, simple);
  }
  throw new Refusal("malformed", `The SGF text holds a game that is not known here: GM is ${wanted}.`);
}

/** Handicap stones on the usual points are an option, and all others a position to begin with. */
async function numbered(desk: Desk, info: GameInfo, face: SgfFace, root: SgfNode, simple: Simple): Promise<Begun> {
  const size = sizeOf(simple("SZ"));
  const stated = face.read(simple, size);
  const cells = STONES.map(([ident]) => readCells(root.properties.get(ident) ?? [], size));
  if (cells.includes(null)) throw new Refusal("malformed", `Node 1 sets up a point that is not on a board of size ${size}.`);
  const [taken, black, white] = cells as number[][];
  const handicap = Math.trunc(Number(/[-+]?\d+/.exec(simple("HA"))?.[0] ?? 0));
  const moves = firstMoves(root, size);
  const others = taken!.length + white!.length > 0;
  const blackFirst = !((black!.length > 0 && !others) || handicap >= 2);
  const toMove = turnOf(root) ?? moves[0]?.seat ?? (blackFirst ? 0 : 1);
  const count = new Set(black).size || handicap;
  const options = await desk.core.options(info.name, stated);
  const usual = !others && toMove === 1 && count >= 2 ? await placedBy(desk, info.name, { ...stated, [face.handicap]: count }) : null;
  const points = usual?.codes.flatMap((code, cell) => (code ? [cell] : [])) ?? [];
  const same = !black!.length || points.join() === [...new Set(black)].sort((a, b) => a - b).join();
  if (usual && same && !moves.some(({ cell }) => points.includes(cell))) {
    return { start: { game: info.name, options: usual.options }, info, face, handicap: count, placed: 0 };
  }
  const plain = !others && !black!.length && toMove === 0;
  const origin = plain ? null : await originOf(desk, info, options, root, toMove);
  const placed = !others && black!.length >= 2 && toMove === 1 ? black!.length : 0;
  return { start: { game: info.name, options, origin }, info, face, handicap: 0, placed };
}

/** The first moves of the main line. */
function firstMoves(root: SgfNode, size: number): { seat: number; cell: number }[] {
  const found: { seat: number; cell: number }[] = [];
  for (let node: SgfNode | undefined = root; node && found.length < OPENING; node = node.children[0]) {
    for (const [ident, values] of node.properties) {
      if (ident !== "B" && ident !== "W") continue;
      const point = readPoint(values[0] ?? "", size);
      found.push({ seat: ident === "B" ? 0 : 1, cell: typeof point === "number" ? point : -1 });
    }
  }
  return found;
}

function turnOf({ properties }: SgfNode): number | null {
  const letter = (properties.get("PL")?.[0] ?? "").trim().toLowerCase()[0] ?? "";
  return { b: 0, "1": 0, w: 1, "2": 1 }[letter] ?? null;
}

/** The stones that the rules place by themselves; null where they cannot. */
async function placedBy(desk: Desk, game: string, given: Options): Promise<{ options: Options; codes: number[] } | null> {
  try {
    const options = await desk.core.options(game, given);
    return { options, codes: (await desk.core.position({ game, options })).codes };
  } catch {
    return null;
  }
}

/** The position that the root sets up, if it does. */
async function originOf(desk: Desk, info: GameInfo, options: Options, root: SgfNode, first: number | null): Promise<Origin> {
  const start = await desk.core.position({ game: info.name, options });
  const codes = changed(start.codes, root, start.view.width);
  if (!codes) throw new Refusal("malformed", `Node 1 sets up a point that is not on a board of size ${start.view.width}.`);
  const toMove = turnOf(root) ?? first ?? start.view.to_move;
  if (codes.join() === start.codes.join() && toMove === start.view.to_move) return null;
  return [positionText(codes, start.view.width, info), toMove];
}

/** The pieces after what a node sets up; null where a point is not on the board. */
function changed(codes: readonly number[], { properties }: SgfNode, width: number): number[] | null {
  const after = [...codes];
  for (const [ident, code] of STONES) {
    const cells = readCells(properties.get(ident) ?? [], width);
    if (!cells) return null;
    for (const cell of cells) after[cell] = code;
  }
  return after;
}

function positionText(codes: readonly number[], width: number, info: GameInfo): string {
  const rows = Array.from({ length: codes.length / width }, (_, row) => codes.slice(row * width, (row + 1) * width));
  const written = (row: number[]) => row.map((code) => (code ? info.letters[code] : " ")).join("");
  return rows.map((row) => written(row).replace(/ +/g, (run) => String(run.length))).join("/");
}

function sizeOf(text: string): number {
  const sides = new Set((text || "19").split(/[:xX×]/).map((side) => side.trim()));
  const short = text.slice(0, 40);
  if (sides.size > 1) throw new Refusal("malformed", `SZ is '${short}', and boards have as many rows as columns.`);
  const size = Number(/[-+]?\d{1,9}(?:[.,]\d{0,9})?/.exec([...sides][0]!)?.[0].replace(",", ".") ?? NaN);
  if (Number.isInteger(size) && size >= 2 && size <= 19) return size;
  throw new Refusal("malformed", `SZ is '${short}', and boards have 2 to 19 points a side.`);
}

export function gameNamed({ games }: Desk, name: string): GameInfo {
  const info = games.find((game) => game.name === name);
  if (!info) throw new Refusal("malformed", `There is no game called '${name.slice(0, 40)}' here.`);
  if (!info.formats.includes("sgf")) throw new Refusal("malformed", `${info.title} has no SGF: it uses the JSON record.`);
  return info;
}

/** Options written `name=value`; values are JSON or bare words. */
function optionsOf(words: readonly string[]): Options {
  const options: Options = {};
  for (const word of words) {
    const [name = "", ...rest] = word.split("=");
    const value = rest.join("=");
    try {
      options[name.trim()] = JSON.parse(value) as Options[string];
    } catch {
      options[name.trim()] = value === "none" ? null : value;
    }
  }
  return options;
}

/** The study of a file; under other rules where only those allow its main line, since files rarely say which they mean. */
async function grown(desk: Desk, { start, info, face }: Begun, root: SgfNode): Promise<Growing> {
  let stated: Growing | null = null;
  for (const options of face?.alternatives?.(start.options ?? {}) ?? [start.options ?? {}]) {
    const growing = await Growing.from(desk.core, { ...start, options });
    await grow(growing, info, root);
    if (!growing.broken) return growing;
    stated ??= growing;
  }
  return stated!;
}

/** Adds what a node of the file says, and all below it. What the rules forbid ends its branch with a word. */
async function grow(growing: Growing, info: GameInfo, root: SgfNode): Promise<void> {
  const waiting: [node: SgfNode, above: number, isMain: boolean][] = [[root, 0, true]];
  while (waiting.length) {
    const [node, above, isMain] = waiting.pop()!;
    let at = above;
    try {
      if (node !== root) at = await setUp(growing, info, node, above);
      at = await moved(growing, info, node, at);
    } catch (error) {
      growing.stop(above, Refusal.of(error).message, isMain);
      continue;
    }
    growing.note(at, (node.properties.get("C") ?? []).join("\n"));
    growing.mark(at, marksOf(node, node === root));
    for (const [index, child] of [...node.children.entries()].reverse()) waiting.push([child, at, isMain && index === 0]);
  }
}

/** What a node says beside moves, set-ups and its comment, and in the root beside the game as a whole. */
function marksOf({ properties }: SgfNode, isRoot: boolean): Record<string, string[]> {
  const drawn = properties.has(PRIVATE) ? "MA" : ""; // the piece that SGF does not know
  const left = (ident: string) => SET_UP.has(ident) || (isRoot && (OF_THE_GAME.has(ident) || ident === drawn));
  const others = [...properties].filter(([ident]) => !left(ident));
  return Object.fromEntries(others.map(([ident, values]) => [ident, values.map(escaped)]));
}

/** Where a node that sets pieces up, or only gives the turn, leads. */
async function setUp(growing: Growing, info: GameInfo, node: SgfNode, above: number): Promise<number> {
  const { codes, view, outcome } = growing.told[above]!;
  const after = changed(codes, node, view.width);
  if (!after) throw new Refusal("malformed", `A point is set up that is not on a board of size ${view.width}.`);
  const turn = turnOf(node);
  if (after.join() !== codes.join()) {
    return growing.setUp(above, [positionText(after, view.width, info), turn ?? view.to_move]);
  }
  if (turn === null || outcome || turn === view.to_move || node.properties.has("B") || node.properties.has("W")) return above;
  if (!growing.place(above).moves?.length) return growing.setUp(above, [positionText(after, view.width, info), turn]);
  return growing.move(above, [view.width * view.height]);
}

/** Where the moves of a node lead; a side that moves out of turn lets the other pass, or resumes play. */
async function moved(growing: Growing, info: GameInfo, node: SgfNode, above: number): Promise<number> {
  let at = above;
  for (const [ident, values] of node.properties) {
    if (ident !== "B" && ident !== "W") continue;
    const seat = ident === "B" ? 0 : 1;
    const passing = growing.told[at]!.view.width * growing.told[at]!.view.height;
    const point = readPoint(values[0] ?? "", growing.told[at]!.view.width);
    if (growing.told[at]!.can_resume && point === "pass") continue;
    if (!growing.told[at]!.outcome && growing.told[at]!.view.to_move !== seat && info.passes) at = await growing.move(at, [passing]);
    if (growing.told[at]!.outcome && growing.told[at]!.can_resume) at = await growing.goOn(at, seat);
    at = point === null ? await growing.read(at, values[0]!.replace(/\s/g, ""), info.seats) : await growing.move(at, [point === "pass" ? passing : point]);
  }
  return at;
}
