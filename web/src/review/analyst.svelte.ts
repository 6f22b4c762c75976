/**
 * What the machine says about a study, as rune state. One switch does it all: `start` reviews every move that has
 * not been reviewed, and while it is on the position that one looks at is searched ever deeper (`look`).
 *
 * Judgements are kept by the moves that lead to a position (`ReviewSession.keyOf`), so they stay right when nodes
 * are renumbered.
 */
import { api, sentence } from "../net";
import type { Analysis, ReviewedMove } from "../protocol";
import type { ReviewSession } from "./session.svelte";
import * as tree from "./study";

const VISITS = 400; // of a reviewed move
const LOOKS_S = [0.5, 1.5, 4, 5]; // each look at a position is longer than the one before
const DELAY_MS = 200; // whoever steps through a game does not want every position

export class Analyst {
  on = $state(false);
  /** Whether the position on the board is being searched. */
  looking = $state(false);
  /** How far the review of the game has come; null while none runs. */
  progress = $state.raw<{ done: number; total: number } | null>(null);
  problem = $state<string | null>(null);
  reviewed = $state.raw<ReadonlyMap<string, ReviewedMove>>(new Map());

  #analyses = $state.raw<ReadonlyMap<string, Analysis>>(new Map());
  #reviewing: AbortController | null = null;

  constructor(private readonly session: ReviewSession) {}

  of(key: string): Analysis | null {
    return this.#analyses.get(key) ?? null;
  }

  start(): void {
    this.on = true;
    this.problem = null;
    void this.#review();
  }

  stop(): void {
    this.on = false;
    this.#reviewing?.abort();
  }

  /** Searches the position on the board until the function that it gives is called. */
  look(): () => void {
    const { session } = this;
    const key = session.key;
    const place = tree.placeOf(session.study, session.at);
    const stop = new AbortController();
    const timer = setTimeout(() => void this.#deepen(key, place, stop.signal), DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
      this.looking = false;
    };
  }

  async #deepen(key: string, place: ReturnType<typeof tree.placeOf>, signal: AbortSignal): Promise<void> {
    this.looking = true;
    try {
      for (const seconds of LOOKS_S) {
        const found = await api.analyse({ place, seconds }, signal);
        if ((this.of(key)?.visits ?? 0) < found.visits) this.#analyses = new Map(this.#analyses).set(key, found);
        if (found.proven) break;
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    } finally {
      if (!signal.aborted) this.looking = false;
    }
  }

  async #review(): Promise<void> {
    const { session } = this;
    const line = session.main;
    const keys = line.map((at) => session.keyOf(at));
    if (line.slice(1).every((at) => this.reviewed.has(session.keyOf(at)))) return;
    const stop = (this.#reviewing = new AbortController());
    this.progress = { done: 0, total: line.length - 1 };
    try {
      const place = tree.placeOf(session.study, line.at(-1)!);
      await api.review(
        { place, visits: VISITS },
        (move) => {
          if (stop.signal.aborted) return;
          this.reviewed = new Map(this.reviewed).set(keys[move.number]!, move);
          this.progress = { done: move.number, total: line.length - 1 };
        },
        stop.signal,
      );
    } catch (error) {
      if (!stop.signal.aborted) this.#failed(error);
    } finally {
      if (this.#reviewing === stop) this.progress = null;
    }
  }

  #failed(error: unknown): void {
    this.problem = sentence(error);
    this.stop();
  }
}
