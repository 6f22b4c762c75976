/**
 * Who computes: the core in this page where there is one, else the server. Everything heavy is fetched when it is
 * first needed; this file alone is part of every page. Pages ask `api`, which asks here.
 */
import type { BrainInfo, GameInfo, NewMatch, SeatWish } from "../protocol";
import type { Core } from "./core/types";

/** Built for a static host: there is no server at all. */
export const SITE = import.meta.env.MODE === "site";

/** Matches on this device have ids that no server gives out. */
export const isLocal = (match: string): boolean => match.startsWith("~");

/** Machines that the core in the page plays; which brain `latest` is, only a server knows. */
const PLAYERS = /^(level:\d+|mcts:\d+|random|brain:(default|(?<latest>latest))(@\d+)?)$/;

class Engine {
  /** `idle` until it is needed, `missing` where this device or this build has none. */
  state = $state<"idle" | "loading" | "ready" | "missing">(able() ? "idle" : "missing");
  #core: Promise<Core | null> | null = null;
  /** The games whose champion on the server is not the brain that comes with tengen. */
  #trained = new Set<string>();

  /** Whether games can be played without a server, as far as it is known. */
  get able(): boolean {
    return this.state !== "missing";
  }

  /** The core, fetched now if need be; null where there is none, or none for that game. */
  async core(game?: string): Promise<Core | null> {
    if (!this.able) return null;
    const core = await (this.#core ??= this.#load());
    const knows = game === undefined || (await this.facts()).some(({ name }) => name === game);
    return knows ? core : null;
  }

  /** The games that the core knows; throws where not even that was fetched. */
  async facts(): Promise<GameInfo[]> {
    return (await import("./core")).facts.games;
  }

  /** The brains of the page, which come with tengen; null where there is no engine. */
  async brains(): Promise<BrainInfo[] | null> {
    return this.able ? (await import("./core")).facts.champions : null;
  }

  /** Hears which brains a server has. */
  learn(brains: readonly BrainInfo[]): void {
    this.#trained = new Set(brains.filter(({ champion, shipped }) => champion && !shipped).map(({ game }) => game));
  }

  /** Whether a match can be held here: nobody else sits in it, and nobody else should see it. */
  async holds(wish: NewMatch): Promise<boolean> {
    if (wish.public || !wish.seats.every((seat) => this.#isOurs(wish.game, seat))) return false;
    return (await this.core(wish.game)) !== null;
  }

  #isOurs(game: string, { kind, player = "" }: SeatWish): boolean {
    if (kind !== "machine") return kind === "me";
    const found = PLAYERS.exec(player);
    return found !== null && !(found.groups?.latest && this.#trained.has(game));
  }

  async #load(): Promise<Core | null> {
    this.state = "loading";
    try {
      const { core } = await import("./core");
      const found = await core();
      this.state = "ready";
      return found;
    } catch {
      this.state = "missing";
      return null;
    }
  }
}

function able(): boolean {
  return typeof WebAssembly === "object" && typeof Worker === "function";
}

export const engine = new Engine();
export const tables = async () => (await import("./table")).device;
