/**
 * Studies from files and as files, in the page: SGF with all variations, and the main line as our JSON record. The
 * server does the same for whoever has one; records.test.ts lets each read what the other writes. Start reading at
 * `readStudy` and `writeStudy`.
 */
import { faceOf, known } from "../../games";
import type { SgfFace } from "../../games/face";
import type { GameInfo, Import, OptionValue, Outcome, Person, Place, Study, StudyNode } from "../../protocol";
import { childrenOf, placeOf } from "../../review/study";
import type { Core, Told } from "../core/types";
import { Refusal } from "../table/refusal";
import { readResult, settled, writeResult } from "./results";
import { escaped, parseSgf, readCells, readPoint, unescaped, writePoint, writeSgf } from "./sgf";
import type { SgfNode } from "./sgf";

type Options = Record<string, OptionValue>;
type Origin = [string, number] | null;

const PRIVATE = "TENGEN"; // the game's name, then its options, a value each
const FORMAT = "tengen-record";
const RESUME = "resume ";
const EMPTY: StudyNode = {
  parent: null,
  seat: null,
  text: "",
  actions: [],
  comment: "",
  resumed: null,
  analysis: null,
  review: null,
  sgf: {},
};
/** What a file may say of a game, by SGF's property and by our name for it. */
const INFO: Record<string, string> = {
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

const SET_UP = new Set(["B", "W", "AB", "AW", "AE", "PL", "C"]);
const OF_THE_GAME = new Set([
  ...Object.keys(INFO),
  ...["FF", "GM", "CA", "AP", "SZ", "KM", "RU", "RE", "HA", "PB", "PW", "BR", "WR", "DT", "MA", PRIVATE],
]);
const RANKS = ["rank_0", "rank_1"] as const; // of `info`: what a player's name ends with

export interface Desk {
  core: Core;
  games: readonly GameInfo[];
}

/** The study in the text of an SGF file or of a JSON record; of a collection the game with that number. */
export async function readStudy(desk: Desk, text: string, number = 1): Promise<Study> {
  const plain = text.replace(/^\uFEFF/, "").trim();
  if (!plain) throw new Refusal("malformed", "The file is empty.");
  return plain.startsWith("{") ? readRecord(desk, plain) : readSgf(desk, plain, number);
}

/** The text of a file, whose bytes are UTF-8 or in the encoding that it names itself. */
export function textOf({ text, data }: Import): string {
  if (!data) return text ?? "";
  const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const plain = new TextDecoder("latin1").decode(bytes);
    const named = /CA\[([^\]]*)\]/.exec(plain)?.[1]?.trim();
    try {
      return new TextDecoder(named || "latin1").decode(bytes);
    } catch {
      return plain;
    }
  }
}

export function writeStudy(desk: Desk, study: Study, format: "json" | "sgf"): Promise<string> {
  return format === "sgf" ? writeTree(desk, study) : writeRecord(desk, study);
}

// Growing

/** A study that grows by what is legal. Each node knows its position. */
class Growing {
  readonly nodes: StudyNode[] = [{ ...EMPTY }];
  readonly told: Told[] = [];

  private constructor(
    private readonly core: Core,
    private readonly start: Place,
  ) {}

  static async from(core: Core, start: Place): Promise<Growing> {
    const growing = new Growing(core, start);
    growing.told.push(await core.position(start));
    return growing;
  }

  place(at: number): Place {
    return placeOf({ ...this.start, nodes: this.nodes } as Study, at);
  }

  /** A move after a node; throws what the core does. */
  async move(at: number, actions: number[]): Promise<number> {
    const seat = this.told[at]!.view.to_move;
    const { text, after } = await this.core.move(this.place(at), actions);
    return this.#add({ ...EMPTY, parent: at, seat, text, actions }, after);
  }

  /** A turn as it is written, or play that is resumed. */
  async read(at: number, text: string, seats: readonly string[]): Promise<number> {
    if (text.startsWith(RESUME)) return this.resume(at, seats.indexOf(text.slice(RESUME.length)));
    const { actions } = await this.core.parse(this.place(at), text);
    return this.move(at, actions);
  }

  async resume(at: number, seat: number): Promise<number> {
    const after = await this.core.resume(this.place(at), seat);
    return this.#add({ ...EMPTY, parent: at, text: after.text, resumed: seat }, after);
  }

