/** A game that somebody brings: import, graph and mistakes, variations, export, and playing on. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

import type { Person } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage();

const SGF =
  "(;GM[1]FF[4]SZ[9]KM[6.5]PB[Ada]PW[Bob]" +
  ";B[ee];W[ce]C[A quiet answer];B[aa];W[gd];B[ia];W[cg];B[ed];W[eb])"; // Black in the corners

async function cell(me: Person, name: string): Promise<{ x: number; y: number }> {
  const found = me.page.getByRole("gridcell", { name: new RegExp(`^${name}, `) });
  const box = (await found.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

async function sees(me: Person, name: string, words: RegExp): Promise<void> {
  const found = me.page.getByRole("gridcell", { name: new RegExp(`^${name}, `) });
  await expect.poll(() => found.getAttribute("aria-label"), { message: name }).toMatch(words);
}

async function saved(me: Person, item: string): Promise<{ name: string; text: string }> {
  await me.press("Export");
  const [download] = await Promise.all([
    me.page.waitForEvent("download"),
    me.page.getByRole("menuitem", { name: item }).click(),
  ]);
  return { name: download.suggestedFilename(), text: readFileSync(await download.path(), "utf8") };
}

test("an SGF is imported, reviewed, varied, exported, and played on", async () => {
  const me = await at.person();
  await me.page.goto("/review");
  await me.page.getByRole("textbox", { name: "SGF or JSON text" }).fill("(;this is no game");
  at.expected = [/status of 400/, /^response: 400/];
  await me.press("Open");
  await me.page.getByRole("alert").waitFor();
  await me.page.getByRole("textbox", { name: "SGF or JSON text" }).fill(SGF);
  await me.press("Open");
  await me.page.waitForURL(/\/study\//);
  await me.page.getByRole("heading", { name: "Black: Ada – White: Bob" }).waitFor();

  await me.press("To the end");
  await sees(me, "E8", /white stone, .*last move/);
  await me.press("To the start");
  await me.press("One move on");
  await me.press("One move on");
  await sees(me, "C5", /white stone/);
  await me.reads("A quiet answer");

  await me.press("Analyse");
  await me.page.getByRole("table", { name: "Accuracy" }).waitFor();
  await me.page.getByRole("progressbar").waitFor({ state: "detached", timeout: 120_000 });
  await me.page.getByRole("img", { name: /Win rate of Black \d+/ }).waitFor();
  await me.press("Stop");
  const graph = me.page.getByRole("slider", { name: /Win rate and lead over the game/ });
  await graph.locator("canvas").waitFor();
  expect(await graph.getAttribute("aria-valuetext")).toMatch(/Move 2 of 8, Win rate of Black [\d.]+%/);
  await graph.press("End");
  await sees(me, "E8", /last move/);
  const box = (await graph.boundingBox())!;
  await me.page.mouse.move(box.x + box.width / 2 - 5, box.y + box.height / 2);
  await me.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await expect.poll(async () => Number(await graph.getAttribute("aria-valuenow"))).toBeLessThan(8);

  await me.press("As a table");
  const table = me.page.getByRole("region", { name: "How it went" });
  await expect.poll(() => table.getByRole("row").count()).toBe(9);
  expect(await table.getByRole("row").filter({ hasText: /Blunder|Mistake|Inaccuracy/ }).count()).toBeGreaterThan(0);
  await me.press("As a graph");
  await me.press("To the start");
  await me.press("Next mistake");
  await me.reads(/: (Blunder|Mistake|Inaccuracy)\. Better was/);
  await me.page.locator(".better .ring").waitFor();
  await me.page.locator(".judged .badge").waitFor();
  await me.press("To the start");

  await me.press("One move on");
  const { x, y } = await cell(me, "G3");
  await me.page.mouse.click(x, y);
  const variation = me.page.getByRole("group", { name: "Variation" });
  await variation.getByRole("button", { name: /G3/ }).waitFor();
  await sees(me, "G3", /white stone/);
  await me.press("Add a comment");
  await me.page.getByRole("textbox", { name: "Comment" }).fill("Wider.");
  await me.page.getByRole("textbox", { name: "Comment" }).press("Tab");
  await me.reads("Wider.");

  await me.page.reload();
  await me.page.getByRole("table", { name: "Accuracy" }).waitFor();
  await variation.getByRole("button", { name: /G3/ }).click();
  await me.reads("Wider.");
  const annotated = await saved(me, "SGF, with analysis");
  expect(annotated.text).toMatch(/SBKV\[[\d.]+\]/);

  const sgf = await saved(me, "SGF, with variations");
  expect(sgf.name).toMatch(/\.sgf$/);
  expect(sgf.text).toMatch(/\(;[^()]*W\[gg\]/);
  expect(sgf.text).toContain("Wider.");
  expect(sgf.text).toContain("PB[Ada]");
  const record = await saved(me, "tengen record, main line");
  expect(JSON.parse(record.text)).toMatchObject({ game: "go" });

  await me.press("Share");
  const link = await me.dialog.getByRole("textbox", { name: "Link to this review" }).inputValue();
  await me.press("Close", me.dialog);
  const other = await at.person();
  await other.page.goto(link);
  await other.page.getByRole("group", { name: "Variation" }).getByRole("button", { name: /G3/ }).waitFor();

  await me.press("Play on from here");
  await me.setLevel(me.dialog, 1);
  await me.press("Start the game", me.dialog);
  await me.page.waitForURL(/\/play\//);
  await me.sees("G3", /white stone/);
  await me.status.getByText("Your turn as Black.").waitFor();
  await me.play("C3");
  await me.moves(2);
});

test("a long game full of mistakes stands on one screen, with the ways to go on in sight", async () => {
  const me = await at.person();
  const letters = [..."abcdefghi"];
  const points = letters.flatMap((x, i) => letters.filter((_, j) => (i + j) % 2 === 0).map((y) => x + y)); // none touch
  const line = points.map((point, index) => `;${index % 2 ? "W" : "B"}[${point}]`).join("");
  await me.page.route("**/api/studies/*", async (route) => {
    const answer = await route.fetch();
    const study = (await answer.json()) as { nodes: { text: string; seat: number; actions: number[]; review: unknown }[] };
    const judged = { win_before: 0.9, win_after: 0.1, lead: 0, best: "A1", mistake: "blunder", line: ["A1"], line_actions: [[72]], by: "net" };
    for (const [number, node] of study.nodes.entries())
      if (number) node.review = { ...judged, number, seat: node.seat, move: node.text };
    await route.fulfill({ response: answer, json: study });
  });
  await me.page.goto("/review");
  await me.page.getByRole("textbox", { name: "SGF or JSON text" }).fill(`(;GM[1]SZ[9]RE[B+R]${line})`);
  await me.press("Open");
  await me.page.waitForURL(/\/study\//);
  await me.page.reload();
  await me.page.getByRole("table", { name: "Accuracy" }).waitFor();
  for (const [width, height] of [[1280, 800], [1440, 900], [1280, 680]] as const) {
    await me.page.setViewportSize({ width, height });
    const flip = (await me.button("Flip the board").boundingBox())!;
    expect(flip.y + flip.height, `${height}`).toBeLessThanOrEqual(height);
    const stretched = await me.page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    expect(stretched, "the page does not scroll").toBe(0);
  }
});

test("the move on the board stays in sight among the moves when what stands above them grows", async () => {
  const me = await at.person();
  const letters = [..."abcdefghijklmnopqrs"];
  const points = letters.flatMap((x, i) => letters.filter((_, j) => (i + j) % 2 === 0).map((y) => x + y)); // none touch
  const line = points.map((point, index) => `;${index % 2 ? "W" : "B"}[${point}]`).join("");
  await me.page.goto("/review");
  await me.page.getByRole("textbox", { name: "SGF or JSON text" }).fill(`(;GM[1]SZ[19]RE[B+R]${line})`);
  await me.press("Open");
  await me.page.waitForURL(/\/study\//);
  const last = me.button(/^181\./);
  await last.waitFor();
  await me.press("To the end");
  await me.press("Analyse");
  await me.page.getByRole("columnheader", { name: "Line" }).waitFor();
  const hidden = () =>
    last.evaluate((move) => {
      const [item, view] = [move, move.parentElement!].map((part) => part.getBoundingClientRect());
      return Math.max(view!.top - item!.top, item!.bottom - view!.bottom);
    });
  await expect.poll(hidden).toBeLessThanOrEqual(0);
});

test("a collection in another encoding is chosen from, and opens up to an illegal move", async () => {
  const me = await at.person();
  await me.page.goto("/review");
  const hangul = Buffer.from([0xc1, 0xb6, 0xc8, 0xc6, 0xc7, 0xf6, 0x20, 0xb9, 0xd9, 0xb5, 0xcf]); // cp949
  const parts = ["(;GM[1]SZ[9]PB[Ada]PW[Bob];B[ee])(;GM[1]SZ[9]PB[", hangul, "]PW[Cho];B[ee];W[ce];B[ce])"];
  const buffer = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
  await me.page.locator('input[type="file"]').setInputFiles({ name: "two.sgf", mimeType: "application/x-go-sgf", buffer });
  await me.press(/^2\. 조훈현 바둑 – Cho/, me.dialog);
  await me.page.waitForURL(/\/study\//);
  await me.page.getByRole("heading", { name: /조훈현 바둑/ }).waitFor();
  await me.reads(/^The file cannot be followed after move 2: /);
});

test("why a game was lost can be asked again where it could not be answered", async () => {
  const me = await at.person();
  await me.start("Dominion Duel", { opponent: "Same screen" });
  for (const [index, move] of ["5", "2", "8"].entries()) {
    await me.play(move);
    await me.moves(index + 1);
  }
  at.expected = [/status of 429/, /^response: 429/];
  const json = { code: "too-many", message: "Too many positions are being looked at; try again in a moment." };
  await me.page.route("**/api/turning", (route) => route.fulfill({ status: 429, json }), { times: 1 });
  await me.press("Where was it decided?");
  await me.reads(json.message);
  await me.press("Try again");
  await me.page.getByRole("region", { name: "Why it was lost" }).getByText(/could not have saved it/).waitFor();
});

