/** The Lab in the reader's language. Its texts come with the page, so that playing does not wait for them. */
import { fill, language } from "../i18n";
import type { Language, Values } from "../i18n";
import { en } from "./en";
import { ko } from "./ko";

export type Texts = { [K in keyof typeof en]: string };

const texts: Record<Language, Texts> = { en, ko };

export function l<K extends keyof typeof en>(key: K, ...params: Values<(typeof en)[K]>): string {
  return fill(texts[language()][key], params[0]);
}

/** A number as the reader writes it, with at most so many decimals. */
export function number(value: number, decimals = 0): string {
  return new Intl.NumberFormat(language(), { maximumFractionDigits: decimals }).format(value);
}
