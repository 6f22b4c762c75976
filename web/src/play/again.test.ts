import { expect, it } from "vitest";

import { sameAgain } from "./again";
import { fakeInfo } from "./fake.test.svelte";

const machine = { kind: "machine" as const, name: "", player: "level:5", here: false };

it("asks for the same seats, options and clock", () => {
  const person = fakeInfo("go").seats[0];
  const info = fakeInfo("go", { seats: [machine, person], options: { size: 9 } });
  expect(sameAgain(info, [1])).toEqual({
    game: "go",
    options: { size: 9 },
    clock: { kind: "none" },
    origin: null,
    public: true,
    seats: [{ kind: "machine", player: "level:5" }, { kind: "me" }],
  });
  expect(sameAgain(fakeInfo("go"), [0, 1])?.seats).toEqual([{ kind: "me" }, { kind: "me" }]);
});

it("cannot bring another person along", () => {
  expect(sameAgain(fakeInfo("go"), [0])).toBeNull();
});
