import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { Ask } from "../protocol";
import { FakeSocket, snapshot } from "./fakes";
import { Connection } from "./socket.svelte";
import type { Watcher } from "./socket.svelte";

let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  connection = new Connection();
});

afterEach(() => {
  connection.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function watcher(after = 0, position: string | null = null): Watcher & { got: string[] } {
  const got: string[] = [];
  return { match: "m", got, receive: (message) => got.push(message.type), where: () => ({ after, position }) };
}

const ask = (id: string): Ask => ({ type: "ask", match: "m", id, kind: "move", actions: [3] });

describe("healing", () => {
  test("is online once welcomed, and knows the server's clock", () => {
    connection.start();
    expect(FakeSocket.last.url).toBe("ws://tengen.test/api/socket");
    expect(connection.state).toBe("connecting");
    FakeSocket.last.open();
    expect(connection.state).toBe("online");
    expect(FakeSocket.last.sent[0]).toEqual({ type: "hello", protocol: 1, news: true });
    const [ping] = FakeSocket.last.of("ping");
    vi.advanceTimersByTime(40);
    FakeSocket.last.tell({ type: "pong", at: ping!.at!, at_ms: ping!.at! + 5020 });
    expect(connection.offset_ms).toBe(5000);
  });

  test("tries again sooner at first, then every five seconds", () => {
    connection.start();
    const waits: number[] = [];
    for (let round = 0; round < 8; round++) {
      const before = FakeSocket.all.length;
      FakeSocket.last.break();
      expect(connection.state).toBe("offline");
      let waited = 0;
      for (; FakeSocket.all.length === before; waited += 50) vi.advanceTimersByTime(50);
      waits.push(waited);
    }
    expect(waits[0]).toBeLessThanOrEqual(300);
    expect(waits[1]).toBeGreaterThan(350);
    expect(Math.max(...waits)).toBeLessThanOrEqual(6000);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(4000);
  });

  test("tries again at once when the network or the person comes back", () => {
    connection.start();
    FakeSocket.last.break();
    window.dispatchEvent(new Event("online"));
    expect(FakeSocket.all).toHaveLength(2);
    vi.advanceTimersByTime(1000);
    expect(FakeSocket.all).toHaveLength(2);
  });

  test("notices a line that went silent", () => {
    connection.start();
    FakeSocket.last.open();
    FakeSocket.last.tell({ type: "pong", at: 0, at_ms: 0 });
    vi.advanceTimersByTime(20_000);
    expect(FakeSocket.last.of("ping")).toHaveLength(2);
    expect(connection.state).toBe("online");
    vi.advanceTimersByTime(9_000);
    expect(FakeSocket.all).toHaveLength(2);
    expect(FakeSocket.all[0]!.readyState).toBe(3);
  });

  test("a late word of a socket that was given up changes nothing", () => {
    connection.start();
    const old = FakeSocket.last;
    old.open();
    old.break();
    vi.advanceTimersByTime(400);
    FakeSocket.last.open();
    old.onclose?.();
    old.tell({ type: "closing", message: "Gone.", final: true });
    expect(connection.state).toBe("online");
    expect(connection.refusal).toBeNull();
  });

  test("stays away when the server says so", () => {
    connection.start();
    FakeSocket.last.tell({ type: "closing", message: "This client is too old.", final: true });
    FakeSocket.last.break();
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(connection.refusal).toBe("This client is too old.");
  });

  test("opens anew when the server learns who we are", () => {
    connection.start();
    FakeSocket.last.open(null);
    connection.introduced();
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.open("Ann");
    connection.introduced();
    expect(FakeSocket.all).toHaveLength(2);
  });
});

describe("watching", () => {
  test("goes on after a break where it stood", () => {
    connection.watch(watcher(7, "p7"));
    FakeSocket.last.open();
    FakeSocket.last.break();
    vi.advanceTimersByTime(400);
    FakeSocket.last.open();
    expect(FakeSocket.last.of("watch")).toEqual([{ type: "watch", match: "m", after: 7, position: "p7" }]);
  });

  test("tries again when the server cannot show the match just now", () => {
    const one = watcher();
    connection.watch(one);
    FakeSocket.last.open();
    FakeSocket.last.tell({ type: "refused", match: "m", id: null, code: "unavailable", message: "Wait." });
    expect(one.got).toEqual([]);
    vi.advanceTimersByTime(2_500);
    expect(FakeSocket.last.of("watch")).toHaveLength(2);
    FakeSocket.last.tell({ type: "refused", match: "m", id: null, code: "unknown", message: "No." });
    vi.advanceTimersByTime(2_500);
    expect(FakeSocket.last.of("watch")).toHaveLength(2);
    expect(one.got).toEqual(["refused"]);
  });

  test("tells only those who watch that match, and leaves with the last of them", () => {
    const [one, two] = [watcher(), watcher()];
    connection.watch(one);
    connection.watch(two);
    FakeSocket.last.open();
    FakeSocket.last.tell(snapshot(1));
    FakeSocket.last.tell({ type: "refused", match: "other", id: null, code: "unknown", message: "No." });
    expect([one.got, two.got]).toEqual([["snapshot"], ["snapshot"]]);
    connection.leave(one);
    expect(FakeSocket.last.of("leave")).toHaveLength(0);
    connection.leave(two);
    expect(FakeSocket.last.of("leave")).toHaveLength(1);
    FakeSocket.last.tell(snapshot(2));
    expect(two.got).toHaveLength(1);
  });
});

describe("asking", () => {
  test("resolves with the number of the event", async () => {
    connection.start();
    FakeSocket.last.open();
    const answer = connection.ask(ask("a"));
    FakeSocket.last.tell({ type: "accepted", match: "m", id: "a", number: 4 });
    await expect(answer).resolves.toBe(4);
  });

  test("rejects with the sentence of the server", async () => {
    connection.start();
    FakeSocket.last.open();
    const answer = connection.ask(ask("a"));
    FakeSocket.last.tell({ type: "refused", match: "m", id: "a", code: "illegal", message: "Ko." });
    await expect(answer).rejects.toMatchObject({ code: "illegal", message: "Ko." });
  });

  test("asks again with the same id after a break, and not once it was answered", async () => {
    connection.start();
    FakeSocket.last.open();
    const first = connection.ask(ask("a"));
    const second = connection.ask(ask("b"));
    FakeSocket.last.tell({ type: "accepted", match: "m", id: "a", number: 1 });
    FakeSocket.last.break();
    vi.advanceTimersByTime(400);
    FakeSocket.last.open();
    expect(FakeSocket.last.of("ask").map(({ id }) => id)).toEqual(["b"]);
    FakeSocket.last.tell({ type: "accepted", match: "m", id: "b", number: 2 });
    FakeSocket.last.tell({ type: "accepted", match: "m", id: "b", number: 2 });
    await expect(Promise.all([first, second])).resolves.toEqual([1, 2]);
  });

  test("waits for a connection", async () => {
    const answer = connection.ask(ask("a"));
    FakeSocket.last.open();
    expect(FakeSocket.last.of("ask")).toHaveLength(1);
    FakeSocket.last.tell({ type: "accepted", match: "m", id: "a", number: 1 });
    await expect(answer).resolves.toBe(1);
  });

  test("sends again what the server could not store, and gives up after half a minute", async () => {
    connection.start();
    const socket = FakeSocket.last;
    socket.open();
    const answer = connection.ask(ask("a")).catch((error: unknown) => error);
    let answered = 0;
    for (let elapsed = 0; elapsed < 45_000; elapsed += 250) {
      for (; answered < socket.of("ask").length; answered++) {
        socket.tell({ type: "refused", match: "m", id: "a", code: "unavailable", message: "Full." });
      }
      for (const { at } of socket.of("ping")) socket.tell({ type: "pong", at: at!, at_ms: 0 });
      vi.advanceTimersByTime(250);
    }
    expect(answered).toBeGreaterThan(5);
    expect(answered).toBeLessThan(20);
    expect(await answer).toMatchObject({ code: "unavailable", message: "Full." });
  });
});
