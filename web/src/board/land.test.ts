import { describe, expect, it } from "vitest";

import { layout } from "./geometry";
import { land } from "./land";

const at = layout({ kind: "row", width: 9, height: 1, flipped: false, coordinates: true, pixels: 700 });
const turned = { ...at, flipped: true };

function corners(path: string): [number, number][] {
  const numbers = path.match(/-?\d+\.\d/g)!.map(Number);
  return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i]!, numbers[2 * i + 1]!]);
}

describe("the map of a row", () => {
  it("draws a border once: neighbours meet on it, whichever way the board is turned", () => {
    for (const [map, left, right] of [[at, 0, 1], [at, 4, 5], [turned, 5, 4]] as const) {
      const [one, other] = [corners(land(map, left)), corners(land(map, right))];
      const border = [one[3]!, one[6]!].map(([x, y]) => [Number((x - 100).toFixed(1)), y]);
      expect(border).toEqual([other[0], other[9]]);
    }
  });

  it("keeps every territory within its cell, but for a little sway", () => {
    for (let cell = 0; cell < 9; cell++) {
      for (const [x, y] of corners(land(at, cell))) {
        expect(Math.abs(x)).toBeLessThan(65);
        expect(Math.abs(y)).toBeLessThan(at.cellHeight / 2);
      }
    }
  });

  it("ends a line with a coast", () => {
    expect(land(at, 2)).toContain("40.0 ");
    expect(land(at, 3)).toContain("-40.0 ");
    expect(land(at, 4)).not.toContain("40.0 ");
  });
});
