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
  since: 4,
  until: 4,
  had: 1,
  left: 0,
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
    expect(turningShown(face, { ...seen, found: { ...found, kind: "never", number: 0 } })).toEqual({});
  });

  it("calls a step of many smaller, and none where nothing better is known", () => {
    const slowly = { ...found, kind: "slowly" as const };
    expect(turningShown(face, { ...seen, found: slowly })).toMatchObject({ better: { cell: 2 }, judged: { cell: 3, size: "inaccuracy" } });
    const unknown = { ...slowly, better: "", line: [], line_actions: [] };
    expect(turningShown(face, { ...seen, found: unknown })).toMatchObject({ better: null, judged: null });
  });

  it("does not call a piece doomed that was not there yet", () => {
    expect(turningShown(face, { ...seen, view: view("b..o.") }).doomed).toEqual([]);
  });
});
