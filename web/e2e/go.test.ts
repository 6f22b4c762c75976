/** Go on a small board: capture, ko, two agreements with play in between, and the count. */
import type { Locator } from "playwright-core";
import { expect, test } from "vitest";

import { playAll } from "./person.ts";
import type { Person } from "./person.ts";
import { stage } from "./stage.ts";
import { until } from "./until.ts";

const at = stage({ calm: true });

function agreement(person: Person): Locator {
  return person.page.getByRole("region", { name: "Dead stones" });
}

/**
 * Plays up to the two passes, until both pages tell of the marks that the server suggests then: a tap on a stone that
 * is marked in the same moment would take the mark away.
 */
async function toAgreement(black: Person, white: Person, moves: string, already: number): Promise<void> {
  const told = ({ page }: Person) =>
    page.getByRole("log").evaluate(
      (log) =>
        new Promise<void>((done) => {
          const said = (node: Node) => /marked as dead for you|No dead stones were found/.test(node.textContent ?? "");
          const observer = new MutationObserver((changes) => {
            if (!changes.some(({ addedNodes }) => [...addedNodes].some(said))) return;
            observer.disconnect();
            done();
          });
          observer.observe(log, { childList: true, subtree: true });
        }),
    );
  await Promise.all([told(black), told(white), playAll(black, white, moves, already)]);
}

/** Marks it dead or alive, if it is not yet. */
async function mark(person: Person, cell: string, dead: boolean): Promise<void> {
  const words = dead ? /, dead/ : /^(?!.*, dead)/;
  if (!words.test((await person.cell(cell).getAttribute("aria-label"))!)) await person.choose(cell);
  await person.sees(cell, words);
}

/** The rows of the sheet by name, each as numbers; a cell without points is 0. */
async function sheet(person: Person): Promise<Record<string, number[]>> {
  const table = person.page.getByRole("table", { name: "Score sheet" });
  await table.waitFor();
  const rows = await table.getByRole("row").evaluateAll((all) =>
    all.map((row) => [...row.children].map((cell) => cell.textContent?.trim() ?? "")),
  );
  return Object.fromEntries(
    rows.slice(1).map(([name, ...points]) => [name!, points.map((text) => Number(text.replace("−", "-") || 0))]),
  );
}

test("two people play it through ko, disagreement and agreement to a count that adds up", async () => {
  const [black, white] = await at.pair("Go", {
    options: async (dialog) => {
      const size = dialog.getByRole("spinbutton", { name: "Board size" });
      await size.fill("5");
      await size.press("Tab");
    },
  });
  await playAll(black, white, "C4 D4 B3 E3 C2 D2 B2 C3 D3");
  await white.sees("C3", /^C3, empty, ko, closed for one turn/);
  await black.plate("Black").getByText("captured 1").waitFor();

  await white.status.getByText("Ko: C3 cannot be retaken at once.").waitFor();
  const heard = white.page.getByRole("log").getByText("Ko: C3 cannot be retaken at once.");
  for (const times of [1, 2]) {
    await white.play("C3");
    await until("the reason to be read out", () => heard.count(), (count) => count === times);
  }
  await white.status.getByText("Your turn as White.").waitFor();
  await white.sees("C3", /^C3, empty/);
  await white.moves(9);

  await toAgreement(black, white, "A5 C3 pass pass", 9);
  await agreement(black).waitFor();
  await mark(black, "A5", true);
  await white.sees("A5", /dead/);
  await black.press("Accept");
  await agreement(white).getByText("Black: accepted").waitFor();
  await agreement(white).getByText(/is ahead by \d/).waitFor();
  await mark(white, "A5", false);
  await black.status.getByText("White marked 1 stone as alive. Your acceptance no longer counts.").waitFor();
  await agreement(white).getByText("Play on: Black moves next").waitFor();
  await white.press("Play on");

  await black.status.getByText("Play goes on. Black moves; two passes in a row stop it again.").waitFor();
  await black.moves(14);
  await toAgreement(black, white, "A4 E4 pass pass", 14);
  await agreement(white).waitFor();
  await mark(white, "A5", true);
  await mark(white, "D4", false);
  await white.press("Accept");
  await agreement(black).getByText("White: accepted").waitFor();
  await black.press("Accept");

  await black.page.getByRole("region", { name: /^You (won|lost)$/ }).waitFor();
  for (const person of [black, white]) {
    const { Total: total, ...rows } = await sheet(person);
    expect(Object.keys(rows)).toEqual(expect.arrayContaining(["Territory", "Komi"]));
    for (const seat of [0, 1]) {
      const sum = Object.values(rows).reduce((all, row) => all + row[seat]!, 0);
      expect(sum).toBe(total![seat]);
    }
    const [a, b] = total as [number, number];
    const [winner, loser] = a > b ? ["Black", "White"] : ["White", "Black"];
    await person.reads(`${winner} has ${Math.abs(a - b)} points more than ${loser}.`);
  }
});
