import { describe, expect, it } from "vitest";

import { plainBoard } from "../board/face";
import type { Position, TurningPoint, View } from "../protocol";
import { turningShown } from "./turning";

const face = { ...plainBoard, placed: (seat: number) => "bo"[seat]!, seatOf: (letter: string) => "bo".indexOf(letter) };
const found: TurningPoint = {
  kind: "move",
  seat: 1,
  number: 4,
  move: "D1",
  better: "C1",
  proven: true,
  chance: 1,
  line: ["C1"],
  line_actions: [[2]],
};
const view = (cells: string, captured: number[] = []) => ({ cells, captured, width: 5, height: 1 }) as unknown as View;
const before = { view: view("bo..."), moves: [] } as unknown as Position;
const last = view("bob.b", [1]);
const seen = { found, place: 4, view: view("bo.o."), before, played: [3], last };

describe("where a game was lost", () => {
  it("shows the move that lost it, the better one, and what was to be captured", () => {
    expect(turningShown(face, seen)).toEqual({
      doomed: [1],
      better: { cell: 2, letter: "o" },
      judged: { cell: 3, size: "blunder" },
    });
    expect(turningShown(face, { ...seen, place: 3 }).judged).toBeNull();
  });

  it("goes on to the end with what was to be captured, and shows nothing before", () => {
    expect(turningShown(face, { ...seen, place: 5 })).toEqual({ doomed: [1] });
    expect(turningShown(face, { ...seen, place: 2 })).toEqual({});
    expect(turningShown(face, { ...seen, found: { ...found, kind: "never" } })).toEqual({});
  });

  it("does not call a piece doomed that was not there yet", () => {
    expect(turningShown(face, { ...seen, view: view("b..o.") }).doomed).toEqual([]);
  });
});
