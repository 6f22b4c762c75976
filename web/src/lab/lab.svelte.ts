/**
 * The Lab as rune state: brains, runs, and the one run that is shown, asked for again while somebody looks.
 *
 * A run lives on the server whether anybody looks or not; this only watches it. The run that is at work is shown
 * unless the person chose another. Start reading at `#look`.
 */
import { untrack } from "svelte";

import { ApiError, api, sentence } from "../net";
import type { BrainInfo, GameInfo, Lab, NewRun, RunInfo, RunPoint, RunReport, RunWish } from "../protocol";
import { toast } from "../toast.svelte";
import { labApi } from "./api";
import { isAlive } from "./figures";
import { l } from "./text";

const EVERY_MS = 1_000;
const LISTS_EVERY = 5; // looks

export class LabState {
  door = $state<"opening" | "open" | "closed">("opening");
  problem = $state<string | null>(null);
  games = $state.raw<readonly GameInfo[]>([]);
  brains = $state.raw<readonly BrainInfo[]>([]);
  lab = $state.raw<Lab>({ missing: "", kinds: {}, runs: [] });
  report = $state.raw<RunReport | null>(null);
  points = $state.raw<readonly RunPoint[]>([]);
  /** What is being done at a person's wish. */
  doing = $state<string | null>(null);
  #chosen: string | null = null;
  #looks = 0;
  #looking = false;

  /** The run that is at work, if any; there is at most one. */
  busy = $derived(this.lab.runs.find((run) => isAlive(run.state)) ?? null);

  /** To be called while a component is set up: looks now, then every second while the page is visible. */
  constructor() {
    $effect(() => {
      untrack(() => void this.#look());
      const timer = setInterval(() => {
        if (!document.hidden) void this.#look();
      }, EVERY_MS);
      return () => clearInterval(timer);
    });
  }

  async #look(): Promise<void> {
    if (this.#looking || this.door === "closed") return;
    this.#looking = true;
    try {
      if (this.#looks++ % LISTS_EVERY === 0 || this.door === "opening") await this.#askLists();
      try {
        const name = this.#chosen ?? this.busy?.name ?? this.lab.runs[0]?.name;
        if (name !== undefined && (name !== this.report?.run.name || isAlive(this.report.run.state))) {
          await this.#askReport(name);
        }
      } finally {
        this.door = "open"; // with the run, which stands above all else
      }
      this.problem = null;
    } catch (error) {
      if (error instanceof ApiError && error.code === "stranger") this.door = "closed";
      else this.problem = sentence(error);
    } finally {
      this.#looking = false;
    }
  }

  async #askLists(): Promise<void> {
    const [lab, games, brains] = await Promise.all([labApi.lab(), api.games(), api.brains()]);
    this.lab = lab;
    this.games = games;
    this.brains = brains;
  }

  async #askReport(name: string): Promise<void> {
    const same = name === this.report?.run.name;
    this.#take(await labApi.report(name, same ? this.points.length : 0));
  }

  #take(report: RunReport): void {
    const before = this.report?.run.name === report.run.name ? this.report : null;
    this.points = [...(before ? this.points : []).slice(0, report.after), ...report.points];
    this.report = report;
    if (before && report.run.brain && report.run.brain !== before.run.brain) {
      toast(l("saved", { name: report.run.brain }), "good");
      this.#looks = 0;
    }
    if (before && isAlive(before.run.state) !== isAlive(report.run.state)) this.#looks = 0;
  }

  show(name: string): void {
    this.#chosen = name;
    void this.#look();
  }

  async start(wish: NewRun): Promise<boolean> {
    return this.#do("start", async () => this.#begun(await labApi.start(wish)));
  }

  async control(name: string, wish: RunWish): Promise<boolean> {
    return this.#do(wish.wish, async () => {
      const report = await labApi.control(name, wish);
      if (wish.wish === "save") toast(l("saving"));
      if (wish.wish === "resume") this.#begun(report);
    });
  }

  /** Goes on with a run that has ended; one that has used its time up gets as much again. */
  goOn(run: RunInfo): void {
    const minutes = run.state === "finished" ? Math.max(1, run.elapsed_s / 60) : null;
    void this.control(run.name, { wish: "resume", minutes });
  }

  #begun(report: RunReport): void {
    this.#chosen = null;
    this.#take(report);
    this.#looks = 0;
  }

  async forget(name: string): Promise<boolean> {
    return this.#do("forget", async () => {
      await labApi.forget(name);
      if (this.#chosen === name) this.#chosen = null;
      if (this.report?.run.name === name) {
        this.report = null;
        this.points = [];
      }
      await this.#askLists();
    });
  }

  async use(brain: BrainInfo): Promise<boolean> {
    return this.#do("use", async () => {
      await labApi.use(brain);
      await this.#askLists();
      toast(l("used", { name: brain.name }), "good");
    });
  }

  async remove(brain: BrainInfo): Promise<boolean> {
    return this.#do("remove", async () => {
      await labApi.remove(brain);
      await this.#askLists();
      toast(l("removed", { name: brain.name }));
    });
  }

  /** The brain that the file is; null where the server refused it. */
  async upload(file: Blob): Promise<BrainInfo | null> {
    let made: BrainInfo | null = null;
    await this.#do("upload", async () => {
      made = await labApi.upload(file);
      await this.#askLists();
    });
    return made;
  }

  /** What goes wrong is said in passing; true where nothing did. */
  async #do(what: string, work: () => Promise<void>): Promise<boolean> {
    this.doing = what;
    try {
      await work();
      return true;
    } catch (error) {
      toast(sentence(error), "bad");
      return false;
    } finally {
      this.doing = null;
    }
  }
}