  note(at: number, comment: string): void {
    const node = this.nodes[at]!;
    if (comment) node.comment = node.comment ? `${node.comment}\n${comment}` : comment;
  }

  mark(at: number, marks: Record<string, string[]>): void {
    const node = this.nodes[at]!;
    if (Object.keys(marks).length) node.sgf = { ...marks, ...node.sgf };
  }

  #add(node: StudyNode, told: Told): number {
    this.nodes.push(node);
    this.told.push(told);
    return this.nodes.length - 1;
  }
}

/** The last position of the main line. */
function lastOf({ nodes, told }: Growing): Told {
  const children = childrenOf({ nodes } as Study);
  let at = 0;
  while (children[at]?.length) at = children[at]![0]!;
  return told[at]!;
}

// SGF in

async function readSgf(desk: Desk, text: string, number: number): Promise<Study> {
  const games = parseSgf(text);
  const root = games[number - 1];
  if (!root) throw new Refusal("malformed", `There is no game ${number}: the SGF text has ${games.length}.`);
  const { start, info, face } = await begun(desk, root);
  const growing = await Growing.from(desk.core, start);
  await grow(growing, info, root);
  const simple = (ident: string) => (root.properties.get(ident)?.[0] ?? "").replace(/\s+/g, " ").trim();
  const person = (name: string, rank: string): Person => ({
    name: simple(rank) ? `${simple(name)} (${simple(rank)})` : simple(name),
    kind: "",
  });
  return {
    game: info.name,
    options: start.options ?? {},
    nodes: growing.nodes,
    id: null,
    origin: start.origin ?? null,
    players: [person("PB", "BR"), person("PW", "WR")],
    result: settled(lastOf(growing).outcome, readResult(simple("RE")), face !== null),
    title: simple("GN") || simple("EV"),
    number,
    games: games.length,
    info: Object.fromEntries([
      ...Object.entries(INFO).flatMap(([ident, name]) => (simple(ident) ? [[name, simple(ident)]] : [])),
      ...["BR", "WR"].flatMap((ident, seat) => (simple(ident) ? [[RANKS[seat], simple(ident)]] : [])),
      ...((readResult(simple("RE"))?.margin ?? null) !== null ? [["result", simple("RE")]] : []),
    ]),
    started: simple("DT"),
    notice: "",
  };
}

interface Begun {
  start: Place;
  info: GameInfo;
  face: SgfFace | null; // of a game that SGF has a number for
}

/** Where the game of a file begins. */
async function begun(desk: Desk, root: SgfNode): Promise<Begun> {
  const own = root.properties.get(PRIVATE);
  if (own) {
    const [name = "", ...words] = own;
    const info = gameNamed(desk, name);
    const options = await desk.core.options(name, optionsOf(words));
    return { start: { game: name, options, origin: await originOf(desk, info, options, root) }, info, face: null };
  }
  const wanted = (root.properties.get("GM")?.[0] ?? "").trim().replace(/^0+/, "") || "1";
  for (const { name, review } of known) {
    const face = review.sgf && (await review.sgf()).default;
    if (face?.number === wanted) return numbered(desk, gameNamed(desk, name), face, root);
  }
  throw new Refusal("malformed", `The SGF text holds a game that is not known here: GM is ${wanted}.`);
}

