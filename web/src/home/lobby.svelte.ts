/**
 * The lobby and one's own matches as rune state. The server tells what changes while somebody looks; where it does
 * not, because there is no socket to it or it is too old, it is asked every few seconds.
 */
import { untrack } from "svelte";

import { engine } from "../engine/engine.svelte";
import { api, connection, sentence } from "../net";
import type { GameInfo, Listed, Lobby, MatchSummary } from "../protocol";
import { router } from "../router.svelte";
import { settings } from "../settings.svelte";
import { toast } from "../toast.svelte";

const EVERY_MS = 5_000;
const SOON_MS = 500; // after which one's own matches are asked for that have moved on

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
  #mine: boolean;
  #earlier: readonly MatchSummary[] = [];
  #last: MatchSummary | undefined; // after which the next page comes
  #listed = new Map<string, MatchSummary>();
  #told = false; // whether the server tells us
  #missed = false; // whether it may have told something since it last did
  #soon: ReturnType<typeof setTimeout> | undefined;

  /** To be called while a component is set up: asks now, and follows while the page is visible. */
  constructor({ mine }: { mine: boolean }) {
    this.#mine = mine;
    $effect(() => {
      untrack(() => this.#look());
      const timer = setInterval(() => {
        if (!this.#told && !document.hidden) void this.#ask();
      }, EVERY_MS);
      const turned = () => (document.hidden ? this.#turnAway() : this.#look());
      document.addEventListener("visibilitychange", turned);
      return () => {
        clearInterval(timer);
        clearTimeout(this.#soon);
        document.removeEventListener("visibilitychange", turned);
        this.#turnAway();
      };
    });
    $effect(() => {
      if (connection.state === "online") return;
      this.#missed ||= this.#told;
      this.#told = false;
    });
  }

  refresh(): Promise<void> {
    return this.#ask();
  }

  /** For the connection. */
  listed({ open, playing, matches }: Listed): void {
    for (const match of matches) this.#listed.set(match.info.id, match);
    const kept = (ids: string[]) => ids.flatMap((id) => this.#listed.get(id) ?? []);
    this.lobby = { open: kept(open), playing: kept(playing) };
    this.#listed = new Map([...this.lobby.open, ...this.lobby.playing].map((match) => [match.info.id, match]));
    this.#told = this.reached = true;
    if (this.#missed) this.yours();
    this.#missed = false;
  }

  /** For the connection: several that move on at once are asked for together. */
  yours(): void {
    if (!this.#mine || this.#soon !== undefined) return;
    this.#soon = setTimeout(() => {
      this.#soon = undefined;
      void this.#ask();
    }, SOON_MS);
  }

  #look(): void {
    void this.#ask();
    connection.visit(this);
  }

  #turnAway(): void {
    connection.depart(this);
    this.#told = false;
  }

  async #ask(): Promise<void> {
    const mine = this.#mine;
    try {
      const lobby = this.#told
        ? this.lobby
        : api.lobby().catch((error: unknown) => {
            if (!engine.able || !mine) throw error;
            return null;
          });
      const [games, found, own] = await Promise.all([api.games(), lobby, mine ? api.myMatches() : null]);
      this.games = games;
      if (!this.#told) {
        this.reached = found !== null;
        this.lobby = found ?? { open: [], playing: [] };
      }
      if (own) {
        const fresh = new Set(own.matches.map((match) => match.info.id));
        this.mine = [...own.matches, ...this.#earlier.filter((match) => !fresh.has(match.info.id))];
        if (!this.#earlier.length) {
          this.more = own.more;
          this.#last = own.matches.at(-1);
        }
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
      const page = await api.myMatches(this.#last);
      const known = new Set(this.mine.map((match) => match.info.id)); // what waits is on the first page too
      const fresh = page.matches.filter((match) => !known.has(match.info.id));
      this.#earlier = [...this.#earlier, ...fresh];
      this.mine = [...this.mine, ...fresh];
      this.#last = page.matches.at(-1);
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
