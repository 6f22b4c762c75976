/** Stand-ins for tests: a WebSocket whose other end is the test, and small messages of the protocol. */
import type { Event, FromClient, FromServer, LineMove, MatchInfo, Now } from "../protocol";

export class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!;
  }

  readyState = 0;
  sent: FromClient[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as FromClient);
  }

  close(): void {
    this.readyState = 3;
  }

  /** The server takes the connection and greets. */
  open(name: string | null = "Ann"): void {
    this.readyState = 1;
    this.onopen?.();
    this.tell({ type: "welcome", protocol: 1, version: "1", at_ms: Date.now(), name });
  }

  tell(message: FromServer): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** The line breaks. */
  break(): void {
    this.readyState = 3;
    this.onclose?.();
  }

  of<T extends FromClient["type"]>(type: T): Extract<FromClient, { type: T }>[] {
    return this.sent.filter((message): message is Extract<FromClient, { type: T }> => message.type === type);
  }
}

export function info(id = "m"): MatchInfo {
  return {
    id,
    game: "some-game",
    options: { size: 9 },
    clock: { kind: "none" },
    origin: null,
    status: "playing",
    public: true,
    seats: [
      { kind: "person", name: "Ann", player: "", here: true },
      { kind: "person", name: "Bo", player: "", here: true },
    ],
    created_ms: 0,
    started_ms: 0,
    rematch: null,
    rematch_of: null,
    estimate: false,
  };
}

/** After `number` events, of which `line` moves stand. */
export function now(number: number, line = number): Now {
  return {
    number,
    position: `p${number}`,
    phase: "playing",
    view: {
      board: "points",
      width: 9,
      height: 9,
      cells: ".".repeat(81),
      to_move: number % 2,
      last: [],
      captured: [],
      score: null,
      details: {},
    },
    legal: [],
    line,
    at_ms: 0,
    running: null,
    clocks: null,
    outcome: null,
    offer: null,
    marking: null,
    count: null,
    suspended: false,
    paused: false,
    can_take_back: [false, false],
    moves: [],
  };
}

export function event(number: number, kind: string, seat: number | null, data: Record<string, unknown> = {}): Event {
  return { number, kind, seat, at_ms: 0, data, position: `p${number}` };
}

export function move(number: number, action = number): Event {
  return event(number, "move", (number + 1) % 2, { actions: [action], text: `A${action}` });
}

export function lineMove(number: number, action = number): LineMove {
  return { event: number, seat: (number + 1) % 2, text: `A${action}`, actions: [action], at_ms: 0, resumed: null };
}

export function snapshot(number: number): FromServer {
  const line = Array.from({ length: number }, (_, index) => lineMove(index + 1));
  return { type: "snapshot", match: info(), you: [0], line, now: now(number) };
}
