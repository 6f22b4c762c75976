import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { settings } from "../settings.svelte";
import { FakeMatch, fakeInfo, fakeLine } from "./fake.test.svelte";
import { Playback, SPEED_MS } from "./playback.svelte";
import { Session } from "./session.svelte";

const machine = { kind: "machine" as const, name: "", player: "level:1", here: false };
let close: () => void;

function watched(started_ms: number, kinds = [machine, machine], line = fakeLine([0, "1"], [1, "3"], [0, "5"])) {
  const live = new FakeMatch("dominion-duel", []);
  live.info = fakeInfo("dominion-duel", { seats: [kinds[0]!, kinds[1]!], started_ms });
  live.line = line;
  const session = new Session(live);
  let playback!: Playback;
  close = $effect.root(() => {
    playback = new Playback(session);
  });
  flushSync();
  return { live, session, playback };
}

async function wait(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  flushSync();
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubGlobal("fetch", async () => new Response("[]"));
  settings.watchSpeed = "normal";
});
afterEach(() => {
  close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a fresh game of two machines is shown from the start, a move at a time", async () => {
  const { session } = watched(999_000);
  expect(session.place).toBe(0);
  await wait(SPEED_MS.normal);
  expect(session.place).toBe(1);
  settings.watchSpeed = "fast";
  flushSync();
  for (let step = 0; step < 2; step++) await wait(SPEED_MS.fast);
  expect(session.place).toBe(3);
});

test("paused it stays where it is while the machines go on, and steps", async () => {
  const { session, playback, live } = watched(999_000);
  playback.toggle();
  flushSync();
  live.line = fakeLine([0, "1"], [1, "3"], [0, "5"], [1, "7"]);
  await wait(10_000);
  expect(session.place).toBe(0);
  playback.step();
  await wait(0);
  expect(session.place).toBe(1);
  await wait(10_000);
  expect(session.place).toBe(1);
});

test("a move that was on its way when Pause was pressed is not shown", async () => {
  const { session, playback } = watched(999_000);
  let answer!: (ready: boolean) => void;
  vi.spyOn(session, "prepared").mockReturnValue(new Promise((done) => (answer = done)));
  await wait(SPEED_MS.normal);
  playback.toggle();
  answer(true);
  await wait(0);
  expect(session.place).toBe(0);
});

test("what is shown stays in sight while paused, though the machines begin only then", async () => {
  const { session, playback, live } = watched(999_000, undefined, []);
  playback.toggle();
  flushSync();
  expect(session.view).not.toBeNull();
  live.line = fakeLine([0, "1"], [1, "3"]);
  flushSync();
  expect(session.view).not.toBeNull();
  await wait(0);
  expect([session.place, session.view?.last]).toEqual([0, [0]]);
});

test("the list tells no move before the board shows it, and keeps what was shown", async () => {
  const { session, live } = watched(999_000);
  const told = () => session.told.map((move) => move.text);
  expect(told()).toEqual([]);
  await wait(SPEED_MS.normal);
  expect(told()).toEqual(["1"]);
  live.line = fakeLine([0, "1"], [1, "3"], [0, "5"], [1, "7"]);
  flushSync();
  expect(told()).toEqual(["1"]);
  await wait(SPEED_MS.normal);
  expect([told(), session.where]).toEqual([["1", "3"], "Move 2"]);
  session.goTo(1);
  flushSync();
  expect([told(), session.where]).toEqual([["1", "3"], "Move 1 of 2"]);
  session.goTo(4);
  flushSync();
  expect(told()).toHaveLength(4);
});

test("how it ended is not told before it is seen", async () => {
  const { session, live } = watched(999_000);
  live.now = { ...live.now!, phase: "over", outcome: { winner: 0, reason: "claims", score: [2, 1] } };
  flushSync();
  expect(session.outcome).toBeNull();
  for (let step = 0; step < 3; step++) await wait(SPEED_MS.normal);
  expect(session.outcome?.winner).toBe(0);
});

test("a game of long ago, or with a person in it, is shown as it stands", () => {
  expect(watched(1_000).session.place).toBe(3);
  close();
  expect(watched(999_000, [machine, { ...machine, kind: "person" as never }]).session.held).toBe(false);
});

test("whoever steps back is not led on until they ask for it", async () => {
  const { session, playback } = watched(999_000);
  for (let step = 0; step < 2; step++) await wait(SPEED_MS.normal);
  expect(session.place).toBe(2);
  session.step(-1);
  flushSync();
  await wait(10_000);
  expect([session.place, playback.running]).toEqual([1, false]);
  playback.toggle();
  flushSync();
  await wait(SPEED_MS.normal);
  expect(session.place).toBe(2);
});
