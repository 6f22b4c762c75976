import { describe, expect, it } from "vitest";

import { listed } from "../board/names";
import { faceOf } from "../games";
import { leadText } from "../games/great-kingdom/words";
import type { Outcome, View } from "../protocol";
import { fakeInfo, fakeLine, fakeNow, fakeView } from "./fake.test.svelte";
import { news as newsItems } from "./news";
import type { Moment } from "./news";
import { ending, endingTitle, playerName, recordedName, said, status } from "./words";

const kingdom = (score: [number, number], lead = 3, changes: Partial<View> = {}) =>
  fakeView("great-kingdom", { score, details: { lead }, ...changes });
const outcome = (winner: number | null, reason: string, score: [number, number] | null = null): Outcome => ({
  winner,
  reason,
  score,
});

describe("status", () => {
  const face = faceOf("great-kingdom");
  const info = fakeInfo("great-kingdom");
  const now = fakeNow(kingdom([0, 0]));

  it("says whose turn it is from where one sits", () => {
    expect(status({ face, info, now, line: [], you: [0] }).text).toBe("Your turn as Blue.");
    expect(status({ face, info, now, line: [], you: [1] }).text).toBe("Blue to move.");
    expect(status({ face, info, now, line: [], you: [0, 1] }).text).toBe("Blue to move.");
  });

  it("says that a machine thinks", () => {
    const seats = [{ kind: "machine", name: "", player: "level:4", here: false }, info.seats[1]] as typeof info.seats;
    expect(status({ face, info: { ...info, seats }, now, line: [], you: [1] }).text).toBe("Level 4 is thinking…");
  });

  it("warns after a pass, and tells of a ko", () => {
    expect(status({ face, info, now, line: fakeLine([1, "pass"]), you: [0] }).note).toBe(
      "Orange passed. One more pass ends the game.",
    );
    const go = fakeNow(fakeView("go", { details: { ko: 0 } }));
    expect(status({ face: faceOf("go"), info: fakeInfo("go"), now: go, line: [], you: [0] }).note).toContain("A9");
  });

  it("knows the phases", () => {
    const said = (changes: Parameters<typeof fakeNow>[1], matchStatus: typeof info.status = "playing") =>
      status({ face, info: { ...info, status: matchStatus }, now: fakeNow(now.view, changes), line: [], you: [0] }).text;
    expect(said({}, "open")).toBe("Waiting for the other player.");
    expect(said({ suspended: true })).toContain("suspended");
    expect(said({ phase: "agreement" })).toContain("dead stones");
    expect(said({ phase: "over", outcome: outcome(0, "resign") })).toBe("You won");
  });
});

describe("leadText", () => {
  it.each([
    [[5, 3], 3, "Blue leads by 2 and needs 3.", "Orange"],
    [[6, 3], 3, "Blue leads by 3 and needs 3.", "Blue"],
    [[3, 5], 3, "Orange leads by 2; Blue needs a lead of 3.", "Orange"],
    [[0, 0], 3, "Even. Blue needs 3 more than Orange.", "Orange"],
    [[4, 4], 0, "Even, and that is enough for Blue.", "Blue"],
    [[2, 4], -1, "Orange leads by 2; Blue may be 1 behind.", "Orange"],
  ] as const)("at %j with a lead of %d", (score, lead, stands, winner) => {
    const text = leadText(kingdom([...score], lead));
    expect(text.stands).toBe(stands);
    expect(text.wins).toBe(`Counted now, ${winner} wins.`);
  });
});

