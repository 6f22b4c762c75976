/**
 * What somebody who has written a game finds in the browser: the example package is played against a level to the
 * end, reviewed, learned by a net in the Lab, and played against that net.
 */
import { afterEach, expect, test } from "vitest";

import { labOf, LabPage, SLOW_MS, stopRuns } from "./lab_page.ts";
import type { Person } from "./person.ts";
import { CONNECT_FOUR, withPlugins } from "./plugins.ts";
import { stage } from "./stage.ts";

const TITLE = "Connect Four";
const at = stage({ own: { env: withPlugins(CONNECT_FOUR) } });

afterEach(() => stopRuns(at.server), SLOW_MS);

/** Plays the first move that the board offers, time after time, and says how many it took to the end. */
async function playOut(me: Person): Promise<number> {
  const over = me.button("Rematch");
  const turn = me.page.locator('[role=grid][aria-readonly="false"]');
  for (let made = 0; ; made++) {
    await over.or(turn).first().waitFor();
    if (await over.isVisible()) return made;
    const free = me.board.getByRole("gridcell", { name: /can be played/ }).first();
    const name = (await free.getAttribute("aria-label"))!.split(",")[0]!;
    await me.choose(name);
    await me.sees(name, /Red/);
  }
}

test("the example is played against a level to the end, and reviewed", async () => {
  const me = await at.person("mouse");
  await me.start(TITLE, { opponent: "Computer", level: 2, colour: /\(first\)/ });
  const watcher = await at.person("mouse");
  await watcher.page.goto(`/play/${me.matchId}`);
  await watcher.reads("You are watching.");
  const made = await playOut(me);
  expect(made).toBeGreaterThanOrEqual(4);
  const card = me.page.getByRole("region", { name: /^(You won|You lost|A draw)/ });
  await card.getByText(/^(Four in a row|Because the board is full)\.$/).waitFor();
  await watcher.page.getByRole("region", { name: /^(Red wins|Yellow wins|A draw)/ }).waitFor();

  await me.page.getByRole("link", { name: "Review" }).last().click();
  await me.press("Analyse");
  await me.page.getByText("Red's win rate, %").waitFor();
  await me.page.getByRole("table", { name: "Accuracy" }).waitFor({ timeout: SLOW_MS });
});

test("a net learns the example in the Lab, and is an opponent", { timeout: 600_000 }, async (context) => {
  const { missing } = await labOf(at.server);
  if (missing) {
    process.stderr.write(`NOTE: ${missing} TRAINING A GAME OF ONE'S OWN WAS NOT TESTED.\n`);
    context.skip();
  }
  const me = await at.person("mouse");
  const page = new LabPage(me, TITLE);
  await page.open();
  await page.train.getByLabel("Game").selectOption({ label: TITLE });
  await me.press("Start training", page.train);
  await page.state("Running");
  await me.page.getByRole("img", { name: /^Connect Four: .* against .*, \d+ moves$/ }).waitFor({ timeout: SLOW_MS });
  await page.run.getByRole("img", { name: /^Loss over the games played\. Last: [\d.]+\.$/ }).waitFor({ timeout: SLOW_MS });
  await me.press("Stop", page.run);
  await page.state("Stopped"); // long before the first comparison: it leaves a brain all the same

  const player = await at.person("keys");
  await player.page.goto("/");
  await player.press("VS Neural Net");
  await player.page.getByRole("menuitem", { name: TITLE }).click();
  await player.press("Start the game", player.dialog);
  await player.page.waitForURL(/\/play\//);
  await player.plate("Yellow").getByText("Neural net", { exact: true }).waitFor();
  await player.play("D1");
  await player.moves(2);
  await playOut(player);
});
