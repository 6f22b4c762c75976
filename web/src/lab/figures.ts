/**
 * The numbers of a run as people read them: curves from points, durations and speeds in words. Nothing here asks
 * the server or draws. Start reading at `curves`.
 */
import { sameOptions } from "../home/form";
import type { BrainInfo, RunPoint, RunState } from "../protocol";
import { l, number } from "./text";

export type CurveName = "loss" | "wins" | "elo";
export interface Curve {
  name: CurveName;
  x: number[]; // games
  series: { label: string; values: (number | null)[] }[];
}

/** Those that have something to show. A win rate has a line for each opponent. */
export function curves(points: readonly RunPoint[]): Curve[] {
  const opponents = [...new Set(points.flatMap((point) => Object.keys(point.win_rates)))];
  const all: Curve[] = [
    curve("loss", points, [["", (point) => point.loss]]),
    curve(
      "wins",
      points,
      opponents.map((name) => [name, (point) => percent(point.win_rates[name])]),
    ),
    curve("elo", points, [["", (point) => point.elo]]),
  ];
  return all.filter((each) => each.x.length > 0);
}

type Reading = [label: string, read: (point: RunPoint) => number | null];

/** Only the points that say something; games never go back, however a run went on. */
function curve(name: CurveName, points: readonly RunPoint[], readings: Reading[]): Curve {
  const useful = points.filter((point) => readings.some(([, read]) => read(point) !== null));
  let most = 0;
  return {
    name,
    x: useful.map((point) => (most = Math.max(most, point.games))),
    series: readings.map(([label, read]) => ({ label, values: useful.map(read) })),
  };
}

function percent(share: number | undefined): number | null {
  return share === undefined ? null : Math.round(share * 1000) / 10;
}

/** The last value of each line, in words. */
export function lastOf(each: Curve): string {
  return each.series
    .map(({ label, values }) => [label, shown(each.name, values.findLast((value) => value !== null) ?? null)] as const)
    .map(([label, value]) => (label ? `${label} ${value}` : value))
    .join(", ");
}

export function shown(name: CurveName, value: number | null): string {
  if (value === null) return "–";
  if (name === "wins") return `${number(value, 1)} %`;
  return number(value, name === "elo" ? 0 : 4);
}

export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  if (hours) return l("hours_minutes", { hours, minutes });
  return minutes ? l("minutes_seconds", { minutes, seconds: whole % 60 }) : l("seconds", { count: whole });
}

export function speed(games_per_s: number | null): string {
  if (games_per_s === null) return "–";
  if (games_per_s >= 1) return l("speed_second", { count: number(games_per_s, games_per_s < 100 ? 1 : 0) });
  return l("speed_minute", { count: number(games_per_s * 60, 1) });
}

export function isAlive(state: RunState): boolean {
  return ["starting", "running", "paused", "stopping"].includes(state);
}

/** The brains of a game, the best measured first, then the newest. */
export function byStrength(brains: readonly BrainInfo[], game: string): BrainInfo[] {
  const rank = (brain: BrainInfo): number => brain.rating ?? -Infinity;
  return brains
    .filter((brain) => brain.game === game)
    .sort((a, b) => rank(b) - rank(a) || b.created.localeCompare(a.created));
}

/** Those that can play a duel: another one learns the same way, on the same board with the same rules. */
export function fighters(brains: readonly BrainInfo[], game: string): BrainInfo[] {
  const all = byStrength(brains, game);
  return all.filter((brain) => all.some((other) => canMeet(brain, other)));
}

export function canMeet(a: BrainInfo, b: BrainInfo): boolean {
  return a.name !== b.name && a.game === b.game && a.algorithm === b.algorithm && sameOptions(a.options, b.options);
}
