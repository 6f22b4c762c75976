import { beforeEach, expect, test } from "vitest";

import type { BrainInfo, GameInfo } from "../protocol";
import { firstDraft } from "./form";
import { keepDraft, rememberedDraft } from "./remembered";

const game = {
  name: "go",
  options: [],
  levels: [{ number: 1, name: "" }],
} as unknown as GameInfo;
const brain = { game: "go", name: "brain_1" } as BrainInfo;

beforeEach(() => {
  localStorage.clear();
  keepDraft({ ...firstDraft(game), options: {}, opponent: "brain", brain: "brain_1" });
});

test("the brain of the last game is the next opponent as well", () => {
  expect(rememberedDraft(game, [], [brain])).toMatchObject({ opponent: "brain", brain: "brain_1" });
});

test("one that is gone gives way to the champion, and without any to a level", () => {
  expect(rememberedDraft(game, [], [{ ...brain, name: "brain_2" }])).toMatchObject({ opponent: "brain", brain: "latest" });
  expect(rememberedDraft(game, [], [])).toMatchObject({ opponent: "level", brain: "latest" });
});

test("what one came for counts more than what was", () => {
  expect(rememberedDraft(game, [], [brain], "level").opponent).toBe("level");
});
