import { describe, expect, it } from "vitest";

import type { BrainInfo, GameInfo } from "../protocol";
import { brainId, brainOf, canMeet, choose, defaultOf, firstDraft, newMatch, sameOptions, valueOf, wholeOptions } from "./form";
import type { Opponent } from "./form";
import { brainName } from "./words";

const option = (name: string, fields: Partial<GameInfo["options"][number]>): GameInfo["options"][number] => ({
  name,
  type: "int",
  default: 0,
  help: "",
  choices: [],
  minimum: null,
  maximum: null,
  optional: false,
  late: false,
  ...fields,
});

const kingdom: GameInfo = {
  name: "great-kingdom",
  title: "Great Kingdom",
  seats: ["Blue", "Orange"],
  reasons: [],
  letters: ".BON",
  board: "points",
  options: [
    option("rules", { type: "str", default: "rulebook", choices: ["rulebook", "published"] }),
    option("size", { default: 9, minimum: 3, maximum: 19 }),
    option("castles", { default: null, minimum: 1, maximum: 361, optional: true }),
  ],
  levels: Array.from({ length: 10 }, (_, index) => ({ number: index + 1, name: "" })),
  passes: true,
  presets: { rulebook: {}, published: { castles: 40 } },
  about: "",
  rules: "",
  counted: true,
  agreement: false,
  look: { pieces: [], hand: "place", bottom: null, colours: ["#000", "#fff"], sizes: {}, frame_ms: 180 },
  formats: ["json"],
  training: [],
  training_options: {},
  built_in: true,
  gtp: false,
  engines: [],
  estimates: false,
  wins: {},
  draws: {},
};
const go: GameInfo = {
  ...kingdom,
  name: "go",
  options: [
    option("size", { default: 19, minimum: 2, maximum: 19 }),
    option("komi", { type: "float", default: 6.5, minimum: -400, maximum: 400 }),
    option("handicap", { minimum: 0, maximum: 9 }),
  ],
  presets: {},
};
const [rules, size, castles] = kingdom.options as [GameInfo["options"][0], GameInfo["options"][0], GameInfo["options"][0]];

describe("options", () => {
  it("begin with a small board of Go and the game's own defaults elsewhere", () => {
    expect(firstDraft(go).options).toEqual({ size: 9 });
    expect(firstDraft(kingdom).options).toEqual({});
  });

  it("follow the preset until they are chosen", () => {
    expect(defaultOf(kingdom, castles, {})).toBeNull();
    expect(valueOf(kingdom, castles, { rules: "published" })).toBe(40);
    expect(valueOf(kingdom, castles, { rules: "published", castles: 20 })).toBe(20);
  });

  it("leave komi to the server when a handicap is given", () => {
    const komi = go.options[1]!;
    expect(valueOf(go, komi, {})).toBe(6.5);
    expect(valueOf(go, komi, { handicap: 4 })).toBe(0.5);
  });

  it("are sent only where they differ from what would be anyway", () => {
    expect(choose(kingdom, size, {}, 7)).toEqual({ size: 7 });
    expect(choose(kingdom, size, { size: 7 }, 9)).toEqual({});
    expect(choose(kingdom, castles, { rules: "published" }, 40)).toEqual({ rules: "published" });
    expect(choose(kingdom, castles, { rules: "published" }, null)).toEqual({ rules: "published", castles: null });
    expect(choose(kingdom, rules, { rules: "published" }, "rulebook")).toEqual({});
  });
});

describe("brains and options", () => {
  const brain = (name: string, more: Partial<BrainInfo> = {}) => ({ name, champion: false, ...more }) as BrainInfo;

  it("know when a brain fits what was chosen", () => {
    const learned = { size: 9, komi: 6.5, handicap: 0 };
    expect(sameOptions(wholeOptions(go, firstDraft(go).options), learned)).toBe(true);
    expect(sameOptions(wholeOptions(go, { size: 9, komi: 7.5 }), learned)).toBe(false);
    expect(wholeOptions(go, {})).toEqual({ size: 19, komi: 6.5, handicap: 0 });
    expect(wholeOptions(kingdom, { rules: "published" })).toEqual({ rules: "published", size: 9, castles: 40 });
  });

  it("call the one that comes with tengen tengen's own, however its file is entitled", () => {
    const shipped = brain("default", { shipped: true, title: "Taught by g170-b15c192", rating: 417.5 });
    expect(brainName(shipped)).toBe("tengen's own (418)");
    expect(brainName(brain("mine", { title: "", rating: null }))).toBe("mine");
  });

  it("can meet on a board that both know", () => {
    const [small, large] = [9, 13].map((size) => brain("one", { any_board: false, options: { size } }));
    expect(canMeet(small!, large!)).toBe(false);
    expect(canMeet(small!, brain("same", { any_board: false, options: { size: 9 } }))).toBe(true);
    expect(canMeet(large!, brain("all", { any_board: true, options: { size: 9 } }))).toBe(true);
  });

  it("find the brain that is meant, or the champion in its place", () => {
    const [a, b] = [brain("a"), brain("b", { champion: true })];
    expect(brainOf([a, b], "a")).toBe(a);
    expect(brainOf([a, b], "latest")).toBe(b);
    expect(brainOf([a, b], "gone")).toBe(b);
    expect(brainOf([a], "latest")).toBe(a);
    expect(brainOf([], "latest")).toBeUndefined();
    expect([brainId(a), brainId(b)]).toEqual(["a", "latest"]);
  });
});

