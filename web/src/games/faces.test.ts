import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import Board from "../board/Board.svelte";
import type { Situation } from "../board/face";
import { centre, layout } from "../board/geometry";
import type { BoardProps } from "../board/types";
import { resultText } from "../home/words";
import { heatOf } from "../play/hint";
import { ending } from "../play/words";
import type { Analysis, GameInfo, MoveChoice, View } from "../protocol";
import { settings } from "../settings.svelte";
import { faceOf, known } from "./index";
import { choosing } from "./plain/hand";

const WIDTH = 7;
const HEIGHT = 6;

/** Connect Four as a server tells of it, with whole columns to tap. */
const info: GameInfo = {
  name: "connect-four",
  title: "Connect Four",
  seats: ["Red", "Yellow"],
  reasons: ["line", "full"],
  letters: "-RY",
  board: "squares",
  options: [],
  levels: [],
  passes: true,
  presets: {},
  about: "Drop discs into columns.",
  rules: "Four in a row win.",
  counted: false,
  agreement: false,
  look: {
    pieces: [
      { letter: "R", name: "red disc", seat: 0, svg: null },
      { letter: "Y", name: "yellow disc", seat: 1, svg: '<circle r="40"/><script>alert(1)</script>' },
    ],
    hand: "choices",
    bottom: null,
    colours: ["#d03030", "#e0b020"],
    sizes: {},
    frame_ms: 180,
  },
  formats: ["json"],
  training: [],
  training_options: {},
  built_in: false,
  gtp: false,
  engines: [],
  estimates: false,
  wins: { line: "four in a row", cut: "{loser} is cut off from {winner}" },
  draws: { full: "because the board is full" },
};
const column = (of: number): number[] => Array.from({ length: HEIGHT }, (_, row) => row * WIDTH + of);
const moves: MoveChoice[] = [
  ...Array.from({ length: WIDTH }, (_, of) => ({ actions: [of], text: String(of + 1), cells: column(of) })),
  { actions: [WIDTH], text: "pass", cells: [] },
];
const view: View = {
  board: "squares",
  width: WIDTH,
  height: HEIGHT,
  cells: `${"-".repeat(35)}RY-----`,
  to_move: 0,
  last: [36],
  captured: [],
  score: null,
  details: {},
};

let shown: Record<string, unknown> | null = null;

function show(more: Partial<BoardProps> = {}): HTMLElement {
  const props = { face: faceOf(info).board, view, label: "The board", ...more };
  shown = mount(Board, { target: document.body, props });
  flushSync();
  return document.querySelector<HTMLElement>("[role=grid]")!;
}

function click(grid: HTMLElement, cell: number): void {
  const at = layout({ kind: "squares", width: WIDTH, height: HEIGHT, flipped: false, coordinates: true, pixels: 0 });
  const { x, y } = centre(at, cell);
  grid.getBoundingClientRect = () => ({ left: 0, top: 0, width: at.width, height: at.height }) as DOMRect;
  for (const type of ["pointerdown", "pointerup"]) {
    const event = new MouseEvent(type, { clientX: x, clientY: y, button: 0, bubbles: true, cancelable: true });
    grid.dispatchEvent(Object.assign(event, { pointerId: 1, isPrimary: true, pointerType: "mouse" }));
    flushSync();
  }
}

const labelOf = (cell: number) => document.querySelector(`[data-cell="${cell}"][role=gridcell]`)?.getAttribute("aria-label");

beforeEach(() => {
  settings.language = "en";
  settings.sound = false;
});
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
  document.body.replaceChildren();
});

describe("the registry", () => {
  it("knows the games that have a folder, in words of their own", () => {
    expect(known.map(({ name, title }) => [name, title])).toEqual([
      ["great-kingdom", "Great Kingdom"],
      ["go", "Go"],
      ["kelasu", "Kelasu"],
      ["dominion-duel", "Dominion Duel"],
    ]);
    expect(known.every((face) => faceOf(face.name) === face)).toBe(true);
    expect(faceOf("go").seat(1)).toBe("White");
  });

  it("makes a face from what the server says, and the same one each time", () => {
    expect(faceOf("unheard-of").title).toBe("unheard-of");
    const face = faceOf(info);
    expect(faceOf(info)).toBe(face);
    expect([face.title, face.about, face.seat(0), face.table.letter(1)]).toEqual([
      "Connect Four",
      "Drop discs into columns.",
      "Red",
      "Y",
    ]);
    expect(face.table.ending(view, { winner: 0, reason: "line", score: null }, {} as never)).toBe("Four in a row.");
    expect(face.table.ending(view, { winner: 0, reason: "resign", score: null }, {} as never)).toBeNull();
  });
});

