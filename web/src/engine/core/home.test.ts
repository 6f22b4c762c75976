import { describe, expect, it } from "vitest";

import { facts } from "./facts.ts";
import { Home } from "./home.ts";
import type { CoreModule } from "./module.ts";
import { resolved } from "./options.ts";
import { hasCore, nodeCore } from "./testing.ts";
import { CoreError } from "./types.ts";

describe("options", () => {
  const before = ["size", "ko", "scoring", "komi", "handicap"];

  it("leaves late ones out while all have their defaults, as games were stored before there were any", () => {
    expect(Object.keys(resolved("go", { size: 9, suicide: false, rules: "japanese" }))).toEqual(before);
  });

  it("writes all of them where one has not", () => {
    const options = resolved("go", { handicap: 3, rules: "aga" });
    expect(options).toMatchObject({ rules: "aga", ko: "situational", bonus: "less_one", suicide: false, komi: 0.5 });
  });
});

describe("a core that fails in the midst of a search", () => {
  it("is told of by what failed, not by what went with it", async () => {
    const module = {
      generation: 0,
      ask({ do: wanted }: { do: string }): unknown {
        if (wanted === "fit") return { fits: false, trained: false };
        if (wanted === "tree") return { kept: 7 };
        if (wanted === "drop") throw new CoreError("broken", "There is no 7.");
        this.generation += 1;
        throw new CoreError("broken", "The core has failed.");
      },
    };
    const home = new Home(module as unknown as CoreModule, () => Promise.reject(new Error("no brain")));
    await expect(home.analyse({ game: "go" }, { visits: 1 })).rejects.toThrow("The core has failed.");
  });
});

describe.skipIf(!hasCore)("the core in Node", () => {
  for (const { name } of facts.games) {
    it(`plays ${name} to its end, level 1 against random moves`, async () => {
      const core = nodeCore();
      const options = name === "go" || name === "great-kingdom" ? { size: 5 } : {};
      const place = { game: name, options: options as Record<string, number>, moves: [] as number[][] };
      for (let number = 0; number < 400; number++) {
        const { outcome, view } = await core.position(place);
        if (outcome !== null) break;
        const actions = await core.choose(place, view.to_move === 0 ? "level:1" : "random", `t${view.to_move}`, {}, { seed: 3 });
        if (actions === null) break;
        place.moves.push(actions);
      }
      const { positions } = await core.line(place);
      expect(positions).toHaveLength(place.moves.length + 1);
      for (const [at, position] of positions.entries()) {
        if (at === 0) continue;
        const before = { ...place, moves: place.moves.slice(0, at - 1) };
        expect((await core.parse(before, position.text)).actions).toEqual(place.moves[at - 1]);
      }
    });
  }

  it("streams an analysis and stops when it is told to", async () => {
    const core = nodeCore();
    const stop = new AbortController();
    let reports = 0;
    const onReport = () => {
      reports += 1;
      if (reports === 2) stop.abort();
    };
    const place = { game: "great-kingdom" };
    const found = await core.analyse(place, { seconds: 600 }, { signal: stop.signal, onReport });
    expect(reports).toBe(2);
    expect(found.moves[0]!.visits).toBeGreaterThan(0);
  });

  it("says what is wrong in a sentence", async () => {
    const core = nodeCore();
    const go = { game: "go", options: { size: 9 } };
    await expect(core.parse(go, "I3")).rejects.toMatchObject({ code: "notation" });
    await expect(core.parse(go, "Z9")).rejects.toMatchObject({
      code: "illegal",
      message: "Z9 is not on the board, which goes from A1 to J9.",
    });
    await expect(core.position({ game: "go", options: { size: 1 } })).rejects.toMatchObject({
      code: "option",
      message: "size must be a whole number from 2 to 19, not 1.",
    });
    await expect(core.position({ ...go, moves: [[40], [40]] })).rejects.toMatchObject({ message: expect.stringMatching(/^Move 2: /) });
    await expect(core.position({ ...go, origin: ["9/9/9/9/9/9/9/9/9", 7] })).rejects.toMatchObject({ code: "position" });
    expect((await core.position(go)).view.cells).toBe(".".repeat(81)); // and goes on after that
  });

  it("keeps what handicap and presets change in the options", async () => {
    const core = nodeCore();
    expect(await core.options("go", { handicap: 3 })).toMatchObject({ komi: 0.5, size: 19 });
    expect(await core.options("great-kingdom", { rules: "published" })).toMatchObject({ castles: 40 });
  });

  it("reviews a move", async () => {
    const core = nodeCore();
    const { review: found } = await core.review({ game: "great-kingdom", options: { size: 5 }, moves: [] }, [0], 200);
    expect(found).toMatchObject({ number: 1, seat: 0, move: "A5" });
    expect(found.win_before).toBeGreaterThanOrEqual(found.win_after);
  });
});
