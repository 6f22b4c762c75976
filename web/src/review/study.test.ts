import { describe, expect, it } from "vitest";

import type { MatchInfo, Position, Snapshot, Study } from "../protocol";
import { mustWait } from "./open";
import { matchFrom, optionsFrom } from "./playOn";
import * as tree from "./study";

/** Start – a – b – c, and beside b: x – y. */
const study: Study = {
  game: "go",
  options: { size: 9, komi: 6.5, scoring: "territory" },
  id: "s",
  origin: null,
  players: [
    { name: "", kind: "" },
    { name: "", kind: "" },
  ],
  result: null,
  title: "",
  number: 1,
  games: 1,
  info: {},
  started: "",
  notice: "",
  nodes: [
    { parent: null, seat: null, text: "", actions: [], comment: "", resumed: null, origin: null, analysis: null, review: null, sgf: {} },
    { parent: 0, seat: 0, text: "a", actions: [1], comment: "", resumed: null, origin: null, analysis: null, review: null, sgf: {} },
    { parent: 1, seat: 1, text: "b", actions: [2], comment: "", resumed: null, origin: null, analysis: null, review: null, sgf: {} },
    { parent: 2, seat: 0, text: "c", actions: [3], comment: "", resumed: null, origin: null, analysis: null, review: null, sgf: {} },
    { parent: 1, seat: 1, text: "x", actions: [4], comment: "", resumed: null, origin: null, analysis: null, review: null, sgf: {} },
    { parent: 4, seat: 0, text: "y", actions: [5], comment: "", resumed: null, origin: null, analysis: null, review: null, sgf: {} },
  ],
};
const texts = (of: Study, line: number[]) => line.map((at) => of.nodes[at]!.text).join("");

describe("lines", () => {
  it("go from the start through a node to the end", () => {
    expect(texts(study, tree.lineThrough(study, tree.ROOT))).toBe("abc");
    expect(texts(study, tree.lineThrough(study, 4))).toBe("axy");
    expect(texts(study, tree.pathTo(study, 4))).toBe("ax");
    expect(tree.depthsOf(study)).toEqual([0, 1, 2, 3, 2, 3]);
    expect([3, 5].map((at) => tree.isMain(study, at))).toEqual([true, false]);
  });

  it("are told to the server as actions", () => {
    const place = { game: "go", options: study.options, origin: null };
    expect(tree.placeOf(study, 5)).toEqual({ ...place, moves: [[1], [4], [5]], resumptions: [] });
    const resumed = { ...study, nodes: study.nodes.map((each, at) => (at === 4 ? { ...each, actions: [], resumed: 1 } : each)) };
    expect(tree.placeOf(resumed, 5)).toEqual({ ...place, moves: [[1], [5]], resumptions: [[1, 1]] });
  });
});

describe("changing a tree", () => {
  it("adds a move once", () => {
    const move = { seat: 0, text: "z", actions: [9] };
    const { study: more, at } = tree.withMove(study, 3, move);
    expect([at, more.nodes.length, study.nodes.length]).toEqual([6, 7, 6]);
    expect(tree.withMove(more, 3, move)).toEqual({ study: more, at: 6 });
    expect(tree.withMove(study, 1, { seat: 1, text: "x", actions: [4] }).at).toBe(4);
  });

  it("removes a branch with all that follows, and keeps parents before children", () => {
    const { study: less, at } = tree.without(study, 2);
    expect(less.nodes.map((node) => node.text)).toEqual(["", "a", "x", "y"]);
    expect(less.nodes.map((node) => node.parent)).toEqual([null, 0, 1, 2]);
    expect(at).toBe(1);
    expect(tree.without(study, tree.ROOT)).toEqual({ study, at: 0 });
  });

  it("makes a variation the main line", () => {
    const { study: other, at } = tree.promoted(study, 5);
    expect(texts(other, tree.lineThrough(other, tree.ROOT))).toBe("axy");
    expect(other.nodes[at]!.text).toBe("y");
    expect(other.nodes.length).toBe(study.nodes.length);
    other.nodes.forEach((node, index) => expect(node.parent ?? -1).toBeLessThan(index));
    expect(tree.promoted(study, 3).study).toBe(study);
  });

  it("comments one node", () => {
    expect(tree.withComment(study, 2, "good").nodes.map((node) => node.comment).join("")).toBe("good");
  });
});

describe("keys", () => {
  it("are of the line, not of the number", () => {
    expect(tree.keysOf(study)).toEqual(["", "/1", "/1/2", "/1/2/3", "/1/4", "/1/4/5"]);
    const { study: other, at } = tree.promoted(study, 5);
    expect(tree.keysOf(other)[at]).toBe("/1/4/5");
  });
});

describe("the move list", () => {
  it("has variations beside the move that they replace", () => {
    const [a, b, c] = tree.listed(study);
    expect([a!.at, b!.at, c!.at]).toEqual([1, 2, 3]);
    expect(b!.variations).toEqual([[{ at: 4, variations: [] }, { at: 5, variations: [] }]]);
    expect([...a!.variations, ...c!.variations]).toEqual([]);
  });

  it("goes through a long game without running out of stack", () => {
    const nodes = [study.nodes[0]!];
    for (let parent = 0; parent < 15_000; parent++) nodes.push({ ...study.nodes[1]!, parent });
    expect(tree.listed({ ...study, nodes }).length).toBe(15_000);
  });
});

describe("a match that is not over", () => {
  const seat = (kind: "person" | "machine" | "open") => ({ kind, name: "", player: "", here: false });
  const snapshot = (status: MatchInfo["status"], other: "person" | "machine" | "open", you: number[]) =>
    ({ match: { status, seats: [seat("person"), seat(other)] }, you }) as unknown as Snapshot;

  it("cannot be analysed by who plays it against a person", () => {
    expect(mustWait(snapshot("playing", "person", [0]))).toBe(true);
    expect(mustWait(snapshot("open", "open", [0]))).toBe(true);
    expect(mustWait(snapshot("over", "person", [0]))).toBe(false);
    expect(mustWait(snapshot("playing", "machine", [0]))).toBe(false);
    expect(mustWait(snapshot("playing", "person", [0, 1]))).toBe(false);
    expect(mustWait(snapshot("playing", "person", []))).toBe(false);
  });
});

describe("playing on from a position", () => {
  const position = {
    text: "",
    seat: null,
    legal: [],
    outcome: null,
    diagram: "9/9",
    view: { details: { prisoners: [3, 1] }, to_move: 1 },
  } as unknown as Position;

  it("makes up for prisoners with komi where they count", () => {
    expect(optionsFrom("go", study.options, position).komi).toBe(4.5);
    expect(optionsFrom("go", { ...study.options, scoring: "area" }, position).komi).toBe(6.5);
  });

  it("seats the reader where they wish and begins with the position", () => {
    const wish = matchFrom("go", study.options, position, 1, 5, "Ada");
    expect(wish.seats).toEqual([{ kind: "machine", player: "level:5" }, { kind: "me" }]);
    expect(wish.origin).toEqual(["9/9", 1]);
    expect(wish.name).toBe("Ada");
  });
});
