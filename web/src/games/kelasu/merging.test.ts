import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { FakeMatch } from "../../play/fake.test.svelte";
import { Session } from "../../play/session.svelte";
import Army from "./Army.svelte";
import type { Merging } from "./merging.svelte";

let shown: Record<string, unknown> | null = null;

function text(selector: string): string {
  return document.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim() ?? "";
}

function press(name: string): void {
  const found = [...document.querySelectorAll("button")].find((button) => button.textContent?.includes(name));
  found!.click();
  flushSync();
}

const merging = (live: FakeMatch): Merging => new Session(live).companion as Merging;

beforeEach(() => vi.stubGlobal("fetch", async () => new Response("[]")));
afterEach(() => {
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

describe("merging", () => {
  const details = {
    energy: 4,
    quiet_rounds: 0,
    moved: [],
    victory_tiles: [],
    stages: [],
    moves: [],
    merges: [
      { kind: "W", cost: 2, targets: [40, 41, 42, 43] },
      { kind: "R", cost: 4, targets: [40, 41, 42, 43] },
    ],
    may_end_turn: false,
  };

  it("forgets blanks that were chosen in a position that is gone", () => {
    const live = new FakeMatch("kelasu", [0], { details });
    const made = merging(live);
    made.start();
    made.chooseBlanks([40, 41]);
    expect(made.board.selection).toEqual([40, 41]);
    live.now = { ...live.now!, position: "before" };
    expect(made.board.selection).toEqual([]);
  });

  it("goes from blanks to a kind to a place, and sends one move", () => {
    const live = new FakeMatch("kelasu", [0], { details });
    const made = merging(live);
    made.start();
    made.chooseBlanks([40]);
    made.chooseBlanks([40, 41]);
    made.chooseKind(made.choices.find((choice) => choice.kind === "W")!);
    expect(made.target).toBe(41);
    made.chooseBlanks([41]);
    expect([made.target, made.blanks]).toEqual([40, [40, 41]]);
    made.merge();
    expect(live.asked[0]).toMatchObject({ kind: "move", actions: [100, 40, 41] });
    expect(made.on).toBe(false);
  });

  it("fills up with the nearest blanks", () => {
    const made = merging(new FakeMatch("kelasu", [0], { details }));
    made.start();
    made.chooseBlanks([42]);
    made.chooseKind(made.choices.find((choice) => choice.kind === "R")!);
    expect(made.ready?.cells.toSorted()).toEqual([40, 41, 42, 43]);
  });
});

describe("the merge panel", () => {
  it("sends what was put together", () => {
    const merges = [{ kind: "W", cost: 2, targets: [40, 41] }];
    const rest = { energy: 4, quiet_rounds: 2, moved: [], victory_tiles: [44], stages: [], moves: [], may_end_turn: false };
    const live = new FakeMatch("kelasu", [0], { details: { ...rest, merges } });
    const session = new Session(live);
    shown = mount(Army, { target: document.body, props: { session } });
    flushSync();
    expect(text(".facts")).toContain("2 quiet rounds");
    const merging = session.companion as Merging;
    merging.start();
    merging.chooseBlanks([40, 41]);
    flushSync();
    press("Warrior");
    press("E0");
    press("Warrior on E0");
    expect(live.asked[0]).toMatchObject({ kind: "move", actions: [100, 40, 41] });
  });
});
