/**
 * The whole page in Korean. Whatever it says, aloud or to a screen reader, may hold no Latin word that is not a name:
 * what has not been translated, or was never meant to be, is found so.
 */
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";

import type { Key } from "../src/i18n/index.ts";
import { ko as words } from "../src/i18n/ko.ts";
import { ko as review } from "../src/review/ko.ts";
import type { Person } from "./person.ts";
import { stage } from "./stage.ts";
import { until } from "./until.ts";

const at = stage({ own: true });

/** What stays as it is in Korean: names, formats, keys of the keyboard, and how languages call themselves. */
const NAMES = new Set(
  ["tengen", "SGF", "JSON", "GTP", "QR", "PASS", "English", "Enter", "Esc", "Space", "Home", "End", "PageUp", "PageDown", "Ctrl"].map(
    (name) => name.toLowerCase(),
  ),
);

function ko(key: Key, params: Record<string, string | number> = {}): string {
  const [section, name] = key.split(".") as [keyof typeof words, string];
  const text = (words[section] as Record<string, string>)[name]!;
  return text.replaceAll(/\{(\w+)\}/g, (whole, param: string) => String(params[param] ?? whole));
}

const GAMES = { "great-kingdom": "great_kingdom.name", go: "go.name", kelasu: "kelasu.name", "dominion-duel": "dominion_duel.name" } as const;
type Game = keyof typeof GAMES;

/** Everything that the page says, with where it says it. */
function said(me: Person): Promise<string[]> {
  return me.page.evaluate(() => {
    const found = [`title: ${document.title}`];
    const names = ["aria-label", "aria-valuetext", "aria-description", "title", "placeholder", "alt"];
    for (const element of document.body.querySelectorAll("*")) {
      if (element.closest("script, style, noscript, kbd, code, [lang]:not([lang=ko])")) continue;
      for (const name of names) if (element.hasAttribute(name)) found.push(`${name}: ${element.getAttribute(name)}`);
      for (const child of element.childNodes) {
        if (child.nodeType === Node.TEXT_NODE && child.textContent?.trim()) found.push(`text: ${child.textContent.trim()}`);
      }
      if (element instanceof HTMLInputElement && element.type === "text") found.push(`value: ${element.value}`);
    }
    return found;
  });
}

async function speaksKorean(me: Person, where: string): Promise<void> {
  const foreign = (await said(me)).filter((text) => {
    const latin = text.replace(/^[\w-]+: /, "").replaceAll(/https?:\S+/g, "").match(/[A-Za-z]{3,}/g) ?? [];
    return latin.some((word) => !NAMES.has(word.toLowerCase()));
  });
  expect.soft([...new Set(foreign)], where).toEqual([]);
}

/** Somebody who has chosen Korean before. */
async function reader(): Promise<Person> {
  const me = await at.person();
  await me.page.addInitScript(() => (localStorage["tengen.settings"] = JSON.stringify({ pace: "none", language: "ko" })));
  return me;
}

/** Somebody whose browser is English, and who chooses Korean on the page. */
async function chooser(): Promise<Person> {
  const me = await at.person();
  await me.page.goto("/");
  await me.press("Language");
  await me.page.getByRole("menuitemradio", { name: "한국어" }).click();
  await me.page.getByRole("heading", { name: ko("home.title") }).waitFor();
  expect(await me.page.evaluate(() => document.documentElement.lang)).toBe("ko");
  return me;
}

function board(me: Person): Locator {
  return me.page.getByRole("grid").first();
}

async function open(me: Person, game: Game): Promise<Locator> {
  await me.page.goto("/");
  await me.press(ko("home.play_game", { game: ko(GAMES[game]) }));
  await me.dialog.waitFor();
  return me.dialog;
}

