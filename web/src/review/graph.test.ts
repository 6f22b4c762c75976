import { describe, expect, it } from "vitest";

import type { ReviewedMove } from "../protocol";
import { graphData, hasLead, loss, nextMistake, tallies } from "./graph";

const move = (number: number, seat: number, before: number, after: number, fields: Partial<ReviewedMove> = {}): ReviewedMove => ({
  number,
  seat,
  move: "D4",
  win_before: before,
  win_after: after,
  lead: null,
  best: "D4",
  line: ["D4"],
  mistake: null,
  line_actions: [],
  by: "brain",
  ...fields,
});
const game = [
  move(1, 0, 0.5, 0.5, { lead: 1 }),
  move(2, 1, 0.5, 0.2, { lead: -2, mistake: "blunder" }),
  move(3, 0, 0.8, 0.74, { lead: 5, mistake: "inaccuracy" }),
  move(5, 0, 0.6, 0.45, { lead: 0, mistake: "mistake" }),
];

describe("graph data", () => {
  const data = graphData(game, 5);

  it("is told from the first seat's side", () => {
    expect(data.x).toEqual([0, 1, 2, 3, 4, 5]);
    expect(data.win).toEqual([50, 50, 80, 74, null, 45]);
  });

  it("has the lead of a position where the next move was reviewed", () => {
    expect(data.lead).toEqual([1, 2, 5, null, 0, null]);
    expect(hasLead(data)).toBe(true);
  });

  it("hides a lead that is unknown or even all the way", () => {
    expect(hasLead(graphData([move(1, 0, 0.5, 0.5)], 1))).toBe(false);
    expect(hasLead(graphData([move(1, 0, 0.5, 0.5, { lead: 0.02 })], 1))).toBe(false);
  });
});

describe("mistakes", () => {
  it("are found in both directions and by size", () => {
    expect(nextMistake(game, 0, 1)).toBe(2);
    expect(nextMistake(game, 2, 1)).toBe(3);
    expect(nextMistake(game, 5, 1)).toBeNull();
    expect(nextMistake(game, 5, -1)).toBe(3);
    expect(nextMistake(game, 0, 1, ["mistake"])).toBe(5);
    expect(nextMistake(game, 2, -1)).toBeNull();
  });

  it("are counted by seat", () => {
    const [first, second] = tallies(game);
    expect(first.counts).toEqual({ blunder: 0, mistake: 1, inaccuracy: 1 });
    expect(second.counts.blunder).toBe(1);
    expect([first.moves, second.moves]).toEqual([3, 1]);
    expect(tallies([])[0].accuracy).toBeNull();
  });

  it("never cost less than nothing", () => {
    expect(loss(move(1, 0, 0.4, 0.6))).toBe(0);
  });
});

describe("accuracy", () => {
  it("has a word that a player recognises", () => {
    const word = (after: number) => tallies([move(1, 0, 0.5, after)])[0].word;
    expect([0.5, 0.48, 0.45, 0.3].map(word)).toEqual(["accuracy_superb", "accuracy_good", "accuracy_fair", "accuracy_rough"]);
    expect(tallies([])[0].word).toBeNull();
  });

  it("falls with what was given away while the game was open", () => {
    const accuracy = (...moves: ReviewedMove[]) => tallies(moves)[0].accuracy;
    expect(accuracy(move(1, 0, 0.5, 0.49))).toBeCloseTo(93, 0);
    expect(accuracy(move(1, 0, 0.5, 0.4))).toBeCloseTo(50, 0);
    expect(accuracy(move(1, 0, 0.5, 0.4), move(3, 0, 0.99, 0.98), move(5, 0, 0.99, 0.99))).toBeCloseTo(53, 0);
    expect(accuracy(move(1, 0, 0.95, 0.3))).toBeCloseTo(1, 0);
    expect(accuracy(move(1, 0, 1, 1))).toBeNull();
  });

  it("waits for enough moves while the rest of the game is still looked at", () => {
    const moves = Array.from({ length: 8 }, (_, index) => move(2 * index + 1, 0, 0.5, 0.5));
    expect(tallies(moves.slice(0, 7), false)[0]).toMatchObject({ accuracy: null, word: null, moves: 7 });
    expect(tallies(moves, false)[0].accuracy).toBe(100);
    expect(tallies(moves.slice(0, 1))[0].accuracy).toBe(100);
  });
});
