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
  const draft = firstDraft(game);
  keepDraft({ ...draft, options: {}, opponent: "brain", machine: { ...draft.machine, brain: "brain_1" } });
});

test("the brain of the last game is the next opponent as well", () => {
  expect(rememberedDraft(game, [], [brain])).toMatchObject({ opponent: "brain", machine: { brain: "brain_1" } });
});

test("a program is offered only for a game that it plays", () => {
  keepDraft({ ...firstDraft(game), options: {}, opponent: "program", program: "gnugo" });
  expect(rememberedDraft({ ...game, gtp: true }, ["gnugo"], []).opponent).toBe("program");
  expect(rememberedDraft({ ...game, gtp: false }, ["gnugo"], []).opponent).toBe("level");
});

test("without any brains a level is the opponent", () => {
  expect(rememberedDraft(game, [], []).opponent).toBe("level");
});

test("what one came for counts more than what was", () => {
  expect(rememberedDraft(game, [], [brain], "level").opponent).toBe("level");
  expect(rememberedDraft(game, [], [brain], "brain", "brain_2").machine.brain).toBe("brain_2");
});

test("what an earlier version has kept is no harm", () => {
  localStorage.setItem("tengen.drafts", JSON.stringify({ go: { game: "go", level: 1, other: 1, opponent: "watch", options: {} } }));
  expect(rememberedDraft(game, [], [])).toMatchObject({ opponent: "watch", machines: [{ level: 1 }, { level: 1 }] });
});
