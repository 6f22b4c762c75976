/** Many games: the home page shows a few of them, and a page holds the rest. */
import { expect, test } from "vitest";

import { stage } from "./stage.ts";
import { letPass } from "./until.ts";

const at = stage();
const MANY = 56; // more than the server tells at once

test("the home page stays short however many games there are, and all can be found", async () => {
  const me = await at.person();
  await me.page.goto("/");
  for (let index = 0; index < MANY; index++) {
    const seats = [{ kind: "me" }, { kind: "me" }];
    await me.page.request.post("/api/matches", { data: { game: "dominion-duel", seats, public: false } });
  }
  await me.page.reload();
  await me.page.getByRole("heading", { name: "Go on playing" }).waitFor();
  const rows = me.page.getByRole("main").getByRole("listitem").filter({ has: me.page.getByRole("heading", { level: 3 }) });
  expect(await rows.count()).toBeLessThan(10);
  await me.page.getByRole("link", { name: "All my games" }).click();
  await me.page.waitForURL(/\/games$/);
  await me.press("Show earlier ones");
  await expect.poll(() => rows.count()).toBe(MANY);
});

test("nothing slides away under a finger, however late one's own games are told", async () => {
  const me = await at.person();
  const top = async () => (await me.page.getByRole("button", { name: "Play Kelasu" }).boundingBox())!.y;
  await me.start("Go", { opponent: "Same screen" });
  await me.page.route("**/api/me/matches*", async (route) => {
    await letPass(1_500);
    await route.continue();
  });
  await me.page.goto("/");
  await me.page.getByRole("button", { name: "Play Kelasu" }).click({ trial: true });
  const before = await top();
  await me.page.getByRole("heading", { name: "Go on playing" }).waitFor();
  expect(await top()).toBe(before);
  await me.page.unrouteAll();
  await me.page.reload();
  await me.page.getByRole("heading", { name: "Go on playing" }).waitFor();
  expect(await top(), "they come first where they are told in time").toBeGreaterThan(before);
});
