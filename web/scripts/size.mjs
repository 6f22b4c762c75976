// Fails when the scripts and styles that a person needs to start and play a game weigh more than LIMIT_BYTES as
// they are sent, with Brotli: all that index.html and Play load without being asked, the service worker left aside.
// The engine, which is loaded when a game starts in the page, has a limit of its own, and so has each of the brains,
// which are loaded when one of them is asked for.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliCompressSync } from "node:zlib";

const LIMIT_BYTES = 100_000;
const ENGINE_LIMIT_BYTES = 400_000;
const BRAIN_LIMIT_BYTES = 2_000_000;
const folder = resolve(process.argv[2] ?? "../src/tengen/web");
const chunks = Object.entries(JSON.parse(readFileSync(join(folder, ".vite/manifest.json"), "utf8")));
const index = readFileSync(join(folder, "index.html"), "utf8");
const files = (pattern) => [...index.matchAll(pattern)].map((found) => found[1]);

const needed = new Set();
const visit = (file) => {
  if (needed.has(file)) return;
  needed.add(file);
  for (const style of byFile(file)?.css ?? []) visit(style);
  for (const next of byFile(file)?.imports ?? []) visit(chunks.find(([key]) => key === next)[1].file);
};
const byFile = (file) => chunks.find(([, chunk]) => chunk.file === file)?.[1];
files(/<script[^>]* src="\/([^"]+)"/g).forEach(visit);
files(/<link[^>]* rel="stylesheet"[^>]* href="\/([^"]+)"/g).forEach(visit);
const play = chunks.find(([key]) => key === "src/pages/Play.svelte");
if (play) visit(play[1].file);

let total = 0;
for (const file of needed) {
  const bytes = brotliCompressSync(readFileSync(join(folder, file))).length;
  total += bytes;
  console.log(`${String(bytes).padStart(8)}  ${file}`);
}
console.log(`${String(total).padStart(8)}  bytes with Brotli to start and play, of ${LIMIT_BYTES}`);
if (total > LIMIT_BYTES) {
  console.error("That is too much: load on demand what playing does not need.");
  process.exit(1);
}

const engine = readdirSync(join(folder, "assets")).filter((file) => file.endsWith(".wasm"));
for (const file of engine) {
  const bytes = brotliCompressSync(readFileSync(join(folder, "assets", file))).length;
  console.log(`${String(bytes).padStart(8)}  bytes with Brotli for the engine, of ${ENGINE_LIMIT_BYTES}`);
  if (bytes > ENGINE_LIMIT_BYTES) {
    console.error("The engine is too large.");
    process.exit(1);
  }
}
for (const file of readdirSync(join(folder, "assets")).filter((file) => file.endsWith(".onnx"))) {
  const bytes = brotliCompressSync(readFileSync(join(folder, "assets", file))).length;
  console.log(`${String(bytes).padStart(8)}  bytes with Brotli for ${file}, when it is used, of ${BRAIN_LIMIT_BYTES}`);
  if (bytes > BRAIN_LIMIT_BYTES) {
    console.error("The brain is too large.");
    process.exit(1);
  }
}
if (engine.length === 0) console.log("The engine was not built: there was no compiler for it.");
