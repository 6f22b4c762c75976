/** The dialog that starts a match: whatever is chosen, it stays whole and in sight, on every screen. */
import type { BrowserContextOptions, Locator } from "playwright-core";
import { expect, test } from "vitest";

import type { Person } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage({ own: true });

const TOUCH = { hasTouch: true, isMobile: true };
const SCREENS: Record<string, BrowserContextOptions> = {
  desktop: { viewport: { width: 1280, height: 800 } },
  tablet: { viewport: { width: 820, height: 1180 }, ...TOUCH },
  phone: { viewport: { width: 360, height: 640 }, ...TOUCH },
  "low desktop": { viewport: { width: 1280, height: 680 } },
  "phone on its side": { viewport: { width: 844, height: 390 }, ...TOUCH },
  "small phone on its side": { viewport: { width: 640, height: 360 }, ...TOUCH },
};
const CLOCKS: [string, RegExp][] = [
  ["5 min + 3 s", /3 s more after every move/],
  ["30 min byo-yomi", /5 periods of 30 s/],
  ["20 min Canadian", /15 moves in every 5 min/],
  ["3 days a move", /24 hours for each move/],
  ["Custom", /10 s more after every move/],
  ["None", /all the time you need/],
];

const WHOLE = { tops: true, bottoms: true, scrolled: 0, stretched: 0 };

/**
 * The heading and the button are in sight, and nothing but the content scrolls. Asked once with the focus on each of
 * `fields`, to which a browser scrolls; without any of them, as it stands.
 */
async function whole(me: Person, what: string, fields?: Locator): Promise<void> {
  const button = await me.dialog.getByRole("button", { name: "Start the game" }).elementHandle();
  const heading = await me.dialog.getByRole("heading").first().elementHandle();
  const seen = await (fields ?? me.dialog).evaluateAll(
    (all, { parts, height, focused }) =>
      (all as HTMLElement[]).map((element) => {
        if (focused) element.focus();
        const dialog = element.closest("dialog, [role=dialog]")!;
        const boxes = parts.map((part) => part!.getBoundingClientRect());
        return {
          tops: boxes.every(({ top }) => top >= 0),
          bottoms: boxes.every(({ bottom }) => bottom <= height),
          scrolled: dialog.scrollTop,
          stretched: dialog.scrollHeight - dialog.clientHeight,
        };
      }),
    { parts: [heading, button], height: me.page.viewportSize()!.height, focused: fields !== undefined },
  );
  expect(seen.length, what).toBeGreaterThan(0);
  expect(seen, what).toEqual(seen.map(() => WHOLE));
}

for (const [screen, options] of Object.entries(SCREENS)) {
  test(`whatever is chosen, the dialog stays whole and says what it means (${screen})`, async () => {
    const me = await at.person(options.hasTouch ? "touch" : "mouse", { ...options, reducedMotion: "reduce" });
    await me.page.goto("/");
    await me.press("Play Go");
    await me.dialog.waitFor();
    await whole(me, "at first");
    const start = me.dialog.getByRole("button", { name: "Start the game" });
    const above = async (part: Locator) => {
      const box = (await part.boundingBox())!;
      return (await start.boundingBox())!.y - box.y - Math.min(box.height, 30);
    };
    expect(await above(me.dialog.getByText("9×9", { exact: true })), "the size is in the first view").toBeGreaterThan(-8);

    const chips = me.dialog.getByRole("group", { name: "Clock", exact: true }).locator("label");
    expect(await above(chips.first()), "and so are the clocks").toBeGreaterThan(-8);
    const widths = () => chips.evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().width));
    const before = await widths();
    for (const [clock, means] of CLOCKS) {
      await chips.filter({ hasText: clock }).click();
      await me.dialog.getByText(means).waitFor();
      await whole(me, clock);
      expect(await widths(), "no chip moves another when it is chosen").toEqual(before);
      if (screen === "phone on its side" && clock !== "Custom") {
        expect(await above(me.dialog.getByText(means)), "and what it means is read, not guessed").toBeGreaterThan(0);
      }
      if (clock === "Custom") expect(await above(me.dialog.getByRole("spinbutton", { name: "Minutes" }))).toBeGreaterThan(0);
    }
    await me.dialog.getByText("Rules and more").click();
    const first = me.dialog.getByRole("combobox", { name: "Rules" });
    await expect.poll(() => above(first), { message: "what is unfolded comes into sight" }).toBeGreaterThan(0);
    await whole(me, "with the focus on a choice", me.dialog.getByRole("radio"));
  });
}

for (const screen of ["desktop", "tablet"]) {
  test(`all of the dialog is in the first view, and nothing moves with the opponent (${screen})`, async () => {
    const me = await at.person("mouse", SCREENS[screen]);
    await me.page.goto("/");
    await me.press("Play Go");
    await me.dialog.getByText("Rules and more").waitFor();
    const start = me.dialog.locator("footer").getByRole("button");
    const placed = () => Promise.all([me.dialog, start].map((part) => part.boundingBox()));
    const before = await placed();
    for (const opponent of ["A friend", "Same screen", "Computer"]) {
      await me.dialog.getByText(opponent, { exact: true }).click();
      expect(await placed(), opponent).toEqual(before);
      const hidden = await me.dialog.locator(".content").evaluate((content) => content.scrollHeight - content.clientHeight);
      expect(hidden, opponent).toBe(0);
    }
  });
}

