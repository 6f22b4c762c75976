import { describe, expect, it } from "vitest";

import { info as someMatch } from "../net/fakes";
import type { GameInfo, MatchInfo, MatchSummary } from "../protocol";
import { welcome } from "./invitation";
import { sorted, standing } from "./matches";
import { ago, optionsText, resultText, seatText } from "./words";

const info: MatchInfo = {
  ...someMatch(),
  seats: [
    { kind: "person", name: "Ada", player: "", here: true },
    { kind: "person", name: "Ben", player: "", here: true },
  ],
};
const match = (id: string, fields: Partial<MatchSummary>, status: MatchInfo["status"] = "playing"): MatchSummary => ({
  info: { ...info, id, status },
  you: [0],
  moves: 3,
  to_move: 0,
  moved_ms: 0,
  diagram: "",
  outcome: null,
  ...fields,
});
const game = { name: "go", seats: ["Black", "White"], options: [], levels: [{ number: 2, name: "Gentle" }], presets: {}, wins: {}, draws: {} } as unknown as GameInfo;

describe("one's own matches", () => {
  it("stand by whose turn it is, then by the latest move", () => {
    const list = [
      match("over", { moved_ms: 99 }, "over"),
      match("theirs", { to_move: 1, moved_ms: 50 }),
      match("older", { moved_ms: 10 }),
      match("newer", { moved_ms: 20 }),
      match("open", { to_move: null }, "open"),
    ];
    expect(sorted(list).map((each) => each.info.id)).toEqual(["newer", "older", "open", "theirs", "over"]);
    expect(list[0]!.info.id).toBe("over");
  });

  it("wait for oneself on one's own turn only", () => {
    expect(standing(match("a", { you: [0, 1], to_move: 1 }))).toBe("yours");
    expect(standing(match("b", { you: [1], to_move: 0 }))).toBe("theirs");
    expect(standing(match("c", { to_move: null }))).toBe("theirs");
    expect(standing(match("d", {}, "cancelled"))).toBe("over");
  });
});

describe("results in words", () => {
  const kingdom = { ...game, name: "great-kingdom", seats: ["Blue", "Orange"] } as GameInfo;

  it("say who won and why", () => {
    expect(resultText(game, { winner: 1, reason: "score", score: [30, 36.5] })).toBe("White won by 6.5");
    expect(resultText(game, { winner: 0, reason: "resign", score: null })).toBe("Black won by resignation");
    expect(resultText(kingdom, { winner: 0, reason: "territory", score: [5, 2] })).toBe("Blue won on territory, 5–2");
    expect(resultText(kingdom, { winner: 1, reason: "suicide", score: null })).toBe("Orange won by suicide of the other side");
  });

  it("say that nobody did", () => {
    expect(resultText(game, { winner: null, reason: "score", score: [30, 30] })).toBe("A draw on points, 30–30");
    expect(resultText(game, { winner: null, reason: "repetition", score: null })).toBe("A draw by repetition");
    expect(resultText(game, { winner: null, reason: "void", score: null })).toBe("No result");
  });

  it("show a reason that nobody has translated in brackets", () => {
    expect(resultText(game, { winner: 0, reason: "checkmate", score: null })).toBe("Black won (checkmate)");
  });
});

describe("other words", () => {
  it("name levels, people and free seats", () => {
    expect(seatText({ kind: "machine", name: "Level 2", player: "level:2", here: false }, game)).toBe("Level 2, Gentle");
    expect(seatText({ kind: "person", name: "", player: "", here: false })).toBe("Somebody");
    const net = (player: string) => seatText({ kind: "machine", name: "", player, here: false });
    expect([net("brain:latest@400"), net("brain:mine")]).toEqual(["Neural net", "Neural net mine"]);
    expect(seatText({ kind: "open", name: "", player: "", here: false })).toBe("free seat");
  });

  it("tell only the options that differ, and the size", () => {
    const options = [
      { name: "size", type: "int", default: 19, choices: [], help: "", minimum: 2, maximum: 19, optional: false },
      { name: "ko", type: "str", default: "simple", choices: ["simple", "superko"], help: "", minimum: null, maximum: null, optional: false },
      { name: "komi", type: "float", default: 6.5, choices: [], help: "", minimum: null, maximum: null, optional: false },
    ] as GameInfo["options"];
    const go = { ...game, options };
    expect(optionsText(go, { size: 9, ko: "simple", komi: 6.5 })).toBe("9×9");
    expect(optionsText(go, { size: 9, ko: "superko", komi: 7.5 })).toBe("9×9 · Superko · Komi 7.5");
  });

  it("tell how long ago", () => {
    const now = 1_000_000_000;
    expect(ago(now - 5_000, now)).toBe("now");
    expect(ago(now + 5_000, now)).toBe("now");
    expect(ago(now - 3 * 60_000, now)).toBe("3 minutes ago");
    expect(ago(now - 25 * 3_600_000, now)).toBe("yesterday");
  });
});

describe("an invitation", () => {
  const seat = (kind: "open" | "invited" | "person") => ({ kind, name: kind === "person" ? "Ada" : "", player: "", here: false });
  const open = (kind: "open" | "invited"): MatchInfo => ({ ...info, status: "open", seats: [seat("person"), seat(kind)] });

  it("lets whoever has the token sit down", () => {
    expect(welcome({ match: open("invited"), you: [] }, "token")).toEqual({ can: "sit", seat: 1, host: "Ada" });
    expect(welcome({ match: open("invited"), you: [] }, "")).toEqual({ can: "nothing", why: "no_token" });
    expect(welcome({ match: open("open"), you: [] }, "")).toEqual({ can: "sit", seat: 1, host: "Ada" });
  });

  it("says why one cannot", () => {
    expect(welcome({ match: info, you: [] }, "token")).toEqual({ can: "enter", why: "taken" });
    expect(welcome({ match: { ...info, status: "over" }, you: [] }, "token")).toEqual({ can: "enter", why: "over" });
    expect(welcome({ match: info, you: [1] }, "token")).toEqual({ can: "enter", why: "yours" });
    expect(welcome({ match: open("invited"), you: [0] }, "token")).toEqual({ can: "enter", why: "own" });
    expect(welcome({ match: { ...open("open"), status: "cancelled" }, you: [] }, "")).toEqual({ can: "nothing", why: "cancelled" });
  });
});