describe("the board of a game that has no folder", () => {
  it("draws tokens, says names, and lets no picture run", () => {
    show();
    expect(labelOf(35)).toBe("A1, red disc");
    expect(labelOf(36)).toBe("B1, yellow disc, last move");
    expect(labelOf(0)).toBe("A6, empty");
    expect(document.querySelectorAll("svg g[data-cell]")).toHaveLength(2);
    expect(document.querySelector("script")).toBeNull();
    expect(document.querySelector("image")?.getAttribute("href")).toMatch(/^data:image\/svg\+xml,/);
  });

  it("plays the move of a cell, wherever in the column it is", () => {
    const onmove = vi.fn();
    const grid = show({ legal: [0, 1, 2, 3, 4, 5, 6, 7], moves, onmove });
    expect(labelOf(3)).toBe("D6, empty, can be played");
    click(grid, 3);
    click(grid, 3 + 4 * WIDTH);
    expect(onmove.mock.calls).toEqual([[[3]], [[3]]]);
  });

  it("asks which move is meant where cells do not tell, by mouse and keys", () => {
    const onmove = vi.fn();
    const promoted = ["queen", "knight"].map((text, index) => ({ actions: [50 + index], text, cells: [1, 8] }));
    const grid = show({ legal: [50, 51], moves: promoted, onmove });
    click(grid, 8);
    const buttons = [...document.querySelectorAll<HTMLElement>("[role=dialog] button")];
    expect(buttons.map((button) => button.textContent)).toEqual(["queen", "knight", "Cancel"]);
    expect(document.activeElement).toBe(buttons[0]);
    buttons[0]!.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, cancelable: true }));
    expect(document.activeElement).toBe(buttons[1]);
    buttons[1]!.click();
    flushSync();
    expect(onmove.mock.calls).toEqual([[[51]]]);
    expect(document.querySelector("[role=dialog]")).toBeNull();
  });

  it("shows hints on the cells of a move, not on the cell of an action's number", () => {
    const candidate = { visits: 9, win: 0.6, lead: null, proven: null, line: [], line_actions: [] };
    const analysis: Analysis = {
      ...{ to_move: 0, visits: 9, win: 0.6, lead: null, proven: null, ownership: null, by: "brain" },
      moves: [
        { move: "4", actions: [3], ...candidate },
        { move: "pass", actions: [WIDTH], ...candidate },
      ],
    };
    const landing = [{ actions: [3], text: "4", cells: [38] }, moves.at(-1)!];
    const heat = heatOf(faceOf(info).board, { view, moves: landing }, analysis);
    expect(heat.map(({ cell }) => cell)).toEqual([38]);
  });
});

describe("how a game of somebody's own ends", () => {
  const end = (winner: number | null, reason: string) =>
    faceOf(info).table.ending(view, { winner, reason, score: null }, {} as never);

  it("is said in the game's own words", () => {
    expect(end(0, "line")).toBe("Four in a row.");
    expect(end(1, "cut")).toBe("Red is cut off from Yellow.");
    expect(end(null, "full")).toBe("Because the board is full.");
    expect(resultText(info, { winner: 0, reason: "line", score: null })).toBe("Red won (four in a row)");
    expect(resultText(info, { winner: null, reason: "full", score: null })).toBe("A draw because the board is full");
  });

  it("is said by its reason where the game has no words, and in ours where every game ends so", () => {
    expect(end(0, "siege")).toMatch(/siege/);
    expect(end(0, "resign")).toBeNull();
    const counted = { winner: 1, reason: "count", score: [5, 31] as [number, number] };
    expect(ending(faceOf(info), view, counted)).toBe("Yellow has 26 points more than Red.");
  });
});

describe("choosing among listed moves", () => {
  const step = (from: number, to: number): MoveChoice => ({ actions: [from * 100 + to], text: `${from}-${to}`, cells: [from, to] });
  const at = (listed: MoveChoice[], picked: number | null = null): Situation => ({
    ...{ view, legal: new Set<number>(), picked, selection: null, selectable: [] },
    moves: listed,
  });
  const steps = [step(10, 17), step(10, 18), step(12, 18)];

  it("picks up a piece that has several moves, and puts it down where one of them leads", () => {
    expect(choosing.choose(at(steps), 10)).toEqual({ kind: "pick", cell: 10 });
    expect(choosing.targets(at(steps), 10).map(({ cell }) => cell)).toEqual([17, 18]);
    expect(choosing.choose(at(steps, 10), 18)).toEqual({ kind: "move", actions: [1018] });
  });

  it("plays the only move of a cell, and begins with where it leads as well", () => {
    expect(choosing.choose(at(steps), 12)).toEqual({ kind: "move", actions: [1218] });
    expect(choosing.choose(at(steps), 18)).toEqual({ kind: "pick", cell: 18 });
    expect(choosing.choose(at(steps, 18), 10)).toEqual({ kind: "move", actions: [1018] });
  });

  it("lets go, and refuses what belongs to no move", () => {
    expect(choosing.choose(at(steps, 10), 10)).toEqual({ kind: "drop" });
    expect(choosing.choose(at(steps, 10), 3)).toEqual({ kind: "drop" });
    expect(choosing.choose(at(steps), 3)).toEqual({ kind: "refuse" });
  });
});

describe("moves within a sentence", () => {
  it("says Kelasu's own acts in words, and leaves a plain move as it is written", () => {
    const { table } = faceOf("kelasu");
    expect(table.inWords("=W G7+G8>G8")).toBe("merging G7+G8 into a warrior on G8");
    expect(table.inWords("D0%C1")).toBe("converting C1 with the diplomat of D0");
    expect(table.inWords("A5@J5")).toBe("recalling the warrior of A5 to J5");
    expect(table.inWords("F7xE6")).toBeNull();
    expect(table.said("=G A0+A1>A1", "Blue")).toBe("Blue merges A0+A1 into a general on A1");
  });
});
