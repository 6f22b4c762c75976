/**
 * Time controls to choose from, and what a control is called.
 *
 * `CLOCK_PRESETS` are one tap each; a custom control is edited as a `ClockForm`, whose numbers are in the units
 * that people say (minutes, seconds, days).
 */
import type { Clock } from "../protocol";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

export type PresetName = "none" | "blitz" | "rapid" | "byo" | "canadian" | "days";

export const CLOCK_PRESETS: { name: PresetName; clock: Clock }[] = [
  { name: "none", clock: { kind: "none" } },
  { name: "blitz", clock: { kind: "fischer", main_ms: 5 * MINUTE_MS, increment_ms: 3 * SECOND_MS, cap_ms: null } },
  { name: "rapid", clock: { kind: "fischer", main_ms: 10 * MINUTE_MS, increment_ms: 5 * SECOND_MS, cap_ms: null } },
  { name: "byo", clock: { kind: "byo-yomi", main_ms: 30 * MINUTE_MS, periods: 5, period_ms: 30 * SECOND_MS } },
  { name: "canadian", clock: { kind: "canadian", main_ms: 20 * MINUTE_MS, moves: 15, period_ms: 5 * MINUTE_MS } },
  { name: "days", clock: { kind: "correspondence", days_per_move: 3, vacation_days: 14 } },
];

export type ClockKind = Clock["kind"];
export const TIMED_KINDS: ClockKind[] = ["fischer", "byo-yomi", "canadian", "absolute", "correspondence"];

export interface ClockForm {
  kind: ClockKind;
  minutes: number;
  increment_s: number;
  periods: number;
  period_s: number;
  moves: number;
  overtime: number;
  days: number;
  vacation: number;
}

export const FIRST_CLOCK: ClockForm = {
  kind: "fischer",
  minutes: 15,
  increment_s: 10,
  periods: 5,
  period_s: 30,
  moves: 15,
  overtime: 5,
  days: 3,
  vacation: 14,
};

/** Ranges of the fields; the server allows more. */
export const CLOCK_RANGES: Record<Exclude<keyof ClockForm, "kind">, [number, number]> = {
  minutes: [0, 600],
  increment_s: [0, 600],
  periods: [1, 60],
  period_s: [1, 3600],
  moves: [1, 100],
  overtime: [0.1, 120],
  days: [1, 30],
  vacation: [0, 60],
};

/** The fields that need not be whole numbers. */
const BROKEN = ["minutes", "overtime"];

/** The fields that a kind of clock has. */
export function clockFields(kind: ClockKind): Exclude<keyof ClockForm, "kind">[] {
  switch (kind) {
    case "none":
      return [];
    case "absolute":
      return ["minutes"];
    case "fischer":
      return ["minutes", "increment_s"];
    case "byo-yomi":
      return ["minutes", "periods", "period_s"];
    case "canadian":
      return ["minutes", "moves", "overtime"];
    case "correspondence":
      return ["days", "vacation"];
  }
}

/** The clock of a form, or null where a number is missing or out of range. */
export function clockOf(form: ClockForm): Clock | null {
  for (const field of clockFields(form.kind)) {
    const [low, high] = CLOCK_RANGES[field];
    const value = form[field];
    const whole = BROKEN.includes(field) || Number.isInteger(value);
    if (!(value >= low && value <= high) || !whole) return null;
  }
  const main_ms = Math.round(form.minutes * MINUTE_MS);
  switch (form.kind) {
    case "none":
      return { kind: "none" };
    case "absolute":
      return main_ms > 0 ? { kind: "absolute", main_ms } : null;
    case "fischer":
      if (main_ms === 0) return null;
      return { kind: "fischer", main_ms, increment_ms: form.increment_s * SECOND_MS, cap_ms: null };
    case "byo-yomi":
      return { kind: "byo-yomi", main_ms, periods: form.periods, period_ms: form.period_s * SECOND_MS };
    case "canadian":
      return { kind: "canadian", main_ms, moves: form.moves, period_ms: Math.round(form.overtime * MINUTE_MS) };
    case "correspondence":
      return { kind: "correspondence", days_per_move: form.days, vacation_days: form.vacation };
  }
}

/** What a clock comes to, for a sentence: the numbers that its words need. */
export function clockNumbers(clock: Clock): Record<string, string> {
  switch (clock.kind) {
    case "none":
      return {};
    case "absolute":
      return { main: minutes(clock.main_ms) };
    case "fischer":
      return { main: minutes(clock.main_ms), increment: seconds(clock.increment_ms) };
    case "byo-yomi":
      return {
        main: minutes(clock.main_ms),
        periods: String(clock.periods),
        period: seconds(clock.period_ms),
      };
    case "canadian":
      return { main: minutes(clock.main_ms), moves: String(clock.moves), period: minutes(clock.period_ms) };
    case "correspondence":
      return { days: String(clock.days_per_move) };
  }
}

export function presetOf(clock: Clock): PresetName | null {
  return CLOCK_PRESETS.find((preset) => same(preset.clock, clock))?.name ?? null;
}

function same(a: Clock, b: Clock): boolean {
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  const of = (clock: Clock, key: string) => (clock as Record<string, unknown>)[key] ?? null;
  return [...keys].every((key) => of(a, key) === of(b, key));
}

function minutes(ms: number): string {
  return String(Math.round((ms / MINUTE_MS) * 10) / 10);
}

function seconds(ms: number): string {
  return String(Math.round(ms / SECOND_MS));
}
