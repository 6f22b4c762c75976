import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { connection } from "../net";
import { FakeSocket, info } from "../net/fakes";
import type { FromServer, MatchSummary } from "../protocol";
import { LobbyState } from "./lobby.svelte";

let asked: string[] = [];
let end = (): void => undefined;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    if (path === "/api/lobby") return Response.json({ open: [summary("asked")], playing: [] });
    return Response.json(path === "/api/games" ? [] : { matches: [], more: false });
  });
  FakeSocket.all = [];
  asked = [];
  connection.start();
});

afterEach(() => {
  end();
  connection.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function summary(id: string, moves = 0): MatchSummary {
  return { info: info(id), you: [], moves, to_move: 0, moved_ms: 0, diagram: "", outcome: null };
}

function listed(open: string[], ...matches: MatchSummary[]): FromServer {
  return { type: "listed", open, playing: [], matches };
}

async function look(mine: boolean): Promise<LobbyState> {
  let found!: LobbyState;
  end = $effect.root(() => {
    found = new LobbyState({ mine });
  });
  flushSync();
  await vi.advanceTimersByTimeAsync(1);
  return found;
}

const times = (path: string): number => asked.filter((one) => one === path).length;
const shown = (state: LobbyState): [string, number][] => state.lobby.open.map((match) => [match.info.id, match.moves]);

test("the lobby is asked for once, and then told", async () => {
  FakeSocket.last.open();
  const state = await look(false);
  expect(FakeSocket.last.of("visit")).toHaveLength(1);
  expect(shown(state)).toEqual([["asked", 0]]);
  FakeSocket.last.tell(listed(["a", "b"], summary("a"), summary("b")));
  FakeSocket.last.tell(listed(["b", "c", "a"], summary("c"), summary("a", 7)));
  expect(shown(state)).toEqual([["b", 0], ["c", 0], ["a", 7]]);
  FakeSocket.last.tell(listed(["c"]));
  expect(shown(state)).toEqual([["c", 0]]);
  for (let second = 0; second < 60; second++) {
    FakeSocket.last.tell({ type: "pong", at: 0, at_ms: 0 });
    await vi.advanceTimersByTimeAsync(1000);
  }
  expect(times("/api/lobby")).toBe(1);
  end();
  expect(FakeSocket.last.of("visit").at(-1)).toEqual({ type: "visit", on: false });
});

test("one's own matches are asked for when one of them has moved on, several at once", async () => {
  FakeSocket.last.open();
  await look(true);
  FakeSocket.last.tell(listed([]));
  expect(times("/api/me/matches")).toBe(1);
  for (const match of ["a", "b", "a"]) FakeSocket.last.tell({ type: "yours", match });
  await vi.advanceTimersByTimeAsync(1000);
  expect([times("/api/me/matches"), times("/api/lobby")]).toEqual([2, 1]);
});

test("without a socket, and with a server that does not tell, it is asked every few seconds", async () => {
  await look(true);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(times("/api/lobby")).toBe(2);
  FakeSocket.last.open();
  FakeSocket.last.tell({ type: "refused", match: null, id: null, code: "malformed", message: "What?" });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(times("/api/lobby")).toBe(3);
});

test("after a break it is asked until it is told again, with what was missed", async () => {
  FakeSocket.last.open();
  await look(true);
  FakeSocket.last.tell(listed(["a"], summary("a")));
  FakeSocket.last.break();
  flushSync();
  const own = times("/api/me/matches");
  await vi.advanceTimersByTimeAsync(400);
  FakeSocket.last.open();
  flushSync();
  FakeSocket.last.tell(listed(["a"], summary("a")));
  await vi.advanceTimersByTimeAsync(600);
  expect(times("/api/me/matches")).toBe(own + 1);
  expect(times("/api/lobby")).toBe(1);
});

test("a game that waits stands on the first page and is not listed twice with the earlier ones", async () => {
  const pages: Record<string, unknown> = {
    "/api/me/matches": { matches: [summary("waits"), summary("b")], more: true },
    "/api/me/matches?before=0:b": { matches: [summary("c"), summary("waits")], more: true },
    "/api/me/matches?before=0:waits": { matches: [summary("d")], more: false },
  };
  vi.stubGlobal("fetch", async (path: string) => Response.json(pages[path] ?? (path === "/api/games" ? [] : { open: [], playing: [] })));
  const state = await look(true);
  await state.showEarlier();
  await state.showEarlier();
  expect(state.mine.map((match) => match.info.id)).toEqual(["waits", "b", "c", "d"]);
  expect(state.more).toBe(false);
});
