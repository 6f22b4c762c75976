/** The page and the server read each other's files: both find the same study in them. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";

import { beforeAll, describe, expect, test } from "vitest";

import type { Study } from "../../protocol";
import { facts } from "../core";
import { hasCore, nodeCore } from "../core/testing";
import { readStudy, textOf, writeStudy } from ".";
import type { Desk } from ".";

const ROOT = resolve(import.meta.dirname, "../../../..");

interface Sample {
  form: "json" | "sgf";
  text: string;
  study: Study;
}

function python(args: string[], input = ""): unknown {
  const command = [resolve(ROOT, "tools/record_samples.py"), ...args];
  const options = { input, maxBuffer: 1 << 28, encoding: "utf8" as const };
  return JSON.parse(execFileSync(resolve(ROOT, ".venv/bin/python"), command, options));
}

type Found = Study | { refused: string };

/** Without why something cannot be read or shown, for which the two have words of their own. */
function plain(found: Found): unknown {
  if ("refused" in found) return "refused";
  const nodes = found.nodes.map((node) => ({ ...node, comment: node.comment.replace(/(cannot be shown: ).*/, "$1") }));
  return { ...found, nodes, notice: found.notice.replace(/: .*/, "") };
}

describe.skipIf(!hasCore)("records", () => {
  let desk: Desk;
  let samples: Sample[];

  beforeAll(() => {
    desk = { core: nodeCore(), games: facts.games };
    samples = python([]) as Sample[];
  }, 60_000);

  test("what the server has written is read the same", async () => {
    for (const { text, study } of samples) expect(await readStudy(desk, text)).toEqual(study);
  });

  test("files of all kinds are read as the server reads them", async () => {
    for (const { data, found } of python(["--cases"]) as { data: string; found: Found }[]) {
      const text = textOf({ data });
      const read = await readStudy(desk, text).catch((error: Error) => ({ refused: error.message }));
      expect.soft(plain(read), text || data).toEqual(plain(found));
    }
  }, 60_000);

  test("what the page has written the server reads the same", async () => {
    const texts = await Promise.all(samples.map(({ form, study }) => writeStudy(desk, study, form)));
    const read = python(["--read"], JSON.stringify(texts)) as Study[];
    for (const [index, { study, form }] of samples.entries()) {
      expect(read[index], `${form} ${texts[index]}`).toEqual(study);
    }
  }, 60_000);

  test.each([
    ["", "The file is empty."],
    ["hello", "This is not SGF: there is no game that begins with '(;'."],
    ["(;GM[2];B[aa])", "The SGF text holds a game that is not known here: GM is 2."],
    ['{"format": "other"}', "This is not a record of ours: its format is not 'tengen-record'."],
    ["(;SZ[40])", "SZ is '40', and boards have 2 to 19 points a side."],
  ])("%s is refused with a sentence", async (text, sentence) => {
    await expect(readStudy(desk, text)).rejects.toThrow(sentence);
  });

  test("a file with an illegal move opens up to it and says so", async () => {
    const study = await readStudy(desk, "(;GM[1]SZ[9];B[aa];W[aa];B[bb])");
    expect(study.nodes).toHaveLength(2);
    expect(study.nodes[1]!.comment).toMatch(/^The file goes on here with what cannot be shown: /);
  });

  test("what else a file says comes back", async () => {
    const text =
      "(;GM[1]SZ[9]PB[Ann]BR[3d]PW[Bo]RE[B+3.5]ST[2];B[dd]BL[100]OB[3]WL[90]LB[aa:x\\]];W[ee]TR[dd](;B[cc]N[a])(;B[gg]BM[1]))";
    const study = await readStudy(desk, text);
    expect(study.players[0].name).toBe("Ann (3d)");
    const written = await writeStudy(desk, study, "sgf");
    for (const kept of ["PB[Ann]", "BR[3d]", "RE[B+3.5]", "ST[2]", "BL[100]", "OB[3]", "WL[90]", "LB[aa:x\\]]", "TR[dd]", "N[a]", "BM[1]"]) {
      expect(written).toContain(kept);
    }
    expect(await readStudy(desk, written)).toEqual(await readStudy(desk, await writeStudy(desk, await readStudy(desk, written), "sgf")));
    const [there] = python(["--read"], JSON.stringify([written])) as Study[];
    expect(there!.nodes.map(({ sgf }) => sgf)).toEqual(study.nodes.map(({ sgf }) => sgf));
  }, 60_000);

  test.each([
    ["(GM[1]SZ[9];B[dd](W[ee])(;W[ff]))", 4],
    ["( GaMe[1]SiZe[9];Black[dd];White[ee])", 3],
    ["(;SZ[19]AB[pd, dp];W[dd])", 2],
  ])("%s is read", async (text, nodes) => {
    const study = await readStudy(desk, text);
    expect(study.nodes).toHaveLength(nodes);
    expect(study.nodes[0]!.comment).toBe("");
  });

  test("a position that is set up is where the game begins", async () => {
    const study = await readStudy(desk, "(;GM[1]SZ[5]AB[aa:ba]AW[ee]PL[W];W[cc])");
    expect(study.origin).toEqual(["XX3/5/5/5/4O", 1]);
    expect(study.nodes[1]).toMatchObject({ seat: 1, text: "C3" });
  });
});
