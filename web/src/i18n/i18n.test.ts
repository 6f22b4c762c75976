import { flushSync } from "svelte";
import { afterEach, expect, test } from "vitest";

import { settings } from "../settings.svelte";
import { en } from "./en";
import { fill, language, loadLanguage, plural, t, word } from "./index";
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

test("a Korean particle follows the sound of the word before it", () => {
  const said = (text: string, x: string | number) => fill(text, { x });
  expect(said("{x}은(는) 최선", "D4")).toBe("D4는 최선");
  expect(said("{x}은(는) 최선", "D3")).toBe("D3은 최선");
  expect(said("{x}은(는) 왜", "흑")).toBe("흑은 왜");
  expect(said("{x}은(는) 왜", "파랑 (나)")).toBe("파랑 (나)는 왜");
  expect(said("에너지 {x}이(가) 듭니다", 2)).toBe("에너지 2가 듭니다");
  expect(said("{x}와(과) 두기", "신경망")).toBe("신경망과 두기");
  expect(said("{x}(으)로 저장", "game.sgf")).toBe("game.sgf로 저장");
  expect(said("{x}(으)로 옮기기", "C1")).toBe("C1로 옮기기");
  expect(said("{x}(으)로 옮기기", "C3")).toBe("C3으로 옮기기");
  expect(said("{x}을(를) 삭제", "Σ")).toBe("Σ을(를) 삭제");
});