async function startHotSeat(me: Person, game: Game): Promise<void> {
  const dialog = await open(me, game);
  await dialog.getByText(ko("home.opponent_screen"), { exact: true }).click();
  await me.press(ko("home.start_screen"), dialog);
  await me.page.waitForURL(/\/play\//);
  await board(me).waitFor();
}

async function moves(me: Person, count: number): Promise<void> {
  const list = me.page.getByRole("region", { name: ko("play.moves") }).getByRole("button");
  await until(`${count} moves`, () => list.count(), (found) => found === count);
}

async function click(me: Person, cell: string): Promise<void> {
  await until("one's turn", () => board(me).getAttribute("aria-readonly"), (readonly) => readonly === "false");
  const box = (await board(me).getByRole("gridcell", { name: new RegExp(`^${cell}, `) }).boundingBox())!;
  await me.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

test("the language is chosen on the page, and lasts", async () => {
  const me = await chooser();
  await speaksKorean(me, "the start page");
  await me.page.goto("/settings");
  await me.page.getByRole("heading", { name: ko("settings.title") }).waitFor();
  await speaksKorean(me, "the settings");
  await me.page.getByText("English", { exact: true }).click();
  await me.page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
});

test("pages to read", async () => {
  const me = await reader();
  for (const path of ["/lobby", "/review", "/rules", ...Object.keys(GAMES).map((game) => `/rules/${game}`), "/nowhere"]) {
    at.expected = [/status of 404/, /^response: 404/];
    await me.page.goto(path);
    await me.settled();
    await speaksKorean(me, path);
  }
  await me.page.keyboard.press("?");
  await me.dialog.waitFor();
  await speaksKorean(me, "the list of keys");
});

test("the dialog that starts a game, with all that it unfolds", async () => {
  const me = await reader();
  for (const game of Object.keys(GAMES) as Game[]) {
    const dialog = await open(me, game);
    await dialog.getByText(ko("home.more"), { exact: true }).click();
    await dialog.getByText(ko("home.others"), { exact: true }).first().click();
    await dialog.getByText(ko("home.clock_custom"), { exact: true }).click();
    for (const opponent of ["home.opponent_level", "home.opponent_friend", "home.opponent_screen", "home.opponent_open", "home.opponent_watch"] as const) {
      await dialog.getByText(ko(opponent), { exact: true }).click();
      await speaksKorean(me, `the start of ${game}, ${opponent}`);
    }
  }
});

test("an invitation, a match between two, and its end", async () => {
  const [host, guest] = await Promise.all([reader(), reader()]);
  const dialog = await open(host, "go");
  await dialog.getByText(ko("home.opponent_friend"), { exact: true }).click();
  await dialog.getByText(ko("home.colour_first", { seat: ko("go.seat_0") }), { exact: true }).click();
  await host.press(ko("home.start_friend"), dialog);
  const link = host.page.getByRole("textbox", { name: ko("play.link") });
  await link.waitFor();
  await speaksKorean(host, "an invitation");
  await guest.page.goto(await link.inputValue());
  await guest.button(ko("home.join_sit")).waitFor();
  await speaksKorean(guest, "the page for who is invited");
  await guest.press(ko("home.join_sit"));
  await guest.page.waitForURL(/\/play\//);
  await click(host, "E5");
  await moves(guest, 1);
  await speaksKorean(guest, "a match");
  await host.press(ko("play.draw_short"), host.page.getByRole("group", { name: ko("play.actions") }));
  await speaksKorean(host, "an offer to make");
  await host.press(ko("play.draw_offer"), host.dialog);
  await guest.button(ko("play.accept")).waitFor();
  await speaksKorean(host, "an offer made");
  await speaksKorean(guest, "an offer to answer");
  await guest.press(ko("play.accept"));
  await host.page.getByRole("region", { name: ko("play.end_draw"), exact: true }).waitFor();
  await speaksKorean(host, "the end of a match");
});

const FIRST_MOVES: Record<Game, string> = { "great-kingdom": "D4", go: "D4", kelasu: "I1", "dominion-duel": "5" };

test.each(Object.keys(GAMES) as Game[])("%s on one screen, with hint, menus, the end and its review", async (game) => {
  const me = await reader();
  await startHotSeat(me, game);
  await speaksKorean(me, "the start");
  if (game === "kelasu") {
    await me.page.keyboard.press("m");
    await speaksKorean(me, "merging");
    await me.page.keyboard.press("m");
    await me.page.keyboard.press("l");
    await me.dialog.waitFor();
    await speaksKorean(me, "the pieces");
    await me.page.keyboard.press("Escape");
    await me.dialog.waitFor({ state: "hidden" });
  } else {
    await click(me, FIRST_MOVES[game]);
    await moves(me, 1);
  }
  await me.page.keyboard.press("h");
  await me.page.getByRole("region", { name: new RegExp(ko("play.hint_title", { seat: ".+" })) }).waitFor();
  await speaksKorean(me, "a hint");
  if (game === "go") {
    for (const count of [2, 3]) {
      await me.press(ko("play.pass"), me.page.getByRole("group", { name: ko("play.actions") }));
      await moves(me, count);
    }
    await me.page.getByRole("region", { name: ko("play.agree_title") }).waitFor();
    await speaksKorean(me, "the agreement");
  }
  await me.press(ko("play.more"), me.page.getByRole("group", { name: ko("play.actions") }));
  await me.page.getByRole("menu").waitFor();
  await speaksKorean(me, "the menu of a match");
  await me.page.keyboard.press("Escape");
  await me.press(ko("play.resign"), me.page.getByRole("group", { name: ko("play.actions") }));
  await me.dialog.waitFor();
  await speaksKorean(me, "a question");
  await me.press(ko("play.resign"), me.dialog);
  await me.page.locator('a[href^="/review/"]').first().click();
  await me.page.waitForURL(/\/review\//);
  await me.settled();
  await me.page.getByRole("button", { name: review.analyse }).click();
  await me.page.getByRole("img", { name: /%/ }).first().waitFor();
  await speaksKorean(me, "the review");
  await me.press(review.play_on);
  await me.dialog.waitFor();
  await speaksKorean(me, "playing on from here");
});
