import { beforeEach, describe, expect, it } from "vitest";

import { firstDraft } from "../home/form";
import { keepDraft as keepWish } from "../home/remembered";
import type { GameInfo, Study } from "../protocol";
import { draftOf, keepDraft } from "./drafts";
import { write } from "../storage";
import { withComment, withMove } from "./study";

const unknown = { comment: "", resumed: null, origin: null, analysis: null, review: null, sgf: {} };
const study = {
  game: "go",
  nodes: [
    { parent: null, seat: null, text: "", actions: [], ...unknown },
    { parent: 0, seat: 0, text: "a", actions: [1], ...unknown },
  ],
} as unknown as Study;

describe("a draft", () => {
  beforeEach(() => localStorage.clear());

  it("keeps what was added to a game", () => {
    const { study: more } = withMove(study, 0, { seat: 0, text: "b", actions: [2] });
    keepDraft("one", withComment(more, 2, "Wider."));
    expect(draftOf("one", study)?.nodes.map((node) => node.text + node.comment)).toEqual(["", "a", "bWider."]);
    expect(draftOf("two", study)).toBeNull();
  });

  it("is of no use for another game", () => {
    keepDraft("one", study);
    const { study: longer } = withMove(study, 1, { seat: 1, text: "c", actions: [3] });
    expect(draftOf("one", longer)).toBeNull();
    expect(draftOf("one", { ...study, game: "kelasu" })).toBeNull();
  });

  it("leaves alone what is remembered of new games, and is found where it used to be", () => {
    const wish = firstDraft({ name: "go", levels: [], options: [], look: {}, seats: [] } as unknown as GameInfo);
    keepWish(wish);
    for (let name = 0; name < 12; name++) keepDraft(`n${name}`, study);
    expect(JSON.parse(localStorage.getItem("tengen.drafts")!)).toEqual({ go: wish });
    write("tengen.study-drafts", null);
    write("tengen.drafts", JSON.stringify({ go: wish, one: study }));
    expect(draftOf("one", study)?.game).toBe("go");
  });

  it("makes room for later ones", () => {
    for (let name = 0; name < 12; name++) keepDraft(`n${name}`, study);
    expect([draftOf("n1", study), draftOf("n2", study)?.game]).toEqual([null, "go"]);
  });
});
