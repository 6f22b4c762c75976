/**
 * What the machine says about a study, as rune state. One switch does it all: while it is on, every move of the tree
 * is reviewed (`catchUp`) and the position that one looks at is searched ever deeper (`look`).
 *
 * Judgements are kept by the moves that lead to a position (`ReviewSession.keyOf`), so they stay right when nodes
 * are renumbered. Who made them keeps them too: the server, whose studies bring what it knows, or this device.
 */
import type { StudyPlace } from "../engine/review";
import { api, sentence } from "../net";
import type { Analysis, ReviewedMove, Study } from "../protocol";
import type { ReviewSession } from "./session.svelte";
import * as tree from "./study";

const VISITS = 400; // of a reviewed move
const LOOK_S = 30; // a position is searched for that long at most
const DELAY_MS = 200; // whoever steps through a game does not want every position

export class Analyst {
  on = $state(false);
  /** Whether the position on the board is being searched. */
  looking = $state(false);
  /** How far the review of the game has come; null while none runs. */
  progress = $state.raw<{ done: number; total: number } | null>(null);
  problem = $state<string | null>(null);
  /** What the server has to say about its work, or "". */
  message = $state("");
  reviewed = $state.raw<ReadonlyMap<string, ReviewedMove>>(new Map());
  /** Whether no net knows this board, so that figures are rough. */
  readonly rough = $derived([...this.reviewed.values()].some((move) => move.by === "search"));

  #analyses = $state.raw<ReadonlyMap<string, Analysis>>(new Map());
  #asked = new Set<string>();
  #reviewing: AbortController | null = null;

  constructor(private readonly session: ReviewSession) {}

  /** Takes over what a study says about its positions, and then what this device has found out about them. */
  learn(): void {
    const { study, keys } = this.session;
    study.nodes.forEach(({ analysis, review }, at) => this.#know(keys[at]!, analysis, review));
    void api.keptReviews(tree.bare(study)).then((found) => {
      for (const { node, analysis, review } of found)
        this.#know(keys[node]!, analysis, this.reviewed.has(keys[node]!) ? null : review);
    });
  }

  of(key: string): Analysis | null {
    return this.#analyses.get(key) ?? null;
  }

  /** The study with what is known of its positions. */
  annotated(study: Study): Study {
    const { keys } = this.session;
    const nodes = study.nodes.map((node, at) => ({
      ...node,
      analysis: this.of(keys[at]!),
      review: this.reviewed.get(keys[at]!) ?? null,
    }));
    return { ...study, nodes };
  }

  start(): void {
    this.on = true;
    this.problem = null;
    this.message = "";
  }

  stop(): void {
    this.on = false;
    this.#reviewing?.abort();
  }

  /** Reviews the moves that have not been reviewed, if there are any. */
  catchUp(): void {
    const wanted = this.session.keys.slice(1).filter((key) => !this.reviewed.has(key) && !this.#asked.has(key));
    if (this.on && !this.progress && wanted.length) void this.#review(wanted);
  }

  async #review(wanted: readonly string[]): Promise<void> {
    const { keys, study } = this.session;
    const stop = (this.#reviewing = new AbortController());
    this.progress = { done: 0, total: keys.length - 1 };
    try {
      await api.reviewStudy(
        { study: this.annotated(study), visits: VISITS, engine: "auto" },
        ({ node, review, analysis, message, done, total }) => {
          if (stop.signal.aborted) return;
          this.#know(keys[node]!, analysis, review);
          this.message = message || this.message;
          this.progress = { done, total };
        },
        stop.signal,
      );
      for (const key of wanted) this.#asked.add(key); // a resumption is no move, and nothing is said of it
    } catch (error) {
      if (!stop.signal.aborted) this.#failed(error);
    } finally {
      if (this.#reviewing === stop) this.progress = null;
    }
  }

  /** Searches the position on the board until the function that it gives is called. */
  look(): () => void {
    const { session } = this;
    const key = session.key;
    const here = { study: session.study, node: session.at };
    const stop = new AbortController();
    const timer = setTimeout(() => void this.#explore(key, here, stop.signal), DELAY_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
      this.looking = false;
    };
  }

  async #explore(key: string, here: StudyPlace, signal: AbortSignal): Promise<void> {
    this.looking = true;
    try {
      await api.explore(
        { place: tree.placeOf(here.study, here.node), seconds: LOOK_S },
        here,
        ({ analysis, message }) => {
          if (signal.aborted) return;
          this.#know(key, analysis, null);
          this.message = message || this.message;
        },
        signal,
      );
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    } finally {
      if (!signal.aborted) this.looking = false;
    }
  }

  #know(key: string, analysis: Analysis | null, review: ReviewedMove | null): void {
    if (analysis && analysis.visits >= (this.of(key)?.visits ?? 0)) {
      this.#analyses = new Map(this.#analyses).set(key, analysis);
    }
    if (review) this.reviewed = new Map(this.reviewed).set(key, certain(review));
  }

  #failed(error: unknown): void {
    this.problem = sentence(error);
    this.stop();
  }
}

/** Without a net a small loss may be an error of the search, so it is not called a mistake. */
function certain(review: ReviewedMove): ReviewedMove {
  return review.by === "search" && review.mistake === "inaccuracy" ? { ...review, mistake: null } : review;
}
