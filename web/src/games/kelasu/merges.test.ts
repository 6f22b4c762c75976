import { describe, expect, it } from "vitest";

import type { KelasuDetails } from "../../protocol";
import { joined, kelasuCell, mergeActions, mergeChoices } from "./merges";

function details(merges: KelasuDetails["merges"]): KelasuDetails {
  return {
    energy: 4,
    quiet_rounds: 0,
    moved: [],
    victory_tiles: [44, 45, 54, 55],
    stages: [],
    moves: [],
    merges,
    may_end_turn: false,
  };
}

const E0 = 40;
const row = [40, 41, 42, 43, 44];

describe("mergeActions", () => {
  it("begins with the kind and the target, then the lowest cell that touches those before it", () => {
    expect(mergeActions("W", [40, 41], 41)).toEqual([100, 41, 40]);
    expect(mergeActions("C", [40, 41, 42, 43, 44], 42)).toEqual([103, 42, 41, 40, 43, 44]);
  });
});

describe("kelasuCell", () => {
  it("names cells by rank and file", () => {
    expect([0, 9, 44, 99].map(kelasuCell)).toEqual(["A0", "A9", "E4", "J9"]);
  });
});

describe("joined", () => {
  it("goes through sides and not around the edge", () => {
    expect(joined([40, 41, 51])).toBe(true);
    expect(joined([40, 51])).toBe(false);
    expect(joined([49, 50])).toBe(false);
    expect(joined([])).toBe(true);
  });
});

describe("mergeChoices", () => {
  const both = details([
    { kind: "W", cost: 2, targets: [...row, 60, 61] },
    { kind: "R", cost: 4, targets: row },
    { kind: "C", cost: 5, targets: row },
  ]);

  it("offers what the chosen blanks can become, and how many more it takes", () => {
    const found = mergeChoices(both, [40, 41]).map(({ kind, more }) => [kind, more]);
    expect(found).toEqual([
      ["W", 0],
      ["R", 2],
      ["C", 3],
    ]);
  });

  it("grows the choice to neighbours", () => {
    const runner = mergeChoices(both, [E0]).find((choice) => choice.kind === "R");
    expect(runner?.cells).toEqual([40, 41, 42, 43]);
  });

  it("leaves out kinds for which there are too many or too few", () => {
    expect(mergeChoices(both, [40, 41, 42]).map((choice) => choice.kind)).toEqual(["R", "C"]);
    expect(mergeChoices(both, [60, 61]).map((choice) => choice.kind)).toEqual(["W"]);
  });

  it("offers nothing for blanks that do not touch, nor for none", () => {
    expect(mergeChoices(both, [40, 42])).toEqual([]);
    expect(mergeChoices(both, [])).toEqual([]);
  });

});
