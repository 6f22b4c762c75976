/** What two people can ask of each other, and what those who watch see of it. */
import { expect, test } from "vitest";

import { withConfig } from "./config.ts";
import { playAll } from "./person.ts";
import { stage } from "./stage.ts";

const GONE_MS = 8_000; // a minute where nobody says otherwise
const at = stage({ own: { env: withConfig({ gone_after_ms: GONE_MS }) } });

test("somebody watches live; a takeback and a draw are asked for, declined and agreed", async () => {
  const [black, white] = await at.pair("Go");
  const third = await at.person();
  await third.page.goto(`/play/${black.matchId}`);
  await third.status.getByText("You are watching.").waitFor();
  await black.status.getByText("1 watching").waitFor({ state: "attached" });
  expect(await third.actions.getByRole("button", { name: "Resign" }).count()).toBe(0);

  await playAll(black, white, "E5 C3");
  await third.moves(2);
  await third.sees("C3", /white stone, .*last move/);
  expect(await third.board.getAttribute("aria-readonly")).toBe("true");

  await white.press("Undo", white.actions);
  await black.reads(/asks to take back the last move\./);
  await white.reads("You asked to take back.");
  await black.press("Decline");
  await white.status.getByText("The takeback was declined.").waitFor();
  await white.press("Undo", white.actions);
  await white.status.getByText("That was declined; it can be offered again after the next move.").waitFor();
  await white.moves(2);

  await playAll(black, white, "G7", 2);
  await black.press("Undo", black.actions);
  await white.press("Accept");
  await Promise.all([black, white, third].map((person) => person.moves(2)));
  await third.sees("G7", /empty/);

  await playAll(black, white, "G3", 2);
  await black.offerDraw();
  await white.reads(/offers a draw\./);
  await white.press("Accept");
  await black.end("A draw", "Both agreed on a draw.");
  await third.end("A draw", "Both agreed on a draw.");
});

test("resignation, and a rematch with the seats changed; nobody can claim a win over who is here", async () => {
  const [black, white] = await at.pair("Go");
  await playAll(black, white, "E5");
  await white.plate("Black").getByText("here", { exact: true }).waitFor({ state: "attached" });
  await black.plate("White").getByText("here", { exact: true }).waitFor({ state: "attached" });
  expect(await black.page.getByText(/has left the match|Claim victory/).count()).toBe(0);

  const link = white.page.url();
  await white.page.goto("/settings");
  await black.reads(/has left the match\./);
  expect(await black.button("Claim victory").count()).toBe(0);
  await white.page.goto(link);
  await expect.poll(() => black.page.getByText(/has left the match/).count()).toBe(0);

  await white.press("Resign", white.actions);
  await white.dialog.getByText("Black wins at once.").waitFor();
  await white.press("Cancel", white.dialog);
  await white.status.getByText("Your turn as White.").waitFor();
  await white.press("Resign", white.actions);
  await white.press("Resign", white.dialog);
  await black.end("You won", "White resigned.");
  await white.end("You lost", "White resigned.");

  await white.press("Rematch");
  await black.press("Decline");
  await white.status.getByText("The rematch was declined.").waitFor();
  expect(await white.page.getByText("You lost", { exact: true }).count(), "the result is said once").toBe(1);
  const before = black.matchId;
  await black.press("Rematch");
  await white.press("Accept");
  await expect.poll(() => black.matchId).not.toBe(before);
  await expect.poll(() => white.matchId).toBe(black.matchId);
  await white.status.getByText("Your turn as Black.").waitFor();
  await black.status.getByText("Black to move.").waitFor();
  await playAll(white, black, "E5 C3");
});

test("a win is claimed over somebody who stays away, and not before their time has passed", async () => {
  const [black, white] = await at.pair("Go", {
    options: (dialog) => dialog.getByText("10 min + 5 s", { exact: true }).click(),
  });
  await playAll(black, white, "E5");
  const match = white.page.url();
  const left_ms = performance.now();
  await white.page.goto("/settings");
  await black.reads(/You can claim victory in \d+ s\./);
  await black.button("Claim victory").waitFor({ timeout: 60_000 });
  expect(performance.now() - left_ms).toBeGreaterThan(GONE_MS);
  await black.press("Claim victory");
  await black.end("You won", "White left the match.");
  await white.page.goto(match);
  await white.end("You lost", "White left the match.");
});

