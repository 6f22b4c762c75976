import { afterEach, describe, expect, it, vi } from "vitest";

import { inSight } from "./sight";

/** A card of that height in a box that scrolls, or on the page itself; what it asks the browser for. */
function asked(height: number, box: number | null): { block: unknown; margin: string } {
  const card = document.createElement("section");
  const outer = document.createElement("div");
  if (box !== null) outer.style.overflowY = "auto";
  Object.defineProperty(outer, "clientHeight", { value: box });
  Object.defineProperty(card, "offsetHeight", { value: height });
  outer.append(card);
  document.body.append(outer);
  const scroll = vi.fn();
  card.scrollIntoView = scroll;
  vi.stubGlobal("requestAnimationFrame", (run: () => void) => run());
  inSight(card);
  return { block: scroll.mock.calls[0]![0].block, margin: card.style.scrollMarginBottom };
}

afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

describe("what has just come up", () => {
  it("keeps clear of the bars over the page, and needs no margin in a box beside the board", () => {
    expect(asked(100, null)).toEqual({ block: "nearest", margin: "130px" });
    expect(asked(100, 140)).toEqual({ block: "nearest", margin: "0px" });
  });

  it("shows its beginning where it is taller than its room", () => {
    expect(asked(220, 140).block).toBe("start");
    expect(asked(5000, null).block).toBe("start");
  });
});
