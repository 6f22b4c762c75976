/**
 * Paths and pages. `ROUTES` says which page shows a path; `router` is where we are, as rune state. Links are
 * plain `<a href>`: `follow` takes clicks on those that stay on this site.
 */
import { at, within } from "./base";

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

class Router {
  path = $state(within(location.pathname));
  /** What stands behind the #, without it: the token of an invitation. */
  hash = $state(location.hash.slice(1));
  query = $state.raw(new URLSearchParams(location.search));
  route = $derived(find(this.path));

  constructor() {
    window.addEventListener("popstate", () => this.#read());
    document.addEventListener("click", (event) => this.#follow(event));
  }

  /** Show `path` (with ?query and #hash if any). `replace` leaves no step for the back button. */
  go(path: string, { replace = false } = {}): void {
    const target = new URL(at(path), location.href);
    if (target.href !== location.href) history[replace ? "replaceState" : "pushState"](null, "", target);
    const moved = within(target.pathname) !== this.path;
    this.#read();
    if (moved && !replace) window.scrollTo(0, 0);
  }

  back(): void {
    if (history.length > 1) history.back();
    else this.go("/");
  }

  #read(): void {
    this.path = within(location.pathname);
    this.hash = location.hash.slice(1);
    this.query = new URLSearchParams(location.search);
  }

  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target || link.hasAttribute("download")) return;
    if (link.origin !== location.origin || within(link.pathname).startsWith("/api/")) return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    this.go(link.href);
  }
}

export const router = new Router();
