import axe from "axe-core";
import { flushSync, mount, unmount } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { faceOf } from "../games";
import { settings } from "../settings.svelte";
import type { Outcome, View } from "../protocol";
import Board from "./Board.svelte";
import fixtures from "./fixtures.json";
import { layout, centre } from "./geometry";
import { namedCell } from "./names";
import type { BoardProps, WaitingMove } from "./types";

type Fixture = { name: string; game: string; view: View; legal: number[]; outcome: Outcome | null };
const fixture = (name: string): Fixture => (fixtures as unknown as Fixture[]).find((one) => one.name === name)!;

let shown: Record<string, unknown> | null = null;

function show(name: string, more: Partial<BoardProps> = {}): HTMLElement {
  const { game, view, legal, outcome } = fixture(name);
  shown = mount(Board, {
    target: document.body,
    props: { face: faceOf(game).board, view, legal, outcome, label: "The board", ...more },
  });
  flushSync();
  return document.querySelector<HTMLElement>("[role=grid]")!;
}

const at = (name: string, flipped = false) => {
  const { view } = fixture(name);
  return layout({ kind: view.board, width: view.width, height: view.height, flipped, coordinates: true, pixels: 0 });
};

/** A pointer event over a cell; the drawing fills a box of its own size. */
function point(grid: HTMLElement, name: string, cell: number, type: string, more: PointerEventInit = {}): void {
  const place = at(name);
  const { x, y } = centre(place, cell);
  grid.getBoundingClientRect = () => ({ left: 0, top: 0, width: place.width, height: place.height }) as DOMRect;
  const event = new MouseEvent(type, { clientX: x, clientY: y, button: 0, bubbles: true, cancelable: true });
  Object.assign(event, { pointerId: 1, isPrimary: true, pointerType: "mouse", ...more });
  grid.dispatchEvent(event);
  flushSync();
}

function click(grid: HTMLElement, name: string, cell: number): void {
  point(grid, name, cell, "pointerdown");
  point(grid, name, cell, "pointerup");
}

function press(grid: HTMLElement, ...keys: string[]): KeyboardEvent[] {
  return keys.map((key) => {
    const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
    grid.dispatchEvent(event);
    flushSync();
    return event;
  });
}

const active = (grid: HTMLElement) =>
  document.getElementById(grid.getAttribute("aria-activedescendant") ?? "")?.getAttribute("aria-label");
const labelOf = (cell: number) =>
  document.querySelector(`[role=gridcell][data-cell="${cell}"]`)?.getAttribute("aria-label");
const ke = (name: string) => namedCell({ kind: "squares", width: 10, height: 10, ranks: true }, name);

beforeEach(() => {
  settings.language = "en";
  settings.sound = false;
});
afterEach(async () => {
  if (shown) await unmount(shown);
  shown = null;
  document.body.replaceChildren();
});

