/** The server gets a new client while an old page is open: the page says so, and loads it when that disturbs nobody. */
import { expect, test } from "vitest";

import type { Person } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage();

const NO_WORKER = /Service Worker registration blocked/;

/** From now on the page of the server names another script. The browser still gets the one there is. */
async function released(me: Person): Promise<void> {
  await me.page.route("**/", async (route) => {
    if (route.request().isNavigationRequest()) return route.fallback();
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace(/app-[\w-]+\.js/, "app-another.js") });
  });
}

/** A mark that a reload takes away. */
const stays = (me: Person) => me.page.evaluate(() => (window as unknown as { old?: boolean }).old ?? false);

async function grownOld(me: Person): Promise<void> {
  await me.page.evaluate(() => ((window as unknown as { old?: boolean }).old = true));
}

test("a page that is no longer there brings the new version, and not the word that the server is silent", async () => {
  const me = await at.person("mouse", { serviceWorkers: "block" }); // routes do not see what a worker fetches
  at.expected = [/Settings-/, /ERR_FAILED/, NO_WORKER];
  await me.page.goto("/");
  await me.page.getByRole("heading", { name: "What shall we play?" }).waitFor();
  await grownOld(me);
  await released(me);
  let gone = true;
  await me.page.route("**/settings", (route) => {
    gone = false; // what is asked for after the reload has its file
    return route.fallback();
  });
  await me.page.route("**/assets/Settings-*.js", (route) => (gone ? route.abort() : route.fallback()));
  await me.page.getByRole("link", { name: "Settings" }).click();
  await me.page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  expect(await stays(me)).toBe(false);
});

test("during a match it says so and waits until one leaves", async () => {
  const me = await at.person("mouse", { serviceWorkers: "block" }); // routes do not see what a worker fetches
  at.expected = [NO_WORKER];
  await me.start("Dominion Duel", { opponent: "Same screen" });
  await grownOld(me);
  await released(me);
  await me.page.clock.install();
  await me.page.clock.fastForward(70_000);
  await me.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await me.reads("It loads when you leave the game.");
  await me.play("5");
  await me.moves(1);
  expect(await stays(me)).toBe(true);
  await me.page.getByRole("link", { name: "Rules", exact: true }).first().click();
  await me.page.getByRole("heading", { level: 1, name: "Rules" }).waitFor();
  await expect.poll(() => stays(me)).toBe(false);
});

test("a part of a match that is no longer there is told of as a new version", async () => {
  const me = await at.person("mouse", { serviceWorkers: "block" });
  at.expected = [NO_WORKER, /RulesSheet-/, /ERR_FAILED/];
  await me.start("Dominion Duel", { opponent: "Same screen" });
  await me.play("5");
  await me.moves(1);
  await released(me);
  await me.page.route("**/assets/RulesSheet-*.js", (route) => route.abort());
  await me.page.keyboard.press("g");
  await me.reads("It loads when you leave the game.");
  await me.page.unrouteAll({ behavior: "ignoreErrors" });
  await me.press("Reload");
  await me.moves(1);
  await me.page.keyboard.press("g");
  await me.page.getByRole("dialog", { name: "Rules of Dominion Duel" }).waitFor();
});
