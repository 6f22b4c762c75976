/** A phone: 390 px wide, a finger, and nothing that scrolls sideways. */
import type { BrowserContextOptions, Locator } from "playwright-core";
import { expect, test } from "vitest";

import type { Person } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage();

const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor: 2,
};
const PLACES = ["/", "/lobby", "/games", "/review", "/rules", "/rules/great-kingdom", "/rules/go", "/rules/kelasu", "/rules/dominion-duel", "/settings"];

async function fits(me: Person, what: string): Promise<void> {
  const { page, content } = await me.page.evaluate(() => ({
    page: document.documentElement.clientWidth,
    content: document.documentElement.scrollWidth,
  }));
  expect(content, `the width of ${what}`).toBeLessThanOrEqual(page);
}

/** What is written on each of them is no wider than it. */
async function whole(me: Person, parts: Locator): Promise<void> {
  await parts.first().waitFor();
  for (const part of await parts.all()) {
    const { name, over } = await part.evaluate((element) => ({
      name: element.textContent,
      over: element.scrollWidth - element.clientWidth,
    }));
    expect(over, `what is cut of "${name}" at ${me.page.viewportSize()!.width}`).toBeLessThanOrEqual(0);
  }
}

test("from the home page to a game against a level, with a second tap for each move", async () => {
  const me = await at.person("touch", PHONE);
  await me.page.goto("/");
  await me.page.getByRole("button", { name: "Play Great Kingdom" }).tap();
  await fits(me, "the dialog that starts a game");
  await me.dialog.getByText("Computer", { exact: true }).tap();
  await me.setLevel(me.dialog, 1);
  await me.dialog.getByRole("button", { name: "Start the game" }).tap();
  await me.page.waitForURL(/\/play\//);
  await me.myTurn();
  await fits(me, "a match");

  await me.choose("C3");
  await me.page.getByText("Once more to play C3").waitFor({ state: "attached" });
  await me.sees("C3", /empty/);
  await me.press("Cancel");
  await me.button("Place C3").waitFor({ state: "detached" });
  await me.choose("D4");
  await me.page.getByText("A first tap chooses").waitFor();
  await me.press("Place D4");
  await me.sees("D4", /blue castle/);
  await me.sees("C3", /empty|orange/);
  await me.status.getByText("Your turn as Blue.").waitFor();
  await me.press(/^Move 2 of 2/);
  await me.moves(2);
  const next = await me.free("B8", "H2");
  await me.choose(next);
  await me.button(`Place ${next}`).waitFor();
  await me.choose(next); // a second tap does the same
  await me.moves(4);
  await me.press("Undo", me.actions);
  await me.moves(2);

  await me.press("More", me.actions);
  await me.page.getByRole("menuitem", { name: "Flip the board" }).waitFor();
  for (const item of await me.page.getByRole("menu").getByRole("menuitem").all()) {
    const box = (await item.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    expect(box.y).toBeGreaterThanOrEqual(0);
    expect(box.height).toBeGreaterThanOrEqual(44);
  }
  await me.page.getByRole("menuitemradio", { name: "Confirm each move" }).tap();
  const other = await me.free("F4", "F6");
  await me.choose(other);
  await me.sees(other, /blue castle/);
  await me.moves(4);

  await me.press("Undo", me.actions);
  await me.moves(2);
  await me.press("Resign", me.actions);
  await me.press("Resign", me.dialog);
  await me.end("You lost", "Blue resigned.");
  await fits(me, "the end of a match");
  const id = me.matchId;
  await me.page.getByRole("link", { name: "Review", exact: true }).first().waitFor();
  await me.page.goto(`/review/${id}`);
  await me.page.getByRole("slider", { name: "Moves" }).waitFor();
  await fits(me, "a review");
});

test("whoever prefers one tap says so where the question is met", async () => {
  const me = await at.person("touch", PHONE);
  await me.start("Dominion Duel", { opponent: "Same screen" });
  await me.choose("5");
  await me.button("Claim 5").waitFor();
  await me.press("Always play at once");
  await me.sees("5", /claimed by Player 1/);
  await me.choose("2");
  await me.sees("2", /claimed by Player 2/);
});

test("the home page begins with all four games", async () => {
  const me = await at.person("touch", PHONE);
  await me.page.goto("/");
  const last = (await me.button("Play Dominion Duel").boundingBox())!;
  const site = (await me.page.getByRole("navigation", { name: "Main" }).boundingBox())!;
  expect(last.y + last.height).toBeLessThanOrEqual(site.y);
});

test("in a match the board comes first, upright and sideways, and the site's navigation makes room", async () => {
  for (const [width, height] of [[390, 844], [844, 390], [667, 375], [320, 568], [568, 320]] as const) {
    const viewport = { width, height };
    const me = await at.person("touch", { ...PHONE, viewport });
    await me.start("Go", { opponent: "Same screen" });
    const board = (await me.board.boundingBox())!;
    const least = Math.min(viewport.width, viewport.height) - 24;
    expect(board.width, `the board at ${viewport.width}×${viewport.height}`).toBeGreaterThanOrEqual(least);
    expect(board.y + board.height).toBeLessThanOrEqual(viewport.height);
    expect(await me.page.getByRole("navigation").count()).toBe(0);
    const pass = (await me.actions.getByRole("button", { name: "Pass" }).boundingBox())!;
    expect(pass.y + pass.height).toBeLessThanOrEqual(viewport.height);
    await fits(me, "a match");
    await me.press("Leave");
    await me.page.getByRole("heading", { name: "Go on playing" }).waitFor();
    await me.page.getByRole("navigation").waitFor();
  }
});

for (const [width, height] of [[360, 640], [640, 360], [320, 568], [568, 320]] as const) {
  const viewport = { width, height };
  test(`a first game says what it is about, and no word is cut, at ${viewport.width}×${viewport.height}`, async () => {
    const me = await at.person("touch", { ...PHONE, viewport });
    await me.page.goto("/");
    const play = (await me.button("Play Great Kingdom").boundingBox())!;
    const site = (await me.page.getByRole("navigation").boundingBox())!;
    expect(play.y + play.height, "the way to play is in the first view").toBeLessThanOrEqual(site.y);
    await fits(me, "the home page");
    await whole(me, me.page.getByRole("listitem").locator("h2"));

    await me.start("Go", { opponent: "Computer", level: 1, colour: /\(first\)/ });
    await me.myTurn();
    const guide = me.page.getByRole("region", { name: "Your first game" });
    await guide.waitFor();
    const said = (await guide.getByText(/surround more/).boundingBox())!;
    const bar = (await me.actions.boundingBox())!;
    expect(said.y + said.height, "the sentence is in the first view").toBeLessThanOrEqual(bar.y);
    await whole(me, me.actions.getByRole("button"));
    await me.choose("D4");
    await me.button("Place D4").waitFor();
    await whole(me, me.actions.getByRole("button"));
  });
}

test("a game of two machines can be paused without scrolling, upright and sideways", async () => {
  const me = await at.person("touch", { ...PHONE, viewport: { width: 360, height: 640 } });
  for (const game of ["Go", "Dominion Duel"] as const) {
    await me.page.setViewportSize({ width: 360, height: 640 });
    await me.page.goto("/");
    await me.press(`Play ${game}`);
    await me.dialog.getByText("Other opponents").first().click();
    await me.dialog.getByText("Two computers", { exact: true }).click();
    await me.press("Watch", me.dialog);
    await me.page.waitForURL(/\/play\//);
    await me.press("Pause");
    for (const [width, height] of [[360, 640], [640, 360], [844, 390], [390, 844]] as const) {
      await me.page.setViewportSize({ width, height });
      for (const name of ["Go on", "Step"]) {
        const button = me.button(name);
        await button.waitFor();
        const seen = () => button.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const corners = [[left + 8, top + 8], [right - 8, top + 8], [left + 8, bottom - 8], [right - 8, bottom - 8]] as const;
          return corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
        });
        await expect.poll(seen, { message: `${name} in ${game} at ${width}×${height}` }).toBe(true);
      }
    }
  }
});

test("a review that has been made is no wider than a phone, and its board is seen whole", async () => {
  const me = await at.person("touch", { ...PHONE, viewport: { width: 360, height: 640 } });
  await me.start("Dominion Duel", { opponent: "Same screen" });
  await me.choose("5");
  await me.press("Claim 5");
  await me.sees("5", /claimed by Player 1/);
  await me.press("Resign", me.actions);
  await me.press("Resign", me.dialog);
  await me.page.getByRole("region", { name: "Player 1 wins" }).waitFor();
  await me.page.goto(`/review/${me.matchId}`);
  await me.press("Analyse");
  await me.page.getByText("Mistakes", { exact: true }).first().waitFor();
  await fits(me, "a review upright");
  await me.button("Stop").waitFor(); // it goes on with the position that is looked at
  await me.page.reload();
  await me.button("Best moves on the board").waitFor(); // pressed, and what was found is there without asking again
  await me.page.getByRole("grid").locator("svg .heat").first().waitFor({ state: "attached" });
  await me.page.setViewportSize({ width: 640, height: 360 });
  await fits(me, "a review sideways");
  const board = (await me.page.getByRole("grid").boundingBox())!;
  const site = (await me.page.getByRole("navigation", { name: "Main" }).boundingBox())!;
  expect(board.y + board.height).toBeLessThanOrEqual(site.y);
});

test("sideways the moves have room beside whatever else is told", async () => {
  const me = await at.person("touch", { ...PHONE, viewport: { width: 844, height: 390 } });
  await me.start("Great Kingdom", { opponent: "Same screen" });
  await me.page.getByText("On your turn, possible moves shine.").waitFor();
  const list = (await me.moveList.boundingBox())!;
  expect(list.height).toBeGreaterThan(90);
  const bar = (await me.actions.boundingBox())!;
  await me.moveList.scrollIntoViewIfNeeded();
  const seen = (await me.moveList.boundingBox())!;
  expect(Math.min(seen.y + seen.height, bar.y) - seen.y, "and can be brought into sight").toBeGreaterThan(80);
});

test("on the smallest phone on its side all that More offers can be reached", async () => {
  const me = await at.person("touch", { ...PHONE, viewport: { width: 568, height: 320 } });
  await me.start("Kelasu", { opponent: "Same screen" });
  await me.press("More");
  const menu = me.page.getByRole("menu");
  for (const item of [menu.getByRole("menuitem").first(), menu.getByRole("menuitem").last()]) {
    await item.scrollIntoViewIfNeeded();
    const { y, height } = (await item.boundingBox())!;
    expect(y, (await item.textContent())!).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(320);
  }
  await menu.getByRole("menuitem", { name: "Rules" }).tap();
  await me.page.getByRole("dialog", { name: "Rules of Kelasu" }).waitFor();
});

test("a clock with much to say leaves the score whole", async () => {
  const me = await at.person("touch", PHONE);
  for (const [game, fact] of [["Great Kingdom", /^territory/], ["Go", /^captured/]] as const) {
    await me.start(game, { opponent: "Computer", options: (dialog) => dialog.getByText("20 min Canadian", { exact: true }).click() });
    for (const [width, height] of [[390, 844], [640, 360], [568, 320]] as const) {
      await me.page.setViewportSize({ width, height });
      for (const plate of await me.page.getByRole("region", { name: /: (You|Level \d+)/ }).all()) {
        const score = (await plate.getByText(fact).boundingBox())!;
        const clock = (await plate.getByRole("timer").boundingBox())!;
        expect(score.x + score.width).toBeLessThan(clock.x);
        const room = await plate.getByText(fact).evaluate((fact) => fact.parentElement!.getBoundingClientRect().right);
        expect(score.x + score.width, `${game} at ${width}: the whole of it is seen`).toBeLessThanOrEqual(room);
      }
    }
  }
});

test("no page is wider than the phone", async () => {
  const me = await at.person("touch", PHONE);
  for (const place of PLACES) {
    await me.page.goto(place);
    await me.settled();
    await fits(me, place);
  }
  await me.page.setViewportSize({ width: 320, height: 640 });
  for (const place of PLACES) {
    await me.page.goto(place);
    await me.page.getByRole("heading", { level: 1 }).first().waitFor();
    await fits(me, `${place} at 320`);
  }
});

test("the invitation and each game fit", async () => {
  const [me, friend] = await Promise.all([at.person("touch", PHONE), at.person("touch", PHONE)]);
  for (const game of ["Great Kingdom", "Go", "Kelasu", "Dominion Duel"] as const) {
    await me.start(game, { opponent: "A friend" });
    const link = await me.link();
    await fits(me, `the invitation to ${game}`);
    await me.page.setViewportSize({ width: 320, height: 568 });
    await fits(me, `the invitation to ${game} at 320`);
    await me.page.setViewportSize(PHONE.viewport!);
    await friend.page.goto(link);
    await friend.page.getByRole("button", { name: "Sit down and play" }).waitFor();
    await fits(friend, "the page for who is invited");
    await friend.accept(link);
    await fits(friend, `a match of ${game}`);
  }
});

test("whoever asks from below why a game was lost is shown the whole board", async () => {
  const me = await at.person("touch", { ...PHONE, viewport: { width: 360, height: 640 } });
  await me.start("Great Kingdom", { opponent: "Same screen" });
  for (const move of ["E4", "A9", "A8", "J1", "B9"]) {
    await me.play(move);
    await me.choose(move);
  }
  const ask = me.button("Where was it decided?");
  await ask.waitFor();
  await ask.evaluate((element) => element.scrollIntoView({ block: "start" }));
  const top = async () => (await me.board.boundingBox())!.y;
  expect(await top()).toBeLessThan(0);
  await me.press("Where was it decided?");
  await me.page.getByText(/^Until move [24] /).waitFor();
  await expect.poll(top).toBeGreaterThanOrEqual(0);
});
