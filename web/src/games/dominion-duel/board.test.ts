import { expect, it } from "vitest";

import { board } from "./board";

it("foresees which neighbours a claim would lock, the open ones and no others", () => {
  expect(board.foreseen(".........", 4)).toEqual([
    { cell: 3, letter: "#" },
    { cell: 5, letter: "#" },
  ]);
  expect(board.foreseen("X#.......", 2)).toEqual([{ cell: 3, letter: "#" }]);
  expect(board.foreseen(".........", 0)).toEqual([{ cell: 1, letter: "#" }]);
});
