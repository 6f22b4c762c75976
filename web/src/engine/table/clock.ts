/**
 * Time controls, as pure arithmetic on whole milliseconds: src/tengen/match/clock.py for games on the device, and
 * table.test.ts lets both play the same scripts. What a seat has is a `Reserve`, counted at the start of its turn.
 */
import type { Canadian, Clock, Reading } from "../../protocol";

const DAY_MS = 86_400_000;

export interface Reserve {
  main_ms: number;
  periods: number; // Canadian: turns that have yet to be made in the period
  left_ms: number; // Canadian: of the period; correspondence: of the vacation
}

const reserve = (main_ms: number, periods = 0, left_ms = 0): Reserve => ({ main_ms, periods, left_ms });

export function start(clock: Clock): Reserve {
  switch (clock.kind) {
    case "none":
      return reserve(0);
    case "correspondence":
      return reserve(clock.days_per_move * DAY_MS, 0, (clock.vacation_days ?? 0) * DAY_MS);
    case "canadian":
      return reserve(clock.main_ms, clock.moves, clock.period_ms);
    case "byo-yomi":
      return reserve(clock.main_ms, clock.periods);
    default:
      return reserve(clock.main_ms);
  }
}

const periodOf = (clock: Clock): number => (clock.kind === "byo-yomi" ? clock.period_ms : 0);

/** How long the turn that begins with this reserve may last; null is for ever. */
export function budget_ms(clock: Clock, had: Reserve): number | null {
  return clock.kind === "none" ? null : had.main_ms + had.periods * periodOf(clock) + had.left_ms;
}

/** What is left when a turn stops; `moved` says that it was completed rather than broken off. */
export function after(clock: Clock, had: Reserve, used_ms: number, moved: boolean): Reserve {
  const left_ms = Math.max(0, had.main_ms - used_ms);
  switch (clock.kind) {
    case "none":
      return had;
    case "correspondence":
      if (used_ms >= had.main_ms + had.left_ms) return reserve(0);
      return { ...start(clock), left_ms: had.left_ms - Math.max(0, used_ms - had.main_ms) };
    case "canadian":
      return canadian(clock, had, used_ms, moved);
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

function canadian(clock: Canadian, had: Reserve, used_ms: number, moved: boolean): Reserve {
  if (used_ms < had.main_ms) return { ...had, main_ms: had.main_ms - used_ms };
  const left_ms = Math.max(0, had.main_ms + had.left_ms - used_ms);
  const moves = had.periods - Number(moved && left_ms > 0);
  return moves ? reserve(0, moves, left_ms) : reserve(0, clock.moves, clock.period_ms);
}

export function reading(clock: Clock, had: Reserve, used_ms: number): Reading {
  const budget = budget_ms(clock, had) ?? 0;
  const left_ms = Math.max(0, budget - used_ms);
  const main_ms = Math.max(0, had.main_ms - used_ms);
  if (clock.kind === "canadian" || clock.kind === "correspondence") {
    return { left_ms, main_ms, periods: had.periods, period_ms: left_ms - main_ms };
  }
  const each_ms = periodOf(clock);
  if (!each_ms) return { left_ms, main_ms, periods: 0, period_ms: 0 };
  const inPeriods_ms = left_ms - main_ms;
  const periods = Math.ceil(inPeriods_ms / each_ms);
  return { left_ms, main_ms, periods, period_ms: inPeriods_ms - Math.max(0, periods - 1) * each_ms };
}

/** What a seat has after a takeback, which gives nobody time: `had` is how it stood at that turn. */
export function lesser(clock: Clock, had: Reserve, has: Reserve): Reserve {
  if (clock.kind === "canadian" && !had.main_ms && !has.main_ms) {
    return { ...had, left_ms: Math.min(had.left_ms, has.left_ms) };
  }
  for (const part of ["main_ms", "periods", "left_ms"] as const) {
    if (had[part] !== has[part]) return had[part] < has[part] ? had : has;
  }
  return had;
}
