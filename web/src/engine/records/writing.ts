/** A study as SGF with all variations; the server's is src/tengen/records/sgf.py. Start reading at `writeTree`. */
import { faceOf } from "../../games";
import type { SgfFace } from "../../games/face";
import type { Outcome, Study } from "../../protocol";
import { placeOf } from "../../review/study";
import type { Told } from "../core/types";
import type { Desk } from "./growing";
import { gameNamed, INFO, OF_THE_GAME, PRIVATE, RANKS, SET_UP } from "./reading";
import { readResult, writeResult } from "./results";
import { unescaped, writePoint, writeSgf } from "./sgf";
import type { SgfNode } from "./sgf";

export async function writeTree(desk: Desk, study: Study): Promise<string> {
  const info = gameNamed(desk, study.game);
  const face = (await faceOf(info).review.sgf?.())?.default ?? null;
  const start = await desk.core.position({ game: study.game, options: study.options, origin: study.origin });
  const size = start.view.width;
  const root = await rootOf(desk, study, face, start);
  const nodes: SgfNode[] = [root];
  for (const [index, { parent, seat, actions, comment, resumed, origin, sgf }] of study.nodes.entries()) {
    if (index === 0) continue;
    const above = nodes[parent!]!;
    if (resumed !== null) {
      nodes.push(above); // the next move's seat says the same
      continue;
    }
    const action = actions[0]!;
    const node: SgfNode = { properties: new Map(), children: [] };
    if (origin) setUp(node, await codesOf(desk, study, parent!), await codesOf(desk, study, index), origin[1], size);
    else node.properties.set("BW"[seat ?? 0]!, [action === size * size ? "" : writePoint(action, size)]);
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
  const placed = start.codes.filter(Boolean);
  const stones = placed.length >= 2 && placed.every((code) => code === 1) && (!origin || origin[1] === 1) ? placed.length : 0;
  const words = Object.entries(options).map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  const texts: Record<string, string> = {
    FF: "4",
    CA: "UTF-8",
    SZ: String(size),
    ...(face ? { GM: face.number, ...face.write(options, study.info, stones) } : {}),
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
  const root: SgfNode = { properties, children: [] };
  if (origin || face) setUp(root, plain, start.codes, origin ? origin[1] : null, size);
  return root;
}

async function codesOf({ core }: Desk, study: Study, at: number): Promise<number[]> {
  return (await core.position(placeOf(study, at))).codes;
}

/** Writes into a node what makes one position of another, and whose turn it is then. */
function setUp({ properties }: SgfNode, before: readonly number[], after: readonly number[], turn: number | null, size: number): void {
  for (const [ident, code] of [["AE", 0], ["AB", 1], ["AW", 2]] as const) {
    const cells = after.flatMap((each, cell) => (each === code && each !== before[cell] ? [writePoint(cell, size)] : []));
    if (cells.length) properties.set(ident, cells);
  }
  if (turn !== null) properties.set("PL", ["BW"[turn]!]);
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