describe("ending", () => {
  const face = faceOf("great-kingdom");

  it("names the castles that were surrounded, and only those", () => {
    const cells = `BO${".".repeat(79)}`;
    const view = kingdom([0, 0], 3, { cells, captured: [0, 1] });
    expect(ending(face, view, outcome(0, "capture"))).toMatch(/^Orange's castle on B9 was surrounded/);
  });

  it("names a castle that surrounded itself", () => {
    expect(ending(face, kingdom([0, 0], 3, { last: [80] }), outcome(1, "suicide"))).toMatch(
      /^Blue placed a castle on J1/,
    );
  });

  it("does the sum of territory", () => {
    expect(ending(face, kingdom([12, 10]), outcome(1, "territory", [12, 10]))).toBe(
      "Blue has 12 and Orange 10 points of territory. Blue needs 3 more than Orange and is 2 ahead.",
    );
    expect(ending(face, kingdom([7, 7]), outcome(1, "territory", [7, 7]))).toContain("Both have 7");
  });

  it.each([
    ["go", outcome(1, "score", [30, 36.5]), "White has 6.5 points more than Black."],
    ["go", outcome(null, "score", [30, 30]), "Both have 30 points."],
    ["kelasu", outcome(1, "no-stones"), "Blue has no stone left, and stones are the energy to act with."],
    ["dominion-duel", outcome(0, "claims", [3, 2]), "Player 1 claimed 3, Player 2 2, and no territory is open any more."],
    ["go", outcome(0, "time"), "White ran out of time."],
    ["go", outcome(null, "void"), "The match does not count."],
    ["go", outcome(0, "something new"), "The game is over."],
  ])("%s: %j", (game, result, text) => {
    expect(ending(faceOf(game), fakeView(game), result)).toBe(text);
  });

  it("is told from where one sits", () => {
    expect(endingTitle(face, outcome(0, "resign"), [1])).toBe("You lost");
    expect(endingTitle(face, outcome(0, "resign"), [])).toBe("Blue wins");
    expect(endingTitle(face, outcome(null, "agreement"), [1])).toBe("A draw");
  });
});

describe("small words", () => {
  it("lists, names and says", () => {
    expect(listed(["D4", "E4", "F4"])).toBe("D4, E4 and F4");
    expect(playerName(fakeInfo("go"), 1)).toBe("Bob");
    const [move, pass] = fakeLine([1, "D4"], [0, "pass"]);
    expect(said(faceOf("go"), move!, 2)).toBe("White D4, 2 stones captured");
    expect(said(faceOf("go"), pass!, 0)).toBe("Black passes");
  });
});

describe("news", () => {
  const info = fakeInfo("go");
  const view = fakeView("go");
  const before = { face: faceOf("go"), info, now: fakeNow(view), line: fakeLine([0, "D4"]) };
  const news = (from: Moment, to: Moment, you: number[]) => newsItems(from, to, you).map((item) => item.text);
  const seen = (from: Moment, to: Moment, you: number[]) =>
    newsItems(from, to, you).flatMap((item) => (item.shown ? [item.text] : []));

  it("is shown where nothing else on the page shows it", () => {
    const longer = { ...before, line: fakeLine([0, "D4"], [1, "E5"]) };
    const offered = { ...before, now: fakeNow(view, { offer: { what: "draw", seat: 1 } }) };
    expect(seen(before, longer, [0])).toEqual([]);
    expect(seen(longer, before, [0])).toEqual(["The last move was taken back."]);
    expect(seen(before, offered, [0])).toEqual([]);
    expect(seen(offered, before, [1])).toEqual(["The draw was declined."]);
  });

  it("tells who changed which marks, and that an acceptance is void", () => {
    const at = (dead: number[], accepted: [boolean, boolean]) =>
      fakeNow(view, { phase: "agreement", marking: { dead, neutral: [], accepted } });
    const event = (kind: string, seat: number | null) => ({ number: 2, kind, seat, at_ms: 0, data: {}, position: "" });
    const begun = { ...before, now: at([], [false, false]) };
    const suggested = { ...before, now: at([3, 4], [false, false]), latest: [event("suggest", null)] };
    expect(seen(begun, suggested, [0])).toEqual(["2 stones were marked as dead for you. Change what is wrong."]);
    const accepted = { ...before, now: at([3, 4], [true, false]), latest: [event("accept", 0)] };
    expect(seen(suggested, accepted, [0])).toEqual([]);
    expect(seen(suggested, accepted, [1])).toEqual(["Black accepts the count."]);
    const changed = { ...before, now: at([], [false, false]), latest: [event("mark", 1)] };
    expect(seen(accepted, changed, [0])).toEqual(["White marked 2 stones as alive.", "Your acceptance no longer counts."]);
    expect(seen(accepted, changed, [1])).toEqual([]);
    const away = { ...changed, info: fakeInfo("go", { seats: [info.seats[0], { ...info.seats[1], here: false }] }) };
    expect(seen(changed, away, [0])).toEqual(["Bob is away"]);
  });

  it("says what it means that play goes on", () => {
    const resumed = { ...before, line: fakeLine([0, "D4"], [null, "resume"]) };
    expect(seen(before, resumed, [0])).toEqual(["Play goes on. Black moves; two passes in a row stop it again."]);
  });

  it("is what the other did, not what oneself did", () => {
    const after = { ...before, line: fakeLine([0, "D4"], [1, "E5"]) };
    expect(news(before, after, [0])).toEqual(["White E5"]);
    expect(news(before, after, [1])).toEqual([]);
    expect(news(before, after, [])).toEqual(["White E5"]);
  });

  it("tells of offers and of how they were answered", () => {
    const offered = { ...before, now: fakeNow(view, { offer: { what: "draw", seat: 1 } }) };
    expect(news(before, offered, [0])).toEqual(["Bob offers a draw."]);
    expect(news(before, offered, [1])).toEqual([]);
    expect(news(offered, before, [1])).toEqual(["The draw was declined."]);
    expect(news(offered, before, [0])).toEqual([]);
    const asked = { ...before, now: fakeNow(view, { offer: { what: "pause", seat: 1 } }) };
    const paused = { ...before, now: fakeNow(view, { paused: true }) };
    expect(news(asked, before, [1])).toEqual(["The pause was declined."]);
    expect(news(asked, paused, [1])).toEqual([]);
  });

  it("tells of takebacks, the end, and who comes and goes", () => {
    expect(news({ ...before, line: fakeLine([0, "D4"], [1, "E5"]) }, before, [0])).toEqual([
      "The last move was taken back.",
    ]);
    const over = { ...before, now: fakeNow(view, { phase: "over", outcome: outcome(1, "resign") }) };
    expect(news(before, over, [0])).toEqual(["You lost. Black resigned."]);
    const away = { ...before, info: fakeInfo("go", { seats: [info.seats[0], { ...info.seats[1], here: false }] }) };
    expect(news(before, away, [0])).toEqual(["Bob is away"]);
  });
});

it("calls a level in a record by its number, and a person as they were called", () => {
  expect(recordedName({ name: "Level 3, Easy-going", kind: "machine" })).toBe("Level 3");
  expect(recordedName({ name: "level 10, relentless", kind: "machine" })).toBe("Level 10");
  expect(recordedName({ name: "Level 3, Easy-going", kind: "person" })).toBe("Level 3, Easy-going");
  expect(recordedName({ name: "gnugo", kind: "machine" })).toBe("gnugo");
});
