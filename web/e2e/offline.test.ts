/** The server is gone once the page has been there, and everything that one person does goes on in the page. */
import { readFileSync } from "node:fs";

import type { Locator } from "playwright-core";
import { expect, test } from "vitest";

import { hasCore } from "../src/engine/core/testing.ts";
import type { Person } from "./person.ts";
import { stage } from "./stage.ts";
import { until } from "./until.ts";

const at = stage({ own: true });
const GONE = [/ERR_CONNECTION_REFUSED/, /WebSocket/, /ERR_EMPTY_RESPONSE/, /ERR_CONNECTION_RESET/, /ERR_FAILED/];
const OVER = { name: /^(You won|You lost|A draw|.* wins)$/ };

let cut = false;

/** Somebody who has opened the page once, and whose server is cut off after `before`. */
async function cutOff(before: (me: Person) => Promise<void> = async () => {}): Promise<Person> {
  at.expected = GONE;
  if (cut) await at.server.run();
  cut = true;
  const me = await at.person("mouse", { serviceWorkers: "allow" });
  await me.page.goto("/");
  await me.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await before(me);
  await at.server.kill();
  return me;
}

async function small(dialog: Locator): Promise<void> {
  const size = dialog.getByRole("spinbutton", { name: "Board size" });
  await size.fill("5");
  await size.press("Tab");
}

/** Until it is one's turn or the game is over; whether it goes on. */
async function goesOn(me: Person): Promise<boolean> {
  const over = me.page.getByRole("region", OVER).or(me.status.getByText("Agree on the dead stones."));
  const ready = async () => {
    const locked = await me.board.getAttribute("aria-readonly"); // first: with the agreement a board opens again
    return (await over.count()) ? "over" : locked;
  };
  return (await until("one's turn or the end", ready, (now) => now === "over" || now === "false")) === "false";
}

async function nameOf(cell: Locator): Promise<string> {
  return (await cell.getAttribute("aria-label"))!.split(",")[0]!;
}

/** Makes a move each turn until the game is over or its stones are to be agreed on. */
async function playOn(me: Person, move: () => Promise<void>): Promise<void> {
  const made = () => me.moveList.getByRole("button").count();
  while (await goesOn(me)) {
    const before = await made();
    await move();
    await until("one's move in the list", made, (now) => now > before);
  }
}

test.skipIf(!hasCore)("every game against a level to its end, kept over a reload, reviewed, written and read", async () => {
  const me = await cutOff();

  await me.start("Great Kingdom", { opponent: "Computer", level: 1, colour: /\(first\)/ });
  await me.page.getByTitle("No connection. The engine in this page plays.").waitFor();
  await me.play("E4");
  await me.moves(2);
  await me.page.reload();
  await me.moves(2);
  await me.sees("E4", /blue castle/);
  await me.press("Hint");
  await me.page.getByRole("region", { name: "Best moves for Blue" }).waitFor();
  await me.press("Undo");
  await me.moves(0);
  await me.play("D4");
  await me.moves(2);
  await playOn(me, () => me.pass());
  await me.page.getByRole("region", OVER).waitFor();

  await me.start("Dominion Duel", { opponent: "Computer", level: 1, colour: /^Player 1$|\(first\)/ });
  await playOn(me, async () => {
    const open = me.board.getByRole("gridcell", { name: /, open/ }).first();
    await me.choose(await nameOf(open));
  });

  await me.start("Go", { opponent: "Computer", level: 1, colour: /\(first\)/, options: small });
  await me.play("C3");
  await playOn(me, () => me.pass());
  if ((await me.page.getByRole("region", OVER).count()) === 0) await me.press("Accept");
  await me.page.getByRole("region", OVER).waitFor();

  await me.page.getByRole("link", { name: "Review" }).last().click();
  await me.page.waitForURL(/\/review\/~/);
  await me.press("Analyse");
  await me.page.getByText(/%/).first().waitFor();
});

