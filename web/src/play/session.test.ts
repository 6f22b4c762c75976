import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { GameInfo } from "../protocol";
import { FakeMatch, fakeInfo, fakeLine, fakeNow, fakeView } from "./fake.test.svelte";
import { Session } from "./session.svelte";

const PASS = 81;
const kingdom = { suicide: [7], territory: [], liberties: [], passes: 0, lead: 3, castles_left: null };
const settled = () => new Promise((resolve) => setTimeout(resolve));

function games(): Partial<GameInfo>[] {
  return [
    { name: "great-kingdom", passes: true, reasons: ["capture", "suicide", "territory"] },
    { name: "go", passes: true, reasons: ["score", "repetition"] },
    { name: "kelasu", passes: false, reasons: ["victory-tiles"] },
  ];
}

beforeEach(() => {
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(games())));
  localStorage.clear();
});
afterEach(() => vi.unstubAllGlobals());

async function session(live: FakeMatch): Promise<Session> {
  const made = new Session(live);
  await settled();
  return made;
}

describe("moves", () => {
  it("are sent for the seat that one holds, with the position that was seen", async () => {
    const live = new FakeMatch("great-kingdom", [0], { details: kingdom });
    (await session(live)).move([3]);
    expect(live.asked).toEqual([{ kind: "move", seat: 0, position: "p1", actions: [3] }]);
  });

  it("wait for an answer where they would lose at once", async () => {
    const live = new FakeMatch("great-kingdom", [0], { details: kingdom });
    const made = await session(live);
    made.move([7]);
    expect(live.asked).toEqual([]);
    expect(made.question?.text).toContain("H9");
    made.question?.run();
    expect(live.asked).toHaveLength(1);
  });

  it("are not offered out of turn, while one is pending, or in the past", async () => {
    const live = new FakeMatch("great-kingdom", [1], { details: kingdom });
    const made = await session(live);
    expect(made.legal).toEqual([]);
    live.you = [0];
    expect(made.legal).toEqual([0, 1, 2]);
    live.pending = { actions: [1] };
    expect(made.legal).toEqual([]);
    live.pending = null;
    live.line = fakeLine([0, "A1"], [1, "A2"]);
    made.goTo(1);
    expect(made.legal).toEqual([]);
  });

  it("tell why they were refused", async () => {
    const live = new FakeMatch("great-kingdom", [0], { details: kingdom });
    live.refusal = "That cell is taken.";
    const made = await session(live);
    made.move([3]);
    await settled();
    expect(made.notice).toBe("That cell is taken.");
    made.close();
  });

  it("into a ko are answered with the reason", async () => {
    const live = new FakeMatch("go", [0], { details: { ko: 40 } });
    const made = await session(live);
    expect([made.refuse(3), made.notice]).toEqual([false, ""]);
    expect([made.refuse(40), made.notice]).toEqual([true, "Ko: E5 cannot be retaken at once."]);
    expect(live.asked).toEqual([]);
    made.close();
  });

  it("pass only where the rules allow it now", async () => {
    const live = new FakeMatch("great-kingdom", [0], { details: kingdom }, { legal: [1, PASS] });
    const made = await session(live);
    expect(made.canPass).toBe(true);
    made.pass();
    made.question!.run();
    expect(live.asked[0]).toMatchObject({ actions: [PASS] });
    live.now = fakeNow(fakeView("great-kingdom", { details: kingdom }), { legal: [1] });
    expect(made.canPass).toBe(false);
  });
});

describe("what a slip could not take back", () => {
  it("is asked first against a person: a pass and the offer of a draw", async () => {
    const live = new FakeMatch("great-kingdom", [0], { details: kingdom }, { legal: [1, PASS] });
    const made = await session(live);
    for (const act of [() => made.pass(), () => made.offerDraw()]) {
      made.question = null;
      act();
      expect(made.question).not.toBeNull();
      expect(live.asked).toEqual([]);
    }
    made.question!.run();
    expect(live.asked[0]).toMatchObject({ kind: "offer", what: "draw" });
  });

  it("is not asked for a pass on one screen, where it is taken back with a tap", async () => {
    const live = new FakeMatch("great-kingdom", [0, 1], { details: kingdom }, { legal: [1, PASS] });
    const made = await session(live);
    made.pass();
    expect([made.question, live.asked.length]).toEqual([null, 1]);
  });
});

describe("both seats on one screen", () => {
  it("act for whoever is to move and take back for whoever moved last", async () => {
    const live = new FakeMatch("great-kingdom", [0, 1], { to_move: 1, details: kingdom });
    live.line = fakeLine([0, "A1"]);
    const made = await session(live);
    made.move([3]);
    made.takeBack();
    expect(live.asked.map(({ seat }) => seat)).toEqual([1, 0]);
  });

  it("turn the board only when that is wished for", async () => {
    const live = new FakeMatch("great-kingdom", [0, 1], { to_move: 1, details: kingdom });
    const made = await session(live);
    expect([made.bottom, made.flipped]).toEqual([0, false]);
    made.toggleAutoFlip();
    expect([made.bottom, made.flipped]).toEqual([1, true]);
  });
});