describe("a new match", () => {
  const first = firstDraft(go);
  const draft = { ...first, machine: { ...first.machine, level: 4 }, program: "gnugo" };

  it("seats a level opposite the colour that was chosen", () => {
    const machine = { kind: "machine", player: "level:4" };
    expect(newMatch({ ...draft, colour: "first" }, "").seats).toEqual([{ kind: "me" }, machine]);
    expect(newMatch({ ...draft, colour: "second" }, "").seats).toEqual([machine, { kind: "me" }]);
    expect(newMatch({ ...draft, colour: "random" }, "", 0.2).seats[0]).toEqual({ kind: "me" });
    expect(newMatch({ ...draft, colour: "random" }, "", 0.7).seats[1]).toEqual({ kind: "me" });
  });

  it("seats KataGo, and lets people ask how it stands only where both are people", () => {
    const strong = newMatch({ ...draft, opponent: "katago", estimate: true }, "");
    expect([strong.seats[1], strong.estimate]).toEqual([{ kind: "machine", player: "katago" }, undefined]);
    expect(newMatch({ ...draft, opponent: "friend", estimate: true }, "").estimate).toBe(true);
  });

  it("keeps an invitation out of the lobby", () => {
    const request = newMatch({ ...draft, opponent: "friend" }, "");
    expect(request.seats).toEqual([{ kind: "me" }, { kind: "invited" }]);
    expect(request.public).toBe(false);
  });

  it("shows an open seat in the lobby, and a game with oneself or a machine only if that is wished", () => {
    const shown = (opponent: Opponent, wish: boolean) => newMatch({ ...draft, opponent, shown: wish }, "").public;
    expect(shown("open", false)).toBe(true);
    for (const opponent of ["level", "brain", "screen", "program", "watch"] as const) {
      expect([shown(opponent, false), shown(opponent, true)]).toEqual([false, true]);
    }
  });

  it("knows the same screen, open seats, programs and two machines", () => {
    expect(newMatch({ ...draft, opponent: "screen" }, "").seats).toEqual([{ kind: "me" }, { kind: "me" }]);
    expect(newMatch({ ...draft, opponent: "open" }, "").seats[1]).toEqual({ kind: "open" });
    expect(newMatch({ ...draft, opponent: "program" }, "").seats[1]).toEqual({ kind: "machine", player: "program:gnugo" });
    const watched = newMatch({ ...draft, opponent: "watch", clock: { kind: "absolute", main_ms: 1000 } }, "");
    expect(watched.seats.map((seat) => seat.player)).toEqual(["level:3", "level:5"]);
    expect(watched.clock).toEqual({ kind: "none" });
  });

  it("asks for a brain by its name, with simulations where they are not the usual ones", () => {
    const against = (more: object) =>
      newMatch({ ...draft, opponent: "brain", machine: { ...draft.machine, ...more } }, "").seats[1];
    expect(against({})).toEqual({ kind: "machine", player: "brain:latest" });
    expect(against({ brain: "brain_L1_G2", simulations: 400 })).toEqual({ kind: "machine", player: "brain:brain_L1_G2@400" });
  });

  it("seats two brains, or a brain and a level, to be watched", () => {
    const [one, other] = draft.machines;
    const seats = (machines: [typeof one, typeof one]) =>
      newMatch({ ...draft, opponent: "watch", machines }, "").seats.map((seat) => seat.player);
    expect(seats([{ ...one, net: true }, other])).toEqual(["brain:latest", "level:5"]);
    expect(seats([{ ...one, net: true, brain: "a", simulations: 1 }, { ...other, net: true }])).toEqual(["brain:a@1", "brain:latest"]);
  });

  it("takes the nickname along, if there is one", () => {
    expect(newMatch(draft, "  Ada ").name).toBe("Ada");
    expect("name" in newMatch(draft, "  ")).toBe(false);
  });
});
