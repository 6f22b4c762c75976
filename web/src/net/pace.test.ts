import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Pace } from "./pace";

type Said = { text: string; wait_ms: number; moves: boolean };
const move = (text: string, wait_ms = 0): Said => ({ text, wait_ms, moves: true });

let shown: string[];
let pace: Pace<Said>;

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  pace = new Pace(({ text }) => shown.push(text), ({ wait_ms }) => wait_ms, ({ moves }) => moves);
});
afterEach(() => vi.useRealTimers());

test("a machine's answer keeps its distance from the move before it, and the news behind it waits as well", () => {
  pace.take(move("mine"));
  pace.take(move("theirs", 500));
  pace.take({ text: "over", wait_ms: 0, moves: false });
  expect(shown).toEqual(["mine"]);
  vi.advanceTimersByTime(499);
  expect(shown).toEqual(["mine"]);
  vi.advanceTimersByTime(1);
  expect(shown).toEqual(["mine", "theirs", "over"]);
});

test("an answer that took its time is shown at once", () => {
  pace.take(move("mine"));
  vi.advanceTimersByTime(700);
  pace.take(move("theirs", 500));
  expect(shown).toEqual(["mine", "theirs"]);
});

test("what waits is forgotten when a snapshot tells all", () => {
  pace.take(move("mine"));
  pace.take(move("theirs", 500));
  pace.clear();
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual(["mine"]);
});