describe("the side at the bottom", () => {
  it("is one's own; Kelasu's Blue turns the board for that", async () => {
    const blue = await session(new FakeMatch("kelasu", [0]));
    expect([blue.bottom, blue.flipped]).toEqual([0, true]);
    const red = await session(new FakeMatch("kelasu", [1]));
    expect([red.bottom, red.flipped]).toEqual([1, false]);
    const white = await session(new FakeMatch("go", [1]));
    expect([white.bottom, white.flipped]).toEqual([1, false]);
    white.flip = true;
    expect([white.bottom, white.flipped]).toEqual([0, true]);
  });
});

describe("hints", () => {
  it("are not given while two people play", async () => {
    const live = new FakeMatch("great-kingdom", [0], { details: kingdom });
    const made = await session(live);
    expect(made.canHint).toBe(false);
    live.info = fakeInfo("great-kingdom", { seats: [live.info!.seats[0], { kind: "machine", name: "", player: "level:3", here: false }] });
    expect(made.canHint).toBe(true);
  });

  it("come after the end, except where the rules have ended the game", async () => {
    const live = new FakeMatch("great-kingdom", [0], { details: kingdom });
    live.info = fakeInfo("great-kingdom", { status: "over" });
    live.line = fakeLine([0, "A1"], [1, "A2"]);
    const made = await session(live);
    live.now = fakeNow(live.now!.view, { phase: "over", outcome: { winner: 0, reason: "resign", score: null } });
    expect(made.canHint).toBe(true);
    live.now = fakeNow(live.now!.view, { phase: "over", outcome: { winner: 0, reason: "capture", score: null } });
    expect(made.canHint).toBe(false);
    made.goTo(1);
    expect(made.canHint).toBe(true);
  });
});

describe("an estimate", () => {
  it("is asked for only where the players allow it, and is of the newest position", async () => {
    const live = new FakeMatch("go", [0]);
    const made = await session(live);
    expect(made.canEstimate).toBe(false);
    live.info = fakeInfo("go", { estimate: true });
    expect(made.canEstimate).toBe(true);
    const found = { points: [30, 40.5], dead: [3], ownership: [0.9, -0.9, 0.1] };
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(found)));
    await made.toggleEstimate();
    expect([made.estimate?.points, made.likely]).toEqual([[30, 40.5], [1, 2, 0]]);
    live.line = fakeLine([0, "A1"]);
    expect([made.estimate, made.likely]).toEqual([null, null]);
  });
});

describe("history", () => {
  it("shows the view of the place, and follows the game once it is back", async () => {
    const live = new FakeMatch("great-kingdom", [0], { details: kingdom });
    live.line = fakeLine([0, "A1"], [1, "A2"], [0, "A3"]);
    const made = await session(live);
    made.step(-1);
    await settled();
    expect(made.place).toBe(2);
    expect(made.view?.last).toEqual([2]);
    made.step(1);
    expect(made.isLive).toBe(true);
    live.line = fakeLine([0, "A1"], [1, "A2"], [0, "A3"], [1, "A4"]);
    expect(made.place).toBe(4);
  });

  it("stays where it is when a move comes, and gives way when moves are taken back", async () => {
    const live = new FakeMatch("great-kingdom", [0], { details: kingdom });
    live.line = fakeLine([0, "A1"], [1, "A2"], [0, "A3"]);
    const made = await session(live);
    made.goTo(2);
    live.line = fakeLine([0, "A1"], [1, "A2"], [0, "A3"], [1, "A4"]);
    expect(made.place).toBe(2);
    live.line = fakeLine([0, "A1"]);
    expect([made.place, made.isLive]).toEqual([1, true]);
  });
});

describe("the agreement", () => {
  const marking = { dead: [3], neutral: [9], accepted: [false, false] as [boolean, boolean] };
  const cells = "...X".padEnd(81, ".");

  it("drops what was said before when one asks for something new", async () => {
    const made = await session(new FakeMatch("go", [0], { cells }, { phase: "agreement", marking }));
    made.tell("The takeback was declined.");
    made.resume();
    expect(made.notice).toBe("");
  });

  it("drops what was said of the marks before when one changes them", async () => {
    const made = await session(new FakeMatch("go", [0], { cells }, { phase: "agreement", marking }));
    made.tell("1 stone was marked as dead for you.");
    made.mark(3);
    expect(made.notice).toBe("");
  });

  it("marks stones dead or alive and regions neutral or not", async () => {
    const live = new FakeMatch("go", [0], { cells }, { phase: "agreement", marking });
    const made = await session(live);
    made.mark(3);
    made.mark(4);
    made.markTool = "neutral";
    made.mark(4);
    made.mark(9);
    expect(live.asked.map(({ what, cell, on }) => [what, cell, on])).toEqual([
      ["dead", 3, false],
      ["neutral", 4, true],
      ["neutral", 9, false],
    ]);
  });

  it("is accepted for both where one person plays both", async () => {
    const live = new FakeMatch("go", [0, 1], { cells }, { phase: "agreement", marking });
    await (await session(live)).accept();
    expect(live.asked.map(({ kind, seat, position }) => [kind, seat, position])).toEqual([
      ["accept", 0, "p1"],
      ["accept", 1, "p1"],
    ]);
  });
});
