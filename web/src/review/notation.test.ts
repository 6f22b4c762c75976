import { describe, expect, it } from "vitest";

import { actionsOf, mergeOrder } from "./notation";

const nine = { width: 9, height: 9 };

describe("moves as actions", () => {
  it.each([
    ["go", "A9", [0]],
    ["go", "J9", [8]],
    ["great-kingdom", "E5", [40]],
    ["go", "J1", [80]],
    ["go", "pass", [81]],
    ["dominion-duel", "5", [4]],
    ["kelasu", "B1-C1", [11, 21]],
    ["kelasu", "F6xF5", [56, 55]],
    ["kelasu", "D0%C1", [30, 21]],
    ["kelasu", "A5@J5", [5, 95]],
    ["kelasu", "=W E0+E1>E1", [100, 41, 40]],
    ["kelasu", "end", [106]],
  ])("%s %s", (game, text, actions) => {
    expect(actionsOf(game, nine, text)).toEqual(actions);
  });

  it.each([
    ["go", "I5"],
    ["go", "A10"],
    ["go", "K1"],
    ["go", "resume Black"],
    ["kelasu", "B1-C1;B3-C3"],
    ["tic-tac-toe", "A1"],
  ])("%s cannot be read in %s", (game, text) => {
    expect(actionsOf(game, nine, text)).toBeNull();
  });
});

describe("the cells of a merge", () => {
  it("begin with the target, and each touches one before it", () => {
    expect(mergeOrder([34, 35, 44, 45], 45)).toEqual([45, 35, 34, 44]);
    const order = mergeOrder([50, 51, 52, 53, 54], 52);
    expect(order[0]).toBe(52);
    order.slice(1).forEach((cell, index) => {
      expect(order.slice(0, index + 1).some((other) => Math.abs(other - cell) === 1)).toBe(true);
    });
  });
});
