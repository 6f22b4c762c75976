/** The files that were opened in this browser, so that they are found again; the studies themselves are kept elsewhere. */
import type { Study } from "../protocol";
import { readJson, write } from "../storage";

const KEY = "tengen.imports";
const MOST = 60; // the ones opened last

export interface Imported {
  id: string;
  game: string;
  options: Study["options"];
  /** What the file says that it is, and who played; all may be empty. */
  title: string;
  names: [string, string];
  moves: number;
  opened_ms: number;
}

/** The latest first. */
export function imports(): Imported[] {
  const found = readJson(KEY);
  return Array.isArray(found) ? (found as Imported[]) : [];
}

export function keepImport(study: Study, opened_ms: number = Date.now()): void {
  const { id, game, options, title, players, nodes } = study;
  if (!id) return;
  const names = players.map(({ name }) => name) as [string, string];
  const kept: Imported = { id, game, options, title, names, moves: nodes.length - 1, opened_ms };
  write(KEY, JSON.stringify([kept, ...imports().filter((each) => each.id !== id)].slice(0, MOST)));
}

export function forgetImport(id: string): Imported[] {
  const left = imports().filter((each) => each.id !== id);
  write(KEY, JSON.stringify(left));
  return left;
}
