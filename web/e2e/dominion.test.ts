/** Dominion Duel from the home page to its end. */
import { expect, test } from "vitest";

import { playAll } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage({}, [], true);

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
