/**
 * The one connection to the server. It opens with `start`, heals by itself, and after each healing watches
 * again what was watched and asks again what was not answered, with the same ids, which never count twice.
 * `LiveMatch` is what pages use; here messages are only carried.
 */
import { BASE } from "../base";
import { PROTOCOL } from "../protocol";
import type { Ask, FromClient, FromServer, Listed, NoticeInfo } from "../protocol";
import { ApiError } from "./errors";

export type ConnectionState = "connecting" | "online" | "offline";

/** Somebody who follows a match: gets its messages, and says where to go on after a break. */
export interface Watcher {
  match: string;
  receive(message: FromServer): void;
  /** What the watcher has: events 1 to `after`, standing at `position`. */
  where(): { after: number; position: string | null };
}

/** Somebody who looks at the lobby: is told what changes in it, and which of one's own matches move on. */
export interface Visitor {
  listed(news: Listed): void;
  yours(match: string): void;
}

/** What carries the messages of a match. */
export interface Through {
  readonly offset_ms: number;
  watch(watcher: Watcher): void;
  watchAfresh(watcher: Watcher): void;
  leave(watcher: Watcher): void;
  ask(ask: Ask): Promise<number>;
}

interface Waiting {
  ask: Ask;
  since: number;
  tries: number;
  resolve: (event: number) => void;
  reject: (error: ApiError) => void;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;
const PING_EVERY_MS = 20_000;
const SILENCE_MS = 8_000; // a ping without any answer for so long means that the line is dead
const OPENING_MS = 10_000;
const WATCH_AGAIN_MS = 2_000;
const UNAVAILABLE_MS = 30_000; // how long an ask that the server cannot store is sent again

export class Connection implements Through {
  state = $state<ConnectionState>("connecting");
  /** Our nickname as the server knows it; null for somebody new. */
  name = $state<string | null>(null);
  /** Set when the server will not have us back: what it said. */
  refusal = $state<string | null>(null);
  /** What the operator has to say to everybody. */
  notices = $state.raw<NoticeInfo[]>([]);
  /** Server time minus ours. */
  offset_ms = $state(0);

  #socket: WebSocket | null = null;
  #watchers = new Set<Watcher>();
  #visitors = new Set<Visitor>();
  #waiting = new Map<string, Waiting>();
  #failures = 0;
  #started = false;
  #fastest_ms = Infinity;
  #retryTimer: Timer;
  #pingTimer: Timer;
  #deadTimer: Timer;

