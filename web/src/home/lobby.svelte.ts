/** The lobby and one's own matches as rune state, asked for again while somebody looks. */
import { untrack } from "svelte";

import { engine } from "../engine/engine.svelte";
import { api, sentence } from "../net";
import type { GameInfo, Lobby, MatchSummary } from "../protocol";
import { router } from "../router.svelte";
import { settings } from "../settings.svelte";
import { toast } from "../toast.svelte";

const EVERY_MS = 5_000;

export class LobbyState {
  games = $state.raw<readonly GameInfo[]>([]);
  lobby = $state.raw<Lobby>({ open: [], playing: [] });
  mine = $state.raw<readonly MatchSummary[]>([]);
  more = $state(false);
  loaded = $state(false);
  problem = $state<string | null>(null);
  /** Whether the server has answered; without it there are the games of this device. */
  reached = $state(true);
  joining = $state<string | null>(null);
  #earlier: readonly MatchSummary[] = [];

  /** To be called while a component is set up: asks now, then every few seconds while the page is visible. */
  constructor({ mine }: { mine: boolean }) {
    $effect(() => {
      untrack(() => void this.#ask(mine));
      const timer = setInterval(() => {
        if (!document.hidden) void this.#ask(mine);
      }, EVERY_MS);
      const seen = () => {
        if (!document.hidden) void this.#ask(mine);
      };
      document.addEventListener("visibilitychange", seen);
      return () => {
        clearInterval(timer);
        document.removeEventListener("visibilitychange", seen);
      };
    });
  }

  refresh(): Promise<void> {
    return this.#ask(true);
  }

  async #ask(mine: boolean): Promise<void> {
    try {
      const lobby = api.lobby().catch((error: unknown) => {
        if (!engine.able || !mine) throw error;
        return null;
      });
      const [games, found, own] = await Promise.all([api.games(), lobby, mine ? api.myMatches() : null]);
      this.games = games;
      this.reached = found !== null;
      this.lobby = found ?? { open: [], playing: [] };
      if (own) {
        const fresh = new Set(own.matches.map((match) => match.info.id));
        this.mine = [...own.matches, ...this.#earlier.filter((match) => !fresh.has(match.info.id))];
        if (!this.#earlier.length) this.more = own.more;
      }
      this.problem = null;
    } catch (error) {
      this.problem = sentence(error);
    } finally {
      this.loaded = true;
    }
  }

  async showEarlier(): Promise<void> {
    try {
      const page = await api.myMatches(this.mine.at(-1));
      this.#earlier = [...this.#earlier, ...page.matches];
      this.mine = [...this.mine, ...page.matches];
      this.more = page.more;
    } catch (error) {
      toast(sentence(error), "bad");
    }
  }

  async join(match: MatchSummary): Promise<void> {
    this.joining = match.info.id;
    try {
      await api.join(match.info.id, { name: settings.name || null });
      router.go(`/play/${match.info.id}`);
    } catch (error) {
      toast(sentence(error), "bad");
    } finally {
      this.joining = null;
    }
  }
}
