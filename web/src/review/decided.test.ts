import { describe, expect, it } from "vitest";

import type { Core } from "../engine/core/types";
import type { ReviewedMove } from "../protocol";
import CASES from "./decided.cases.json";
import { decided, sought, turningHere, turningOf } from "./decided";

type Judged = Pick<ReviewedMove, "win_before" | "win_after" | "mistake">;

const judged = (moves: unknown[][]): Judged[] =>
  moves.map(([win_before, win_after, mistake = null]) => ({ win_before, win_after, mistake }) as Judged);

describe("which move lost a game", () => {
  it.each(CASES)("$what", async ({ moves, decided: right }) => {
    const all = judged(moves);
    expect(decided(all)).toEqual(right);
    const asked: number[] = [];
    const found = await sought(all.length, (index) => {
      asked.push(index);
      return Promise.resolve(all[index]!);
    });
    expect(found).toEqual(right);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it("looks at few moves of a long game", async () => {
    const asked: number[] = [];
    const found = await sought(200, (index) => {
      asked.push(index);
      return Promise.resolve({ win_before: index <= 20 ? 1 : 0, win_after: index < 20 ? 1 : 0, mistake: index === 20 ? "blunder" : null });
    });
    expect(found).toMatchObject({ kind: "move", at: 20 });
    expect(asked.length).toBeLessThan(24);
  });
});

function review(number: number, seat: number, win_before: number, win_after: number, mistake: ReviewedMove["mistake"]): ReviewedMove {
  const text = `m${number}`;
  return { number, seat, move: text, win_before, win_after, lead: null, best: `b${number}`, line: [], mistake, line_actions: [], by: "search" };
}

describe("what a review says of it", () => {
  it("is the last blunder of the loser, with what was better", () => {
    const moves = [review(1, 0, 0.5, 0.5, null), review(2, 1, 0.9, 0.1, "blunder"), review(3, 0, 0.9, 0.6, "blunder"), review(4, 1, 0.1, 0, null)];
    expect(turningOf(moves, 1, (number) => number === 2)).toMatchObject({ kind: "move", number: 2, better: "b2", chance: 0.9, proven: true });
  });

  it("is the stretch over which it slipped away, and the largest step of it", () => {
    const chances = [0.52, 0.46, 0.33, 0.12];
    const steps = [0.01, 0.06, 0.03, 0];
    const game = (more: Partial<ReviewedMove>) =>
      chances.flatMap((had, index) => [
        { ...review(2 * index + 1, 0, had, had - steps[index]!, null), ...more },
        review(2 * index + 2, 1, 1 - had, 1 - had, null),
      ]);
    const stretch = { kind: "slowly", seat: 0, since: 1, until: 7, had: 0.52, left: 0.12 };
    expect(turningOf(game({}), 0, () => false)).toMatchObject({ ...stretch, number: 3, move: "m3", better: "b3", chance: 0.46 });
    expect(turningOf(game({ best: "same", move: "same" }), 0, () => false)).toMatchObject({ ...stretch, number: 1, better: "" });
  });

  it("is that a game was given up too early", () => {
    expect(turningOf([review(1, 0, 0.5, 0.6, null)], 1, () => false)).toMatchObject({ kind: "open", chance: 0.4 });
    expect(turningOf([], 1, () => false).kind).toBe("never");
  });
});

it("asks the core in the page about the loser's moves, before each of them", async () => {
  const places: [number, number][] = [];
  const seats = [null, 0, 1, null, 1, 0];
  const core = {
    line: () =>
      Promise.resolve({
        positions: seats.map((seat, number) => ({ seat, resumed: number === 3 ? 1 : null, outcome: number === 5 ? {} : null })),
      }),
    review: ({ moves, resumptions }: { moves: unknown[]; resumptions: unknown[] }) => {
      places.push([moves.length, resumptions.length]);
      const judged = review(0, 1, moves.length === 1 ? 0.6 : 0, 0, moves.length === 1 ? "blunder" : null);
      return Promise.resolve({ review: judged, before: null });
    },
  } as unknown as Core;
  const place = { game: "go", moves: [[1], [2], [3], [4]], resumptions: [[2, 1]] as [number, number][] };
  expect(await turningHere(core, { place, loser: 1 })).toMatchObject({ kind: "move", number: 2, better: "b0" });
  expect(places).toEqual([[2, 1], [1, 0]]);
});