async function numbered(desk: Desk, info: GameInfo, face: SgfFace, root: SgfNode): Promise<Begun> {
  const text = (ident: string) => root.properties.get(ident)?.[0]?.trim() ?? "";
  const stated = face.read(text, sizeOf(root));
  const black = readCells(root.properties.get("AB") ?? [], sizeOf(root)) ?? [];
  const others = ["AW", "AE"].some((ident) => root.properties.has(ident)) || text("PL").toLowerCase().startsWith("b");
  const count = black.length || Math.trunc(Number(text("HA"))) || 0;
  if (count >= 2 && !others) {
    const placed = await placedBy(desk, info.name, { ...stated, [face.handicap]: count });
    const usual = placed?.codes.flatMap((code, cell) => (code ? [cell] : [])).join();
    if (placed && (!black.length || usual === [...black].sort((a, b) => a - b).join())) {
      return { start: { game: info.name, options: placed.options }, info, face };
    }
  }
  const options = await desk.core.options(info.name, stated);
  return { start: { game: info.name, options, origin: await originOf(desk, info, options, root) }, info, face };
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
async function originOf(desk: Desk, info: GameInfo, options: Options, root: SgfNode): Promise<Origin> {
  const start = await desk.core.position({ game: info.name, options });
  const { width } = start.view;
  const codes = [...start.codes];
  for (const [ident, code] of [["AE", 0], ["AB", 1], ["AW", 2]] as const) {
    const cells = readCells(root.properties.get(ident) ?? [], width);
    if (!cells) throw new Refusal("malformed", `Node 1 sets up a point that is not on a board of size ${width}.`);
    for (const cell of cells) codes[cell] = code;
  }
  const turn = (root.properties.get("PL")?.[0] ?? "").trim().toLowerCase();
  const toMove = turn ? Number(turn.startsWith("w") || turn === "2") : (firstMover(root) ?? start.view.to_move);
  if (codes.join() === start.codes.join() && (!turn || toMove === start.view.to_move)) return null;
  const rows = Array.from({ length: codes.length / width }, (_, row) => codes.slice(row * width, (row + 1) * width));
  const written = (row: number[]) => row.map((code) => (code ? info.letters[code] : " ")).join("");
  return [rows.map((row) => written(row).replace(/ +/g, (run) => String(run.length))).join("/"), toMove];
}

function firstMover(root: SgfNode): number | null {
  for (let node: SgfNode | undefined = root; node; node = node.children[0]) {
    if (node.properties.has("B")) return 0;
    if (node.properties.has("W")) return 1;
  }
  return null;
}

function sizeOf(root: SgfNode): number {
  const [side = "19", other = side] = (root.properties.get("SZ")?.[0] ?? "19").trim().split(":");
  const size = Number(side);
  if (side === other && Number.isInteger(size) && size >= 2 && size <= 19) return size;
  throw new Refusal("malformed", `SZ is '${root.properties.get("SZ")?.[0]}', and boards have 2 to 19 points a side.`);
}

function gameNamed({ games }: Desk, name: string): GameInfo {
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
      options[name.trim()] = JSON.parse(value) as OptionValue;
    } catch {
      options[name.trim()] = value === "none" ? null : value;
    }
  }
  return options;
}

/** Adds what a node of the file says, and all below it. What the rules forbid ends its branch with a word. */
async function grow(growing: Growing, info: GameInfo, root: SgfNode): Promise<void> {
  const waiting: [SgfNode, number][] = [[root, 0]];
  while (waiting.length) {
    const [node, above] = waiting.pop()!;
    let at: number;
    try {
      if (node !== root && ["AB", "AW", "AE"].some((ident) => node.properties.has(ident))) {
        throw new Refusal("illegal", "pieces are set up after the start.");
      }
      at = await moved(growing, info, node, above);
    } catch (error) {
      growing.note(above, `The file goes on here with what cannot be shown: ${Refusal.of(error).message}`);
      continue;
    }
    growing.note(at, (node.properties.get("C") ?? []).join("\n"));
    growing.mark(at, marksOf(node, node === root));
    for (const child of [...node.children].reverse()) waiting.push([child, at]);
  }
}

/** What a node says beside moves, set-ups and its comment, and in the root beside the game as a whole. */
function marksOf({ properties }: SgfNode, isRoot: boolean): Record<string, string[]> {
  const others = [...properties].filter(([ident]) => !SET_UP.has(ident) && !(isRoot && OF_THE_GAME.has(ident)));
  return Object.fromEntries(others.map(([ident, values]) => [ident, values.map(escaped)]));
}

/** Where the moves of a node lead; a side that moves out of turn lets the other pass, or resumes play. */
async function moved(growing: Growing, info: GameInfo, node: SgfNode, above: number): Promise<number> {
  let at = above;
  for (const [ident, values] of node.properties) {
    if (ident !== "B" && ident !== "W") continue;
    const seat = ident === "B" ? 0 : 1;
    const { view } = growing.told[at]!;
    const passing = view.width * view.height;
    const point = readPoint(values[0] ?? "", view.width);
    if (point === null) throw new Refusal("illegal", `'${values[0]}' is not a point of this board.`);
    const action = point === "pass" ? passing : point;
    if (growing.told[at]!.can_resume && action === passing) continue;
    if (!growing.told[at]!.outcome && view.to_move !== seat && info.passes) at = await growing.move(at, [passing]);
    if (growing.told[at]!.outcome && growing.told[at]!.can_resume) at = await growing.resume(at, seat);
    at = await growing.move(at, [action]);
  }
  return at;
}

