/**
 * Games that the client has never heard of, from the home page to the review: one in which a move is a cell, and
 * one whose moves are chosen among those that the server lists. TENGEN_SHOTS keeps pictures of them in a folder.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import type { BrowserContextOptions } from "playwright-core";
import { test } from "vitest";

import { clean } from "./axe.ts";
import type { Person } from "./person.ts";
import { playAll } from "./person.ts";
import { CONNECT_FOUR, TIC_TAC_TOE, withPlugins } from "./plugins.ts";
import { stage } from "./stage.ts";

const at = stage({ own: { env: withPlugins(TIC_TAC_TOE, CONNECT_FOUR) } });

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};

async function picture(me: Person, name: string): Promise<void> {
  const folder = process.env.TENGEN_SHOTS;
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await me.page.screenshot({ path: join(folder, `${name}.png`) });
}

test("tic-tac-toe between two people, one with the mouse and one with the keys, and its review", async () => {
  const [crosses, noughts] = await at.pair("Tic-tac-toe");
  await crosses.status.getByText("Your turn as Crosses.").waitFor();
  await noughts.status.getByText("Crosses to move.").waitFor();
  await playAll(crosses, noughts, "B2 A1 A3 C1");
  await crosses.sees("B2", /B2, Crosses/);
  await noughts.sees("C1", /C1, Noughts, last move/);
  await picture(crosses, "tic-tac-toe");
  await clean(crosses, "a match of tic-tac-toe");
  await playAll(crosses, noughts, "B1 B3", 4);
  await playAll(crosses, noughts, "A2 C2 C3", 6);
  await crosses.end("A draw", /full/);

  await crosses.page.getByRole("link", { name: "Review" }).last().click();
  await crosses.press("Analyse");
  await crosses.page.getByText("Crosses's win rate, %").waitFor();
  await crosses.page.getByRole("table", { name: "Accuracy" }).waitFor();
  await picture(crosses, "tic-tac-toe-review");
});

test("tic-tac-toe on a phone against a level, with a second tap for each move", async () => {
  const me = await at.person("touch", PHONE);
  await me.page.goto("/");
  await me.page.getByRole("heading", { name: "Tic-tac-toe" }).scrollIntoViewIfNeeded();
  await picture(me, "home-phone");
  await me.start("Tic-tac-toe", { opponent: "Computer", level: 1, colour: /\(first\)/ });
  await me.myTurn();
  await me.choose("B2");
  await me.button("Place B2").waitFor();
  await picture(me, "tic-tac-toe-phone");
  await me.choose("B2");
  for (let move = 1; move < 5; move++) {
    const over = me.page.getByRole("button", { name: "Rematch" });
    const free = me.page.locator('[role=grid][aria-readonly="false"]');
    await over.or(free).first().waitFor();
    if (await over.isVisible()) break;
    const labels = await me.board.getByRole("gridcell", { name: /, empty/ }).all();
    const name = (await labels[0]!.getAttribute("aria-label"))!.split(",")[0]!;
    await me.choose(name);
    await me.choose(name);
    await me.sees(name, /Crosses/);
  }
  await me.page.getByRole("button", { name: "Rematch" }).waitFor();
  await picture(me, "tic-tac-toe-phone-end");
});

test("Connect Four: a tap on a cell drops a disc, and the best column is shown", async () => {
  const me = await at.person("mouse");
  await me.page.goto("/");
  await me.page.getByRole("heading", { name: "Connect Four" }).scrollIntoViewIfNeeded();
  await picture(me, "home");
  await me.start("Connect Four", { opponent: "Same screen" });
  for (const [index, cell] of ["D1", "C1", "D2", "C2", "D3"].entries()) {
    await me.play(cell);
    await me.moves(index + 1);
  }
  await me.sees("D3", /D3, Red, last move/);
  await me.choose("A6"); // nothing falls there
  await me.moves(5);
  const field = me.page.getByLabel("Move", { exact: true });
  await field.fill("no such move");
  await field.press("Enter");
  await me.status.getByText(/not a move|is not/).waitFor();
  await me.press("Hint", me.actions);
  await me.page.getByRole("heading", { name: "Best moves for Yellow" }).waitFor();
  await picture(me, "connect-four");
  await clean(me, "a match of Connect Four");
  await me.play("A1");
  await me.moves(6);
  await me.play("D4");
  await me.end("Red wins", "Four in a row.");
  await picture(me, "connect-four-end");

  await me.page.goto("/rules/connect-four");
  await me.reads("Four in a row, in any direction, win.");
  await picture(me, "connect-four-rules");
});
