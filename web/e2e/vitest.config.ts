/**
 * Real browsers against a real server: `npm run e2e`. It needs the built client (`npm run build`), the Python
 * package (`make build`) and Chromium; without Chromium nothing is tested, and that is said aloud.
 */
import { existsSync } from "node:fs";

import { defineConfig } from "vitest/config";

import { CHROMIUM } from "./browser.ts";

const found = existsSync(CHROMIUM);
if (!found) {
  process.stderr.write(
    `\n*** NO BROWSER TESTS WERE RUN: there is no ${CHROMIUM}. ***\n` +
      "*** Install it (apt install chromium), or name another one in TENGEN_CHROMIUM. ***\n\n",
  );
}

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: "../node_modules/.vite-e2e",
  test: {
    include: found ? ["*.test.ts"] : [],
    passWithNoTests: !found,
    environment: "node",
    maxWorkers: 3, // each file has a server and a browser of its own, and waits for them much of the time
    testTimeout: 180_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 30_000, interval: 50 } },
  },
});