// SGF out

async function writeTree(desk: Desk, study: Study): Promise<string> {
  const info = gameNamed(desk, study.game);
  const face = (await faceOf(info).review.sgf?.())?.default ?? null;
  const start = await desk.core.position({ game: study.game, options: study.options, origin: study.origin });
  const size = start.view.width;
  const root = await rootOf(desk, study, face, start);
  const nodes: SgfNode[] = [root];
  for (const [index, { parent, seat, actions, comment, resumed, sgf }] of study.nodes.entries()) {
    if (index === 0) continue;
    const above = nodes[parent!]!;
    if (resumed !== null) {
      nodes.push(above); // the next move's seat says the same
      continue;
    }
    const action = actions[0]!;
    const node: SgfNode = { properties: new Map(), children: [] };
    node.properties.set("BW"[seat ?? 0]!, [action === size * size ? "" : writePoint(action, size)]);
    if (comment) node.properties.set("C", [comment]);
    for (const [ident, values] of Object.entries(sgf ?? {})) {
      if (!SET_UP.has(ident)) node.properties.set(ident, values.map(unescaped));
    }
    above.children.push(node);
    nodes.push(node);
  }
  return writeSgf(root);
}

async function rootOf(desk: Desk, study: Study, face: SgfFace | null, start: Told): Promise<SgfNode> {
  const { options, origin, players, result, title } = study;
  const size = start.view.width;
  const words = Object.entries(options).map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const texts: Record<string, string> = {
    FF: "4",
    CA: "UTF-8",
    SZ: String(size),
    ...(face ? { GM: face.number, ...face.write(options) } : {}),
    ...named("PB", "BR", players[0].name, study.info[RANKS[0]] ?? ""),
    ...named("PW", "WR", players[1].name, study.info[RANKS[1]] ?? ""),
    ...Object.fromEntries(Object.entries(INFO).map(([ident, name]) => [ident, study.info[name] ?? ""])),
    GN: title === study.info.event ? (study.info.name ?? "") : title,
    DT: study.started,
    RE: result ? statedResult(result, study.info.result ?? "") || writeResult(result, face !== null) : "",
    C: study.nodes[0]?.comment ?? "",
  };
  const marks = Object.entries(study.nodes[0]?.sgf ?? {}).filter(([ident]) => !SET_UP.has(ident) && !OF_THE_GAME.has(ident));
  const properties = new Map(Object.entries(texts).flatMap(([name, text]) => (text ? [[name, [text]]] : [])) as [string, string[]][]);
  for (const [ident, values] of marks) properties.set(ident, values.map(unescaped));
  properties.set("AP", ["tengen:1"]);
  if (!face) properties.set(PRIVATE, [study.game, ...words]);
  const plain = origin ? (await desk.core.position({ game: study.game, options })).codes : start.codes.map(() => 0);
  for (const [ident, code] of [["AE", 0], ["AB", 1], ["AW", 2]] as const) {
    const cells = start.codes.flatMap((each, cell) => (each === code && each !== plain[cell] ? [writePoint(cell, size)] : []));
    if (cells.length && (origin || face)) properties.set(ident, cells);
    if (cells.length && face && !origin && code === 1) properties.set("HA", [String(cells.length)]);
  }
  if (origin) properties.set("PL", ["BW"[origin[1]]!]);
  return { properties, children: [] };
}

/** A player's name and rank apart. */
function named(name: string, rank: string, whole: string, ranked: string): Record<string, string> {
  const end = ` (${ranked})`;
  return ranked && whole.endsWith(end) ? { [name]: whole.slice(0, -end.length), [rank]: ranked } : { [name]: whole };
}

/** What a file said of the result, if that is still it. */
function statedResult(result: Outcome, text: string): string {
  const stated = readResult(text)?.outcome;
  return stated && stated.winner === result.winner && stated.reason === result.reason && !result.score ? text : "";
}

// JSON

interface Written {
  format?: unknown;
  version?: unknown;
  game?: unknown;
  options?: Options;
  players?: { name?: string; rank?: string; kind?: string }[];
  origin?: { position: string; to_move: number };
  moves?: (string | { move: string; comment?: string })[];
  result?: { winner: number | null; reason: string; score?: [number, number] } | null;
  comment?: string;
  info?: Record<string, string>;
  started?: string;
}