test("whoever stays away from the agreement on dead stones is not waited for without end", async () => {
  const [black, white] = await at.pair("Go", {
    options: (dialog) => dialog.getByText("10 min + 5 s", { exact: true }).click(),
  });
  await playAll(black, white, "E5 pass pass");
  await white.page.goto("/settings");
  await black.press("Accept");
  await black.press("Claim victory");
  await black.end("You won", "White left the match.");
});

test("without a clock nobody has to hurry back", async () => {
  const [black, white] = await at.pair("Dominion Duel");
  await playAll(black, white, "5");
  await white.page.goto("/settings");
  await black.reads(/they have 23 h 59 min to come back/);
  expect(await black.button("Claim victory").count()).toBe(0);
});

test("a server that only its own machine can reach does not hand out a link as an invitation", async () => {
  const me = await at.person();
  await me.start("Dominion Duel", { opponent: "A friend" });
  await me.reads("Others cannot reach this server yet.");
  await me.reads("tengen serve --host 0.0.0.0");
  expect(await me.page.getByRole("img", { name: /^QR code/ }).count()).toBe(0);
});

for (const [width, height] of [[1280, 800], [844, 390]] as const) {
  test(`where others can come, their link and its code are seen whole (${width}×${height})`, async () => {
    const me = await at.person("mouse", { viewport: { width, height } });
    await me.page.route("**/api/server", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), addresses: ["http://192.0.2.7:7777/"] } });
    });
    await me.start("Great Kingdom", { opponent: "A friend" });
    expect(await me.link()).toMatch(/^http:\/\/192\.0\.2\.7:7777\/join\/[^#]+#/);
    const code = me.page.getByRole("img", { name: /^QR code/ });
    await code.waitFor();
    for (const part of [code, me.button("Call the match off")]) {
      const seen = await part.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        const corners = [[left + 3, top + 3], [right - 3, bottom - 3]] as const;
        return corners.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
      });
      expect(seen, "nothing covers it").toBe(true);
    }
  });
}

test("an empty lobby opens a seat for any game, or lets two computers play", async () => {
  const me = await at.person();
  await me.page.goto("/lobby");
  await me.press("Open a seat yourself");
  await me.page.getByRole("menuitem", { name: "Kelasu" }).click();
  const dialog = me.page.getByRole("dialog", { name: "Kelasu" });
  await dialog.getByRole("button", { name: "Open a seat" }).waitFor();
  expect(await dialog.getByRole("radio", { name: "Anyone" }).isChecked()).toBe(true);
  await me.page.goto("/lobby");
  await me.page.getByRole("link", { name: "Watch Dominion Duel" }).click();
  await me.press("Watch", me.page.getByRole("dialog", { name: "Dominion Duel" }));
  await me.page.waitForURL(/\/play\//);
  await me.page.getByRole("region", { name: "Two machines play" }).waitFor();
});

test("an open seat is told of in the lobby, and taken from there", async () => {
  const [host, guest] = await Promise.all([at.person("mouse"), at.person("keys")]);
  const told = guest.page.waitForEvent("websocket").then((socket) =>
    socket.waitForEvent("framereceived", { predicate: ({ payload }) => String(payload).includes('"listed"') }),
  );
  await guest.page.goto("/lobby");
  await told;
  const asked: string[] = [];
  guest.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await host.start("Dominion Duel", { opponent: "Anyone", colour: /\(first\)/ });
  const row = guest.page.getByRole("listitem").filter({ has: guest.page.locator(`[href*="${host.matchId}"]`) });
  await row.waitFor();
  expect(asked).not.toContain("/api/lobby");
  await guest.press("Join", row);
  await guest.page.waitForURL(/\/play\//);
  await playAll(host, guest, "5 2 8");
  await guest.end("You lost", /Player 1 claimed 2/);
});
