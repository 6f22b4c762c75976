import { describe, expect, it } from "vitest";

import { known } from "../games";
import type { Position } from "../protocol";
import { reached, replyTo } from "./lesson";
import type { Lesson, RulesText } from "./text";

describe.each(known)("the page of $name", ({ rules }) => {
  it("has the same parts in both languages", async () => {
    const shape = (text: RulesText) => ({
      sections: text.sections.map(({ id, body, lessons }) => [id, body.length, (lessons ?? []).map((each) => each.id)]),
      endings: text.endings.length,
      notation: text.notation.map(([written]) => written),
      errata: text.errata.length,
      tips: text.tips.length,
    });
    expect(shape(await rules!.text.ko!())).toEqual(shape(await rules!.text.en()));
  });

  it("uses every diagram once, in order", async () => {
    const { sections } = await rules!.text.en();
    const used = sections.flatMap((section) => (section.lessons ?? []).map((each) => each.id));
    expect(used).toEqual(((await rules!.lessons?.()) ?? []).map((lesson) => lesson.id));
  });

  it("says something in Korean wherever it does in English", async () => {
    const [english, korean] = [await rules!.text.en(), await rules!.text.ko!()];
    if (korean === english) return; // nobody has translated it yet
    const strings = (value: unknown): string[] =>
      typeof value === "string" ? [value] : Object.values(value as object).flatMap(strings);
    const hangul = strings(korean).filter((text) => /[가-힣]/.test(text)).length;
    const sentences = strings(english).filter((text) => /[a-z]{3}/.test(text) && text.includes(" ")).length;
    expect(hangul).toBeGreaterThanOrEqual(sentences - 1);
  });
});

const position = (fields: Partial<Position>): Position => ({
  text: "D4",
  seat: 0,
  view: { board: "points", width: 5, height: 5, cells: "", to_move: 1, last: [], captured: [], score: [0, 0], details: {} },
  legal: [3, 4, 25],
  diagram: "",
  outcome: null,
  moves: [],
  resumed: null,
  ...fields,
});

describe("goals", () => {
  it("look at the outcome, the move, captures and the score", () => {
    const won = position({ outcome: { winner: 0, reason: "capture", score: null } });
    expect(reached({ outcome: "capture", winner: 0 }, won, 1)).toBe(true);
    expect(reached({ outcome: "capture", winner: 1 }, won, 1)).toBe(false);
    expect(reached({ outcome: "claims", winner: null }, position({ outcome: { winner: null, reason: "claims", score: [2, 2] } }), 4)).toBe(true);
    expect(reached({ move: ["D4"] }, position({}), 1)).toBe(true);
    expect(reached({ text: "%" }, position({ text: "G8%H9" }), 1)).toBe(true);
    expect(reached({ captured: 2 }, position({ view: { ...position({}).view, captured: [1] } }), 1)).toBe(false);
    expect(reached({ score: [0, 3] }, position({ view: { ...position({}).view, score: [3, 0] } }), 1)).toBe(true);
    expect(reached({ below: [0, 3] }, position({}), 1)).toBe(true);
  });

  it("about a move are not reached before there is one", () => {
    expect(reached({ move: ["D4"] }, position({}), 0)).toBe(false);
    expect(reached({ moves: 1 }, position({}), 0)).toBe(false);
  });
});

describe("replies", () => {
  const lesson = (reply: Lesson["reply"]): Lesson => ({ id: "", options: {}, origin: null, goal: { moves: 1 }, solution: [], ...(reply ? { reply } : {}) });

  it("answer the reader's move, with any move, or with a pass", () => {
    expect(replyTo(lesson({ D4: [0] }), position({}), 0)).toEqual([0]);
    expect(replyTo(lesson({ E4: [0] }), position({}), 0)).toBeNull();
    expect(replyTo(lesson("pass"), position({}), 0)).toEqual([25]);
    expect(replyTo(lesson("any"), position({}), 0, 0.5)).toEqual([4]);
  });

  it("come only when it is the other side's turn and the game goes on", () => {
    expect(replyTo(lesson("any"), position({}), 1)).toBeNull();
    expect(replyTo(lesson("any"), position({ outcome: { winner: 0, reason: "score", score: null } }), 0)).toBeNull();
    expect(replyTo(lesson(undefined), position({}), 0)).toBeNull();
  });
});