async function readRecord({ core, games }: Desk, text: string): Promise<Study> {
  let data: Written;
  try {
    data = JSON.parse(text) as Written;
  } catch {
    throw new Refusal("malformed", "The record is not JSON.");
  }
  if (data.format !== FORMAT) throw new Refusal("malformed", `This is not a record of ours: its format is not '${FORMAT}'.`);
  if (data.version !== 1) throw new Refusal("malformed", "This page does not read that version of a record.");
  const info = games.find(({ name }) => name === data.game);
  if (!info) throw new Refusal("malformed", `There is no game called '${String(data.game).slice(0, 40)}' here.`);
  const options = await core.options(info.name, data.options ?? {});
  const origin: Origin = data.origin ? [data.origin.position, data.origin.to_move] : null;
  const growing = await Growing.from(core, { game: info.name, options, origin });
  growing.note(0, data.comment ?? "");
  let at = 0;
  for (const [index, each] of (data.moves ?? []).entries()) {
    const { move, comment = "" } = typeof each === "string" ? { move: each } : each;
    try {
      at = await growing.read(at, move, info.seats);
    } catch (error) {
      throw new Refusal("malformed", `Move ${index + 1}, '${move}': ${Refusal.of(error).message}`);
    }
    growing.note(at, comment);
  }
  const person = (seat: number): Person => {
    const { name = "", rank = "", kind = "" } = data.players?.[seat] ?? {};
    return { name: rank ? `${name} (${rank})` : name, kind };
  };
  const result: Outcome | null = data.result ? { score: null, ...data.result } : null;
  return {
    game: info.name,
    options,
    nodes: growing.nodes,
    id: null,
    origin,
    players: [person(0), person(1)],
    result: result && { winner: result.winner, reason: result.reason, score: result.score },
    title: data.info?.name ?? data.info?.event ?? "",
    number: 1,
    games: 1,
    info: data.info ?? {},
    started: data.started ?? "",
    notice: "",
  };
}

async function writeRecord({ core }: Desk, study: Study): Promise<string> {
  const moves = (await turnsOf(core, study)).map(({ text, comment }) => (comment ? { move: text, comment } : text));
  const { game, options, origin, players, result, title, nodes, info } = study;
  const noted = title && title !== info.name && title !== info.event ? { ...info, name: title } : info;
  const data = {
    format: FORMAT,
    version: 1,
    game,
    options,
    players: players.map(({ name, kind }) => ({ ...(name ? { name } : {}), ...(kind ? { kind } : {}) })),
    ...(origin ? { origin: { position: origin[0], to_move: origin[1] } } : {}),
    moves,
    result: result && { winner: result.winner, reason: result.reason, ...(result.score ? { score: result.score } : {}) },
    ...(nodes[0]?.comment ? { comment: nodes[0].comment } : {}),
    ...(Object.keys(noted).length ? { info: noted } : {}),
    ...(study.started ? { started: study.started } : {}),
  };
  return `${JSON.stringify(data, null, 1)}\n`;
}

/** The turns of the main line: a record has one entry a turn, a study one a move. */
async function turnsOf(core: Core, study: Study): Promise<{ text: string; comment: string }[]> {
  const children = childrenOf(study);
  const turns: { text: string; comment: string }[] = [];
  let begin = 0; // the node that the turn began after
  let run: number[] = [];
  let comments: string[] = [];
  for (let at = children[0]?.[0]; at !== undefined; at = children[at]?.[0]) {
    const node = study.nodes[at]!;
    if (node.resumed !== null) {
      turns.push({ text: node.text, comment: node.comment });
      begin = at;
      continue;
    }
    run = [...run, ...node.actions];
    if (node.comment) comments.push(node.comment);
    const next = children[at]?.[0];
    const goesOn = next !== undefined && study.nodes[next]!.seat === node.seat && study.nodes[next]!.resumed === null;
    if (goesOn && (await core.position(placeOf(study, at))).view.to_move === node.seat) continue;
    const { text } = await core.move(placeOf(study, begin), run);
    turns.push({ text, comment: comments.join("\n") });
    [begin, run, comments] = [at, [], []];
  }
  return turns;
}
