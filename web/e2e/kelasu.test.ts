/** Kelasu from a position in which both sides can merge, convert and recall, to a win on the victory tiles. */
import type { BrowserContextOptions } from "playwright-core";
import { expect, test } from "vitest";

import type { Person } from "./person.ts";
import { stage } from "./stage.ts";

const at = stage({ calm: true });

/*
     0 1 2 3 4 5 6 7 8 9
   A w . . . . . . . . .
   B . . . . . . . . . B
   C S . S . . . . S . S
   D . . . . . . . B B .
   E . . . . W W . . . .
   F B . . . W . W . . .
   G . d . . . D . . b b
   H s . s . . . b s . s
   I b . . . . . . . . .
   J . . . . . . . . . W
*/
const ORIGIN = "w9/9B/S1S4S1S/7BB1/4WW4/B3W1W3/1d3D2bb/s1s3bs1s/b9/9W";

async function seated(options: BrowserContextOptions = {}): Promise<[Person, Person]> {
  const [blue, red] = await Promise.all([at.person("mouse", options), at.person("keys")]);
  await blue.page.goto("/");
  const answer = await blue.page.request.post("/api/matches", {
    data: { game: "kelasu", seats: [{ kind: "me" }, { kind: "invited" }], origin: [ORIGIN, 0] },
  });
  expect(answer.status()).toBe(201);
  const { match, invitation } = (await answer.json()) as { match: string; invitation: string };
  await blue.page.goto(`/play/${match}`);
  await red.accept(`/join/${match}#${invitation}`);
  await blue.status.getByText("Your turn as Blue.").waitFor();
  return [blue, red];
}

test("on a phone on its side a merge says what it costs and is made without scrolling", async () => {
  const [blue] = await seated({ viewport: { width: 844, height: 390 } });
  await blue.press("Merge");
  const panel = blue.page.getByRole("region", { name: "Merge blanks" });
  await blue.choose("D7");
  await blue.choose("D8");
  await blue.press(/^Warrior/, panel);
  for (const part of [panel.getByText("Costs 2 energy; 2 of 4 stay."), panel.getByRole("button", { name: "Warrior on D8" })]) {
    const seen = () => part.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return [top + 2, bottom - 2].every((y) => element.contains(document.elementFromPoint((left + right) / 2, y)));
    });
    await expect.poll(seen, { message: "it is in sight" }).toBe(true);
  }
});

test("merge, conversion and recall by both, and the four tiles", async () => {
  const [blue, red] = await seated();
  await blue.plate("Blue").getByRole("img", { name: "Energy 4 of 4" }).waitFor();

  await blue.press("Merge");
  const panel = blue.page.getByRole("region", { name: "Merge blanks" });
  await blue.choose("D7");
  await blue.choose("D8");
  await panel.getByText("2 blanks chosen").waitFor();
  await blue.press(/^Warrior/, panel);
  await panel.getByText("Costs 2 energy; 2 of 4 stay.").waitFor();
  await blue.press("D7", panel);
  await blue.press("Warrior on D7", panel);
  await blue.moves(1);
  await red.sees("D7", /blue warrior/);
  await red.sees("D8", /empty/);
  await blue.plate("Blue").getByRole("img", { name: "Energy 2 of 4" }).waitFor();

  await blue.play("G5");
  await blue.sees("H6", /can be converted/);
  await blue.choose("H6");
  await blue.moves(2);
  await red.sees("H6", /blue blank/);
  await red.sees("G5", /empty/);

  await blue.myTurn();
  const [from, to] = await Promise.all([blue.centre("J9"), blue.centre("A9")]);
  await blue.page.mouse.move(from.x, from.y);
  await blue.page.mouse.down();
  await blue.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await blue.sees("A9", /recall to here/);
  await blue.page.mouse.move(to.x, to.y, { steps: 4 });
  await blue.page.mouse.up();
  await blue.moves(3);
  await red.sees("A9", /blue warrior/);

  await red.status.getByText("Your turn as Red.").waitFor();
  await red.page.keyboard.press("m");
  const redPanel = red.page.getByRole("region", { name: "Merge blanks" });
  await redPanel.getByText("Tap blanks that touch").waitFor();
  await red.type("G8");
  await red.type("G9");
  await redPanel.getByText("2 blanks chosen").waitFor();
  await red.press(/^Warrior/, redPanel);
  await red.press("Warrior on G9", redPanel);
  await red.moves(4);
  await blue.sees("G9", /red warrior/);

  await red.myTurn();
  await red.choose("G1");
  await red.sees("F0", /can be converted/);
  await red.choose("F0");
  await red.moves(5);
  await blue.sees("F0", /red blank/);

  await red.myTurn();
  await red.choose("A0");
  await red.sees("J0", /recall to here/);
  await red.choose("J0");
  await red.moves(6);
  await blue.sees("J0", /red warrior/);
  await blue.reads("Victory tiles (★): Blue 3, Red 0 of 4.");

  await blue.play("F6");
  await blue.sees("F5", /victory tile, can go here/);
  await blue.choose("F5");
  await blue.end("You won", "Blue has a piece on all four victory tiles in the middle.");
  await red.end("You lost", "Blue has a piece on all four victory tiles in the middle.");
  for (const move of ["=W D7+D8>D7", "G5%H6", "J9@A9", "=W G8+G9>G9", "G1%F0", "A0@J0", "F6-F5"]) {
    await red.moveList.getByRole("button", { name: move, exact: true }).waitFor();
  }
});
