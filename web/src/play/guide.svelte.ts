/** A first game explains itself: one sentence, and the places where one may play shine, until that is known. */
import { readJson, write } from "../storage";
import type { Session } from "./session.svelte";

const KEY = "tengen.known";
const MOVES = 6; // of both sides; whoever has seen that many knows how a turn goes

function known(): string[] {
  const stored = readJson(KEY);
  return Array.isArray(stored) ? stored.filter((name): name is string => typeof name === "string") : [];
}

export class Guide {
  #games = $state.raw(known());

  /** Whether the player of this match has not played the game before. */
  on = $derived.by(() => {
    const { info, line, watching, over } = this.session;
    return !!info && info.status === "playing" && !watching && !over && line.length < MOVES && !this.#games.includes(info.game);
  });

  /** To be called while a component is set up. */
  constructor(private readonly session: Session) {
    $effect(() => {
      if (!session.watching && session.line.length >= MOVES) this.done();
    });
  }

  done(): void {
    const game = this.session.info?.game;
    if (!game || this.#games.includes(game)) return;
    this.#games = [...new Set([...known(), game])];
    write(KEY, JSON.stringify(this.#games));
  }
}
