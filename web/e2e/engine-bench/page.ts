/** The page of `engine.ts`: the core in its worker, as the client loads it. */
import { core } from "../../src/engine/core/index.ts";
import type { Place } from "../../src/protocol.ts";

async function think(place: Place, visits: number): Promise<number> {
  const begun = performance.now();
  await (await core()).analyse(place, { visits });
  return performance.now() - begun;
}


const engine = { think };
export type EnginePage = typeof engine;
declare global {
  interface Window {
    engine: EnginePage;
  }
}
window.engine = engine;
