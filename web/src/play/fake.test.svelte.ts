/** A match for tests: rune state as `LiveMatch` has it, filled by hand; `asked` keeps what was asked for. */
import type { AskWish } from "../net";
import { ApiError } from "../net";
import type { Event, LineMove, MatchInfo, Now, Place, Position, View } from "../protocol";
import type { Watched } from "./session.svelte";

export function fakeView(game: string, changes: Partial<View> = {}): View {
  const board = game === "kelasu" ? "squares" : game === "dominion-duel" ? "row" : "points";
  const width = game === "kelasu" ? 10 : 9;
  const height = board === "row" ? 1 : width;
  const cells = ".".repeat(width * height);
  return { board, width, height, cells, to_move: 0, last: [], captured: [], score: null, details: {}, ...changes };
}

export function fakeInfo(game: string, changes: Partial<MatchInfo> = {}): MatchInfo {
  const person = (name: string) => ({ kind: "person" as const, name, player: "", here: true });
  return {
    id: "m",
    game,
    options: {},
    clock: { kind: "none" },
    origin: null,
    status: "playing",
    public: true,
    seats: [person("Ann"), person("Bob")],
    created_ms: 0,
    started_ms: 0,
    rematch: null,
    rematch_of: null,
    estimate: false,
    ...changes,
  };
}

export function fakeNow(view: View, changes: Partial<Now> = {}): Now {
  return {
    number: 1,
    position: "p1",
    phase: "playing",
    view,
    legal: [0, 1, 2],
    line: 0,
    at_ms: 0,
    running: null,
    clocks: null,
    outcome: null,
    offer: null,
    marking: null,
    count: null,
    suspended: false,
    paused: false,
    can_take_back: [true, true],
    moves: [],
    ...changes,
  };
}

export function fakeLine(...moves: [seat: number | null, text: string][]): LineMove[] {
  return moves.map(([seat, text], index) => ({ event: index + 1, seat, text, actions: [index], at_ms: 0, resumed: null }));
}

export class FakeMatch implements Watched {
  id = "m";
  info = $state.raw<MatchInfo | null>(null);
  you = $state.raw<number[]>([]);
  now = $state.raw<Now | null>(null);
  line = $state.raw<LineMove[]>([]);
  latest = $state.raw<readonly Event[]>([]);
  watchers = $state(0);
  problem = $state<string | null>(null);
  pending = $state.raw<{ actions: number[] } | null>(null);
  offset_ms = 0;
  asked: AskWish[] = [];
  refusal: string | null = null;

  constructor(game: string, you: number[], view: Partial<View> = {}, now: Partial<Now> = {}) {
    this.info = fakeInfo(game);
    this.you = you;
    this.now = fakeNow(fakeView(game, view), now);
  }

  async ask(request: AskWish): Promise<number> {
    this.asked.push(request);
    if (this.refusal) throw new ApiError("illegal", this.refusal);
    return this.asked.length;
  }

  async positions(): Promise<Position[]> {
    const texts = ["", ...this.line.map((move) => move.text)];
    return texts.map((text) => ({
      text,
      seat: null,
      view: fakeView(this.info!.game, { last: [texts.indexOf(text)] }),
      legal: [],
      diagram: "",
      outcome: null,
      moves: [],
      resumed: null,
    }));
  }

  place(): Place {
    return { game: this.info!.game, options: {}, origin: null, moves: [] };
  }
}
