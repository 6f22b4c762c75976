import { describe, expect, it } from "vitest";

import { faceOf, known } from "../games";
import { cellsOf, diagramView, frameView } from "./view";

describe("diagrams", () => {
  it("become cells, numbers being runs of empty ones", () => {
    expect(cellsOf("OB3/5/2N2/5/4O")).toEqual({ cells: "OB..........N...........O", width: 5, height: 5 });
    expect(cellsOf("10/BB8").cells).toBe("..........BB........");
  });
});

describe("views for looking", () => {
  it("have the game's shape", () => {
    const view = diagramView(faceOf("kelasu"), "squares", "10/".repeat(9) + "9s", 1);
    expect([view.width, view.height, view.cells.length, view.cells.at(-1), view.to_move]).toEqual([10, 10, 100, "s", 1]);
    const row = diagramView(faceOf("dominion-duel"), "row", "3#X#3", null);
    expect([row.width, row.height, row.cells]).toEqual([9, 1, "...#X#..."]);
  });
});

describe("the sample games", () => {
  it.each(known.filter((face) => face.home.sample))("of $name has whole frames", async (face) => {
    const sample = await face.home.sample!();
    expect(sample.frames.length).toBeGreaterThan(4);
    for (const frame of sample.frames) {
      const view = frameView(face, sample, frame);
      expect(view.width * view.height).toBe(view.cells.length);
      if (frame.territory) expect((view.details.territory as number[]).length).toBe(view.cells.length);
    }
  });
});
