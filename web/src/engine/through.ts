/** Where the messages of a match go: to the server, or for a match on this device to its table in the page. */
import { ApiError, sentence } from "../net/errors";
import { connection } from "../net/socket.svelte";
import type { Through, Watcher } from "../net/socket.svelte";
import type { Ask, Code } from "../protocol";
import { isLocal, SITE, tables } from "./engine.svelte";

export function through(match: string): Through {
  return SITE || isLocal(match) ? page : connection;
}

const page: Through = {
  offset_ms: 0,

  watch(watcher: Watcher): void {
    tables()
      .then((device) => device.watch(watcher))
      .catch((error: unknown) => {
        const message = sentence(error);
        watcher.receive({ type: "refused", match: watcher.match, id: null, code: "unavailable", message });
      });
  },

  watchAfresh(watcher: Watcher): void {
    void tables().then((device) => device.watchAfresh(watcher));
  },

  leave(watcher: Watcher): void {
    void tables().then((device) => device.leave(watcher));
  },

  async ask(ask: Ask): Promise<number> {
    const device = await tables();
    try {
      return await device.ask(ask);
    } catch (error) {
      throw refused(error);
    }
  },
};

/** An error of the page as one of the server's would be. */
export function refused(error: unknown): unknown {
  const code = (error as { code?: unknown }).code;
  if (!(error instanceof Error) || error instanceof ApiError || typeof code !== "string") return error;
  const codes: Record<string, Code> = { notation: "illegal", option: "malformed", position: "malformed", broken: "unavailable" };
  return new ApiError(codes[code] ?? (code as Code), error.message);
}
