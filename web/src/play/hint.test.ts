import { describe, expect, it } from "vitest";

import { faceOf } from "../games";
import type { Analysis, Candidate } from "../protocol";
import { fakeView } from "./fake.test.svelte";
import { chances, heatOf, signed } from "./hint";

function candidate(cell: number, win: number, proven: Candidate["proven"] = null): Candidate {
  return { move: `m${cell}`, actions: [cell], visits: 9, win, lead: null, proven, line: [], line_actions: [] };
}

function analysed(by: Analysis["by"], ...moves: Candidate[]): Analysis {
  return { to_move: 0, visits: 9, win: 0.5, lead: null, proven: null, moves, ownership: null, by };
}

describe("the figures of a hint", () => {
  const view = fakeView("go", { details: { ko: null } });
  const moves = [0, 1, 2].map((cell) => ({ actions: [cell], text: `m${cell}`, cells: [cell] }));

  it.each(["search", "brain"] as const)("are the same on the board and in the list, by %s", (by) => {
    const analysis = analysed(by, candidate(0, 0.713), candidate(1, 0.488), candidate(2, 0.024));
    const drawn = heatOf(faceOf("go").board, { view, moves }, analysis).map(({ text }) => `${text}%`);
    expect(drawn).toEqual(analysis.moves.map((move) => chances(analysis, move)));
    expect(drawn[0]).toBe(by === "search" ? "70%" : "71%");
  });

  it("are said in words where they are certain", () => {
    const analysis = analysed("search", candidate(0, 1, "win"));
    expect(chances(analysis, analysis.moves[0]!)).toBe("wins");
  });
});

describe("a lead", () => {
  it.each([
    [0.46, "+0.5"],
    [-3, "-3.0"],
    [-0.04, "0.0"],
    [0.04, "0.0"],
    [null, ""],
  ])("of %s is written %s", (lead, text) => {
    expect(signed(lead)).toBe(text);
  });
});
