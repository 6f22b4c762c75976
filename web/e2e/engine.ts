/**
 * How fast the engine in the page is beside the native one: `npm run bench` has both do the same work in turn, in a
 * real Chromium and in Python, and writes benchmarks/results/page.json. Work by visits and with one seed is the same work.
 * Measured is the processor's time, of the whole browser and of the Python process: other programs on the machine
 * change it less than times by the clock. The round with the least counts. Start reading at `main`.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";

import type { Browser, Page } from "playwright-core";

import type { Place } from "../src/protocol.ts";
import { launch } from "./browser.ts";
import { bundled } from "./bundled.ts";
import type {} from "./engine-bench/page.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const RESULT = resolve(ROOT, "benchmarks/results/page.json");
const ROUNDS = 5;

interface Work {
  name: string;
  place: Place;
  machine: string; // that makes the first move, by visits or as a level
  most: number; // times the native processor's time that the page may take
}

/** Of a net's time: the processor has instructions for int8 that plain WebAssembly lacks. */
const INT8 = 3;

/** What Great Kingdom's level 10 does, with a brain and where none plays, and simulations of Go; facts.json has them. */
const WORKS: Work[] = [
  {
    name: "Great Kingdom 9x9, level 10 with its brain (a second at most)",
    place: { game: "great-kingdom" },
    machine: "level:10",
    most: 1.5,
  },
  {
    name: "Great Kingdom 9x9, 5,000 simulations with its brain",
    place: { game: "great-kingdom" },
    machine: "brain:default@5000",
    most: INT8,
  },
  {
    name: "Great Kingdom 9x9, level 10 without a brain (60,000 visits)",
    place: { game: "great-kingdom" },
    machine: "mcts:60000",
    most: 1.5,
  },
  {
    name: "Go 9x9, level 10 with its brain (1,500 simulations)",
    place: { game: "go", options: { size: 9, scoring: "area" } },
    machine: "brain:default@1500",
    most: INT8,
  },
  {
    name: "Go 9x9, 8,000 simulations",
    place: { game: "go", options: { size: 9, scoring: "area" } },
    machine: "mcts:8000",
    most: 1 / 0.7,
  },
];

let tables = 0; // each move at a table of its own, without a tree from before

async function inPage(browser: Browser, page: Page, { place, machine }: Work): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const spent = async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  const before = await spent();
  const given = [place, machine, String(tables++)] as const;
  await page.evaluate(([at, who, table]) => window.engine.choose(at, who, table), given);
  return (await spent()) - before;
}

function native({ place, machine }: Work): number {
  const given = JSON.stringify({ game: place.game, options: place.options ?? {}, machine });
  const python = resolve(ROOT, ".venv/bin/python");
  const { stdout, stderr, status } = spawnSync(python, ["-m", "benchmarks.page", given], { cwd: ROOT, encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

const rounded = (value: number): number => Math.round(1000 * value) / 1000;

export async function main(): Promise<void> {
  const load = loadavg()[0]!;
  const [built, browser] = await Promise.all([bundled("engine-bench"), launch()]);
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(0);
    await page.goto(built.url);
    const works = [];
    for (const work of WORKS) {
      await inPage(browser, page, work); // the browser compiles what runs often
      const rounds: [page_s: number, native_s: number][] = [];
      for (let round = 0; round < ROUNDS; round++) rounds.push([rounded(await inPage(browser, page, work)), rounded(native(work))]);
      const [page_s, native_s] = [Math.min(...rounds.map(([a]) => a)), Math.min(...rounds.map(([, b]) => b))];
      const times = rounded(page_s / native_s);
      works.push({ name: work.name, page_s, native_s, times, speed: rounded(native_s / page_s), met: times <= work.most, rounds });
      process.stdout.write(`${work.name}: ${page_s} s in the page, ${native_s} s native: ${times} times as long\n`);
    }
    const result = {
      date: new Date().toISOString().slice(0, 10),
      machine: { cpu: cpus()[0]?.model ?? "unknown", cores: cpus().length, system: `${process.platform} ${process.arch}` },
      load: rounded(load), // of the machine before, by other programs
      browser: `Chromium ${browser.version()}, headless; processor's time of the whole browser`,
      works,
    };
    writeFileSync(RESULT, `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await Promise.allSettled([browser.close(), built.close()]);
  }
}
