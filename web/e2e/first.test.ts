/** A first game explains itself, and what one wants to see of a match is up to oneself. */
import { expect, test } from "vitest";

import { clean } from "./axe.ts";
import { stage } from "./stage.ts";

const at = stage();

test("a sentence and shining places at the start, the rules without leaving, and no more of it later", async () => {
  const me = await at.person("mouse", { reducedMotion: "reduce" });
  await me.start("Great Kingdom", { opponent: "Same screen" });
  const guide = me.page.getByRole("region", { name: "Your first game" });
  await guide.getByText("capture one castle").waitFor();
  await expect.poll(() => me.board.locator("svg .shining").count()).toBe(80); // every cell but that of the neutral castle
  await clean(me, "a first game");

  await me.press("Rules", guide);
  const sheet = me.page.getByRole("dialog", { name: "Rules of Great Kingdom" });
  await sheet.getByRole("heading", { name: "How it ends" }).waitFor();
  await clean(me, "the rules beside a match");
  await me.page.keyboard.press("Escape");
  await sheet.waitFor({ state: "hidden" });
  await me.play("E4");
  await me.moves(1);

  await me.press("I know this", guide);
  await guide.waitFor({ state: "hidden" });
  await expect.poll(() => me.board.locator("svg .shining").count()).toBe(0);
  await me.start("Great Kingdom", { opponent: "Same screen" });
  await me.moves(0);
  expect(await guide.count()).toBe(0);
});

test("the moves by number, and nothing but the board", async () => {
  const me = await at.person();
  await me.start("Go", { opponent: "Same screen" });
  for (const [index, cell] of ["E5", "C3", "G3"].entries()) {
    await me.play(cell);
    await me.moves(index + 1);
  }
  await me.press("More", me.actions);
  await me.page.getByRole("menuitemradio", { name: "Move numbers" }).click();
  await expect.poll(() => me.board.locator("svg text.label").allTextContents()).toEqual(["1", "2", "3"]);
  await me.board.locator("svg text.printed.newest").getByText("3").waitFor();
  expect(await me.board.locator("svg circle.last").count(), "a ring would cross the number").toBe(0);

  const before = (await me.board.boundingBox())!;
  await me.page.keyboard.press("z");
  await me.moveList.waitFor({ state: "hidden" });
  await me.page.getByRole("region", { name: "Your first game" }).waitFor({ state: "hidden" });
  expect(await me.page.getByRole("navigation").count()).toBe(0);
  expect((await me.board.boundingBox())!.width).toBeGreaterThan(before.width);
  await me.play("C7");
  await me.page.keyboard.press("z");
  await me.moves(4);
});

test("nothing but the board hides what a game adds beside it, until it is needed", async () => {
  const me = await at.person();
  await me.start("Great Kingdom", { opponent: "Same screen" });
  await me.button("Liberties").waitFor();
  await me.page.keyboard.press("z");
  await me.button("Liberties").waitFor({ state: "hidden" });
  await me.start("Kelasu", { opponent: "Same screen" });
  await me.press("Merge", me.actions);
  await me.reads("Merge blanks");
});
