import { describe, expect, it } from "vitest";

import { CLOCK_PRESETS, clockFields, clockNumbers, clockOf, FIRST_CLOCK, presetOf } from "./clocks";
import type { ClockKind } from "./clocks";
import { clockText } from "./words";

describe("clock presets", () => {
  it("are found again, whatever the server adds to them", () => {
    for (const { name, clock } of CLOCK_PRESETS) expect(presetOf(clock)).toBe(name);
    expect(presetOf({ kind: "fischer", main_ms: 300_000, increment_ms: 3_000, cap_ms: null })).toBe("blitz");
    expect(presetOf({ kind: "fischer", main_ms: 300_000, increment_ms: 2_000, cap_ms: null })).toBeNull();
  });

  it("are told in the units that people say", () => {
    expect(CLOCK_PRESETS.map(({ clock }) => clockText(clock))).toEqual([
      "No clock",
      "5 min + 3 s",
      "10 min + 5 s",
      "30 min + 5 × 30 s",
      "20 min + 15 moves in 5 min",
      "3 days a move",
    ]);
    expect(clockNumbers({ kind: "absolute", main_ms: 90_000 })).toEqual({ main: "1.5" });
  });
});

describe("a clock of one's own", () => {
  const of = (kind: ClockKind, changes = {}) => clockOf({ ...FIRST_CLOCK, kind, ...changes });

  it("is made of the fields that its kind has", () => {
    expect(of("fischer")).toEqual({ kind: "fischer", main_ms: 900_000, increment_ms: 10_000, cap_ms: null });
    expect(of("byo-yomi", { minutes: 0 })).toEqual({ kind: "byo-yomi", main_ms: 0, periods: 5, period_ms: 30_000 });
    expect(of("canadian", { overtime: 2.5 })).toEqual({
      kind: "canadian",
      main_ms: 900_000,
      moves: 15,
      period_ms: 150_000,
    });
    expect(of("absolute", { minutes: 0.5 })).toEqual({ kind: "absolute", main_ms: 30_000 });
    expect(of("correspondence", { days: 7 })).toEqual({ kind: "correspondence", days_per_move: 7, vacation_days: 14 });
    expect(clockFields("none")).toEqual([]);
  });

  it("is none while a number is missing, out of range or not whole", () => {
    expect(of("fischer", { minutes: 0 })).toBeNull();
    expect(of("absolute", { minutes: Number.NaN })).toBeNull();
    expect(of("byo-yomi", { periods: 0 })).toBeNull();
    expect(of("byo-yomi", { periods: 2.5 })).toBeNull();
    expect(of("correspondence", { days: 31 })).toBeNull();
    expect(of("correspondence", { minutes: -1 })).not.toBeNull();
  });
});
