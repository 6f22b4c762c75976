/** The core without a worker, for tests that run in Node.js. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { Home } from "./home.ts";
import { CoreModule } from "./module.ts";

// A bundle of this file stands elsewhere (scripts/core.mjs).
const FILE = process.env.TENGEN_CORE ?? join(dirname(fileURLToPath(import.meta.url)), "core.wasm");

/** Whether there was a compiler to build it with. */
export const hasCore = existsSync(FILE);
if (!hasCore) process.stderr.write("NOTE: core.wasm was not built (`make web`). THE ENGINE IN THE PAGE WAS NOT TESTED.\n");

export function newModule(): CoreModule {
  return new CoreModule(new WebAssembly.Module(readFileSync(FILE)));
}

export function nodeCore(): Home {
  return new Home(newModule());
}
