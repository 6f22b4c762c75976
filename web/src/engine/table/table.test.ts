/** The match on the device against the server's: both are asked the same (tools/table_scripts.py) and say the same. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

import { beforeAll, expect, test } from "vitest";

import type { Now, Place } from "../../protocol";
import { CoreError } from "../core/types";
import type { Core, CoreCode } from "../core/types";
import { Match } from "./match";
import type { Request, Setup } from "./match";
import { Refusal } from "./refusal";

const ROOT = resolve(import.meta.dirname, "../../../..");
const SCRIPTS = 60;

interface Call {
  call: string;
  at: [number[][], [number, number][]];
  given: unknown;
  said: Record<string, unknown>;
}

type Asked = Omit<Request, "position"> & { house?: string; seen?: number; dead: number[]; neutral: number[] };

interface Script {
  setup: Setup;
  start: Now;
  asks: { asked: Asked; event?: object | null; refused?: object; now: Now }[];
  core: Call[];
}

/** A core that knows what the script has written down. */
function told(calls: readonly Call[]): Core {
  const key = (call: string, at: unknown, given: unknown) => JSON.stringify([call, at, given]);
  const known = new Map(calls.map((each) => [key(each.call, each.at, each.given), each.said]));
  const ask = async (call: string, { moves, resumptions }: Place, given: unknown = null) => {
    const said = known.get(key(call, [moves, resumptions], given));
    if (!said) throw new Error(`The script does not know ${key(call, [moves, resumptions], given)}.`);
    if (said.error) throw new CoreError(said.error as CoreCode, said.message as string);
    return said;
  };
  return {
    position: (place: Place) => ask("position", place),
    move: (place: Place, actions: number[]) => ask("move", place, actions),
    parse: (place: Place, text: string) => ask("parse", place, text),
    resume: (place: Place, seat: number) => ask("resume", place, seat),
    count: (place: Place, dead: number[], neutral: number[]) => ask("count", place, [dead, neutral]),
  } as unknown as Core;
}

async function done(match: Match, { house, seen, ...asked }: Asked, positions: readonly string[]): Promise<Match> {
  switch (house) {
    case "tick":
      return match.tick(asked.at_ms) ?? match;
    case "suspend":
      return match.suspend(asked.at_ms);
    case "continue":
      return match.proceed(asked.at_ms);
    case "suggest":
      return match.suggest(asked.dead, asked.neutral, asked.at_ms);
    default:
      return match.apply({ ...asked, position: seen === undefined ? null : positions[seen]! });
  }
}

const without = <T extends { position: string }>({ position: _position, ...rest }: T) => rest;

let scripts: Script[];

beforeAll(() => {
  const python = resolve(ROOT, ".venv/bin/python");
  const tool = resolve(ROOT, "tools/table_scripts.py");
  const text = execFileSync(python, [tool, "--scripts", String(SCRIPTS)], { maxBuffer: 1 << 28, encoding: "utf8" });
  scripts = JSON.parse(text) as Script[];
}, 120_000);

test("both homes of a match say the same to random requests", async () => {
  const seen = new Set<string>();
  for (const [number, script] of scripts.entries()) {
    const core = told(script.core);
    let match = await Match.begin(core, script.setup);
    expect(without(await match.now(script.setup.started_ms))).toEqual(without(script.start));
    const positions = [match.position];
    for (const [index, { asked, event, refused, now }] of script.asks.entries()) {
      const where = `script ${number}, request ${index}: ${JSON.stringify(asked)}`;
      const before = match;
      let refusal: object | undefined;
      try {
        match = await done(match, asked, positions);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refusal = { code: error.code, message: error.message };
      }
      expect(refusal, where).toEqual(refused);
      const fresh = match.events.slice(before.events.length).map(without);
      expect(fresh, where).toEqual(event ? [event] : []);
      expect(without(await match.now(asked.at_ms)), where).toEqual(without(now));
      positions.push(match.position);
      seen.add(asked.house ?? `${asked.kind} ${refused ? "refused" : "granted"}`);
    }
    const again = await Match.restore(core, JSON.parse(JSON.stringify(match.kept)) as typeof match.kept);
    expect(again.kept, `script ${number}, restored`).toEqual(match.kept);
    expect(await again.now(9e6), `script ${number}, restored`).toEqual(await match.now(9e6));
  }
  for (const kind of ["move", "offer", "answer", "mark", "accept", "resume", "resign"]) {
    expect(seen).toContain(`${kind} granted`); // the scripts are worth something
  }
});
