/** One person at one screen: hot seat, a level, undo and hints. */
import { expect, test } from "vitest";

import { stage } from "./stage.ts";

const at = stage({ calm: true });

test("the first visit needs nothing: three clicks to a game, and a level answers", async () => {
  const me = await at.person();
  await me.page.goto("/");
  await me.page.getByRole("heading", { name: "What shall we play?" }).waitFor();
  await expect.poll(() => me.page.getByRole("button", { name: /^Play / }).count()).toBe(4);
  expect(await me.page.getByRole("dialog").count()).toBe(0);
  await me.press("Play Great Kingdom");
  await me.press("Start the game");
  await me.page.waitForURL(/\/play\//);
  await me.play("E4");
  await me.moves(2);
  await me.status.getByText("Your turn as Blue.").waitFor();
  const over = () => me.page.evaluate(() => document.documentElement.scrollHeight - document.documentElement.clientHeight);
  expect(await over(), "what of the page cannot be seen without scrolling").toBe(0);

  await me.page.reload();
  await me.moves(2);
  await me.page.reload();
  await me.sees("E4", /blue castle/);
});

test("level 1 answers, a hint shows on the board, and undo takes back both moves", async () => {
  const me = await at.person();
  await me.start("Great Kingdom", { opponent: "Computer", level: 1, colour: /\(first\)/ });
  await me.plate("Orange").getByText("Level 1").waitFor();
  await me.play("C3");
  await me.moves(2);

  await me.myTurn();
  await me.press("Hint");
  await me.page.getByRole("region", { name: "Best moves for Blue" }).waitFor();
  expect(await me.page.getByRole("listitem").filter({ hasText: "%" }).count()).toBeGreaterThan(0);
  const spots = await me.board.locator("svg .heat").allTextContents();
  expect(spots.length).toBeGreaterThan(0);
  expect(spots.some((text) => /\d/.test(text))).toBe(true);

  await me.press("Undo");
  await me.moves(0);
  await me.sees("C3", /empty/);
  await me.status.getByText("Your turn as Blue.").waitFor();
  await me.play("G3");
  await me.moves(2);
});

test("how a game of Go against a level stands is told in points and on the board", async () => {
  const me = await at.person();
  await me.start("Go", { opponent: "Computer", level: 1, colour: /Black \(first\)/ });
  await me.play("E5");
  await me.myTurn();
  await me.press("Score");
  await me.reads(/is ahead by about|It is even/);
  await me.press("Score");
  await expect.poll(() => me.page.getByText("If it went on like this").count()).toBe(0);
});

test("the level moves first where it has the first seat", async () => {
  const me = await at.person("keys");
  await me.start("Dominion Duel", { opponent: "Computer", level: 1, colour: /^Player 2$/ });
  await me.moves(1);
  await me.status.getByText("Your turn as Player 2.").waitFor();
});

test("a machine's answer is not shown sooner than a person could play it", async () => {
  const me = await at.person();
  await me.start("Dominion Duel", { opponent: "Computer", level: 1 });
  await me.board.evaluate((board) => {
    const seen = ((window as unknown as { seen: number[] }).seen = []);
    let before = 0;
    new MutationObserver(() => {
      const claims = board.querySelectorAll('[role=gridcell][aria-label*="claimed by"]').length;
      if (claims > before) (seen as number[]).push(performance.now());
      before = claims;
    }).observe(board, { subtree: true, attributes: true, attributeFilter: ["aria-label"] });
  });
  await me.play("5");
  await me.moves(2);
  const [mine, theirs] = await me.page.evaluate(() => (window as unknown as { seen: number[] }).seen);
  expect(theirs! - mine!).toBeGreaterThan(400);
});

test("two at the same screen: undo, history, new game and the way back", async () => {
  const us = await at.person();
  await us.start("Dominion Duel", { opponent: "Same screen" });
  await us.status.getByText("Player 1 to move.").waitFor();
  await us.play("5");
  await us.moves(1);
  await us.status.getByText("Player 2 to move.").waitFor();
  await us.play("2");
  await us.moves(2);
  await us.press("Undo");
  await us.moves(1);
  await us.sees("2", /open/);
  await us.status.getByText("Player 2 to move.").waitFor();
  await us.play("7");
  await us.moves(2);

  await us.page.keyboard.press("Home");
  await us.status.getByText("The start").waitFor();
  await us.sees("5", /open/);
  await us.press("One move on");
  await us.status.getByText("Move 1 of 2").waitFor();
  await us.sees("5", /claimed by Player 1/);
  await us.sees("7", /open/);
  await us.page.keyboard.press("End");
  await us.sees("7", /claimed by Player 2/);

  await us.page.keyboard.press("?");
  await us.dialog.getByText("Step through the moves").waitFor();
  await us.page.keyboard.press("Escape");
  await us.dialog.waitFor({ state: "hidden" });

  const before = us.matchId;
  await us.page.keyboard.press("r");
  await us.dialog.getByText("This game is not over.").waitFor();
  await us.press("New game", us.dialog);
  await expect.poll(() => us.matchId).not.toBe(before);
  await us.status.getByText("Player 1 to move.").waitFor();
  await us.moves(0);
  await us.page.keyboard.press("Escape");
  await us.dialog.getByText("Nothing is lost").waitFor();
  await us.press("Cancel", us.dialog);
  await us.dialog.waitFor({ state: "hidden" });
  await us.moves(0);
  await us.page.keyboard.press("Escape");
  await us.press("Leave", us.dialog);
  await us.page.getByRole("heading", { name: "Go on playing" }).waitFor();
});

test("where only the board is shown Escape brings back the rest, and nobody is put out of a game unasked", async () => {
  const me = await at.person();
  await me.start("Dominion Duel", { opponent: "Same screen" });
  await me.play("5");
  await me.moves(1);
  await me.page.keyboard.press("z");
  await me.moveList.waitFor({ state: "hidden" });
  await me.page.keyboard.press("ArrowLeft");
  await me.press("Back to live");
  await me.sees("5", /claimed by Player 1/);
  await me.page.keyboard.press("Escape");
  await me.moveList.waitFor();
  expect(await me.dialog.count()).toBe(0);
  await me.page.keyboard.press("Escape");
  await me.press("Leave", me.dialog);
  await me.page.getByRole("heading", { name: "Go on playing" }).waitFor();

  await me.press("Play Kelasu");
  await me.dialog.getByText("Other opponents").first().click();
  await me.dialog.getByText("Two computers", { exact: true }).click();
  await me.press("Watch", me.dialog);
  await me.page.waitForURL(/\/play\//);
  await me.press("Pause");
  await me.page.keyboard.press("Escape");
  await me.dialog.getByText("You are watching").waitFor();
  await me.press("Cancel", me.dialog);
  await me.button("Go on").waitFor();
});

test("machine against machine can be watched, a net among them", async () => {
  const me = await at.person();
  await me.page.goto("/");
  await me.press("Play Dominion Duel");
  await me.dialog.getByText("Other opponents").first().click();
  await me.dialog.getByText("Two computers", { exact: true }).click();
  await me.dialog.getByRole("group", { name: "First machine" }).getByText("Neural net").click();
  await me.dialog.getByRole("combobox", { name: "Brain" }).waitFor();
  await me.dialog.getByText("By reflex").click();
  await me.dialog.getByRole("slider", { name: "Level" }).press("Home");
  await me.page.clock.install();
  await me.page.clock.pauseAt(Date.now() + 10_000); // nothing is shown before it is looked at, however busy we are
  await me.press("Watch", me.dialog);
  await me.page.waitForURL(/\/play\//);
  await me.plate("Player 1").getByText("Neural net", { exact: true }).waitFor();
  await me.plate("Player 2").getByText("Level 1").waitFor();
  const controls = me.page.getByRole("region", { name: "Two machines play" });
  await me.press("Pause", controls);
  await me.page.clock.resume();
  const claims = () => me.board.getByRole("gridcell", { name: /claimed by/ }).count();
  expect(await claims()).toBe(0); // the machines have finished long ago
  await me.press("Step", controls);
  await expect.poll(claims).toBe(1);
  await me.moves(1); // one clock for the board and the list
  expect(await me.page.getByRole("region", { name: /wins$|^A draw$/ }).count()).toBe(0);
  await controls.getByText("Fast", { exact: true }).click();
  await me.press("Go on", controls);
  await me.page.getByRole("region", { name: /^(Player [12] wins|A draw)$/ }).waitFor();
});
