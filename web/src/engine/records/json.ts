/** The main line of a study as our JSON record, and back. */
import type { Outcome, Person, Study } from "../../protocol";
import { childrenOf, placeOf } from "../../review/study";
import type { Core } from "../core/types";
import { Refusal } from "../table/refusal";
import { Growing } from "./growing";
import type { Desk, Options, Origin } from "./growing";

const FORMAT = "tengen-record";

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

export async function readRecord({ core, games }: Desk, text: string): Promise<Study> {
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

export async function writeRecord({ core }: Desk, study: Study): Promise<string> {
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
