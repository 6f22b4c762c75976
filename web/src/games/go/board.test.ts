import { describe, expect, it } from "vitest";

import { art } from "./art";
import { board, starPoints } from "./board";

describe("the board", () => {
  it("knows the star points", () => {
    expect(starPoints(19)).toHaveLength(9);
    expect(starPoints(13)).toEqual([42, 48, 84, 120, 126]);
    expect(starPoints(9)).toEqual([20, 24, 40, 56, 60]);
    expect(starPoints(5)).toEqual([]);
  });

  it("has stones that differ, each of them drawn, and a stone keeps its looks", () => {
    const drawings = art();
    for (const letter of ["X", "O"]) {
      const uses = Array.from({ length: 361 }, (_, cell) => board.piece(letter, false, cell).parts[0] as { use: string });
      expect(new Set(uses.map(({ use }) => use)).size).toBeGreaterThan(2);
      for (const { use } of uses) expect(drawings).toContain(`id="${use.slice(1)}"`);
      expect(board.piece(letter, false, 7)).toEqual(board.piece(letter, true, 7));
    }
  });
});