  /** Open, and stay open. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    window.addEventListener("online", this.#wake);
    window.addEventListener("offline", this.#lookAround);
    document.addEventListener("visibilitychange", this.#wake);
    this.#open();
  }

  stop(): void {
    this.#started = false;
    window.removeEventListener("online", this.#wake);
    window.removeEventListener("offline", this.#lookAround);
    document.removeEventListener("visibilitychange", this.#wake);
    this.#drop();
    clearTimeout(this.#retryTimer);
  }

  /** The server may know us only now, by a cookie that this connection opened without. */
  introduced(): void {
    if (this.#started && this.name === null) this.#reopen();
  }

  /** The cookie is another one now: what was opened with the old one is for somebody else. */
  renew(): void {
    if (this.#started) this.#reopen();
  }

  watch(watcher: Watcher): void {
    this.start();
    this.#watchers.add(watcher);
    this.#watchFrom(watcher);
  }

  /** Watch from the beginning, because what the watcher has does not fit together. */
  watchAfresh(watcher: Watcher): void {
    this.#send({ type: "watch", match: watcher.match, after: 0 });
  }

  leave(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    if (![...this.#watchers].some(({ match }) => match === watcher.match)) {
      this.#send({ type: "leave", match: watcher.match });
    }
  }

  /** Shows the visitor the lobby, now and after each healing. A server that knows no visitors says nothing. */
  visit(visitor: Visitor): void {
    this.#visitors.add(visitor);
    this.#send({ type: "visit" });
  }

  depart(visitor: Visitor): void {
    if (this.#visitors.delete(visitor) && this.#visitors.size === 0) this.#send({ type: "visit", on: false });
  }

  /** Resolves with the number of the event; rejects with `ApiError`. Waits as long as there is no connection. */
  ask(ask: Ask): Promise<number> {
    this.start();
    return new Promise((resolve, reject) => {
      this.#waiting.set(ask.id, { ask, since: Date.now(), tries: 0, resolve, reject });
      this.#send(ask);
    });
  }

  #open(): void {
    clearTimeout(this.#retryTimer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${BASE}/api/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#send({ type: "hello", protocol: PROTOCOL, news: true });
      for (const watcher of this.#watchers) this.#watchFrom(watcher);
      if (this.#visitors.size) this.#send({ type: "visit" });
      for (const { ask } of this.#waiting.values()) this.#send(ask);
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      if (socket === this.#socket) this.#receive(JSON.parse(event.data) as FromServer);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
    this.#deadTimer = setTimeout(() => this.#lost(), OPENING_MS);
  }

  /** Forget the socket without a word to anybody. */
  #drop(): void {
    clearTimeout(this.#deadTimer);
    clearInterval(this.#pingTimer);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
  }

  #lost(): void {
    this.#drop();
    this.state = "offline";
    if (this.refusal !== null || !this.#started) return;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures++, LONGEST_WAIT_MS);
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#open(), wait * (0.8 + 0.4 * Math.random()));
  }

  #reopen(): void {
    this.#drop();
    this.#failures = 0;
    this.#open();
  }

  #wake = (): void => {
    if (document.visibilityState === "hidden" || this.refusal !== null) return;
    if (this.state === "online") this.#ping();
    else if (this.#socket === null) this.#reopen();
  };

  #lookAround = (): void => {
    if (this.state === "online") this.#ping();
  };

  #ping = (): void => {
    this.#send({ type: "ping", at: Date.now() });
    clearTimeout(this.#deadTimer);
    this.#deadTimer = setTimeout(() => this.#lost(), SILENCE_MS);
  };

  #watchFrom(watcher: Watcher): void {
    const { after, position } = watcher.where();
    this.#send({ type: "watch", match: watcher.match, after, position });
  }

  /** The server could not show the match just now. */
  #watchLater(match: string | null): void {
    setTimeout(() => {
      for (const watcher of this.#watchers) {
        if (watcher.match === match) this.#watchFrom(watcher);
      }
    }, WATCH_AGAIN_MS);
  }

  /** Dropped without a connection: opening one sends all that matters again. */
  #send(message: FromClient): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  #receive(message: FromServer): void {
    clearTimeout(this.#deadTimer);
    switch (message.type) {
      case "welcome":
        this.#failures = 0;
        this.#fastest_ms = Infinity;
        this.name = message.name;
        this.offset_ms = message.at_ms - Date.now();
        this.state = "online";
        clearInterval(this.#pingTimer);
        this.#pingTimer = setInterval(this.#ping, PING_EVERY_MS);
        this.#ping();
        break;
      case "pong":
        this.#setClock(message.at, message.at_ms);
        break;
      case "accepted":
        this.#settle(message.id)?.resolve(message.number);
        break;
      case "refused":
        if (message.id !== null) this.#refused(message.id, new ApiError(message.code, message.message));
        else if (message.code === "unavailable" || message.code === "too-many") this.#watchLater(message.match);
        else this.#tell(message.match, message);
        break;
      case "notices":
        this.notices = message.notices;
        break;
      case "listed":
        for (const visitor of this.#visitors) visitor.listed(message);
        break;
      case "yours":
        for (const visitor of this.#visitors) visitor.yours(message.match);
        break;
      case "closing":
        if (message.final) this.refusal = message.message;
        break;
      case "update":
        this.#tell(message.match, message);
        break;
      case "snapshot":
      case "info":
        this.#tell(message.match.id, message);
        break;
    }
  }

  /** The quickest answer says most exactly what the server's clock shows. */
  #setClock(sent: number, at_ms: number): void {
    const now = Date.now();
    if (now - sent > this.#fastest_ms) return;
    this.#fastest_ms = now - sent;
    this.offset_ms = at_ms - (sent + now) / 2;
  }

  #settle(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #refused(id: string, error: ApiError): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    if (error.code !== "unavailable" || Date.now() - waiting.since > UNAVAILABLE_MS) {
      this.#settle(id);
      waiting.reject(error);
      return;
    }
    const wait = Math.min(FIRST_WAIT_MS * 2 ** waiting.tries++, LONGEST_WAIT_MS);
    setTimeout(() => this.#waiting.has(id) && this.#send(waiting.ask), wait);
  }

  #tell(match: string | null, message: FromServer): void {
    for (const watcher of this.#watchers) {
      if (watcher.match === match) watcher.receive(message);
    }
  }
}

type Timer = ReturnType<typeof setTimeout> | undefined;

export const connection = new Connection();

/** An id of our own for an ask. Pages without https have no crypto.randomUUID. */
export function newId(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
