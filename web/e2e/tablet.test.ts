/** A tablet, upright and on its side: a large board, and everything that one plays with in the first view. */
import type { BrowserContextOptions, Locator } from "playwright-core";
import { expect, test } from "vitest";

import type { GameTitle, Person } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage();

const TABLET: BrowserContextOptions = { hasTouch: true, isMobile: true };
const GAMES: GameTitle[] = ["Great Kingdom", "Go", "Kelasu", "Dominion Duel"];
const SIZES = [
  { width: 768, height: 1024 },
  { width: 1024, height: 768 },
  { width: 820, height: 1180 },
];

/** Whole within the window, and no wider than what it stands in. */
async function inView(me: Person, part: Locator, what: string): Promise<{ width: number; height: number }> {
  await part.waitFor();
  const { width, height } = me.page.viewportSize()!;
  const box = (await part.boundingBox())!;
  expect(box.x, `${what}, left`).toBeGreaterThanOrEqual(0);
  expect(box.y, `${what}, top`).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width, `${what}, right`).toBeLessThanOrEqual(width);
  expect(box.y + box.height, `${what}, bottom`).toBeLessThanOrEqual(height);
  return box;
}

async function fits(me: Person, what: string): Promise<void> {
  const over = () => me.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(await over(), `what ${what} is too wide by`).toBeLessThanOrEqual(0);
  expect(await me.page.evaluate(() => window.innerWidth), what).toBe(me.page.viewportSize()!.width);
}

for (const viewport of SIZES) {
  const name = `${viewport.width}×${viewport.height}`;

  test(`a match has a large board and hides nothing at ${name}`, async () => {
    const me = await at.person("touch", { ...TABLET, viewport });
    for (const game of GAMES) {
      await me.start(game, { opponent: "Computer", level: 1 });
      await me.page.getByRole("region", { name: "Your first game" }).waitFor();
      const board = await inView(me, me.board, `the board of ${game}`);
      const short = Math.min(viewport.width, viewport.height);
      expect(Math.max(board.width, board.height), `the board of ${game}`).toBeGreaterThanOrEqual(short * 0.8);
      const bar = (await me.actions.boundingBox())!;
      const upright = viewport.height > viewport.width;
      for (const plate of await me.page.getByRole("region", { name: /: (You|Level 1)$/ }).all()) {
        const { height } = await inView(me, plate, `a player of ${game}`);
        expect(height).toBeGreaterThanOrEqual(44);
      }
      const status = (await me.status.boundingBox())!;
      expect(status.y + status.height, `what happens in ${game}`).toBeLessThanOrEqual(bar.y);
      if (!upright) await inView(me, me.moveList, `the moves of ${game}`); // elsewhere they are folded
      for (const button of await me.actions.getByRole("button").all()) await inView(me, button, `an action of ${game}`);
      if (upright) expect(board.width, `${game} upright`).toBeGreaterThanOrEqual(viewport.width * 0.85);
      await fits(me, game);
    }
  });

  test(`home and the start dialog are seen whole at ${name}`, async () => {
    const me = await at.person("touch", { ...TABLET, viewport });
    await me.page.goto("/");
    await me.page.getByRole("link", { name: "Lab" }).waitFor(); // the widest that the header gets
    await fits(me, "the home page");
    for (const game of GAMES) {
      await me.press(`Play ${game}`);
      const dialog = me.page.getByRole("dialog", { name: game });
      await inView(me, dialog, `the dialog of ${game}`);
      for (const opponent of ["A friend", "Same screen", "Computer"]) {
        await dialog.getByText(opponent, { exact: true }).tap();
        await inView(me, dialog.getByText("Clock", { exact: true }), `the clock of ${game}`);
        await inView(me, dialog.getByRole("button", { name: /^(Start the game|Make the invitation)$/ }), "the way on");
      }
      await me.press("Close", dialog);
      await dialog.waitFor({ state: "hidden" });
    }
  });
}
