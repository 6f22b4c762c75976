/**
 * Whether a large board can be drawn anew 60 times a second: `npm run frames` changes the ownership of all 361 points
 * and all best moves with every frame, in a real Chromium, and writes benchmarks/results/frames.json.
 *
 * Measured are CPU times, which other programs on the machine change less than times by the clock: `page` is the
 * thread that must be done with a frame in 16.7 ms (our script, styles, layout, painting), `all` is the whole browser.
 * There is no graphics card here, so `all` holds the drawing of every pixel, on threads beside that one. And it is
 * measured how far apart the frames came, which a busy machine spoils first. Start reading at `main`.
 */
import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { resolve } from "node:path";

import type { Browser, CDPSession, Page } from "playwright-core";

import type { Change } from "./bench/page.svelte.ts";
import { letPass } from "./until.ts";
import { launch } from "./browser.ts";
import { bundled } from "./bundled.ts";

const RESULT = resolve(import.meta.dirname, "../../benchmarks/results/frames.json");
const BUDGET_MS = 1000 / 60;
const FRAMES = 240;
const ROUNDS = 7; // the one with the least CPU time counts: in the others the machine did something else as well
const REST_MS = 500;
const CHANGES: Change[] = ["nothing", "advice", "move"];

/** One round, in milliseconds a frame; `late` is the share of frames that came a refresh late, or more. */
interface Round {
  page: number;
  all: number;
  script: number; // ours, median, by the clock
  interval: number; // between two frames, median, by the clock
  interval_p95: number;
  late: number;
}

class Bench {
  private constructor(
    private readonly page: Page,
    private readonly thread: CDPSession,
    private readonly processes: CDPSession,
  ) {}

  static async open(browser: Browser, url: string): Promise<Bench> {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(url);
    await page.evaluate(() => window.bench.show());
    const thread = await page.context().newCDPSession(page);
    await thread.send("Performance.enable");
    return new Bench(page, thread, await browser.newBrowserCDPSession());
  }

  async #spent_ms(): Promise<[page: number, all: number]> {
    const [{ metrics }, { processInfo }] = await Promise.all([
      this.thread.send("Performance.getMetrics"),
      this.processes.send("SystemInfo.getProcessInfo"),
    ]);
    const page_s = metrics.find(({ name }) => name === "ThreadTime")!.value;
    const all_s = processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
    return [1000 * page_s, 1000 * all_s];
  }

  async round(change: Change): Promise<Round> {
    const before = await this.#spent_ms();
    const frames = await this.page.evaluate(([count, what]) => window.bench.frames(count, what), [FRAMES, change] as const);
    const after = await this.#spent_ms();
    const intervals = frames.slice(1).map(({ at_ms }, index) => at_ms - frames[index]!.at_ms);
    return {
      page: rounded((after[0] - before[0]) / FRAMES),
      all: rounded((after[1] - before[1]) / FRAMES),
      script: rounded(at(0.5, frames.map(({ script_ms }) => script_ms))),
      interval: rounded(at(0.5, intervals)),
      interval_p95: rounded(at(0.95, intervals)),
      late: rounded(intervals.filter((interval) => interval > 1.5 * BUDGET_MS).length / intervals.length),
    };
  }
}

function at(share: number, values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

async function measure(bench: Bench): Promise<Record<Change, Round[]>> {
  const found: Record<Change, Round[]> = { nothing: [], advice: [], move: [] };
  for (const change of CHANGES) await bench.round(change); // the browser compiles what runs often
  for (let time = 0; time < ROUNDS; time++) {
    for (const change of CHANGES) {
      await letPass(REST_MS);
      found[change].push(await bench.round(change));
    }
  }
  return found;
}

function cpuModel(): string {
  return cpus()[0]?.model ?? "unknown";
}

export async function main(): Promise<void> {
  const load = loadavg()[0]!;
  const [built, browser] = await Promise.all([bundled("bench"), launch()]);
  try {
    const rounds = await measure(await Bench.open(browser, built.url));
    const changes = CHANGES.map((change) => {
      const best = rounds[change].toSorted((a, b) => a.page - b.page)[0]!;
      return { change, ...best, of_budget: rounded(best.page / BUDGET_MS), rounds: rounds[change].map(({ page, late }) => [page, late]) };
    });
    for (const { change, page, all, of_budget, interval, late } of changes) {
      process.stdout.write(
        `${change.padEnd(8)} ${page.toFixed(2)} ms a frame, ${Math.round(100 * of_budget)} % of ${BUDGET_MS.toFixed(1)} ms ` +
          `(whole browser ${all.toFixed(1)} ms); frames ${interval.toFixed(1)} ms apart, ${Math.round(100 * late)} % late\n`,
      );
    }
    const result = {
      date: new Date().toISOString().slice(0, 10),
      machine: { cpu: cpuModel(), cores: cpus().length, system: `${process.platform} ${process.arch}` },
      load: rounded(load), // of the machine before, by other programs
      browser: `Chromium ${browser.version()}, headless, drawing on the processor`,
      board: "Go 19x19, 104 stones and more, 720 px, 12 best moves and 361 owners",
      frames: FRAMES,
      budget_ms: rounded(BUDGET_MS),
      changes,
    };
    writeFileSync(RESULT, `${JSON.stringify(result, null, 2)}\n`);
  } finally {
    await Promise.allSettled([browser.close(), built.close()]);
  }
}
