import { describe, expect, it } from "vitest";

import { cellAt, centre, group, layout, neighbours, toDrawing, type Shape } from "./geometry";
import { moved } from "./keys";
import { cellName, edgeNames, namedCell, typed } from "./names";
import { loops, outline } from "./outline";
import { walls } from "./siege";

const base: Shape = { kind: "points", width: 9, height: 9, flipped: false, coordinates: true, pixels: 600 };
const nine = layout(base);
const kelasu = layout({ ...base, kind: "squares", width: 10, height: 10 });
const row = (width: number, pixels: number, flipped = false) =>
  layout({ kind: "row", width, height: 1, flipped, coordinates: true, pixels });

describe("layout", () => {
  it.each([
    ["points", nine],
    ["squares", kelasu],
    ["flipped", layout({ ...base, flipped: true })],
    ["19×19 without coordinates", layout({ ...base, width: 19, height: 19, coordinates: false })],
    ["row", row(9, 900)],
    ["wrapped row", row(40, 390)],
    ["flipped wrapped row", row(40, 390, true)],
  ])("finds every cell again under its centre: %s", (_, at) => {
    for (let cell = 0; cell < at.count; cell++) expect(cellAt(at, centre(at, cell))).toBe(cell);
  });

  it("has no cell beside the board", () => {
    expect(cellAt(nine, { x: 2, y: 2 })).toBe(-1);
    expect(cellAt(nine, { x: nine.width - 2, y: 300 })).toBe(-1);
  });

  it("turns by half a turn when flipped", () => {
    const turned = layout({ ...base, flipped: true });
    expect(centre(turned, 0)).toEqual(centre(nine, 80));
    expect(centre(turned, 8)).toEqual(centre(nine, 72));
  });

  it("wraps a row so that it fills a square room, with territories wide enough for a finger", () => {
    expect(row(9, 900)).toMatchObject({ lines: 3, columns: 3 });
    expect(row(9, 358)).toMatchObject({ lines: 3, columns: 3 });
    expect(390 / row(40, 390).columns).toBeGreaterThanOrEqual(44);
  });

  it("breaks a long row into lines whose territories are large, but not taller than wide", () => {
    expect(row(21, 780)).toMatchObject({ lines: 4, columns: 6 });
    const long = row(120, 780);
    expect(long.height).toBeLessThanOrEqual(long.width);
    expect(row(9, 210)).toMatchObject({ lines: 3, columns: 3 });
    const small = row(21, 74);
    expect([small.columns, small.lines]).toEqual([6, 4]);
    expect(small.height).toBeLessThanOrEqual(small.width);
  });

  it.each([5, 7, 9, 12, 15, 21, 30, 40, 75, 120])("leaves little of a square room empty with %i territories", (count) => {
    const { width, height, columns, lines } = row(count, 900);
    expect(height).toBeLessThanOrEqual(width);
    expect((count / (columns * lines)) * (height / width)).toBeGreaterThan(0.7);
  });

  it("maps the window to the drawing at any scale", () => {
    const box = { left: 50, top: 20, width: nine.width / 2, height: nine.height / 2 } as DOMRect;
    const { x, y } = centre(nine, 40);
    expect(toDrawing(nine, box, 50 + x / 2, 20 + y / 2)).toEqual({ x, y });
  });
});

describe("neighbours and groups", () => {
  it("stops at edges", () => {
    expect(neighbours(nine, 0).sort()).toEqual([1, 9]);
    expect(neighbours(nine, 40).sort()).toEqual([31, 39, 41, 49]);
    expect(neighbours(nine, 8)).not.toContain(9);
  });

  it("goes on in the next line of a wrapped row", () => {
    expect(neighbours(row(9, 358), 2)).toEqual([1, 3]);
  });

  it("joins the same letter through sides only", () => {
    const cells = `XX${".".repeat(7)}.XO${".".repeat(6)}..X${".".repeat(60)}`;
    expect(group(nine, cells, 0).sort((a, b) => a - b)).toEqual([0, 1, 10]);
  });
});

