import { describe, expect, it } from "vitest";

import { plainBoard } from "../board/face";
import type { Position, ReviewedMove, StudyNode } from "../protocol";
import { betterThan, judgedMove } from "./overlay";

const before = { view: { cells: "b...", width: 4, height: 1 }, moves: [] } as unknown as Position;
const unknown = { origin: null, analysis: null, review: null, sgf: {} };
const node: StudyNode = { parent: 0, seat: 0, text: "C1", actions: [2], comment: "", resumed: null, ...unknown };
const verdict = (fields: Partial<ReviewedMove>) =>
  ({ seat: 0, mistake: "blunder", line_actions: [[3], [1]], ...fields }) as unknown as ReviewedMove;
const placing = { ...plainBoard, placed: () => "b" };
const moving = { ...plainBoard, spot: () => ({ cell: 3, from: 0 }) };

describe("what a review draws on the board", () => {
  it("is the size on the move and a ghost of the better one", () => {
    expect(judgedMove(placing, before, node, verdict({}))).toEqual({ cell: 2, size: "blunder" });
    expect(betterThan(placing, before, verdict({}))).toEqual({ cell: 3, letter: "b" });
    expect(betterThan(moving, before, verdict({}))).toEqual({ cell: 3, from: 0, letter: "b" });
  });

  it("is nothing beside a good move, and no ghost of a pass", () => {
    expect(judgedMove(placing, before, node, verdict({ mistake: null }))).toBeNull();
    expect(betterThan(placing, before, verdict({ mistake: null }))).toBeNull();
    expect(betterThan(placing, before, null)).toBeNull();
    expect(betterThan(placing, before, verdict({ line_actions: [[4]] }))).toBeNull();
  });
});
