import { flushSync } from "svelte";
import { afterEach, expect, test } from "vitest";

import { settings } from "../settings.svelte";
import { en } from "./en";
import { language, loadLanguage, plural, t, word } from "./index";
import { ko } from "./ko";

afterEach(async () => {
  settings.language = "en";
  await loadLanguage();
});

function flat(messages: object): Map<string, string> {
  const entries = Object.entries(messages).flatMap(([section, texts]) =>
    Object.entries(texts as Record<string, string>).map(([key, text]) => [`${section}.${key}`, text] as const),
  );
  return new Map(entries);
}

const params = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

test("Korean has every text of English, filled in with the same values", () => {
  const [english, korean] = [flat(en), flat(ko)];
  expect([...korean.keys()].sort()).toEqual([...english.keys()].sort());
  const wrong = [...english].filter(([key, text]) => params(text).join() !== params(korean.get(key)!).join());
  expect(wrong).toEqual([]);
});

test("no text is empty in one language alone", () => {
  const korean = flat(ko);
  const wrong = [...flat(en)].filter(([key, text]) => (text === "") !== (korean.get(key) === ""));
  expect(wrong).toEqual([]);
});

test("values are filled in, and plurals are counted", () => {
  expect(t("common.range", { minimum: 1, maximum: 9 })).toBe("1 to 9");
  expect(plural("common.moves", 1)).toBe("1 move");
  expect(plural("common.moves", 1200)).toBe("1,200 moves");
});

test("a word from data falls back", () => {
  expect(word("go.name", "?")).toBe("Go");
  expect(word("common.no-such-key", "ladder")).toBe("ladder");
  expect(word("nonsense", "{n} stones", { n: 2 })).toBe("2 stones");
});

test("the page speaks the chosen language, and says which", async () => {
  settings.language = "ko";
  flushSync();
  await loadLanguage();
  expect(language()).toBe("ko");
  expect(document.documentElement.lang).toBe("ko");
  expect(t("go.name")).toBe("바둑");
  expect(plural("common.moves", 3)).toBe("3수");
});
