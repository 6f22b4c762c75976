import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { BrainInfo, Lab, RunInfo, RunPoint, RunReport } from "../protocol";
import { toasts } from "../toast.svelte";
import { LabState } from "./lab.svelte";

const run = (more: Partial<RunInfo> = {}): RunInfo => ({
  name: "go-gumbel-1",
  kind: "gumbel",
  game: "go",
  options: {},
  brains: [],
  created: "2026-03-01T12:00:00",
  state: "running",
  message: "",
  games: 5,
  loss: 1,
  games_per_s: 2,
  elapsed_s: 60,
  left_s: 30,
  brain: null,
  ...more,
});
const point = (games: number): RunPoint => ({ t_s: games, games, loss: 1, elo: null, win_rates: {} });

/** A server in a few lines; `asked` is what it was asked for. */
class Fake {
  asked: string[] = [];
  lab: Lab = { missing: "", kinds: { go: ["gumbel"] }, runs: [] };
  brains: BrainInfo[] = [];
  points: RunPoint[] = [];
  current = run();
  refusal: { status: number; code: string; message: string } | null = null;

  answer = async (address: string | URL | Request, options: RequestInit = {}): Promise<Response> => {
    const url = new URL(String(address), location.href);
    this.asked.push(`${options.method ?? "GET"} ${url.pathname}${url.search} ${(options.body as string | null) ?? ""}`.trim());
    if (this.refusal) {
      const { status, ...body } = this.refusal;
      return Response.json(body, { status });
    }
    if (url.pathname === "/api/lab") return Response.json(this.lab);
    if (url.pathname === "/api/games") return Response.json([]);
    if (url.pathname === "/api/brains") return Response.json(this.brains);
    const asked = Number(url.searchParams.get("after") ?? 0);
    const after = asked > this.points.length ? 0 : asked;
    const report: RunReport = { run: this.current, after, points: this.points.slice(after), live: null };
    return Response.json(report);
  };
}

let fake: Fake;
let stop = (): void => undefined;

async function open(): Promise<LabState> {
  let made!: LabState;
  stop = $effect.root(() => {
    made = new LabState();
  });
  flushSync();
  await vi.advanceTimersByTimeAsync(0);
  return made;
}

beforeEach(() => {
  vi.useFakeTimers();
  fake = new Fake();
  vi.stubGlobal("fetch", fake.answer);
  toasts.all = [];
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const reports = (): string[] => fake.asked.filter((line) => line.includes("/runs/"));

describe("the Lab", () => {
  it("is closed where the server says so, and asks no more", async () => {
    fake.refusal = { status: 403, code: "stranger", message: "The Lab of this server is for its operator." };
    const lab = await open();
    expect(lab.door).toBe("closed");
    const before = fake.asked.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(fake.asked.length).toBe(before);
  });

  it("says that the server does not answer, and goes on asking", async () => {
    fake.refusal = { status: 503, code: "unavailable", message: "Not now." };
    const lab = await open();
    expect([lab.door, lab.problem]).toEqual(["opening", "Not now."]);
    fake.refusal = null;
    await vi.advanceTimersByTimeAsync(6_000);
    expect([lab.door, lab.problem]).toEqual(["open", null]);
  });

  it("opens with the run that it shows, which pushes nothing down later", async () => {
    fake.lab.runs = [run()];
    let tell!: () => void;
    const late = new Promise<void>((done) => (tell = done));
    vi.stubGlobal("fetch", async (...asked: Parameters<typeof fake.answer>) => {
      if (String(asked[0]).includes("/runs/")) await late;
      return fake.answer(...asked);
    });
    const lab = await open();
    expect(lab.door).toBe("opening");
    tell();
    await vi.advanceTimersByTimeAsync(0);
    expect([lab.door, lab.report?.run.name]).toEqual(["open", "go-gumbel-1"]);
  });

  it("follows the run at work, and asks only for the points that it lacks", async () => {
    fake.lab.runs = [run({ name: "older", state: "stopped" }), run()];
    fake.points = [point(1), point(2)];
    const lab = await open();
    expect(lab.busy?.name).toBe("go-gumbel-1");
    expect(lab.points.map(({ games }) => games)).toEqual([1, 2]);
    fake.points.push(point(3));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reports().at(-1)).toContain("/go-gumbel-1?after=2");
    expect(lab.points.map(({ games }) => games)).toEqual([1, 2, 3]);
  });

  it("forgets the points that the run has lost", async () => {
    fake.lab.runs = [run()];
    fake.points = [point(1), point(2), point(3)];
    const lab = await open();
    fake.points = [point(1)];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lab.points.map(({ games }) => games)).toEqual([1]);
  });

  it("leaves a run alone that has ended", async () => {
    fake.current = run({ state: "finished" });
    fake.lab.runs = [fake.current];
    const lab = await open();
    expect(lab.report?.run.state).toBe("finished");
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reports()).toHaveLength(1);
  });

  it("tells that a brain was saved, and looks for it", async () => {
    fake.lab.runs = [run()];
    const lab = await open();
    await lab.control("go-gumbel-1", { wish: "save" });
    fake.current = run({ brain: "brain_1" });
    const lists = fake.asked.filter((line) => line === "GET /api/brains").length;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(toasts.all.map(({ text }) => text)).toContain("Saved as brain_1.");
    expect(fake.asked.filter((line) => line === "GET /api/brains").length).toBeGreaterThan(lists);
  });

  it("goes on with a run for as long again as it took, if its time was up", async () => {
    const done = run({ state: "finished", elapsed_s: 600 });
    fake.current = done;
    fake.lab.runs = [done];
    const lab = await open();
    lab.goOn(done);
    await vi.advanceTimersByTimeAsync(0);
    expect(fake.asked).toContain('POST /api/lab/runs/go-gumbel-1 {"wish":"resume","minutes":10}');
    lab.goOn(run({ state: "stopped" }));
    await vi.advanceTimersByTimeAsync(0);
    expect(fake.asked).toContain('POST /api/lab/runs/go-gumbel-1 {"wish":"resume","minutes":null}');
  });

  it("says what was refused", async () => {
    const lab = await open();
    fake.refusal = { status: 409, code: "not-now", message: "Another one is at work." };
    expect(await lab.start({ kind: "gumbel", game: "go" })).toBe(false);
    expect(toasts.all.at(-1)).toMatchObject({ text: "Another one is at work.", kind: "bad" });
    expect(lab.doing).toBeNull();
  });
});