test("on the smallest phone on its side level, seat and size are in the first view, and a hint of the clock", async () => {
  const me = await at.person("touch", { viewport: { width: 568, height: 320 }, hasTouch: true, isMobile: true });
  await me.page.goto("/");
  await me.press("Play Go");
  const start = (await me.dialog.getByRole("button", { name: "Start the game" }).boundingBox())!;
  const bottom = async (part: Locator) => part.boundingBox().then((box) => box!.y + box!.height);
  const last = (group: string) => me.dialog.getByRole("group", { name: group, exact: true }).locator("label").last();
  for (const part of [me.dialog.getByRole("slider", { name: "Level" }), last("You play"), last("Board size")]) {
    expect(await bottom(part)).toBeLessThan(start.y);
  }
  expect(await bottom(me.dialog.getByText("Clock", { exact: true }))).toBeLessThan(start.y);
});

test("the three large choices keep a margin around their words on the smallest phone", async () => {
  const me = await at.person("touch", { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true });
  await me.page.goto("/");
  await me.press("Play Go");
  for (const choice of await me.dialog.getByRole("group", { name: "Play against" }).locator("label").all()) {
    const [around, words] = [await choice.boundingBox(), await choice.locator(".name").boundingBox()];
    expect(words!.x - around!.x, (await choice.textContent())!).toBeGreaterThan(4);
  }
});

test("every choice is large enough for a thumb", async () => {
  const me = await at.person("touch", SCREENS["phone on its side"]);
  await me.page.goto("/");
  await me.press("Play Dominion Duel");
  await me.dialog.getByText("Other opponents").first().click();
  await me.dialog.getByText("Neural net", { exact: true }).waitFor();
  for (const choice of await me.dialog.locator("label:has(input[type=radio])").all()) {
    const { width, height } = (await choice.boundingBox())!;
    expect(Math.min(width, height), (await choice.textContent())!).toBeGreaterThanOrEqual(40);
  }
});

test("all clocks stand in one line where there is room", async () => {
  const me = await at.person();
  await me.page.goto("/");
  await me.press("Play Go");
  const chips = me.dialog.getByRole("group", { name: "Clock", exact: true }).locator("label");
  await chips.first().waitFor();
  const lines = await chips.evaluateAll((all) => new Set(all.map((chip) => chip.getBoundingClientRect().top)).size);
  expect(lines).toBe(1);
});

test("whose rules are played stands there before they are unfolded", async () => {
  const me = await at.person();
  await me.page.goto("/");
  await me.press("Play Go");
  const folded = me.dialog.getByRole("group").filter({ hasText: "Rules and more" }).last();
  await folded.getByText("Japanese", { exact: true }).first().waitFor();
  await me.dialog.getByText("Rules and more").click();
  await me.dialog.getByRole("combobox", { name: "Rules" }).selectOption({ label: "Chinese" });
  await folded.locator("summary").getByText("Chinese").waitFor();
});

test("size and clock need no unfolding, and are what the match gets", async () => {
  const me = await at.person();
  await me.page.goto("/");
  await me.press("Play Go");
  await me.dialog.getByText("Same screen", { exact: true }).click();
  await me.dialog.getByText("13×13", { exact: true }).click();
  await me.dialog.getByText("5 min + 3 s", { exact: true }).click();
  await me.press("Start the game", me.dialog);
  await me.page.waitForURL(/\/play\//);
  await me.cell("N13").waitFor({ state: "attached" });
  await me.plate("White").getByText("5:00").waitFor();
});

test("each level says what it is like", async () => {
  const me = await at.person();
  await me.page.goto("/");
  await me.press("Play Kelasu");
  await me.setLevel(me.dialog, 1);
  await me.dialog.getByText("For your very first games.").waitFor();
  await me.setLevel(me.dialog, 10);
  await me.dialog.getByText("The strongest that this machine has to offer.").waitFor();
});

test("a game with oneself or a machine is not shown to others unless one says so", async () => {
  const [me, other] = await Promise.all([at.person(), at.person()]);
  await me.start("Dominion Duel", { opponent: "Same screen" });
  await me.start("Dominion Duel", {
    opponent: "Computer",
    options: (dialog) => dialog.getByRole("switch", { name: "Show it in the lobby" }).check(),
  });
  await other.page.goto("/lobby");
  await other.page.getByRole("heading", { name: "Live now" }).waitFor();
  const shown = other.page.getByRole("main").getByRole("listitem");
  await expect.poll(() => shown.allTextContents()).toEqual([expect.stringContaining("Level")]);
});