test.skipIf(!hasCore)("whoever wants a friend is told that it takes a server, until it is back", async () => {
  const me = await cutOff();
  await me.page.getByTitle("No connection. The engine in this page plays.").waitFor();
  await me.press("Play Go");
  await me.dialog.getByText("A friend", { exact: true }).click();
  await me.dialog.getByText("For that the server is needed, and it does not answer just now.").waitFor();
  const invite = me.dialog.getByRole("button", { name: "Make the invitation" });
  expect(await invite.isDisabled()).toBe(true);
  await me.dialog.getByText("Same screen", { exact: true }).click();
  expect(await me.dialog.getByRole("button", { name: "Start the game" }).isEnabled()).toBe(true);
  await me.dialog.getByText("A friend", { exact: true }).click();
  await at.server.run();
  await until("the server to be noticed", () => invite.isEnabled(), (enabled) => enabled);
  await at.server.kill();
});

test.skipIf(!hasCore)("Kelasu to its end, reviewed, and the review is there after a reload", async () => {
  const me = await cutOff();
  await me.start("Kelasu", { opponent: "Computer", level: 9, colour: /\(first\)/ });
  let turn = 0;
  await playOn(me, async () => {
    // Pieces by turns, towards the other side, so that there is something to lose.
    const movable = await me.board.getByRole("gridcell", { name: /can move/ }).all();
    const from = await nameOf(movable[turn++ % movable.length]!);
    await me.choose(from);
    const target = me.board.getByRole("gridcell", { name: /can go here|can be captured|can be converted|recall to here/ });
    await target.first().waitFor();
    await me.choose(await nameOf(target.last()));
  });
  await me.page.getByRole("region", OVER).waitFor();

  await me.page.getByRole("link", { name: "Review" }).last().click();
  await me.page.waitForURL(/\/review\/~/);
  await me.press("Analyse");
  const judged = me.page.getByRole("table", { name: "Accuracy" });
  await judged.waitFor();
  await me.page.reload();
  await judged.waitFor();
}, 300_000);

test.skipIf(!hasCore)("a brain that was asked once is there without a server", async () => {
  const kept = () =>
    me.page.evaluate(async () => {
      const cache = await caches.open("tengen-brains");
      return (await cache.keys()).map(({ url }) => new URL(url).pathname);
    });
  const me = await cutOff(async (me) => {
    await me.start("Great Kingdom", { opponent: "Computer", level: 6, colour: /\(first\)/ });
    await me.play("E4");
    await me.moves(2);
  });
  const [file, ...others] = await kept();
  expect(file).toMatch(/\/assets\/great-kingdom-[^/]*\.onnx$/);
  expect(others).toEqual([]);
  await me.page.reload();
  await me.moves(2);
  expect(await me.page.evaluate(async (path) => (await (await fetch(path)).arrayBuffer()).byteLength, file!)).toBeGreaterThan(1000);
  await me.play("J9"); // where no level answers
  await me.moves(4);
});

test.skipIf(!hasCore)("two at one screen, rules to play in, and a file brought along", async () => {
  const us = await cutOff();
  await us.start("Dominion Duel", { opponent: "Same screen" });
  await us.play("5");
  await us.moves(1);
  await us.page.goto("/");
  await us.page.getByRole("heading", { name: "Go on playing" }).waitFor();
  await us.page.getByRole("link", { name: "Same screen" }).click();
  await us.moves(1);
  await us.play("2");
  await us.moves(2);

  await us.page.goto("/rules/go");
  const task = us.page.getByRole("figure").first();
  await task.getByRole("grid").waitFor();

  await us.page.goto("/review");
  await us.page.getByRole("textbox").fill("(;GM[1]SZ[9]PB[Ann]PW[Bo];B[ee];W[ge](;B[cc])(;B[gg]C[here]))");
  await us.press("Open");
  await us.page.waitForURL(/\/study\/~/);
  await us.page.reload();
  await us.page.getByText("Ann").first().waitFor();
  const [file] = await Promise.all([
    us.page.waitForEvent("download"),
    (async () => {
      await us.press("Export");
      await us.page.getByRole("menuitem", { name: "SGF, with variations" }).click();
    })(),
  ]);
  for (const place of ["/review", "/games"]) {
    await us.page.goto(place);
    await us.page.getByRole("link", { name: "Ann – Bo" }).click();
    await us.page.waitForURL(/\/study\/~/);
  }
  expect(readFileSync(await file.path(), "utf8")).toMatch(/;W\[ge\]\s*\(\s*;B\[cc\]\s*\)\s*\(\s*;B\[gg\]C\[here\]/);
});
