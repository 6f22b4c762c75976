/** The sounds of the board, computed by the browser that would play them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Page } from "playwright-core";

import type { Sound } from "../src/board/sounds.ts";
import type {} from "./bench/page.svelte.ts";
import { shared } from "./browser.ts";
import { bundled } from "./bundled.ts";
import type { Bundled } from "./bundled.ts";

let built: Bundled;
let page: Page;

beforeAll(async () => {
  built = await bundled("bench");
  page = await (await shared()).newPage();
  await page.goto(built.url);
});
afterAll(async () => {
  await Promise.allSettled([page?.context().close(), built?.close()]);
});

/** Seconds that each may last. A knock is short, and nobody waits for the chord at the end. */
const SOUNDS: [Sound, least_s: number, most_s: number][] = [
  ["stone", 0.02, 0.12],
  ["capture", 0.06, 0.2],
  ["merge", 0.12, 0.4],
  ["end", 0.5, 1.2],
];

test.each(SOUNDS)("%s can be heard, at once, not for long, and is not distorted", async (sound, least_s, most_s) => {
  for (let time = 0; time < 5; time++) {
    const heard = await page.evaluate((which) => window.bench.hear(which), sound);
    expect(heard.peak).toBeGreaterThan(0.08); // -22 dB
    expect(heard.peak).toBeLessThan(0.9);
    expect(heard.starts_s).toBeLessThan(0.01);
    expect(heard.ends_s - heard.starts_s).toBeGreaterThan(least_s);
    expect(heard.ends_s - heard.starts_s).toBeLessThan(most_s);
  }
});
