/** Great Kingdom from the home page to each of its ends. */
import { expect, test } from "vitest";

import { playAll } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage({ calm: true });

test("a capture ends it, and the page says why", async () => {
  const [blue, orange] = await at.pair("Great Kingdom");
  await playAll(blue, orange, "E4 A9 A8 J1 B9");
  const why = "Orange's castle on A9 was surrounded: it had no free cell left beside it. The first capture wins.";
  await blue.end("You won", why);
  await orange.end("You lost", why);
  await orange.sees("A9", /captured/);
});

test("the warning before suicide holds back, a lead wins on territory, and the rematch ends by suicide", async () => {
  const [blue, orange] = await at.pair("Great Kingdom");
  await playAll(blue, orange, "A8 D5 B9");
  await orange.sees("A9", /empty, loses at once, Blue's territory/);

  await orange.play("A9");
  await orange.dialog.getByText("On A9 it has no free cell beside it and captures nothing.").waitFor();
  await orange.press("Cancel", orange.dialog);
  await orange.dialog.waitFor({ state: "hidden" });
  await orange.status.getByText("Your turn as Orange.").waitFor();
  expect(await orange.cell("A9").getAttribute("aria-label")).toMatch(/empty/);
  await blue.reads("Blue leads by 1 and needs 3.");

  await playAll(blue, orange, "F5 H9 E6 J8 E4 A2 D4 B1 F4", 3);
  await orange.reads("Blue leads by 3 and needs 3.");
  await orange.reads("Counted now, Blue wins.");
  await playAll(blue, orange, "pass", 12);
  await orange.reads("Blue passed. One more pass ends the game.");
  await playAll(blue, orange, "pass", 13);
  const why = "Blue has 3 and Orange 0 points of territory. Blue needs 3 more than Orange and is 3 ahead.";
  await blue.end("You won", why);
  await orange.end("You lost", why);

  const before = blue.matchId;
  await blue.press("Rematch");
  await orange.reads(/would like a rematch/);
  await orange.press("Accept");
  await expect.poll(() => blue.matchId).not.toBe(before);
  await expect.poll(() => orange.matchId).toBe(blue.matchId);
  const [second, first] = [blue, orange]; // the seats have changed
  await first.status.getByText("Your turn as Blue.").waitFor();
  await playAll(first, second, "A8 D5 B9");
  await second.play("A9");
  await second.press("Lose the game", second.dialog);
  const lost = "Orange placed a castle on A9, where it had no free cell beside it and captured nothing. That loses at once.";
  await first.end("You won", lost);
  await second.end("You lost", lost);
});

test("who lost by a capture sees why, and plays on from there against the same level", async () => {
  const me = await at.person();
  await me.page.goto("/");
  const answer = await me.page.request.post("/api/matches", {
    data: {
      game: "great-kingdom",
      seats: [{ kind: "me" }, { kind: "machine", player: "level:6" }],
      origin: ["B7O/O7B/9/9/4N4/9/9/9/9", 0], // H9 captures, and B9 would capture us
    },
  });
  const { match } = (await answer.json()) as { match: string };
  await me.page.goto(`/play/${match}`);
  await me.play("J1");
  await me.end("You lost", /Blue's castle on A9 was surrounded/);
  await me.press("Why did I lose?");
  await me.reads(/^Until move 1 Blue's castles could be saved: H9 instead of J1 wins\.$/);
  await me.press("Play on from there");
  await me.dialog.getByText("Level 6").waitFor();
  await me.press("Start the game", me.dialog);
  await expect.poll(() => me.matchId).not.toBe(match);
  await me.sees("A9", /blue castle/);
  await me.sees("J1", /empty/);
  await me.play("B9");
  await me.moves(2);
});
