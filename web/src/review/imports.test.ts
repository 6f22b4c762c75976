import { beforeEach, describe, expect, it } from "vitest";

import type { Study } from "../protocol";
import { write } from "../storage";
import { forgetImport, imports, keepImport } from "./imports";

function study(id: string): Study {
  const node = { parent: null, actions: [] };
  const players = [{ name: "Ann" }, { name: "Bo" }];
  return { id, game: "go", options: { size: 9 }, title: "", players, nodes: [node, node] } as unknown as Study;
}

describe("files that were opened", () => {
  beforeEach(() => write("tengen.imports", null));

  it("are found again, the latest first and each once", () => {
    keepImport(study("a"), 1);
    keepImport(study("b"), 2);
    keepImport(study("a"), 3);
    expect(imports().map(({ id, opened_ms }) => [id, opened_ms])).toEqual([["a", 3], ["b", 2]]);
    expect(imports()[0]).toMatchObject({ names: ["Ann", "Bo"], moves: 1 });
    expect(forgetImport("a").map(({ id }) => id)).toEqual(["b"]);
    expect(imports()).toHaveLength(1);
  });

  it("do not pile up for ever", () => {
    for (let number = 0; number < 100; number++) keepImport(study(`s${number}`), number);
    expect(imports()).toHaveLength(60);
    expect(imports()[0]!.id).toBe("s99");
  });

  it("do not mind what else is stored there", () => {
    write("tengen.imports", '{"not": "a list"}');
    expect(imports()).toEqual([]);
  });
});
