/** Many games: the home page shows a few of them, and a page holds the rest. */
import { expect, test } from "vitest";

import type { Person } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage();
const MANY = 56; // more than the server tells at once

/** Requests for `what` wait until the function is called that it resolves with. */
async function late(me: Person, what: string): Promise<() => void> {
  let tell = () => {};
  const told = new Promise<void>((done) => (tell = done));
  await me.page.route(what, async (route) => {
    await told;
    await route.continue();
  });
  return tell;
}

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
  const tell = await late(me, "**/api/me/matches*");
  await me.page.goto("/");
  await me.page.getByRole("button", { name: "Play Kelasu" }).click({ trial: true });
  const before = await top();
  tell();
  await me.page.getByRole("heading", { name: "Go on playing" }).waitFor();
  expect(await top()).toBe(before);
  await me.page.unrouteAll();
  await me.page.clock.install();
  await me.page.clock.pauseAt(Date.now() + 10_000); // to the page no time passes, however busy the machine is
  await me.page.reload();
  await me.page.getByRole("heading", { name: "Go on playing" }).waitFor();
  expect(await top(), "they come first where they are told in time").toBeGreaterThan(before);
});

test("all that stands below the games comes at once, however late some of it is told", async () => {
  const me = await at.person();
  const tell = await late(me, "**/api/brains");
  const lobby = me.page.waitForResponse("**/api/lobby");
  await me.page.goto("/");
  await lobby;
  await me.page.getByRole("button", { name: "Play Kelasu" }).click({ trial: true });
  expect(await me.page.getByRole("heading", { name: "Open games" }).count()).toBe(0);
  tell();
  await me.page.getByRole("heading", { name: "Open games" }).waitFor();
  expect(await me.button("VS Neural Net").count(), "it stands above them").toBe(1);
});
