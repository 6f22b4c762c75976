// Runs a TypeScript file of this folder: `node e2e/run.mjs screenshots.ts`.
import { resolve } from "node:path";

import { runnerImport } from "vite";

const { module } = await runnerImport(resolve(import.meta.dirname, process.argv[2]));
await module.main();
