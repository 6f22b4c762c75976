/**
 * Real browsers against a real server: `npm run e2e`. It needs the built client (`npm run build`), the Python
 * package (`make build`) and Chromium; without Chromium nothing is tested, and that is said aloud.
 */
import { existsSync } from "node:fs";
import { basename } from "node:path";

import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import type { TestSpecification } from "vitest/node";

import { CHROMIUM } from "./browser.ts";

const found = existsSync(CHROMIUM);
if (!found) {
  process.stderr.write(
    `\n*** NO BROWSER TESTS WERE RUN: there is no ${CHROMIUM}. ***\n` +
      "*** Install it (apt install chromium), or name another one in TENGEN_CHROMIUM. ***\n\n",
  );
}

/** Begun last, one of these would keep a worker busy long after the others have nothing left to do. */
const LONGEST = ["lab", "access", "start", "own_game", "offline", "phone", "review"].map((name) => `${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => [...LONGEST, basename(moduleId)].indexOf(basename(moduleId));
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: "../node_modules/.vite-e2e",
  test: {
    include: found ? ["*.test.ts"] : [],
    passWithNoTests: !found,
    environment: "node",
    globalSetup: found ? ["setup.ts"] : [],
    isolate: false, // a worker keeps its browser
    maxWorkers: 3, // they wait for servers and browsers much of the time
    sequence: { sequencer: LongestFirst },
    testTimeout: 180_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 30_000, interval: 50 } },
  },
});