describe("pointer", () => {
  it("plays where it is legal, and nowhere else", () => {
    const onmove = vi.fn();
    const grid = show("go-ko", { onmove });
    click(grid, "go-ko", 40);
    expect(onmove).not.toHaveBeenCalled();
    click(grid, "go-ko", 0);
    expect(onmove.mock.calls).toEqual([[[0]]]);
  });

  it("crosses out what is closed, and says what is there unless others say why", () => {
    const onrefuse = vi.fn((cell: number) => cell === 40);
    const grid = show("go-ko", { onmove: vi.fn(), onrefuse });
    const said = () => document.querySelector("[role=status]")?.textContent;
    const stone = fixture("go-ko").view.cells.indexOf("X");
    click(grid, "go-ko", 40);
    expect([said(), document.querySelectorAll(".refused").length]).toEqual(["", 1]);
    click(grid, "go-ko", stone);
    expect([said(), document.querySelectorAll(".refused").length]).toEqual([labelOf(stone), 0]);
    expect(onrefuse.mock.calls).toEqual([[40], [stone]]);
    press(grid, "e", "5", "Enter");
    expect(document.querySelectorAll(".refused")).toHaveLength(1);
  });

  it("plays nothing when the pointer is let go over another cell", () => {
    const onmove = vi.fn();
    const grid = show("go-9-start", { onmove });
    point(grid, "go-9-start", 3, "pointerdown");
    point(grid, "go-9-start", 5, "pointerup");
    expect(onmove).not.toHaveBeenCalled();
  });

  it("lets a finger slide to the cell that it means", () => {
    const onmove = vi.fn();
    const grid = show("go-9-start", { onmove });
    point(grid, "go-9-start", 3, "pointerdown", { pointerType: "touch" });
    point(grid, "go-9-start", 5, "pointermove", { pointerType: "touch" });
    point(grid, "go-9-start", 5, "pointerup", { pointerType: "touch" });
    expect(onmove.mock.calls).toEqual([[[5]]]);
  });

  it("asks twice in confirm mode, and forgets the first when another cell is meant", () => {
    const onmove = vi.fn();
    const grid = show("go-9-start", { onmove, confirm: true });
    click(grid, "go-9-start", 3);
    expect(onmove).not.toHaveBeenCalled();
    expect(document.querySelector("[role=status]")?.textContent).toBe("Once more to play D9");
    click(grid, "go-9-start", 4);
    expect(onmove).not.toHaveBeenCalled();
    click(grid, "go-9-start", 4);
    expect(onmove.mock.calls).toEqual([[[4]]]);
  });

  it("tells of the move that waits, and lets others make it or drop it", () => {
    const onmove = vi.fn();
    let waits: WaitingMove | null = null;
    const grid = show("go-9-start", { onmove, confirm: true, onwait: (move) => (waits = move) });
    click(grid, "go-9-start", 3);
    expect(waits).toMatchObject({ cell: 3, actions: [3] });
    waits!.drop();
    flushSync();
    expect(waits).toBeNull();
    click(grid, "go-9-start", 4);
    waits!.play();
    expect(onmove.mock.calls).toEqual([[[4]]]);
  });

  it("does nothing while a move is under way, or without anything legal", () => {
    const onmove = vi.fn();
    click(show("go-9-start", { onmove, pending: [0] }), "go-9-start", 4);
    expect(onmove).not.toHaveBeenCalled();
  });

  it("tells of any cell in the agreement", () => {
    const oncell = vi.fn();
    click(show("go-agreement", { oncell }), "go-agreement", 54);
    expect(oncell.mock.calls).toEqual([[54]]);
  });

  it("moves a piece of Kelasu by two clicks or by dragging", () => {
    const onmove = vi.fn();
    const grid = show("ke-pieces", { onmove });
    click(grid, "ke-pieces", ke("I6"));
    expect(labelOf(ke("J5"))).toContain("can be converted");
    click(grid, "ke-pieces", ke("J5"));
    expect(onmove.mock.calls).toEqual([[[ke("I6"), ke("J5")]]]);
    point(grid, "ke-pieces", ke("E5"), "pointerdown");
    point(grid, "ke-pieces", ke("E4"), "pointermove");
    point(grid, "ke-pieces", ke("E4"), "pointerup");
    expect(onmove.mock.calls[1]).toEqual([[ke("E5"), ke("E4")]]);
  });

  it("lets a dragged piece go back", () => {
    const onmove = vi.fn();
    const grid = show("ke-pieces", { onmove });
    point(grid, "ke-pieces", ke("E5"), "pointerdown");
    point(grid, "ke-pieces", ke("A0"), "pointermove");
    point(grid, "ke-pieces", ke("A0"), "pointerup");
    expect(onmove).not.toHaveBeenCalled();
    expect(labelOf(ke("E5"))).not.toContain("picked up");
  });

  it("chooses blanks in merge mode", () => {
    const [onselect, onmove] = [vi.fn(), vi.fn()];
    const grid = show("ke-merges", { selection: [ke("E1")], onselect, onmove });
    click(grid, "ke-merges", ke("E0"));
    expect(onselect.mock.calls).toEqual([[[ke("E1"), ke("E0")]]]);
    expect(onmove).not.toHaveBeenCalled();
    const chosen = document.querySelector('[aria-selected="true"]');
    expect(chosen?.getAttribute("aria-label")).toMatch(/^E1, blue blank, chosen/);
  });
});

