/**
 * One watched match as rune state. The log arrives as events; `line` keeps the moves that stand, and whatever
 * does not fit together (a gap, a length that differs from `now.line`) is asked for afresh. So is a resumption,
 * since only the server knows what the move list calls it.
 */
import { wayOf } from "./place";
import type { Ask, Event, FromServer, LineMove, MatchInfo, Now, Place, Position, Update } from "../protocol";
import { api } from "./api";
import { Pace } from "./pace";
import { connection, newId } from "./socket.svelte";
import type { Through, Watcher } from "./socket.svelte";

export type AskWish = Omit<Ask, "type" | "match" | "id">;

export class LiveMatch implements Watcher {
  readonly match: string;
  info = $state.raw<MatchInfo | null>(null);
  you = $state.raw<number[]>([]);
  now = $state.raw<Now | null>(null);
  line = $state.raw<LineMove[]>([]);
  /** What came with the last update; empty after a snapshot, which does not tell. */
  latest = $state.raw<readonly Event[]>([]);
  watchers = $state(0);
  problem = $state<string | null>(null);
  pending = $state.raw<{ actions: number[] } | null>(null);

  /** The least time between a move and a machine's answer, as it is shown. Nobody's clock pays for it. */
  pace_ms: () => number = () => 0;

  #through: Through;
  #pace = new Pace<FromServer>(
    (message) => this.#show(message),
    (message) => (this.#byMachine(message) ? this.pace_ms() : 0),
    (message) => moveIn(message) !== undefined,
  );
  #pendingAt: string | null = null;
  #positions: { key: string; answer: Promise<Position[]> } | null = null;

  constructor(id: string, through: Through = connection) {
    this.match = id;
    this.#through = through;
    through.watch(this);
  }

  close(): void {
    this.#pace.clear();
    this.#through.leave(this);
  }

  get id(): string {
    return this.match;
  }

  get offset_ms(): number {
    return this.#through.offset_ms;
  }

  /** Resolves with the number of the event, or rejects with `ApiError`. A move is pending until then. */
  async ask(request: AskWish): Promise<number> {
    const moves = request.kind === "move";
    if (moves) {
      this.pending = { actions: request.actions ?? [] };
      this.#pendingAt = this.now?.position ?? null;
    }
    const mine = this.pending;
    try {
      return await this.#through.ask({ type: "ask", match: this.match, id: newId(), ...request });
    } finally {
      if (moves && this.pending === mine) this.pending = null;
    }
  }

  /** Every position from the start to the last move that stands. */
  positions(): Promise<Position[]> {
    const place = this.place();
    if (!place) return Promise.resolve([]);
    const key = this.line.map((move) => move.event).join();
    if (this.#positions?.key !== key) {
      const answer = api.line(place);
      this.#positions = { key, answer };
      answer.catch(() => {
        if (this.#positions?.answer === answer) this.#positions = null;
      });
    }
    return this.#positions.answer;
  }

  /** The present position, or the one after `length` moves, by how it came about. */
  place(length: number = this.line.length): Place | null {
    if (!this.info) return null;
    const { game, options, origin } = this.info;
    return { game, options, origin, ...wayOf(this.line.slice(0, length)) };
  }

  /** For the connection: where to go on after a break. */
  where(): { after: number; position: string | null } {
    return { after: this.now?.number ?? 0, position: this.now?.position ?? null };
  }

  receive(message: FromServer): void {
    if (message.type === "snapshot") this.#pace.clear();
    this.#pace.take(message);
  }

  /** Whether it tells of a move by a machine that plays with a person, and without a clock that would run meanwhile. */
  #byMachine(message: FromServer): boolean {
    const seats = this.info?.seats ?? [];
    const seat = moveIn(message)?.seat ?? null;
    if (seat === null || seats.every(({ kind }) => kind === "machine")) return false;
    return seats[seat]?.kind === "machine" && ["none", "correspondence"].includes(this.info?.clock.kind ?? "");
  }

  #show(message: FromServer): void {
    switch (message.type) {
      case "snapshot":
        this.info = message.match;
        this.you = message.you;
        this.line = message.line;
        this.latest = [];
        this.problem = null;
        this.#stand(message.now);
        break;
      case "update":
        this.#update(message);
        break;
      case "info":
        this.info = message.match;
        this.you = message.you;
        this.watchers = message.watchers;
        break;
      case "refused":
        this.problem = message.message;
        break;
    }
  }

  #update({ events, now }: Update): void {
    if (!this.now || now.number < this.now.number) return;
    const fresh = events.filter((event) => event.number > this.now!.number);
    const line = fresh.reduce(lineAfter, this.line);
    if (line.length !== now.line || now.number !== this.now.number + fresh.length) {
      this.#through.watchAfresh(this);
      return;
    }
    this.line = line;
    this.latest = fresh;
    this.#stand(now);
  }

  #stand(now: Now): void {
    if (this.pending && now.position !== this.#pendingAt) this.pending = null;
    this.now = now;
  }
}

function moveIn(message: FromServer): Event | undefined {
  return message.type === "update" ? message.events.find((event) => event.kind === "move") : undefined;
}

/** The moves that stand once `event` has been added to those of `line`; a resumption is left out. */
export function lineAfter(line: LineMove[], event: Event): LineMove[] {
  const { number, seat, at_ms, data } = event;
  if (typeof data.keep === "number") return line.slice(0, data.keep);
  if (event.kind === "move") {
    const actions = data.actions as number[];
    return [...line, { event: number, seat, at_ms, text: String(data.text), actions, resumed: null }];
  }
  return line;
}
