/** What axe finds on every page and in every state worth a look, in the light and in the dark. */
import { test } from "vitest";

import { clean } from "./axe.ts";
import { playAll } from "./person.ts";
import type { Person } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage({ own: true });

async function watcher(): Promise<Person> {
  return at.person("mouse", { reducedMotion: "reduce" });
}

test("pages to read", async () => {
  const me = await watcher();
  const pages = ["/", "/lobby", "/games", "/review", "/settings", "/rules", "/rules/great-kingdom", "/rules/go", "/rules/kelasu", "/rules/dominion-duel"];
  for (const path of pages) {
    await me.page.goto(path);
    await me.settled();
    await clean(me, path);
  }
});

test("a page that is not there, and a match that is not there", async () => {
  const me = await watcher();
  at.expected = [/status of 404/, /^response: 404/];
  await me.page.goto("/nowhere");
  await me.page.getByRole("heading", { name: "There is no such page" }).waitFor();
  await clean(me, "a missing page");
  await me.page.goto("/play/nosuchmatch12345");
  await me.page.getByRole("heading", { level: 1 }).waitFor();
  await clean(me, "a missing match");
});

test("dialogs and menus", async () => {
  const me = await watcher();
  await me.page.goto("/");
  for (const game of ["Great Kingdom", "Go", "Kelasu", "Dominion Duel"]) {
    await me.press(`Play ${game}`);
    await me.dialog.getByText("Rules and more").click();
    await me.dialog.getByText("Other opponents").first().click();
    await me.dialog.getByText("Custom", { exact: true }).click();
    await clean(me, `the start of ${game}`);
    await me.page.keyboard.press("Escape");
    await me.dialog.waitFor({ state: "hidden" });
  }
  await me.page.keyboard.press("?");
  await me.dialog.waitFor();
  await clean(me, "the list of keys");
  await me.page.keyboard.press("Escape");
  await me.press("Language");
  await me.page.getByRole("menu").waitFor();
  await clean(me, "the menu of languages");
});

test("matches from the invitation to the end", async () => {
  const [host, guest] = await Promise.all([watcher(), watcher()]);
  await host.start("Go", { opponent: "A friend", colour: /\(first\)/ });
  await clean(host, "an invitation");
  const link = await host.link();
  await guest.page.goto(link);
  await guest.button("Sit down and play").waitFor();
  await clean(guest, "the page for who is invited");
  await guest.accept(link);
  await playAll(host, guest, "E5 C3");
  await clean(host, "a match of Go");
  await host.offerDraw();
  await guest.reads(/offers a draw/);
  await clean(guest, "an offer");
  await guest.press("Decline");
  await playAll(host, guest, "pass pass", 2);
  await host.page.getByRole("region", { name: "Dead stones" }).waitFor();
  await clean(host, "the agreement");
  await host.press("Resign", host.actions);
  await clean(host, "a question");
  await host.press("Resign", host.dialog);
  await host.end("You lost", "Black resigned.");
  await clean(host, "the end of a match");
});

test("the other boards, with all that they can show", async () => {
  const me = await watcher();
  await me.start("Great Kingdom", { opponent: "Same screen" });
  await me.play("E4");
  await me.moves(1);
  await me.press("Liberties");
  await me.press("Danger");
  await me.press("Hint");
  await me.page.getByRole("region", { name: /^Best moves/ }).waitFor();
  await clean(me, "Great Kingdom");
  await me.start("Kelasu", { opponent: "Same screen" });
  await me.press("Merge");
  await clean(me, "Kelasu");
  await me.page.keyboard.press("l");
  await me.dialog.waitFor();
  await clean(me, "the pieces of Kelasu");
  await me.start("Dominion Duel", { opponent: "Same screen" });
  await me.play("5");
  await me.moves(1);
  await clean(me, "Dominion Duel");
  await me.press("More", me.actions);
  await clean(me, "the menu of a match");
});

test("a review with its graph", async () => {
  const me = await watcher();
  await me.page.goto("/review");
  await me.page.getByRole("textbox", { name: "SGF or JSON text" }).fill("(;GM[1]SZ[9];B[ee];W[ge];B[gf](;W[ff])(;W[fe]))");
  await me.press("Open");
  await me.page.waitForURL(/\/study\//);
  await me.press("Analyse");
  await me.page.getByRole("table", { name: "Accuracy" }).waitFor();
  await me.page.getByRole("progressbar").waitFor({ state: "detached", timeout: 120_000 });
  await me.page.getByRole("img", { name: /Win rate of Black/ }).waitFor();
  await clean(me, "a review");
  await me.press("As a table");
  await clean(me, "a review with a table");
});
