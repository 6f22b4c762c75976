/**
 * Two machines are done in seconds; whoever watches sees their game at a pace of their own. The match goes on at the
 * server as fast as it likes: what is shown follows through the history of `session`, and can be paused and stepped.
 */
import { settings } from "../settings.svelte";
import type { WatchSpeed } from "../settings.svelte";
import type { Session } from "./session.svelte";

export const SPEED_MS: Record<WatchSpeed, number> = { slow: 2_000, normal: 900, fast: 250 };
const FRESH_MS = 60_000; // a match that is younger is seen from its beginning

export class Playback {
  running = $state(true);
  /** Whether both players are machines, so that there is something to lean back for. */
  offered = $derived.by(() => this.session.info?.seats.every((seat) => seat.kind === "machine") ?? false);

  #shown = 0; // the place that was shown last

  /** To be called while a component is set up. */
  constructor(private readonly session: Session) {
    $effect(() => {
      if (this.offered && !session.held) this.#begin();
    });
    $effect(() => {
      if (session.held && !session.isLive) void session.prepared(session.place);
    });
    $effect(() => {
      if (!session.held) return;
      if (session.place < this.#shown) this.running = false; // whoever steps back wants to look
      this.#shown = session.place;
    });
    $effect(() => {
      if (!session.held || !this.running || session.isLive) return;
      const timer = setInterval(() => void this.#advance(() => this.running), SPEED_MS[settings.watchSpeed]);
      return () => clearInterval(timer);
    });
  }

  toggle(): void {
    this.running = !this.running;
  }

  /** One move on, and no further. */
  step(): void {
    this.running = false;
    void this.#advance(() => true);
  }

  #begin(): void {
    const { session } = this;
    const age_ms = Date.now() + session.live.offset_ms - (session.info?.started_ms ?? 0);
    if (age_ms < FRESH_MS) session.hold(0);
    else if (!session.over) session.hold(session.line.length);
  }

  /** `wanted` is asked again once the position is there: somebody may have pressed Pause in the meantime. */
  async #advance(wanted: () => boolean): Promise<void> {
    const to = this.session.place + 1;
    if ((await this.session.prepared(to)) && wanted()) this.session.goTo(to);
  }
}
