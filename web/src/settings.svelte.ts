/**
 * What a person chose, kept in this browser under "tengen.settings". Assign to a field to change it: it is
 * saved and everything that reads it follows, other tabs included. Unknown or broken values fall back to
 * the default one by one.
 */
import { languages } from "./i18n/languages";
import type { Language } from "./i18n/languages";
import { readJson, write } from "./storage";

const KEY = "tengen.settings";

const CHOICES = {
  theme: ["system", "light", "dark"],
  language: ["auto", ...(Object.keys(languages) as Language[])],
  confirm: ["auto", "on", "off"],
  boardStyle: ["wood", "walnut", "paper", "slate"],
  pieceStyle: ["classic", "flat", "bold"],
  pace: ["none", "brisk", "calm"],
  watchSpeed: ["slow", "normal", "fast"],
} as const;

export type Theme = (typeof CHOICES.theme)[number];
export type LanguageChoice = (typeof CHOICES.language)[number];
export type ConfirmChoice = (typeof CHOICES.confirm)[number];
export type BoardStyle = (typeof CHOICES.boardStyle)[number];
export type PieceStyle = (typeof CHOICES.pieceStyle)[number];
export type PaceChoice = (typeof CHOICES.pace)[number];
export type WatchSpeed = (typeof CHOICES.watchSpeed)[number];

export interface Settings {
  theme: Theme;
  language: LanguageChoice;
  sound: boolean;
  coordinates: boolean;
  confirm: ConfirmChoice;
  animations: boolean;
  name: string;
  boardStyle: BoardStyle;
  pieceStyle: PieceStyle;
  /** How soon a machine's answer is shown. */
  pace: PaceChoice;
  /** Whether pieces show the numbers of the moves that brought them. */
  moveNumbers: boolean;
  /** Whether a match shows the board, the clocks and what can be done, and nothing else. */
  zen: boolean;
  /** How fast a game of two machines is shown. */
  watchSpeed: WatchSpeed;
}

export const BOARD_STYLES: readonly BoardStyle[] = CHOICES.boardStyle;
export const PIECE_STYLES: readonly PieceStyle[] = CHOICES.pieceStyle;

export const defaults: Readonly<Settings> = {
  theme: "system",
  language: "auto",
  sound: true,
  coordinates: true,
  confirm: "auto",
  animations: true,
  name: "",
  boardStyle: "wood",
  pieceStyle: "classic",
  pace: "brisk",
  moveNumbers: false,
  zen: false,
  watchSpeed: "normal",
};

const PACE_MS: Record<PaceChoice, number> = { none: 0, brisk: 600, calm: 1_500 };

/** What `stored` says, with the default for each field that it does not say properly. */
export function checked(stored: unknown): Settings {
  const given = (typeof stored === "object" && stored !== null ? stored : {}) as Record<string, unknown>;
  const result: Record<string, unknown> = { ...defaults };
  for (const [name, fallback] of Object.entries(defaults)) {
    const value = given[name];
    const choices: readonly string[] | undefined = CHOICES[name as keyof typeof CHOICES];
    if (typeof value === typeof fallback && (!choices || choices.includes(value as string))) result[name] = value;
  }
  return result as unknown as Settings;
}

export const settings = $state<Settings>(checked(readJson(KEY)));

let saved = JSON.stringify(settings);
$effect.root(() => {
  $effect(() => {
    const text = JSON.stringify(settings);
    if (text !== saved) write(KEY, (saved = text));
    const root = document.documentElement;
    if (settings.theme === "system") delete root.dataset.theme;
    else root.dataset.theme = settings.theme;
  });
});

window.addEventListener("storage", (event) => {
  if (event.key !== KEY) return;
  Object.assign(settings, checked(readJson(KEY)));
  saved = JSON.stringify(settings);
});

class Media {
  matches = $state(false);

  constructor(query: string) {
    const list = typeof matchMedia === "function" ? matchMedia(query) : null;
    this.matches = list?.matches ?? false;
    list?.addEventListener("change", () => (this.matches = list.matches));
  }
}

const reducedMotion = new Media("(prefers-reduced-motion: reduce)");
const coarsePointer = new Media("(pointer: coarse)");
const darkSystem = new Media("(prefers-color-scheme: dark)");

export function prefersReducedMotion(): boolean {
  return reducedMotion.matches;
}

/** Whether anything may move. */
export function animated(): boolean {
  return settings.animations && !reducedMotion.matches;
}

/** Whether a move is chosen with a first tap and made with a second. */
export function confirms(): boolean {
  return settings.confirm === "auto" ? coarsePointer.matches : settings.confirm === "on";
}

/** The least time between a move and a machine's answer to it, as it is shown. */
export function pace_ms(): number {
  return PACE_MS[settings.pace];
}

export function isDark(): boolean {
  return settings.theme === "system" ? darkSystem.matches : settings.theme === "dark";
}
