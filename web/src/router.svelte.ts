/**
 * Paths and pages. `ROUTES` says which page shows a path; `router` is where we are, as rune state. Links are
 * plain `<a href>`: `follow` takes clicks on those that stay on this site.
 *
 * A static host has one page and knows no paths, nor do we know below which folder it serves it: there the path is
 * what stands behind the #, and links are written so (`lead`).
 */
import { at, within } from "./base";
import { SITE } from "./engine/engine.svelte";

export interface Route {
  page: string; // a file in pages/, without .svelte
  params: Record<string, string>;
}

const ROUTES: readonly (readonly [pattern: string, page: string])[] = [
  ["/", "Home"],
  ["/play/:match", "Play"],
  ["/join/:match", "Join"],
  ["/lobby", "Lobby"],
  ["/games", "Games"],
  ["/review", "Review"],
  ["/review/:match", "Review"],
  ["/study/:id", "Study"],
  ["/rules", "Rules"],
  ["/rules/:game", "Rules"],
  ["/lab", "Lab"],
  ["/settings", "Settings"],
  ["/device", "Device"],
  ["/gallery", "Gallery"],
];

/** Which page shows `path`; null where there is none. Parts between slashes are decoded. */
export function find(path: string): Route | null {
  const parts = split(path);
  for (const [pattern, page] of ROUTES) {
    const params = fit(split(pattern), parts);
    if (params) return { page, params };
  }
  return null;
}

function split(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

function fit(pattern: string[], parts: string[]): Record<string, string> | null {
  if (pattern.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, piece] of pattern.entries()) {
    const part = parts[index]!;
    if (piece.startsWith(":")) params[piece.slice(1)] = decode(part);
    else if (piece !== part) return null;
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Where we are, as a server would see it. */
function place(): URL {
  return SITE ? new URL(location.hash.startsWith("#/") ? location.hash.slice(1) : "/", location.origin) : new URL(location.href);
}

class Router {
  path = $state(within(place().pathname));
  /** What stands behind the #, without it: the token of an invitation. */
  hash = $state(place().hash.slice(1));
  query = $state.raw(place().searchParams);
  route = $derived(find(this.path));

  constructor() {
    window.addEventListener("popstate", () => this.#read());
    document.addEventListener("click", (event) => this.#follow(event));
    if (SITE) lead();
  }

  /** Show `path` (with ?query and #hash if any). `replace` leaves no step for the back button. */
  go(path: string, { replace = false } = {}): void {
    const target = new URL(at(path), place());
    const address = SITE ? `#${target.pathname}${target.search}${target.hash}` : target;
    if (target.href !== place().href) history[replace ? "replaceState" : "pushState"](null, "", address);
    const moved = within(target.pathname) !== this.path;
    this.#read();
    if (moved && !replace) window.scrollTo(0, 0);
  }

  back(): void {
    if (history.length > 1) history.back();
    else this.go("/");
  }

  #read(): void {
    if (SITE && location.hash && !location.hash.startsWith("#/")) return; // a place within the page
    const { pathname, hash, searchParams } = place();
    this.path = within(pathname);
    this.hash = hash.slice(1);
    this.query = searchParams;
  }

  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || within(link.pathname).startsWith("/api/")) return;
    if (SITE) return this.#followHere(event, link.hash.slice(1));
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    this.go(link.href);
  }

  /** A path, or a place within the page. */
  #followHere(event: MouseEvent, to: string): void {
    event.preventDefault();
    if (to.startsWith("/")) this.go(to);
    else document.getElementById(decode(to))?.scrollIntoView();
  }
}

/** Keeps the addresses of all links such that a host of one page serves them, opened in another tab too. */
function lead(): void {
  const mend = (root: Element): void => {
    for (const link of [root, ...root.querySelectorAll('a[href^="/"]')]) {
      const href = link.getAttribute("href");
      if (link.localName === "a" && href?.startsWith("/")) link.setAttribute("href", `#${href}`);
    }
  };
  const watch = (changes: MutationRecord[]): void => {
    for (const { target, addedNodes } of changes) {
      for (const node of [target, ...addedNodes]) if (node instanceof Element) mend(node);
    }
  };
  new MutationObserver(watch).observe(document, { subtree: true, childList: true, attributeFilter: ["href"] });
}

export const router = new Router();
