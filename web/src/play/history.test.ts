import { describe, expect, it } from "vitest";

import type { LineMove } from "../protocol";
import { roundsOf, stepped, turnsOf } from "./history";

function line(...moves: [number | null, string][]): LineMove[] {
  return moves.map(([seat, text], index) => ({ event: index + 1, seat, text, actions: [index], at_ms: 0, resumed: null }));
}

describe("roundsOf", () => {
  it("pairs the moves of both seats", () => {
    const rounds = roundsOf(line([0, "D4"], [1, "E5"], [0, "pass"]));
    expect(rounds.map((round) => round.number)).toEqual([1, 2]);
    expect(rounds[0]!.turns.map((turn) => turn?.moves[0]?.text)).toEqual(["D4", "E5"]);
    expect(rounds[1]!.turns[1]).toBeNull();
  });

  it("keeps the moves of a turn together", () => {
    const moves = line([0, "B1-C1"], [0, "B3-C3"], [0, "B4-C4"], [1, "I1-H1"], [0, "C1-D1"]);
    expect(turnsOf(moves).map((turn) => turn.moves.map((move) => move.at))).toEqual([[1, 2, 3], [4], [5]]);
    expect(roundsOf(moves)).toHaveLength(2);
  });

  it("begins with a gap where the second seat moves first", () => {
    const [first] = roundsOf(line([1, "C3"], [0, "D4"]));
    expect(first!.turns[0]).toBeNull();
    expect(first!.turns[1]?.moves[0]?.text).toBe("C3");
  });

  it("sets a resumption on a line of its own without a number", () => {
    const rounds = roundsOf(line([0, "pass"], [1, "pass"], [null, ""], [1, "A1"], [0, "A2"]));
    expect(rounds.map((round) => round.turns[0] ? round.turns[0].seat : "none")).toEqual([0, null, "none", 0]);
    expect(rounds.map((round) => round.number)).toEqual([1, 1, 2, 3]);
  });
});

describe("stepped", () => {
  it("stays inside the game", () => {
    expect(stepped(0, -1, 5)).toBe(0);
    expect(stepped(4, 3, 5)).toBe(5);
    expect(stepped(2, 1, 5)).toBe(3);
  });
});