test("one's own finished game is reviewed from its last page, with the best moves on the board", async () => {
  const me = await at.person();
  await me.start("Great Kingdom", { opponent: "Same screen" });
  for (const [index, move] of ["E4", "A9", "A8", "J1", "B9"].entries()) {
    await me.play(move);
    await me.moves(index + 1);
  }
  await me.end("Blue wins", /The first capture wins\./);
  await me.press("Where was it decided?");
  const why = me.page.getByRole("region", { name: "Why it was lost" });
  await why.getByText(/^Until move [24] Orange's castles could be saved: \w\d instead of (A9|J1) /).waitFor();
  await me.sees("A9", /orange castle/);
  await me.sees("B9", /empty/);
  await me.page.locator(".better .ring").waitFor();
  await me.page.locator(".doomed .ground").waitFor();
  await me.press("Play on from there");
  await me.dialog.getByRole("button", { name: "Start the game" }).waitFor();
  await me.page.keyboard.press("Escape");
  await me.dialog.waitFor({ state: "hidden" });
  await me.page.getByRole("region", { name: "Blue wins" }).getByRole("link", { name: "Review" }).click();
  await me.page.waitForURL(/\/review\//);
  await me.press("To the end");
  await me.press("One move back");
  await me.press("Analyse");
  await me.page.getByRole("img", { name: /Win rate of Blue \d+/ }).waitFor();
  await me.page.getByRole("button", { name: /^Play this line: B9/ }).click();
  const slider = me.page.getByRole("slider", { name: /^Moves$|Win rate and lead/ }).first();
  await expect.poll(() => slider.getAttribute("aria-valuetext")).toMatch(/^Move 5 of 5/);
});
