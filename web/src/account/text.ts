/** Ways back and devices in the reader's language. The texts come with the pages that need them. */
import { fill, language } from "../i18n";
import type { Language, Values } from "../i18n";
import { en } from "./en";
import { ko } from "./ko";

export type Texts = { [K in keyof typeof en]: string };

const texts: Record<Language, Texts> = { en, ko };

export function a<K extends keyof typeof en>(key: K, ...params: Values<(typeof en)[K]>): string {
  return fill(texts[language()][key], params[0]);
}

export function day(at_ms: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(at_ms);
}
