import { describe, expect, it } from "vitest";

import type { Clock, Reading } from "../protocol";
import { calledBetween, face, isLow, readingAfter, timeText } from "./clock";

const units = { day: "d", hour: "h", minute: "min" };
const byoYomi: Clock = { kind: "byo-yomi", main_ms: 60_000, periods: 3, period_ms: 30_000 };
const fischer: Clock = { kind: "fischer", main_ms: 300_000, increment_ms: 5_000, cap_ms: null };

function reading(left_ms: number, main_ms = left_ms): Reading {
  return { left_ms, main_ms, periods: 0, period_ms: 0 };
}

describe("timeText", () => {
  it.each([
    [0, "0.0"],
    [40, "0.0"],
    [9_949, "9.9"],
    [10_000, "0:10"],
    [59_999, "0:59"],
    [300_000, "5:00"],
    [3_599_999, "59:59"],
    [3_600_000, "1:00:00"],
    [5_405_000, "1:30:05"],
    [2 * 3_600_000, "2 h 0 min"],
    [86_399_999, "23 h 59 min"],
    [3 * 86_400_000, "3 d 0 h"],
    [86_400_000 + 5 * 3_600_000, "1 d 5 h"],
  ])("shows %d ms as %s", (ms, text) => {
    expect(timeText(ms, units)[0]).toBe(text);
  });

  it.each([300_000, 299_000, 10_001, 10_000, 9_950, 9_900, 86_400_000, 7_200_000, 1])(
    "changes exactly when it says, at %d ms",
    (ms) => {
      const [text, changes] = timeText(ms, units);
      expect(timeText(ms - changes + 1, units)[0]).toBe(text);
      if (ms > changes) expect(timeText(ms - changes, units)[0]).not.toBe(text);
    },
  );
});

describe("byo-yomi", () => {
  const full: Reading = { left_ms: 150_000, main_ms: 60_000, periods: 3, period_ms: 30_000 };

  it("uses the main time first", () => {
    expect(readingAfter(byoYomi, full, 20_000)).toEqual({
      left_ms: 130_000,
      main_ms: 40_000,
      periods: 3,
      period_ms: 30_000,
    });
  });

  it("then the periods one by one", () => {
    expect(readingAfter(byoYomi, full, 75_000)).toMatchObject({ main_ms: 0, periods: 3, period_ms: 15_000 });
    expect(readingAfter(byoYomi, full, 95_000)).toMatchObject({ main_ms: 0, periods: 2, period_ms: 25_000 });
    expect(readingAfter(byoYomi, full, 149_000)).toMatchObject({ main_ms: 0, periods: 1, period_ms: 1_000 });
    expect(readingAfter(byoYomi, full, 200_000)).toMatchObject({ left_ms: 0, periods: 0 });
  });

  it("shows what is left of the period, and that it is the last", () => {
    const shown = face(byoYomi, readingAfter(byoYomi, full, 145_500), units);
    expect(shown).toMatchObject({ text: "4.5", periods: 1, inPeriod: true, low: true });
  });
});

describe("isLow", () => {
  it("warns at an eighth of the time, between ten seconds and a minute", () => {
    expect(isLow(fischer, reading(37_000))).toBe(true);
    expect(isLow(fischer, reading(38_000))).toBe(false);
    expect(isLow({ kind: "absolute", main_ms: 30_000 }, reading(9_999))).toBe(true);
    expect(isLow({ kind: "absolute", main_ms: 3_600_000 }, reading(61_000))).toBe(false);
  });
  it("does not warn in a period that is not the last", () => {
    expect(isLow(byoYomi, { left_ms: 35_000, main_ms: 0, periods: 2, period_ms: 5_000 })).toBe(false);
  });
});

describe("calledBetween", () => {
  it("calls 60, 30 and 10 seconds once", () => {
    expect(calledBetween(60_400, 59_400)).toBe(60);
    expect(calledBetween(59_400, 58_400)).toBeNull();
    expect(calledBetween(31_000, 9_000)).toBe(10);
  });
});
