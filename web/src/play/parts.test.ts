import { flushSync, mount, unmount } from "svelte";
import type { Component } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Count, Reading } from "../protocol";
import Agreement from "./Agreement.svelte";
import ClockFace from "./ClockFace.svelte";
import { FakeMatch, fakeInfo, fakeLine, fakeNow } from "./fake.test.svelte";
import MoveList from "./MoveList.svelte";
import News from "./News.svelte";
import Offers from "./Offers.svelte";
import { Session } from "./session.svelte";
import Status from "./Status.svelte";

let shown: Record<string, unknown> | null = null;

function show<Props extends Record<string, unknown>>(component: Component<Props>, props: Props): void {
  shown = mount(component, { target: document.body, props });
  flushSync();
}

function text(selector: string): string {
  return document.querySelector(selector)?.textContent?.replace(/\s+/g, " ").trim() ?? "";
}

function press(name: string): void {
  const found = [...document.querySelectorAll("button")].find((button) => button.textContent?.includes(name));
  found!.click();
  flushSync();
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  vi.stubGlobal("fetch", async () => new Response("[]"));
});
afterEach(() => {
  if (shown) void unmount(shown);
  shown = null;
  document.body.innerHTML = "";
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const reading = (left_ms: number): Reading => ({ left_ms, main_ms: left_ms, periods: 0, period_ms: 0 });

describe("a clock", () => {
  function timed(running: number | null): Session {
    const live = new FakeMatch("go", [0], { details: { ko: null } });
    live.info = fakeInfo("go", { clock: { kind: "absolute", main_ms: 60_000 } });
    live.now = fakeNow(live.now!.view, { running, at_ms: 1_000_000, clocks: [reading(11_500), reading(60_000)] });
    return new Session(live);
  }

  it("counts down in seconds, then in tenths, with a warning that is not only a colour", () => {
    show(ClockFace, { session: timed(0), seat: 0 });
    expect(text("[role=timer]")).toBe("0:11");
    vi.advanceTimersByTime(1_500);
    flushSync();
    expect(text("[role=timer]")).toBe("0:10");
    expect(text(".clock")).not.toContain("little time");
    vi.advanceTimersByTime(500);
    flushSync();
    expect(text("[role=timer]")).toBe("9.5");
    expect(text(".clock")).toContain("little time");
    expect(document.querySelector(".clock svg")).not.toBeNull();
    vi.advanceTimersByTime(60_000);
    flushSync();
    expect(text("[role=timer]")).toBe("0.0");
  });

  it("stands still, and needs no timer, while the other one runs", () => {
    show(ClockFace, { session: timed(1), seat: 0 });
    expect(vi.getTimerCount()).toBe(0);
    expect(text("[role=timer]")).toBe("0:11");
  });

  it("is called out to its owner", () => {
    const live = new FakeMatch("go", [0], { details: { ko: null } });
    live.info = fakeInfo("go", { clock: { kind: "absolute", main_ms: 60_000 } });
    live.now = fakeNow(live.now!.view, { running: 0, at_ms: 1_000_000, clocks: [reading(32_000), reading(60_000)] });
    show(News, { session: new Session(live) });
    vi.advanceTimersByTime(3_000);
    flushSync();
    expect(text("[role=log]")).toBe("30 seconds left");
  });
});

describe("the status line", () => {
  it("drops at the end what was said of the game before", () => {
    const live = new FakeMatch("go", [0], { details: { ko: null } });
    const session = new Session(live);
    show(News, { session });
    session.tell("No dead stones were found.");
    flushSync();
    live.now = fakeNow(live.now!.view, { phase: "over", outcome: { winner: 1, reason: "score", score: [0, 6.5] } });
    flushSync();
    expect(session.notice).toBe("");
  });
});

describe("an opponent who is away", () => {
  it("can be claimed against when the server says so", async () => {
    let claim_from_ms: number | null = 1_060_000;
    vi.stubGlobal("fetch", (url: string) => Promise.resolve(new Response(url.endsWith("/absence") ? JSON.stringify({ claim_from_ms }) : "[]")));
    const live = new FakeMatch("go", [0], { details: { ko: null }, to_move: 1 });
    const seats = (here: boolean) => [live.info!.seats[0], { ...live.info!.seats[1], kind: "person", here }] as const;
    const info = { clock: { kind: "absolute", main_ms: 60_000 }, status: "playing" } as const;
    live.info = fakeInfo("go", { ...info, seats: [...seats(false)] });
    show(Offers, { session: new Session(live) });
    await vi.advanceTimersByTimeAsync(4_000);
    expect(text("section")).toBe("");
    await vi.advanceTimersByTimeAsync(2_000);
    flushSync();
    expect(text("section")).toContain("You can claim victory in 54 s.");
    await vi.advanceTimersByTimeAsync(53_000);
    flushSync();
    expect(text("section")).toContain("in 1 s.");
    await vi.advanceTimersByTimeAsync(1_000);
    flushSync();
    press("Claim victory");
    expect(live.asked).toMatchObject([{ kind: "claim" }]);
    live.info = fakeInfo("go", { ...info, seats: [...seats(true)] });
    flushSync();
    expect(text("section")).toBe("");
    claim_from_ms = Date.now() + 86_400_000;
    live.info = fakeInfo("go", { ...info, clock: { kind: "none" }, seats: [...seats(false)] });
    flushSync();
    await vi.advanceTimersByTimeAsync(6_000);
    flushSync();
    expect(text("section")).toContain("they have 23 h 59 min to come back");
  });
});

describe("the move list", () => {
  it("goes to the move that is pressed and says where one is", () => {
    const live = new FakeMatch("go", [0], { details: { ko: null } });
    live.line = fakeLine([0, "D4"], [1, "E5"], [0, "pass"]);
    const session = new Session(live);
    show(MoveList, { session });
    press("E5");
    expect(session.place).toBe(2);
    expect(text("[aria-current=step]")).toBe("E5");
    expect(text(".where")).toBe("2 / 3");
  });
});

describe("the status line", () => {
  it("leads back from history", () => {
    const live = new FakeMatch("go", [0], { details: { ko: null } });
    live.line = fakeLine([0, "D4"], [1, "E5"]);
    const session = new Session(live);
    show(Status, { session });
    expect(text(".main")).toBe("Your turn as Black.");
    session.step(-1);
    flushSync();
    expect(text(".main")).toBe("Move 1 of 2");
    press("Back to live");
    expect(session.isLive).toBe(true);
  });

  it("shows why something was refused, and forgets it", () => {
    const session = new Session(new FakeMatch("go", [0], { details: { ko: null } }));
    show(Status, { session });
    session.tell("That point is taken.");
    flushSync();
    expect(text(".note")).toBe("That point is taken.");
    vi.advanceTimersByTime(10_000);
    flushSync();
    expect(text(".note")).toBe("");
  });
});

describe("the agreement", () => {
  it("adds up in front of the player, and says who has accepted", () => {
    const count: Count = { points: [10, 12.5], territory: [12, 8], stones: [9, 9], lost: [1, 1], dead: [1, 1], owner: [] };
    const marking = { dead: [], neutral: [], accepted: [true, false] as [boolean, boolean] };
    const live = new FakeMatch("go", [0], {}, { phase: "agreement", marking, count });
    live.info = fakeInfo("go", { options: { komi: 6.5 } });
    show(Agreement, { session: new Session(live) });
    const rows = [...document.querySelectorAll("tbody tr")].map((row) =>
      [...row.querySelectorAll("td")].map((cell) => Number(cell.textContent)),
    );
    const total = [...document.querySelectorAll("tfoot td")].map((cell) => Number(cell.textContent));
    expect([0, 1].map((seat) => rows.reduce((sum, row) => sum + row[seat]!, 0))).toEqual(total);
    expect(text("ul")).toBe("Black: accepted White: not yet");
    expect(text(".agreement")).toContain("Waiting for Bob");
    expect(text(".score")).toBe("White is ahead by 2.5");
  });

  it("can be accepted only once the marks have stood for a moment", () => {
    const marking = { dead: [], neutral: [], accepted: [false, false] as [boolean, boolean] };
    const live = new FakeMatch("go", [0], {}, { phase: "agreement", marking });
    show(Agreement, { session: new Session(live) });
    const accept = () => [...document.querySelectorAll("button")].find((button) => button.textContent?.includes("Accept"))!;
    const wait = (ms: number) => (vi.advanceTimersByTime(ms), flushSync());
    expect(accept().disabled).toBe(true);
    wait(1600);
    expect(accept().disabled).toBe(false);
    live.now = { ...live.now!, marking: { ...marking, dead: [4] } };
    flushSync();
    expect(accept().disabled).toBe(true);
    wait(1600);
    expect(accept().disabled).toBe(false);
  });
});
