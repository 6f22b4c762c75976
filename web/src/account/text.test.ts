import { expect, test } from "vitest";

import { en } from "./en";
import { ko } from "./ko";

const params = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

test("both languages say the same, filled in with the same values", () => {
  expect(Object.keys(ko).sort()).toEqual(Object.keys(en).sort());
  for (const [key, text] of Object.entries(en)) expect(params(ko[key as keyof typeof en]), key).toEqual(params(text));
});
