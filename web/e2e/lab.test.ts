/**
 * The Lab: a person trains a net and watches it, the run outlives pages and servers, two brains meet, and the
 * champion is an opponent. Dominion Duel is learned in seconds, so it stands for all games.
 */
import { readFileSync } from "node:fs";

import { afterEach, expect, test } from "vitest";

import { clean } from "./axe.ts";
import { labOf, LabPage, SLOW_MS, stopRuns } from "./lab_page.ts";
import { stage } from "./stage.ts";
import { until } from "./until.ts";

const ROW = "7"; // territories: not what the brain that ships has learned
const GAME = "Dominion Duel";
const at = stage({ own: true });

afterEach(() => stopRuns(at.server), SLOW_MS);

test("a net is trained, paused, saved, outlives the server, meets another, and is played", { timeout: 600_000 }, async (context) => {
  const { missing } = await labOf(at.server);
  if (missing) {
    process.stderr.write(`NOTE: ${missing} TRAINING IN THE BROWSER WAS NOT TESTED.\n`);
    context.skip();
  }
  const me = await at.person();
  const page = new LabPage(me, GAME);
  await me.page.goto("/");
  await me.page.getByRole("navigation").getByRole("link", { name: "Lab" }).click();
  await page.train.waitFor();
  await page.train.getByLabel("Game").selectOption({ label: "Dominion Duel" });
  await page.train.getByLabel("Time").selectOption({ label: "10 min" });
  await page.train.getByLabel("Begin with").waitFor(); // the brain that ships knows the usual row
  await page.train.getByText("Board and rules").click();
  const territories = page.train.getByRole("spinbutton", { name: "Territories" });
  await territories.fill(ROW);
  await territories.press("Tab");
  await page.train.getByLabel("Begin with").waitFor({ state: "detached" });
  await me.press("Start training", page.train);
  await page.state("Running");
  await page.run.getByText(`Territories ${ROW}`).waitFor();
  await me.page.getByRole("img", { name: /^Dominion Duel: .* against .*, \d+ moves$/ }).waitFor();
  await page.run.getByText(/games\/(s|min)/).waitFor({ timeout: SLOW_MS });
  await page.run.getByText(/^\d+ min \d+ s$/).waitFor();
  expect(await page.train.getByRole("button", { name: "Start training" }).isDisabled()).toBe(true);

  const loss = page.run.getByRole("img", { name: /^Loss over the games played\. Last: [\d.]+\.$/ });
  await loss.locator("canvas").waitFor({ timeout: SLOW_MS });
  await page.run.getByRole("img", { name: /^Win rate.*Last: random [\d.]+ %, / }).waitFor({ timeout: SLOW_MS });
  await page.run.getByRole("img", { name: /^Elo over/ }).waitFor();
  await clean(me, "the Lab at work");
  await me.press("As a table", page.run);
  await page.run.getByRole("columnheader", { name: "random" }).waitFor();
  await clean(me, "the Lab with a table");

  const first = await page.save();
  expect(first).toMatch(/^brain_L\d{6,}_G\d+_\d{8}_\d{6}$/);
  await page.brains.getByRole("heading", { name: first }).waitFor();

  await me.press("Pause", page.run);
  await page.state("Paused");
  const paused = await page.games();
  await me.page.close();

  const other = await at.person("keys");
  const again = new LabPage(other, GAME);
  await again.open();
  await again.state("Paused");
  expect(await again.games()).toBe(paused);
  await other.press("Go on", again.run);
  await again.gamesAbove(paused);

  at.expected = [/ERR_CONNECTION_REFUSED/, /WebSocket/, /ERR_EMPTY_RESPONSE/, /ERR_CONNECTION_RESET/];
  await at.server.kill();
  const before = await again.games();
  await at.server.run();
  await again.gamesAbove(before);
  await again.state("Running");

  const second = await again.save();
  expect(second).not.toBe(first);
  await other.press("Stop", again.run);
  await again.state("Stopped");
  await again.run.getByText(/start it again and it goes on/).waitFor();

  await again.duel.getByLabel("Game").selectOption({ label: "Dominion Duel" });
  await again.duel.getByLabel("First brain").selectOption(first);
  await again.duel.getByLabel("Second brain").selectOption(second);
  await other.press("Let them play", again.duel);
  await again.run.getByText(`${first} against ${second}`).waitFor({ timeout: SLOW_MS });
  await again.state("Running");
  await again.gamesAbove(0);
  await other.press("Stop", again.run);
  await again.state("Stopped");
  const champion = again.brains.getByRole("listitem").filter({ hasText: "Champion" });
  const won = /latest: (brain_\w+)/.exec((await again.run.getByText(/is now latest: /).textContent())!)![1]!;
  await champion.getByRole("heading", { name: won }).waitFor(); // the list is told a moment after the run has stopped
  const use = again.brains.getByRole("button", { name: /^Use brain_/ }).first();
  const chosen = /brain_\w+/.exec((await use.getAttribute("aria-label"))!)![0]; // whichever the duel did not crown
  await use.press("Enter");
  await other.reads(`VS Neural Net now plays with ${chosen}.`);
  await champion.getByRole("heading", { name: chosen }).waitFor();
  await clean(other, "the brains");

  const player = await at.person();
  await player.page.goto("/");
  await player.press("VS Neural Net");
  await player.page.getByRole("menuitem", { name: "Dominion Duel" }).click();
  await player.dialog.getByText(`Champion: ${chosen}`).waitFor({ state: "attached" });
  await clean(player, "the start of a game against a neural net");
  await player.press("Start the game", player.dialog);
  await player.page.waitForURL(/\/play\//);
  await player.plate("Player 2").getByText("Neural net", { exact: true }).waitFor();
  await player.play("5");
  await player.moves(2);
});

test("brains are brought, refused, fetched and removed with the keys", async () => {
  const me = await at.person("keys");
  const page = new LabPage(me, GAME);
  await page.open();
  const files = me.page.locator("input[type=file]");
  at.expected = [/status of 400/, /^response: 400/];
  await files.setInputFiles({ name: "cat.onnx", mimeType: "application/octet-stream", buffer: Buffer.from("meow") });
  await me.reads("The file is not an ONNX file, or was cut off.");

  const game = page.brains.getByRole("group", { name: "Game" });
  await game.getByText("Dominion Duel").click();
  const all = page.brains.getByRole("listitem");
  const count = await all.count();
  if (!count) return; // nothing was trained above, where PyTorch is missing
  const chosen = all.filter({ hasNotText: "came with tengen" }).last();
  const name = (await chosen.getByRole("heading").textContent())!;

  await me.press(`More about ${name}`);
  const [download] = await Promise.all([
    me.page.waitForEvent("download"),
    me.page.getByRole("menuitem", { name: "Download" }).press("Enter"),
  ]);
  expect(download.suggestedFilename()).toBe(`${name}.onnx`);
  const data = readFileSync(await download.path());

  await me.press(`More about ${name}`);
  await me.page.getByRole("menuitem", { name: "Remove" }).press("Enter");
  await me.dialog.getByText(/cannot be undone/).waitFor();
  await clean(me, "the question before a brain is removed");
  await me.press("Remove", me.dialog);
  await until("one brain less", () => all.count(), (left) => left === count - 1);

  await files.setInputFiles({ name: "back.onnx", mimeType: "application/octet-stream", buffer: data });
  await me.reads(`${name} is among the brains of Dominion Duel now.`);
  await until("the brain again", () => all.count(), (left) => left === count);
});

test("without PyTorch the page says what to do, and brains are still there", async () => {
  const me = await at.person();
  const missing = "Training needs PyTorch: pip install 'tengen[train]'.";
  await me.page.route("**/api/lab", (route) => route.fulfill({ json: { missing, kinds: { go: ["gumbel"] }, runs: [] } }));
  const page = new LabPage(me, GAME);
  await page.open();
  await me.page.getByText("Training needs PyTorch:").waitFor();
  await me.page.getByRole("code").getByText("pip install 'tengen[train]'", { exact: true }).waitFor();
  expect(await page.train.getByRole("button", { name: "Start training" }).isDisabled()).toBe(true);
  await page.brains.getByRole("button", { name: "Add a file" }).waitFor();
  await clean(me, "the Lab without PyTorch");
});

test("to others the Lab is closed, and they see nothing of it", async () => {
  const me = await at.person("mouse", { extraHTTPHeaders: { "x-forwarded-for": "192.0.2.7" } });
  await me.page.goto("/");
  await me.page.getByRole("heading", { name: "What shall we play?" }).waitFor();
  await me.settled();
  expect(await me.page.getByRole("link", { name: "Lab" }).count()).toBe(0);
  expect(await me.page.getByRole("link", { name: "Train Neural Net" }).count()).toBe(0);
  at.expected = [/status of 403/, /^response: 403/];
  await me.page.goto("/lab");
  await me.page.getByRole("heading", { name: "The Lab is closed here" }).waitFor();
  await clean(me, "a closed Lab");
});

test("a phone shows the Lab without scrolling sideways", async () => {
  const me = await at.person("touch", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = new LabPage(me, GAME);
  await page.open();
  await me.settled();
  const { shown, content } = await me.page.evaluate(() => ({
    shown: document.documentElement.clientWidth,
    content: document.documentElement.scrollWidth,
  }));
  expect(content).toBeLessThanOrEqual(shown);
  const small = await me.page.locator(".page").getByRole("button").evaluateAll((all) =>
    all.filter((each) => each.getBoundingClientRect().height < 44).map((each) => each.outerHTML.slice(0, 80)),
  );
  expect(small, "targets too small for a finger").toEqual([]);
});
