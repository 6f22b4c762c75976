/**
 * Whether the server has a newer client than the one that runs here. The name of the script in its page carries a hash
 * of it. A newer one is loaded at a good moment: when another page is shown, or nobody looks and no match is open.
 */
import { at } from "./base";
import { SITE } from "./engine/engine.svelte";

const RELOADED = "tengen.reloaded";
const LEAST_MS = 60_000; // between two looks that nothing asked for

function scriptOf(page: Document): string | null {
  return page.querySelector('script[type="module"][src*="assets/app-"]')?.getAttribute("src") ?? null;
}

class Version {
  newer = $state(false);
  #own = scriptOf(document);
  #looked_ms = -Infinity;

  /** Asks the server; true where it has a newer one. Where it does not answer, nothing is known. */
  async look(): Promise<boolean> {
    this.#looked_ms = performance.now();
    if (this.#own === null || this.newer) return this.newer;
    try {
      const answer = await fetch(SITE ? "./" : at("/"), { cache: "no-store" });
      const found = scriptOf(new DOMParser().parseFromString(await answer.text(), "text/html"));
      if (answer.ok && found !== null) this.newer = found !== this.#own;
    } catch {
      // Offline; the page that is here goes on.
    }
    return this.newer;
  }

  /** The same, if it has not been asked lately. */
  glance(): void {
    if (performance.now() - this.#looked_ms > LEAST_MS) void this.look();
  }

  /** Loads the newer one, once: a server that gives out a broken page must not make it load for ever. */
  load(): boolean {
    if (!this.newer || sessionStorage.getItem(RELOADED) === this.#own) return false;
    sessionStorage.setItem(RELOADED, this.#own ?? "");
    location.reload();
    return true;
  }
}

export const version = new Version();
