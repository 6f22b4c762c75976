/** The server dies in the middle of a game, as in a power cut, and comes back. */
import { expect, test } from "vitest";

import { playAll } from "./person.ts";
import type { Person } from "./person.ts";
import { stage } from "./stage.ts";
import { letPass } from "./until.ts";

const at = stage({ calm: true, own: true });

const OUTAGE_MS = 6_000; // the server counts what is longer than its heartbeat as an outage
const SLACK_S = 3; // a heartbeat before the end, and the rounding of two readings

async function clock_s(person: Person, seat: string): Promise<number> {
  const text = await person.page.getByRole("timer", { name: `Clock of ${seat}` }).textContent();
  const [minutes, seconds] = text!.trim().split(":").map(Number);
  return minutes! * 60 + seconds!;
}

test("both pages heal by themselves, the clock stood still, and play goes on", async () => {
  at.expected = [/ERR_CONNECTION_REFUSED/, /WebSocket/, /ERR_EMPTY_RESPONSE/, /ERR_CONNECTION_RESET/];
  const [black, white] = await at.pair("Go", {
    options: async (dialog) => dialog.getByText("5 min + 3 s", { exact: true }).click(),
  });
  await playAll(black, white, "E5 C3 G3");
  await white.status.getByText("Your turn as White.").waitFor();

  const before_s = await clock_s(white, "White");
  const started_ms = performance.now();
  await at.server.kill();
  const killed_ms = performance.now();
  await Promise.all([black, white].map((person) => person.status.getByText("Connection lost, trying again…").waitFor()));
  await letPass(Math.max(0, killed_ms + OUTAGE_MS - performance.now()));
  await at.server.run();
  const outage_s = (performance.now() - killed_ms) / 1000;

  // The line of news may have gone on to who came back; the log keeps all of it.
  await Promise.all(
    [black, white].map((person) => person.page.getByRole("log").getByText("Back online.").waitFor({ state: "attached" })),
  );
  await white.status.getByText("Your turn as White.").waitFor();
  const served_s = () => (performance.now() - started_ms) / 1000 - outage_s;
  await expect.poll(async () => before_s - (await clock_s(white, "White")) - served_s()).toBeLessThan(SLACK_S);

  await playAll(black, white, "C7 G7 E3", 3);
  await black.sees("E3", /black stone|white stone/);
  await black.sees("E5", /black stone/);
});
