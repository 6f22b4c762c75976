/** Dominion Duel from the home page to its end. */
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";

import { playAll } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage({ calm: true });

test("before a claim one sees what it would lock", async () => {
  const me = await at.person();
  await me.start("Dominion Duel", { opponent: "Same screen" });
  const { x, y } = await me.centre("5");
  await me.page.mouse.move(x, y);
  await expect.poll(() => me.board.locator("svg .foreseen").count()).toBe(2);
  await me.play("5");
  await me.moves(1);
  await me.sees("4", /locked/);
});

test("best moves stand beside the numbers of their territories", async () => {
  const me = await at.person("mouse", { reducedMotion: "reduce" });
  await me.start("Dominion Duel", { opponent: "Same screen" });
  await me.press("Hint", me.actions);
  const spots = me.board.locator(".advice .spot");
  await spots.first().waitFor();
  const boxes = (parts: Locator) => parts.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON() as DOMRect));
  const numbers = await boxes(me.board.locator(".number"));
  for (const spot of await boxes(spots)) {
    const middle = { x: spot.x + spot.width / 2, y: spot.y + spot.height / 2 };
    for (const { left, right, top, bottom } of numbers) {
      const away = Math.hypot(middle.x - Math.max(left, Math.min(middle.x, right)), middle.y - Math.max(top, Math.min(middle.y, bottom)));
      expect(away, "a number is covered").toBeGreaterThanOrEqual(spot.width / 2);
    }
  }
});

test("two people play it, one with the mouse and one with the keys", async () => {
  const [first, second] = await at.pair("Dominion Duel", {
    options: async (dialog) => dialog.getByText("9", { exact: true }).click(),
  });
  await first.status.getByText("Your turn as Player 1.").waitFor();
  await second.status.getByText("Player 1 to move.").waitFor();
  await playAll(first, second, "5 2 8");
  await first.sees("5", /claimed by Player 1/);
  await second.sees("2", /claimed by Player 2/);
  await second.sees("9", /locked/);
  await first.end("You won", "Player 1 claimed 2, Player 2 1, and no territory is open any more.");
  await second.end("You lost", "Player 1 claimed 2, Player 2 1, and no territory is open any more.");
  await expect.poll(() => second.board.getAttribute("aria-readonly")).toBe("true");
});

test("its review stands on one screen: the map hides nothing", async () => {
  const me = await at.person();
  await me.start("Dominion Duel", { opponent: "Same screen" });
  for (const [index, move] of ["5", "2", "8"].entries()) {
    await me.play(move);
    await me.moves(index + 1);
  }
  await me.page.getByRole("region", { name: "Player 1 wins" }).getByRole("link", { name: "Review" }).click();
  const map = me.page.getByRole("grid", { name: "Dominion Duel" });
  await map.waitFor();
  const bottom = async () => {
    const { y, height } = (await map.boundingBox())!;
    return y + height;
  };
  for (const [width, height] of [[1440, 900], [1024, 768], [1280, 620]] as const) {
    await me.page.setViewportSize({ width, height });
    const last = me.button("To the end");
    await expect.poll(bottom, { message: `${width}×${height}` }).toBeLessThanOrEqual((await last.boundingBox())!.y);
  }
});

test("why it was lost is told as what is certain, whatever it was", async () => {
  const us = await at.person();
  const lost = async (moves: string, resigns: boolean, said: string | RegExp) => {
    await us.start("Dominion Duel", { opponent: "Same screen" });
    for (const [index, move] of moves.split(" ").entries()) {
      await us.play(move);
      await us.moves(index + 1);
    }
    if (resigns) {
      await us.press("Resign", us.actions);
      await us.press("Resign", us.dialog);
    }
    await us.press("Where was it decided?");
    await us.page.getByRole("region", { name: "Why it was lost" }).getByText(said).waitFor();
  };
  await lost("1 7 3 5 9", false, /^Until move 2 Player 2 could still hold the game: \d instead of 7 is a draw with good play\.$/);
  await lost("5 2 8", false, "Player 2 could not have saved it: the other side wins this board with good play.");
  await lost("1", true, "Nothing was lost on the board yet: with good play of both it was a draw.");
  await lost("1 7", true, "Nothing was lost on the board yet: Player 1 could still win for certain.");
});