describe("names", () => {
  const go = { kind: "points", width: 19, height: 19 } as const;
  const squares = { kind: "squares", width: 10, height: 10, ranks: true } as const;
  const nineInRow = { kind: "row", width: 12, height: 1 } as const;

  it.each([
    [go, 0, "A19"],
    [go, 360, "T1"],
    [go, 8, "J19"],
    [squares, 44, "E4"],
    [squares, 99, "J9"],
    [nineInRow, 4, "5"],
  ])("names cells and reads the names", (size, cell, name) => {
    expect(cellName(size, cell)).toBe(name);
    expect(namedCell(size, name)).toBe(cell);
    expect(namedCell(size, name.toLowerCase())).toBe(cell);
  });

  it("knows no column I, and nothing beside the board", () => {
    expect(namedCell(go, "I5")).toBe(-1);
    expect(namedCell(go, "A20")).toBe(-1);
    expect(namedCell(squares, "K1")).toBe(-1);
    expect(namedCell(nineInRow, "13")).toBe(-1);
  });

  function typing(size: Parameters<typeof typed>[0], keys: string): (number | null)[] {
    let text = "";
    return [...keys].map((key) => {
      const read = typed(size, text, key);
      if (!read) return null;
      text = read.text;
      return read.cell;
    });
  }

  it("jumps while a name is typed", () => {
    expect(typing(go, "d16")).toEqual([-1, namedCell(go, "D1"), namedCell(go, "D16")]);
    expect(typing(go, "d4c3")).toEqual([-1, namedCell(go, "D4"), -1, namedCell(go, "C3")]);
    expect(typing(go, "d45")).toEqual([-1, namedCell(go, "D4"), namedCell(go, "D5")]);
    expect(typing(squares, "e0")).toEqual([-1, 40]);
    expect(typing(nineInRow, "123")).toEqual([0, 11, 2]);
  });

  it("leaves other keys alone", () => {
    expect(typed(go, "", "?")).toBeNull();
    expect(typed(go, "", "4")).toBeNull();
    expect(typed(go, "", "z")).toBeNull();
    expect(typed(nineInRow, "", "a")).toBeNull();
    expect(typed(go, "", "Tab")).toBeNull();
  });

  it("puts rows of points from the bottom, ranks of squares from the top", () => {
    expect(edgeNames({ kind: "points", width: 9, height: 9 })).toEqual({
      columns: [..."ABCDEFGHJ"],
      lines: [..."987654321"],
    });
    expect(edgeNames(squares)).toEqual({ columns: [..."0123456789"], lines: [..."ABCDEFGHIJ"] });
  });
});

describe("cursor keys", () => {
  it.each([
    ["ArrowUp", 40, 31],
    ["ArrowDown", 40, 49],
    ["ArrowLeft", 40, 39],
    ["ArrowRight", 40, 41],
    ["ArrowRight", 8, 8],
    ["ArrowUp", 4, 4],
    ["Home", 40, 36],
    ["End", 40, 44],
    ["PageUp", 40, 4],
    ["PageDown", 40, 76],
    ["x", 40, -1],
  ])("%s", (key, from, to) => expect(moved(nine, from, key, false)).toBe(to));

  it("goes by the screen when flipped", () => {
    expect(moved(layout({ ...base, flipped: true }), 40, "ArrowUp", false)).toBe(49);
    expect(moved(row(9, 900, true), 4, "ArrowRight", false)).toBe(3);
  });

  it("reaches the corners with Control, and the next line of a wrapped row", () => {
    expect(moved(nine, 40, "Home", true)).toBe(0);
    expect(moved(nine, 40, "End", true)).toBe(80);
    expect(moved(row(9, 358), 2, "ArrowRight", false)).toBe(3);
    expect(moved(row(7, 358), 4, "ArrowDown", false)).toBe(4);
    expect(moved(row(9, 358), 0, "End", true)).toBe(8);
  });
});

describe("drawing of sets", () => {
  it("walks around a set once, and around its holes", () => {
    expect(loops(nine, new Set([0]))).toEqual([
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
      ],
    ]);
    const ring = new Set([30, 31, 32, 39, 41, 48, 49, 50]);
    expect(loops(nine, ring).map((loop) => loop.length)).toEqual([4, 4]);
  });

  it("joins straight runs wherever the walk begins", () => {
    for (const cells of [[0, 1, 2], [2, 1, 0], [1, 0, 2]]) expect(loops(nine, new Set(cells))[0]).toHaveLength(4);
    for (const cells of [[0, 9, 10], [10, 9, 0], [9, 0, 10]]) expect(loops(nine, new Set(cells))[0]).toHaveLength(6);
  });

  it("keeps cells that meet at a corner apart", () => {
    expect(loops(nine, new Set([0, 10]))).toHaveLength(2);
    expect(outline(nine, [0, 10]).match(/Z/g)).toHaveLength(2);
  });

  it("tells edges from pieces around a lost group", () => {
    const sides = walls(nine, [0, 1]);
    expect(sides).toHaveLength(6);
    expect(sides.filter(({ edge }) => edge)).toHaveLength(3);
  });
});
