/** The page of `engine.ts`: the core in its worker, as the client loads it. */
import { core } from "../../src/engine/core/index.ts";
import type { Place } from "../../src/protocol.ts";

async function choose(place: Place, machine: string, table: string): Promise<void> {
  await (await core()).choose(place, machine, table, {}, { seed: 1 });
}

const engine = { choose };
export type EnginePage = typeof engine;
declare global {
  interface Window {
    engine: EnginePage;
  }
}
window.engine = engine;
