/** Tables with the core: machines play every game to its end, and a person's match goes as on a server. */
import { describe, expect, test } from "vitest";

import type { Ask, FromServer, Now, Snapshot, Update } from "../../protocol";
import { facts } from "../core";
import { hasCore, nodeCore } from "../core/testing";
import type { Setup } from "./match";
import { Tray } from "./shelf";
import { Table } from "./table";
import type { Room } from "./table";

const PERSON = { kind: "person" as const, name: "Ann", player: "" };
const MACHINE = { kind: "machine" as const, name: "Level 1", player: "level:1" };

/** Whoever watches a table, and can wait for what it tells. */
class Watcher {
  now: Now | null = null;
  kinds: string[] = [];
  rematch: string | null = null;
  #waiting: { until: (now: Now) => boolean; done: () => void }[] = [];

  receive = (message: FromServer): void => {
    if (message.type === "info") this.rematch = message.match.rematch;
    if (message.type !== "snapshot" && message.type !== "update") return;
    if (message.type === "update") this.kinds.push(...message.events.map(({ kind }) => kind));
    this.now = (message as Snapshot | Update).now;
    for (const { until, done } of this.#waiting) if (until(this.now)) done();
  };

  sees(until: (now: Now) => boolean): Promise<void> {
    if (this.now && until(this.now)) return Promise.resolve();
    return new Promise((done) => this.#waiting.push({ until, done }));
  }
}

describe.skipIf(!hasCore)("tables", () => {
  const core = nodeCore();
  let clock_ms = 1_000_000;
  let ids = 0;
  const shelf = new Tray();
  const failures: string[] = [];
  const room: Room = {
    core,
    manners: facts.manners,
    shelf,
    estimates: (game) => facts.games.some(({ name, estimates }) => name === game && estimates),
    clock: () => clock_ms,
    newId: () => `~${++ids}`,
    stored: () => undefined,
    failed: (message) => failures.push(message),
  };

  async function seated(game: string, seats: Setup["seats"], more: Partial<Setup> = {}, options = {}) {
    const { seats: seatNames } = facts.games.find(({ name }) => name === game)!;
    const setup: Setup = {
      game,
      seatNames,
      options: await core.options(game, options),
      origin: null,
      clock: { kind: "none" },
      seats,
      started_ms: clock_ms,
      ...more,
    };
    const { id } = await Table.create(room, setup);
    return opened(id);
  }

  async function opened(id: string) {
    const table = (await Table.open(room, id))!;
    const me = new Watcher();
    await table.watch(me);
    const ask = (wish: Omit<Ask, "type" | "match" | "id">) => table.ask({ type: "ask", match: id, id: "1", ...wish });
    return { table, me, ask, id };
  }

  test.each([
    ["great-kingdom", { size: 7 }],
    ["go", { size: 5 }],
    ["dominion-duel", { n: 9 }],
  ])("two machines play %s to its end", async (game, options) => {
    const { me, table } = await seated(game, [MACHINE, MACHINE], {}, options);
    await me.sees(({ phase }) => phase === "over");
    expect(failures).toEqual([]);
    await table.leave(me);
  }, 30_000);

  test("two machines agree on what is dead, and only then are they counted", async () => {
    // A5 is dead; who counts it says that White wins. No room is large enough for anybody to try something.
    const walls = [...Array<string>(4).fill("2XO2OX1"), "O1XO2OX1", ...Array<string>(4).fill("2XO2OX1")].join("/");
    const more = { agreement: true, origin: [walls, 0] as [string, number] };
    const { me, table } = await seated("go", [MACHINE, MACHINE], more, { size: 9, rules: "chinese", komi: 8.5 });
    await me.sees(({ phase }) => phase === "over");
    expect(me.kinds).toEqual(expect.arrayContaining(["suggest", "accept"]));
    expect(me.now!.outcome).toMatchObject({ winner: 0, reason: "score" });
    await table.leave(me);
  }, 30_000);

  test("how a counted game stands can be asked while it is played, and of no other", async () => {
    const { table } = await seated("go", [PERSON, PERSON], {}, { size: 9 });
    expect((await table.snapshot()).match.estimate).toBe(true);
    const { points, ownership } = await table.estimate();
    expect(ownership.length).toBe(81);
    expect(Math.abs(points[0] - points[1]), "komi is what the first move is worth").toBeLessThan(2);
    const other = await seated("dominion-duel", [PERSON, PERSON], {}, { n: 9 });
    expect((await other.table.snapshot()).match.estimate).toBe(false);
  });

  test("where all is settled the score is counted", async () => {
    const origin: [string, number] = ["4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/4XO3/1O2XO1X1", 0];
    const { table } = await seated("go", [PERSON, PERSON], { origin }, { size: 9 });
    const { points, dead } = await table.estimate();
    expect([points[0] - points[1], dead]).toEqual([2.5, [73, 79]]);
  });

  test("whole moves of several actions stand as one", async () => {
    const { me, table } = await seated("kelasu", [MACHINE, MACHINE]);
    await me.sees(({ line, phase }) => line >= 8 || phase === "over");
    await table.leave(me);
    expect(me.now!.line).toBe((await table.snapshot()).line.length);
    expect(failures).toEqual([]);
  }, 30_000);

  test("a person passes, agrees with the machine on the dead stones, and asks for a rematch", async () => {
    const { me, ask } = await seated("go", [PERSON, MACHINE], {}, { size: 4 });
    for (;;) {
      await me.sees(({ phase, view }) => phase !== "playing" || view.to_move === 0);
      if (me.now!.phase !== "playing") break;
      await ask({ kind: "move", text: "pass" });
    }
    if (me.now!.phase === "agreement") {
      await me.sees(() => me.kinds.includes("suggest"));
      await ask({ kind: "accept", position: me.now!.position });
      await me.sees(({ phase }) => phase === "over");
    }
    expect(me.now!.outcome).not.toBeNull();
    await ask({ kind: "offer", what: "rematch" });
    expect(me.rematch).not.toBeNull();
    const next = await opened(me.rematch!);
    expect(await next.table.snapshot()).toMatchObject({ you: [1] });
    await next.me.sees(({ view }) => view.to_move === 1); // the machine has begun
    await next.table.leave(next.me);
  });

  test("what is stored is the match: another tab sees it, and who was first has played", async () => {
    const one = await seated("dominion-duel", [PERSON, PERSON], {}, { n: 9 });
    const other = await opened(one.id);
    await one.ask({ kind: "move", text: "5" });
    await expect(other.ask({ kind: "move", text: "5" })).rejects.toThrow();
    await other.table.refresh();
    expect(other.me.now!.line).toBe(1);
    await other.ask({ kind: "move", text: "2" });
    await one.table.refresh();
    await one.ask({ kind: "offer", what: "takeback", seat: 1 });
    expect(one.me.now!.line).toBe(1);
    await expect(one.ask({ kind: "move", text: "1", seat: 0 })).rejects.toThrow("It is the turn of Player 2.");
  });

  test("a clock stands still while nobody is there, and its flag falls by itself", async () => {
    const { me, ask, table, id } = await seated("dominion-duel", [PERSON, PERSON], {
      clock: { kind: "absolute", main_ms: 10_000 },
    });
    clock_ms += 4_000;
    await ask({ kind: "move", text: "5" });
    await table.leave(me);
    clock_ms += 3_600_000;
    const again = await opened(id);
    expect(again.me.now!.clocks!.map(({ left_ms }) => left_ms)).toEqual([6_000, 10_000]);
    clock_ms += 11_000;
    await expect(again.ask({ kind: "move", text: "2" })).rejects.toThrow("The match is over.");
    expect(again.me.now!.outcome).toMatchObject({ winner: 0, reason: "time" });
    await again.table.leave(again.me);
  });
});