describe("keyboard", () => {
  it("has one stop, moves with arrows, jumps to names and plays with Enter", () => {
    const onmove = vi.fn();
    const grid = show("go-9-start", { onmove, confirm: true });
    expect(document.querySelectorAll("[tabindex]")).toHaveLength(1);
    grid.focus();
    flushSync();
    expect(active(grid)).toMatch(/^E5, empty/);
    press(grid, "ArrowUp", "ArrowRight");
    expect(active(grid)).toMatch(/^F6/);
    press(grid, "c", "3");
    expect(active(grid)).toMatch(/^C3/);
    press(grid, "Enter");
    expect(onmove.mock.calls).toEqual([[[namedCell({ kind: "points", width: 9, height: 9 }, "C3")]]]);
  });

  it("takes its keys and leaves the others to the page", () => {
    const grid = show("go-9-start", { onmove: vi.fn() });
    grid.focus();
    const [arrow, space, escape, question] = press(grid, "ArrowUp", " ", "Escape", "?");
    expect(arrow!.defaultPrevented).toBe(true);
    expect([space, escape, question].map((event) => event!.defaultPrevented)).toEqual([false, false, false]);
  });

  it("picks up and puts down a piece of Kelasu; Escape lets go", () => {
    const onmove = vi.fn();
    const grid = show("ke-pieces", { onmove });
    grid.focus();
    press(grid, "i", "6", "Enter");
    expect(active(grid)).toContain("picked up");
    expect(press(grid, "Escape")[0]!.defaultPrevented).toBe(true);
    expect(active(grid)).not.toContain("picked up");
    press(grid, "Enter", "j", "5", "Enter");
    expect(onmove.mock.calls).toEqual([[[ke("I6"), ke("J5")]]]);
  });
});

describe("what is said and drawn", () => {
  it("labels cells", () => {
    show("gk-capture");
    expect(labelOf(13)).toBe("E8, blue castle, captured");
    expect(labelOf(22)).toBe("E7, orange castle, 1 liberty, last move");
    expect(labelOf(40)).toBe("E5, neutral castle");
    expect(labelOf(0)).toBe("A9, empty, Blue's territory");
  });

  it("warns of suicide only who can play", () => {
    show("gk-danger", { onmove: vi.fn() });
    expect(labelOf(0)).toBe("A9, empty, loses at once, Blue's territory");
  });

  it("says what the agreement says", () => {
    const { dead, neutral, owners } = fixture("go-agreement") as unknown as BoardProps;
    show("go-agreement", { dead, neutral, owners });
    expect(labelOf(54)).toMatch(/black stone, \d+ liberties, White's territory, dead$/);
    expect(labelOf(0)).toBe("A9, empty, neutral");
  });

  it("says ko, claims and locks", async () => {
    show("go-ko");
    expect(labelOf(40)).toBe("E5, empty, ko, closed for one turn, captured");
    await unmount(shown!);
    shown = null;
    document.body.replaceChildren();
    show("dd-middle");
    expect([0, 1, 4, 6].map(labelOf)).toEqual([
      "1, locked",
      "2, claimed by Player 2, last move",
      "5, claimed by Player 1",
      "7, open",
    ]);
  });

  it("is a mere picture where it stands still", () => {
    show("gk-capture", { still: true });
    expect(document.querySelector("[role=img]")?.getAttribute("aria-label")).toBe("The board");
    expect(document.querySelectorAll("[tabindex], [role=grid], [role=gridcell]")).toHaveLength(0);
  });

  it("orders rows as they are seen", () => {
    show("go-9-start", { flipped: true });
    expect(document.querySelector("[role=gridcell]")?.getAttribute("aria-label")).toBe("J1, empty");
  });

  it("draws a pending stone at once", () => {
    show("go-9-start", { pending: [40] });
    expect(document.querySelectorAll("svg g[data-cell]")).toHaveLength(1);
    expect(labelOf(40)).toMatch(/^E5, black stone/);
  });

  it("speaks Korean", async () => {
    settings.language = "ko";
    flushSync();
    await vi.waitFor(() => expect(document.documentElement.lang).toBe("ko"));
    show("gk-capture");
    expect(labelOf(13)).toBe("E8, 파란 성, 잡힘");
    settings.language = "en";
    flushSync();
    await vi.waitFor(() => expect(document.documentElement.lang).toBe("en"));
  });

  it.each(["go-ko", "dd-long"])("is a proper grid: %s", async (name) => {
    const grid = show(name, { onmove: vi.fn() });
    grid.focus();
    flushSync();
    const values = ["aria-required-children", "aria-required-parent", "aria-valid-attr-value", "aria-allowed-attr"];
    const { violations, passes } = await axe.run(grid.parentElement!, { runOnly: { type: "rule", values } });
    expect(violations.map(({ id, help }) => `${id}: ${help}`)).toEqual([]);
    expect(passes.map(({ id }) => id)).toContain("aria-required-children");
  }, 20_000);
});
