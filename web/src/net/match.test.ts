import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Event } from "../protocol";
import { event, FakeSocket, info, lineMove, move, now, snapshot } from "./fakes";
import { LiveMatch } from "./match.svelte";
import { Connection } from "./socket.svelte";

let connection: Connection;
let match: LiveMatch;

beforeEach(() => {
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  connection = new Connection();
  match = new LiveMatch("m", connection);
  FakeSocket.last.open();
});

afterEach(() => {
  match.close();
  connection.stop();
  vi.unstubAllGlobals();
});

function update(events: Event[], number: number, line: number): void {
  FakeSocket.last.tell({ type: "update", match: "m", events, now: now(number, line) });
}

const texts = (): string[] => match.line.map(({ text }) => text);
const watches = (): number => FakeSocket.last.of("watch").length;

describe("the line", () => {
  test("is what the snapshot says, and grows with moves", () => {
    FakeSocket.last.tell(snapshot(2));
    update([move(3)], 3, 3);
    expect(match.line).toEqual([lineMove(1), lineMove(2), lineMove(3)]);
    expect(match.now?.number).toBe(3);
    expect(match.you).toEqual([0]);
  });

  test("is cut by a takeback that was granted, and by one that was agreed on", () => {
    FakeSocket.last.tell(snapshot(4));
    update([event(5, "takeback", 0, { keep: 2 })], 5, 2);
    expect(texts()).toEqual(["A1", "A2"]);
    update([move(6, 9), event(7, "offer", 1, { what: "takeback" })], 7, 3);
    update([event(8, "answer", 0, { what: "takeback", accept: true, keep: 1 })], 8, 1);
    expect(texts()).toEqual(["A1"]);
    update([event(9, "answer", 0, { what: "draw", accept: false })], 9, 1);
    expect(texts()).toEqual(["A1"]);
    expect(watches()).toBe(1);
  });

  test("takes an event that comes twice once", () => {
    FakeSocket.last.tell(snapshot(2));
    update([move(3)], 3, 3);
    update([move(2), move(3), move(4)], 4, 4);
    update([move(3)], 3, 3);
    expect(texts()).toEqual(["A1", "A2", "A3", "A4"]);
    expect(match.now?.number).toBe(4);
  });

  test("is asked for afresh when events are missing", () => {
    FakeSocket.last.tell(snapshot(2));
    update([move(4)], 4, 4);
    expect(texts()).toHaveLength(2);
    expect(FakeSocket.last.of("watch").at(-1)).toEqual({ type: "watch", match: "m", after: 0 });
    FakeSocket.last.tell(snapshot(4));
    expect(texts()).toHaveLength(4);
  });

  test("is asked for afresh when its length differs, and when play is resumed", () => {
    FakeSocket.last.tell(snapshot(2));
    update([event(3, "offer", 0, { what: "draw" })], 3, 1);
    expect(watches()).toBe(2);
    FakeSocket.last.tell(snapshot(3));
    update([event(4, "resume", 0)], 4, 4);
    expect(watches()).toBe(3);
  });

  test("goes on after a break from the last event", async () => {
    vi.useFakeTimers();
    FakeSocket.last.tell(snapshot(3));
    FakeSocket.last.break();
    vi.advanceTimersByTime(400);
    vi.useRealTimers();
    FakeSocket.last.open();
    expect(FakeSocket.last.of("watch")).toEqual([{ type: "watch", match: "m", after: 3, position: "p3" }]);
    update([move(4)], 4, 4);
    expect(texts()).toHaveLength(4);
  });
});

describe("a move", () => {
  test("is pending until its update, and resolves when it is accepted", async () => {
    FakeSocket.last.tell(snapshot(2));
    const answer = match.ask({ kind: "move", actions: [40], position: "p2" });
    expect(match.pending).toEqual({ actions: [40] });
    const [sent] = FakeSocket.last.of("ask");
    expect(sent).toMatchObject({ match: "m", kind: "move", actions: [40], position: "p2" });
    update([move(3, 40)], 3, 3);
    expect(match.pending).toBeNull();
    FakeSocket.last.tell({ type: "accepted", match: "m", id: sent!.id, number: 3 });
    await expect(answer).resolves.toBe(3);
  });

  test("that is refused is no longer pending", async () => {
    FakeSocket.last.tell(snapshot(2));
    const answer = match.ask({ kind: "move", actions: [40] });
    const [sent] = FakeSocket.last.of("ask");
    FakeSocket.last.tell({ type: "refused", match: "m", id: sent!.id, code: "stale", message: "Too late." });
    await expect(answer).rejects.toMatchObject({ code: "stale", message: "Too late." });
    expect(match.pending).toBeNull();
  });

  test("stays pending while somebody only talks", () => {
    FakeSocket.last.tell(snapshot(2));
    void match.ask({ kind: "move", actions: [40] });
    const said = { ...now(3, 2), position: "p2" };
    FakeSocket.last.tell({ type: "update", match: "m", events: [event(3, "offer", 1, { what: "draw" })], now: said });
    expect(match.pending).toEqual({ actions: [40] });
  });

  test("has an id of its own", () => {
    FakeSocket.last.tell(snapshot(2));
    void match.ask({ kind: "resign" });
    void match.ask({ kind: "resign" });
    const [one, two] = FakeSocket.last.of("ask");
    expect(one!.id).not.toBe(two!.id);
    expect(match.pending).toBeNull();
  });
});

test("a match that is not there has a problem, not a snapshot", () => {
  FakeSocket.last.tell({ type: "refused", match: "m", id: null, code: "unknown", message: "There is no such match." });
  expect(match.problem).toBe("There is no such match.");
  expect(match.info).toBeNull();
});

test("who sits where comes without events", () => {
  FakeSocket.last.tell(snapshot(0));
  FakeSocket.last.tell({ type: "info", match: { ...info(), rematch: "next" }, you: [0, 1], watchers: 5 });
  expect(match.info?.rematch).toBe("next");
  expect(match.you).toEqual([0, 1]);
  expect(match.watchers).toBe(5);
});

describe("positions", () => {
  test("are fetched once for a line, and again when it has changed or fetching failed", async () => {
    const asked: unknown[] = [];
    let works = false;
    vi.stubGlobal("fetch", async (_path: string, options: RequestInit) => {
      asked.push(JSON.parse(String(options.body)));
      if (!works) throw new TypeError("no network");
      return Response.json({ positions: [] });
    });
    FakeSocket.last.tell(snapshot(2));
    await expect(match.positions()).rejects.toMatchObject({ code: "unavailable" });
    works = true;
    await match.positions();
    await match.positions();
    expect(asked).toHaveLength(2);
    update([move(3)], 3, 3);
    await match.positions();
    expect(asked[2]).toEqual({ game: "some-game", options: { size: 9 }, origin: null, moves: [[1], [2], [3]], resumptions: [] });
  });
});
