import { afterEach, expect, test, vi } from "vitest";

import type { ReviewedMove } from "../protocol";
import { api } from "./api";

interface Call {
  path: string;
  options: RequestInit;
}

let calls: Call[] = [];

function answer(...responses: (Response | Error)[]): void {
  calls = [];
  vi.stubGlobal("fetch", async (path: string, options: RequestInit) => {
    calls.push({ path, options });
    const next = responses.shift()!;
    if (next instanceof Error) throw next;
    return next;
  });
}

afterEach(() => vi.unstubAllGlobals());

test("a route is its path, method and body", async () => {
  answer(Response.json({ match: "m", you: [0] }, { status: 201 }), new Response(null, { status: 204 }));
  await api.create({ game: "go", seats: [{ kind: "me" }, { kind: "machine", player: "level:3" }] });
  await api.cancel("a/b");
  expect(calls[0]).toMatchObject({ path: "/api/matches", options: { method: "POST" } });
  expect(JSON.parse(String(calls[0]!.options.body))).toMatchObject({ game: "go" });
  expect(calls[1]).toMatchObject({ path: "/api/matches/a%2Fb", options: { method: "DELETE" } });
});

test("a problem is told in the server's words", async () => {
  answer(Response.json({ code: "too-many", message: "Wait a little." }, { status: 429 }));
  await expect(api.lobby()).rejects.toMatchObject({ code: "too-many", message: "Wait a little." });
});

test("no network, and an answer that is not the server's, are told in ours", async () => {
  answer(new TypeError("failed to fetch"), new Response("<h1>502</h1>", { status: 502 }), new Response("<h1>login</h1>"));
  for (let round = 0; round < 3; round++) {
    await expect(api.me()).rejects.toMatchObject({ code: "unavailable", message: /server does not answer/ });
  }
});

test("the games are asked for once, and again after a failure", async () => {
  answer(new TypeError("failed to fetch"), Response.json([]));
  await expect(api.games()).rejects.toThrow();
  await api.games();
  await api.games();
  expect(calls).toHaveLength(2);
});

function stream(...parts: (string | Uint8Array)[]): Response {
  const encoder = new TextEncoder();
  return new Response(
    new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(typeof part === "string" ? encoder.encode(part) : part);
        controller.close();
      },
    }),
  );
}

test("a review arrives line by line, however it is cut", async () => {
  const name = new TextEncoder().encode('{"number": 2, "move": "é"}\n');
  answer(stream('{"number"', ': 1}\n\n', name.slice(0, 24), name.slice(24), '{"number": 3}'));
  const found: ReviewedMove[] = [];
  await api.review({ place: { game: "go" } }, (move) => found.push(move));
  expect(found).toEqual([{ number: 1 }, { number: 2, move: "é" }, { number: 3 }]);
});

test("a review that fails on the way says so", async () => {
  answer(stream('{"number": 1}\n{"code": "unavailable", "message": "Stopped."}\n'));
  const found: ReviewedMove[] = [];
  await expect(api.review({ place: { game: "go" } }, (move) => found.push(move))).rejects.toThrow("Stopped.");
  expect(found).toHaveLength(1);
});

test("who aborts gets the abort, not a sentence", async () => {
  const controller = new AbortController();
  vi.stubGlobal("fetch", async () => {
    controller.abort();
    throw controller.signal.reason;
  });
  const request = api.analyse({ place: { game: "go" } }, controller.signal);
  await expect(request).rejects.toMatchObject({ name: "AbortError" });
});
