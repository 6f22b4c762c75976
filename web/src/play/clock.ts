/**
 * What a clock shows and when it changes, as pure arithmetic on milliseconds.
 *
 * A `Reading` was taken at `Now.at_ms`; `readingAfter` lets time pass on it. `face` turns it into text and says
 * how long that text stays right, so that a clock is redrawn only when it changes.
 */
import type { Clock, Reading } from "../protocol";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TENTHS_BELOW_MS = 10 * SECOND_MS;

/** The times left at which a player is told how much there is, in seconds. */
export const CALLS_S = [60, 30, 10] as const;

/** The kinds that have something after their main time. */
const HAS_MORE: Clock["kind"][] = ["byo-yomi", "canadian", "correspondence"];

export interface Face {
  /** Such as 4:59, 9.4 or 2 d 5 h; `unit` letters come from the caller's language. */
  text: string;
  /** Byo-yomi: periods left, the one under way included; Canadian: moves to be made in the period; else 0. */
  periods: number;
  /** Whether the main time is over: a period runs, or in correspondence the vacation. */
  inPeriod: boolean;
  low: boolean;
  /** After how long the text changes if the clock runs. */
  changes_ms: number;
}

export interface Units {
  day: string;
  hour: string;
  minute: string;
}

export function readingAfter(clock: Clock, reading: Reading, passed_ms: number): Reading {
  const passed = Math.max(0, passed_ms);
  const left_ms = Math.max(0, reading.left_ms - passed);
  const main_ms = Math.max(0, reading.main_ms - passed);
  if (clock.kind !== "byo-yomi") return { left_ms, main_ms, periods: reading.periods, period_ms: left_ms - main_ms };
  const inPeriods_ms = left_ms - main_ms;
  const periods = Math.ceil(inPeriods_ms / clock.period_ms);
  const period_ms = inPeriods_ms - Math.max(0, periods - 1) * clock.period_ms;
  return { left_ms, main_ms, periods, period_ms };
}

export function face(clock: Clock, reading: Reading, units: Units): Face {
  const inPeriod = HAS_MORE.includes(clock.kind) && reading.main_ms === 0;
  const shown_ms = inPeriod ? reading.period_ms : reading.main_ms;
  const [text, changes_ms] = timeText(shown_ms, units);
  return { text, periods: reading.periods, inPeriod, low: isLow(clock, reading), changes_ms };
}

/** Little enough left that the player should hurry. */
export function isLow(clock: Clock, reading: Reading): boolean {
  switch (clock.kind) {
    case "none":
      return false;
    case "byo-yomi":
      return reading.main_ms === 0 && reading.periods <= 1 && reading.period_ms < TENTHS_BELOW_MS;
    case "canadian":
      return reading.main_ms === 0 && reading.period_ms < Math.min(MINUTE_MS, reading.periods * TENTHS_BELOW_MS);
    case "correspondence":
      return reading.left_ms < 4 * HOUR_MS;
    default:
      return reading.left_ms < Math.min(MINUTE_MS, Math.max(TENTHS_BELOW_MS, clock.main_ms / 8));
  }
}

/** The text and how long it stays right. Times are rounded down, so that nobody counts on what is not there. */
export function timeText(ms: number, units: Units): [string, number] {
  if (ms >= DAY_MS) {
    const days = Math.floor(ms / DAY_MS);
    const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
    return [`${days} ${units.day} ${hours} ${units.hour}`, untilBelow(ms, HOUR_MS)];
  }
  if (ms >= 2 * HOUR_MS) {
    const hours = Math.floor(ms / HOUR_MS);
    const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
    return [`${hours} ${units.hour} ${minutes} ${units.minute}`, untilBelow(ms, MINUTE_MS)];
  }
  if (ms < TENTHS_BELOW_MS) {
    return [(Math.floor(ms / 100) / 10).toFixed(1), untilBelow(ms, 100)];
  }
  const seconds = Math.floor(ms / SECOND_MS);
  const pad = (value: number) => String(value).padStart(2, "0");
  const clock = `${Math.floor(seconds / 60) % 60}:${pad(seconds % 60)}`;
  const hours = Math.floor(seconds / 3600);
  return [hours ? `${hours}:${clock.padStart(5, "0")}` : clock, untilBelow(ms, SECOND_MS)];
}

/** How long until a time falls below the step that it is on. */
function untilBelow(ms: number, step_ms: number): number {
  return (Math.floor(ms) % step_ms) + 1;
}

/** Which of `CALLS_S` was passed between two readings of the same clock, or null. */
export function calledBetween(before_ms: number, after_ms: number): number | null {
  return CALLS_S.findLast((call) => after_ms <= call * SECOND_MS && before_ms > call * SECOND_MS) ?? null;
}
