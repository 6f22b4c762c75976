/**
 * What the page says, in the reader's language. English comes with the page, other languages are fetched when
 * they are wanted. `t("play.resign")` is typed by en.ts: unknown keys and forgotten params do not compile.
 */
import type { games } from "../games/en";
import { en } from "./en";
import { particle, PARTICLE } from "./particles";
import { language, words } from "./state.svelte";

export { inLanguage, languages } from "./languages";
export type { Language, Spoken } from "./languages";
export { loadLanguage } from "./state.svelte";
export { language };

type Sections = typeof en;
type Translated<Names extends keyof Sections> = { [S in Names]: { [K in keyof Sections[S]]: string } };
/** What another language must have: every section and key of English; games that it lacks are spoken of in English. */
export type Messages = Translated<Exclude<keyof Sections, keyof typeof games>> & Partial<Translated<keyof typeof games>>;

export type Key = { [S in keyof Sections & string]: `${S}.${keyof Sections[S] & string}` }[keyof Sections & string];
type Text<K> = K extends `${infer S}.${infer W}`
  ? S extends keyof Sections
    ? W extends keyof Sections[S]
      ? Sections[S][W]
      : never
    : never
  : never;
type Names<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
/** What must be given to fill a text in. */
export type Values<T> = [Names<T>] extends [never] ? [] : [params: Record<Names<T>, string | number>];
type PluralKey = Key extends infer K ? (K extends `${infer Base}_other` ? Base : never) : never;

export function t<K extends Key>(key: K, ...params: Values<Text<K>>): string {
  return fill(find(key) ?? key, params[0]);
}

/** A key that comes from data, such as the reason of an outcome; `fallback` where nobody has translated it. */
export function word(key: string, fallback: string, params?: Record<string, string | number>): string {
  return fill(find(key) ?? fallback, params);
}

/** The text of `key`_one, `key`_other …, as the language counts; {count} is the number. */
export function plural(key: PluralKey, count: number, params: Record<string, string | number> = {}): string {
  const form = new Intl.PluralRules(language()).select(count);
  const text = find(`${key}_${form}`) ?? find(`${key}_other`) ?? key;
  return fill(text, { count: new Intl.NumberFormat(language()).format(count), ...params });
}

function find(key: string): string | undefined {
  const dot = key.indexOf(".");
  const [section, name] = [key.slice(0, dot), key.slice(dot + 1)];
  const of = (messages: object) => (messages as Record<string, Record<string, string>>)[section]?.[name];
  return of(words()) ?? of(en);
}

const NAMES = new RegExp(`\\{(\\w+)\\}${PARTICLE}`, "g");

/** The text with each {name} replaced, and the Korean particle after it chosen. */
export function fill(text: string, params?: Record<string, string | number>): string {
  if (!params) return text;
  return text.replace(NAMES, (whole, name: string, both?: string) => {
    if (params[name] === undefined) return whole;
    const value = String(params[name]);
    return both ? value + particle(value, both) : value;
  });
}
