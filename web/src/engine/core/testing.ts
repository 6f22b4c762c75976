/** The core without a worker, for tests that run in Node.js. */
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Place } from "../../protocol.ts";
import { Home } from "./home.ts";
import { CoreModule } from "./module.ts";

// A bundle of this file stands elsewhere (scripts/core.mjs).
const BRAINS = process.env.TENGEN_BRAINS ?? join(dirname(fileURLToPath(import.meta.url)), "brains");
const FILE = process.env.TENGEN_CORE ?? join(dirname(fileURLToPath(import.meta.url)), "core.wasm");

/** Whether there was a compiler to build it with. */
export const hasCore = existsSync(FILE);
if (!hasCore) process.stderr.write("NOTE: core.wasm was not built (`make web`). THE ENGINE IN THE PAGE WAS NOT TESTED.\n");

export function newModule(): CoreModule {
  return new CoreModule(new WebAssembly.Module(readFileSync(FILE)));
}

const fetchBrain = (name: string): Promise<Uint8Array> => readFile(join(BRAINS, `${name}.onnx`));

/** A home that also says what its brains say by themselves. */
class OpenHome extends Home {
  async words(place: Place, name: string): Promise<unknown> {
    const brain = this.module.brain(await fetchBrain(name));
    return this.module.ask({ do: "words", place, brain });
  }

  brainOf(place: Place): { default: string | null; stronger: string | null } {
    return this.brains.names(place);
  }
}

export function nodeCore(): OpenHome {
  return new OpenHome(newModule(), fetchBrain);
}
