import { expect, it } from "vitest";

import { base64 } from "./base64";

it("carries every byte, however many there are", () => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 256);
  expect(Uint8Array.from(atob(base64(bytes)), (letter) => letter.charCodeAt(0))).toEqual(bytes);
  expect(base64(new Uint8Array())).toBe("");
});
