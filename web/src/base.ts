/**
 * Below which path of its host the site is served, such as "/tengen" behind a proxy; empty at the root. The server
 * writes it into the page. Paths in the program begin with "/" wherever that is: `at` is what a browser is told.
 */
export const BASE = document.querySelector<HTMLMetaElement>('meta[name="tengen-base"]')?.content ?? "";

export function at(path: string): string {
  return path.startsWith("/") ? BASE + path : path;
}

/** The path in the program of one that a browser has. */
export function within(path: string): string {
  return path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path === BASE ? "/" : path;
}
