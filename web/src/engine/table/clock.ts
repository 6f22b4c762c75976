/**
 * Time controls, as pure arithmetic on whole milliseconds: src/tengen/match/clock.py for games on the device, and
 * table.test.ts lets both play the same scripts. What a seat has is a `Reserve`, counted at the start of its turn.
 */
import type { Clock, Reading } from "../../protocol";

const DAY_MS = 86_400_000;

export interface Reserve {
  main_ms: number;
  periods: number;
}

const reserve = (main_ms: number, periods = 0): Reserve => ({ main_ms, periods });

export function start(clock: Clock): Reserve {
  switch (clock.kind) {
    case "none":
      return reserve(0);
    case "correspondence":
      return reserve(clock.days_per_move * DAY_MS);
    case "byo-yomi":
      return reserve(clock.main_ms, clock.periods);
    default:
      return reserve(clock.main_ms);
  }
}

const periodOf = (clock: Clock): number => (clock.kind === "byo-yomi" ? clock.period_ms : 0);

/** How long the turn that begins with this reserve may last; null is for ever. */
export function budget_ms(clock: Clock, had: Reserve): number | null {
  return clock.kind === "none" ? null : had.main_ms + had.periods * periodOf(clock);
}

/** What is left when a turn stops; `moved` says that it was completed rather than broken off. */
export function after(clock: Clock, had: Reserve, used_ms: number, moved: boolean): Reserve {
  const left_ms = Math.max(0, had.main_ms - used_ms);
  switch (clock.kind) {
    case "none":
      return had;
    case "correspondence":
      return left_ms ? start(clock) : reserve(0);
    case "fischer": {
      if (!moved || !left_ms) return reserve(left_ms);
      return reserve(Math.min(left_ms + clock.increment_ms, clock.cap_ms ?? Infinity));
    }
    default: {
      if (left_ms) return reserve(left_ms, had.periods);
      const period_ms = periodOf(clock);
      const gone = period_ms ? Math.floor((used_ms - had.main_ms) / period_ms) : 0;
      return reserve(0, Math.max(0, had.periods - gone));
    }
  }
}

export function reading(clock: Clock, had: Reserve, used_ms: number): Reading {
  const budget = budget_ms(clock, had) ?? 0;
  const left_ms = Math.max(0, budget - used_ms);
  const main_ms = Math.max(0, had.main_ms - used_ms);
  const each_ms = periodOf(clock);
  if (!each_ms) return { left_ms, main_ms, periods: 0, period_ms: 0 };
  const inPeriods_ms = left_ms - main_ms;
  const periods = Math.ceil(inPeriods_ms / each_ms);
  return { left_ms, main_ms, periods, period_ms: inPeriods_ms - Math.max(0, periods - 1) * each_ms };
}

/** The lesser of two reserves under one clock. */
export function lesser(one: Reserve, other: Reserve): Reserve {
  if (one.main_ms !== other.main_ms) return one.main_ms < other.main_ms ? one : other;
  return one.periods <= other.periods ? one : other;
}
