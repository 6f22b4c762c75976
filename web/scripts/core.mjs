/**
 * The core of the page in Node.js, for whoever has no browser: `loadCore()`, and as a program a server of questions,
 * a line of JSON each way: {"method", "args"} in, {"value"} or {"code", "message"} out. tests/web/test_core.py asks it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";

import { rolldown } from "rolldown";

const FOLDER = resolve(dirname(fileURLToPath(import.meta.url)), "../src/engine/core");

/** What testing.ts exports; TypeScript is taken away on the way. */
export async function loadCore() {
  const folder = await mkdtemp(join(tmpdir(), "tengen-core-"));
  try {
    const bundle = await rolldown({ input: join(FOLDER, "testing.ts"), platform: "node", logLevel: "silent" });
    await bundle.write({ dir: folder, entryFileNames: "core.mjs", format: "esm" });
    process.env.TENGEN_CORE = join(FOLDER, "core.wasm");
    process.env.TENGEN_BRAINS = join(FOLDER, "brains");
    return await import(pathToFileURL(join(folder, "core.mjs")));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function serve() {
  const { nodeCore } = await loadCore();
  const core = nodeCore();
  for await (const line of createInterface({ input: process.stdin })) {
    const { method, args } = JSON.parse(line);
    let answer;
    try {
      answer = { value: await core[method](...args) };
    } catch (error) {
      answer = { code: error.code ?? "broken", message: error.message };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await serve();
