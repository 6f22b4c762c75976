import { describe, expect, it } from "vitest";

import type { KelasuDetails, View } from "../protocol";
import type { Situation } from "../board/face";
import fixtures from "../board/fixtures.json";
import { namedCell } from "../board/names";
import { faceOf } from "./index";
import { hand, mergeable, targetsOf } from "./kelasu/hand";

type Fixture = { name: string; game: string; view: View; before: View | null };
const all = fixtures as unknown as Fixture[];
const fixture = (name: string): Fixture => all.find((one) => one.name === name)!;
const cell = (name: string) => namedCell({ kind: "squares", width: 10, height: 10, ranks: true }, name);

describe("pending actions", () => {
  it("places the piece of the seat at once", () => {
    const { view } = fixture("go-9-start");
    expect(faceOf("go").board.withPending(view, [40], 1)[40]).toBe("O");
    expect(faceOf("go").board.withPending(view, [81], 1)).toBe(view.cells);
    expect(faceOf("great-kingdom").board.withPending(fixture("gk-start").view, [0], 0)[0]).toBe("B");
  });

  it.each([
    ["ke-capture", ["E5", "E4"]],
    ["ke-convert", ["I6", "J5"]],
    ["ke-recall", ["J0", "A0"]],
    ["ke-tiles", ["F6", "F5"]],
  ])("looks like what the server then confirms: %s", (name, move) => {
    const { before, view } = fixture(name);
    expect(faceOf("kelasu").board.withPending(before!, move.map(cell), 0)).toBe(view.cells);
  });

  it("merges at once, the target first among the cells", () => {
    const { before, view } = fixture("ke-merge");
    const merge = [101, ...["E1", "D1", "E0", "F1"].map(cell)];
    expect(faceOf("kelasu").board.withPending(before!, merge, 0)).toBe(view.cells);
  });
});

describe("changes", () => {
  const between = (name: string) => {
    const { game, before, view } = fixture(name);
    return faceOf(game).board.changes(before!.cells, view.cells);
  };

  it("sees each kind of move", () => {
    expect(between("gk-capture")).toEqual([{ kind: "place", cell: 22 }]);
    expect(between("go-capture").map(({ kind }) => kind)).toEqual(["remove", "remove", "remove", "remove", "place"]);
    expect(between("dd-middle").map(({ kind }) => kind)).toEqual(["place", "place", "place"]);
    expect(between("ke-moved")).toEqual([{ kind: "slide", from: cell("D4"), to: cell("C5"), far: false }]);
    expect(between("ke-capture")).toEqual([
      { kind: "remove", cell: cell("E4"), letter: "b" },
      { kind: "slide", from: cell("E5"), to: cell("E4"), far: false },
    ]);
    expect(between("ke-recall")).toEqual([{ kind: "slide", from: 90, to: 0, far: true }]);
    expect(between("ke-convert")).toEqual([
      { kind: "turn", cell: cell("J5"), by: { cell: cell("I6"), letter: "D" } },
    ]);
    expect(between("ke-merge")).toMatchObject([{ kind: "merge", cell: cell("E1"), from: { length: 4 } }]);
  });

  it("sees none in a jump to another position, or in the same one", () => {
    const [start, middle] = [fixture("go-19-start").view.cells, fixture("go-19").view.cells];
    expect(faceOf("go").board.changes(start, middle)).toEqual([]);
    expect(faceOf("go").board.changes(middle, middle)).toEqual([]);
    expect(faceOf("go").board.changes(fixture("go-9-start").view.cells, middle)).toEqual([]);
    expect(faceOf("kelasu").board.changes(fixture("ke-start").view.cells, fixture("ke-pieces").view.cells)).toEqual([]);
  });

  it("knows whose a letter is", () => {
    expect(["X", "O", "."].map((letter) => faceOf("go").board.seatOf(letter))).toEqual([0, 1, -1]);
    expect(["B", "O", "N"].map((letter) => faceOf("great-kingdom").board.seatOf(letter))).toEqual([0, 1, -1]);
    expect(["G", "g"].map((letter) => faceOf("kelasu").board.seatOf(letter))).toEqual([0, 1]);
  });
});

describe("choosing in Kelasu", () => {
  const details = fixture("ke-pieces").view.details as KelasuDetails;
  const merges = fixture("ke-merges").view.details as KelasuDetails;
  const legal = new Set<number>();
  const idle: Situation = {
    view: fixture("ke-pieces").view,
    legal,
    moves: [],
    picked: null,
    selection: null,
    selectable: [],
  };

  it("picks up what can move and nothing else", () => {
    expect(hand.choose(idle, cell("E5"))).toEqual({ kind: "pick", cell: cell("E5") });
    expect(hand.choose(idle, cell("C0"))).toEqual({ kind: "none" });
    expect(hand.choose(idle, cell("D0"))).toEqual({ kind: "none" });
  });

  it("puts down on a target, changes its mind, or lets go", () => {
    const held = { ...idle, picked: cell("I6") };
    expect(hand.choose(held, cell("J5"))).toEqual({ kind: "move", actions: [cell("I6"), cell("J5")] });
    expect(hand.choose(held, cell("E5"))).toEqual({ kind: "pick", cell: cell("E5") });
    expect(hand.choose(held, cell("I6"))).toEqual({ kind: "drop" });
    expect(hand.choose(held, cell("A0"))).toEqual({ kind: "drop" });
  });

  it("knows targets by kind", () => {
    const kinds = (name: string) => new Set(targetsOf(details, cell(name)).map(({ kind }) => kind));
    expect(kinds("I6")).toEqual(new Set(["move", "convert"]));
    expect(kinds("J0")).toEqual(new Set(["move", "recall"]));
    expect(targetsOf(details, null)).toEqual([]);
  });

  it("toggles blanks in merge mode, and moves nothing", () => {
    const selectable = mergeable(merges);
    expect(selectable).toEqual(["D1", "E0", "E1", "F1", "F4", "F5"].map(cell));
    const merging = { ...idle, view: fixture("ke-merges").view, selection: [cell("E1")], selectable };
    expect(hand.choose(merging, cell("E0"))).toEqual({ kind: "select", cells: [cell("E1"), cell("E0")] });
    expect(hand.choose(merging, cell("E1"))).toEqual({ kind: "select", cells: [] });
    expect(hand.choose(merging, cell("B5"))).toEqual({ kind: "none" });
  });
});
