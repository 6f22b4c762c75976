import { describe, expect, it } from "vitest";

import type { Count, MatchInfo, Now, View } from "../../protocol";
import { points } from "../sheet";
import { areaCountSheet, areaSheet, sheetOf, territorySheet } from "./score";

describe("territorySheet", () => {
  const count: Count = {
    points: [30 - 2 - 1, 25 - 4 - 3 + 6.5],
    territory: [30, 25],
    stones: [40, 41],
    lost: [2, 4],
    dead: [1, 3],
    owner: [],
  };
  const sheet = territorySheet(count, 6.5);

  it("adds up", () => {
    for (const seat of [0, 1] as const) {
      expect(sheet.rows.reduce((sum, row) => sum + row.points[seat], 0)).toBe(sheet.total[seat]);
    }
    expect(sheet.total).toEqual([37, 34.5]);
  });

  it("gives each side the stones that the other lost", () => {
    expect(sheet.rows.find((row) => row.label === "Prisoners")?.points).toEqual([4, 2]);
    expect(sheet.rows.find((row) => row.label === "Dead stones taken")?.points).toEqual([3, 1]);
  });

  it("has the server's difference", () => {
    expect(sheet.lead).toBe(count.points[0] - count.points[1]);
    expect(sheet.subtracted).toEqual([27, 24.5]);
  });
});

describe("areaCountSheet", () => {
  const count: Count = { points: [45, 36 + 7.5], territory: [25, 18], stones: [20, 18], lost: [2, 4], dead: [1, 3], owner: [] };

  it("adds living stones to what they surround, and no prisoners", () => {
    const sheet = areaCountSheet(count, 7.5);
    expect(sheet.total).toEqual([45, 43.5]);
    expect(sheet.rows.map((row) => row.label)).toEqual(["Territory", "Stones", "Komi"]);
    expect(sheet.subtracted).toBeNull();
  });

  it("is what an agreement under area scoring shows", () => {
    const info = { options: { scoring: "area", komi: 7.5 } } as unknown as MatchInfo;
    expect(sheetOf(info, { count, outcome: null } as unknown as Now)?.lead).toBe(1.5);
  });
});

describe("areaSheet", () => {
  const view = { cells: "XX.OO.XO." } as View;

  it("adds stones, surroundings and komi to the score", () => {
    const sheet = areaSheet(view, { winner: 1, reason: "score", score: [4, 11.5] }, 7.5)!;
    expect(sheet.total).toEqual([4, 11.5]);
    expect(sheet.rows.map((row) => row.points)).toEqual([
      [1, 1],
      [3, 3],
      [0, 7.5],
    ]);
    expect(sheet.subtracted).toBeNull();
  });

  it("does not exist without a score", () => {
    expect(areaSheet(view, { winner: 0, reason: "resign", score: null }, 7.5)).toBeNull();
  });
});

describe("points", () => {
  it("has no needless decimals", () => {
    expect([6.5, 7, -2.5, 0].map(points)).toEqual(["6.5", "7", "−2.5", "0"]);
  });
});
