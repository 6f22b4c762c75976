import { afterEach, describe, expect, it } from "vitest";

import { loadLanguage } from "../i18n";
import type { BrainInfo, RunPoint } from "../protocol";
import { settings } from "../settings.svelte";
import { en } from "./en";
import { byStrength, curves, duration, fighters, lastOf, speed } from "./figures";
import { ko } from "./ko";

const point = (games: number, more: Partial<RunPoint> = {}): RunPoint => ({
  t_s: games,
  games,
  loss: null,
  elo: null,
  win_rates: {},
  ...more,
});

const brain = (name: string, more: Partial<BrainInfo> = {}): BrainInfo => ({
  game: "go",
  name,
  options: { size: 9, komi: 6.5 },
  algorithm: "gumbel",
  games: 1,
  loss: 0.1,
  rating: null,
  created: "2026-03-01T12:00:00Z",
  title: "",
  champion: false,
  shipped: false,
  any_board: false,
  ...more,
});

afterEach(async () => {
  settings.language = "en";
  await loadLanguage();
});

describe("curves", () => {
  it("are drawn of what there is, with a line for each opponent", () => {
    const found = curves([
      point(10, { loss: 2 }),
      point(20, { loss: 1.5, win_rates: { random: 0.625 } }),
      point(30, { win_rates: { random: 0.9, "mcts:200": 0.3333 } }),
    ]);
    expect(found.map(({ name }) => name)).toEqual(["loss", "wins"]);
    expect(found[0]).toMatchObject({ x: [10, 20], series: [{ values: [2, 1.5] }] });
    expect(found[1]).toEqual({
      name: "wins",
      x: [20, 30],
      series: [
        { label: "random", values: [62.5, 90] },
        { label: "mcts:200", values: [null, 33.3] },
      ],
    });
    expect(lastOf(found[1]!)).toBe("random 90 %, mcts:200 33.3 %");
    expect(curves([point(5)])).toEqual([]);
  });

  it("never go back, since a plot could not draw that", () => {
    const [loss] = curves([point(10, { loss: 3 }), point(40, { loss: 2 }), point(30, { loss: 1 })]);
    expect(loss!.x).toEqual([10, 40, 40]);
  });

  it("show the Elo of zero, which is where every run begins", () => {
    expect(curves([point(1, { elo: 0 })])[0]).toMatchObject({ name: "elo", series: [{ values: [0] }] });
  });
});

describe("words", () => {
  it("tell how long and how fast", () => {
    expect(duration(0.4)).toBe("0 s");
    expect(duration(59.6)).toBe("1 min 0 s");
    expect(duration(3599)).toBe("59 min 59 s");
    expect(duration(7262)).toBe("2 h 1 min");
    expect(speed(null)).toBe("–");
    expect(speed(282.2)).toBe("282 games/s");
    expect(speed(3.14)).toBe("3.1 games/s");
    expect(speed(0.25)).toBe("15 games/min");
  });

  it("are Korean for Koreans", async () => {
    settings.language = "ko";
    await loadLanguage();
    expect(duration(61)).toBe("1분 1초");
    expect(speed(2)).toBe("초당 2판");
  });

  it("are filled in with the same values in both languages", () => {
    const params = (text: string): string => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join();
    expect(Object.keys(ko)).toEqual(Object.keys(en));
    const wrong = Object.entries(en).filter(([key, text]) => params(text) !== params(ko[key as keyof typeof en]));
    expect(wrong).toEqual([]);
  });
});

describe("brains", () => {
  const old = brain("old");
  const young = brain("young", { created: "2026-05-01T12:00:00Z" });
  const strong = brain("strong", { rating: 1500 });
  const weak = brain("weak", { rating: 900 });

  it("stand by what was measured, then by age", () => {
    const all = [old, weak, young, brain("other", { game: "kelasu", rating: 3000 }), strong];
    expect(byStrength(all, "go").map(({ name }) => name)).toEqual(["strong", "weak", "young", "old"]);
  });

  it("can meet where algorithm, board and rules are the same", () => {
    const large = brain("large", { options: { size: 13, komi: 6.5 } });
    const q = brain("q", { algorithm: "dqn" });
    expect(fighters([old, strong, large, q], "go").map(({ name }) => name)).toEqual(["strong", "old"]);
    expect(fighters([old, large, q], "go")).toEqual([]);
    expect(fighters([old, q, { ...q, name: "q2" }], "go").map(({ name }) => name)).toEqual(["q", "q2"]);
  });
});
