/**
 * A person at the page of tengen, who knows it by what it says: roles and names. They play with the mouse, with
 * the keys, or with a finger. Nothing here looks into the program; `moves` counts what the list of moves shows.
 */
import type { Locator, Page } from "playwright-core";

import type { Visitor } from "./browser.ts";
import { until } from "./until.ts";

export type Hand = "mouse" | "keys" | "touch";
export type GameTitle = "Great Kingdom" | "Go" | "Kelasu" | "Dominion Duel";

const QUIET_TIMES = 3; // that a page is found idle in a row

/** What the dialog that starts a match is told. */
export interface Wish {
  opponent: "Computer" | "A friend" | "Same screen" | "Anyone";
  level?: number;
  colour?: RegExp;
  options?: (dialog: Locator) => Promise<void>; // with "Rules and more" unfolded
}

export class Person {
  readonly page: Page;
  readonly complaints: string[];
  readonly #asked: Visitor["asked"];

  constructor(
    visitor: Visitor,
    readonly hand: Hand = "mouse",
  ) {
    this.page = visitor.page;
    this.complaints = visitor.complaints;
    this.#asked = visitor.asked;
  }

  // Parts of the page.

  get board(): Locator {
    return this.page.getByRole("grid", { name: /, board/ });
  }

  cell(name: string): Locator {
    return this.board.getByRole("gridcell", { name: new RegExp(`^${name}, `) });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole("button", { name, ...(typeof name === "string" ? { exact: true } : {}) });
  }

  get dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  /** The sentence on what happens now. */
  get status(): Locator {
    return this.page.getByRole("region", { name: "Status" });
  }

  /** The buttons that are always there during a match. */
  get actions(): Locator {
    return this.page.getByRole("group", { name: "Actions" });
  }

  get moveList(): Locator {
    return this.page.getByRole("region", { name: "Moves" });
  }

  plate(seat: string): Locator {
    return this.page.getByRole("region", { name: new RegExp(`^${seat}: `) });
  }

  // Waiting.

  /** Until the cell says so. */
  async sees(name: string, words: RegExp): Promise<void> {
    await until(`${name} to say ${words}`, () => this.cell(name).getAttribute("aria-label"), (text) => words.test(text ?? ""));
  }

  /** Until the page has its heading and asks for nothing more. */
  async settled(): Promise<void> {
    await this.page.getByRole("heading", { level: 1 }).first().waitFor();
    let quiet = 0;
    const ask = async () => (quiet = this.#asked.size ? 0 : quiet + 1);
    await until("a page that asks for nothing more", ask, (times) => times > QUIET_TIMES);
  }

  async reads(words: string | RegExp): Promise<void> {
    await this.page.getByText(words).first().waitFor();
  }

  /** Until the list has that many moves. */
  async moves(count: number): Promise<void> {
    const moves = this.moveList.getByRole("button");
    await until(`${count} moves in the list`, () => moves.count(), (found) => found === count);
  }

  async myTurn(): Promise<void> {
    await until("one's turn", () => this.board.getAttribute("aria-readonly"), (readonly) => readonly === "false");
  }

  /** The card at the end: who won, and why. */
  async end(title: string, why: string | RegExp): Promise<void> {
    const card = this.page.getByRole("region", { name: title, exact: true });
    await card.waitFor();
    await card.getByText(why).waitFor();
  }

  /** The first of those cells that nobody has taken: what a machine takes is not ours to say. */
  async free(...names: string[]): Promise<string> {
    for (const name of names) if (/, (empty|open)/.test((await this.cell(name).getAttribute("aria-label")) ?? "")) return name;
    throw new Error(`All of ${names.join(", ")} are taken.`);
  }

  // Doing.

  async offerDraw(): Promise<void> {
    await this.press("Draw", this.actions);
    await this.press("Offer a draw", this.dialog);
  }

  /** Clicks, taps, or moves the cursor there and presses Enter. */
  async choose(name: string): Promise<void> {
    if (this.hand === "keys") {
      await this.#cursorTo(name);
      await this.page.keyboard.press("Enter");
      return;
    }
    const { x, y } = await this.centre(name);
    if (this.hand === "touch") await this.page.touchscreen.tap(x, y);
    else await this.page.mouse.click(x, y);
  }

  /** Types the name of the cell instead of walking there. */
  async type(name: string): Promise<void> {
    await this.board.focus();
    for (const letter of name) await this.page.keyboard.press(letter.toLowerCase());
    await this.page.keyboard.press("Enter");
  }

  async play(name: string): Promise<void> {
    await this.myTurn();
    await this.choose(name);
  }

  async pass(): Promise<void> {
    await this.myTurn();
    if (this.hand === "keys") {
      await this.board.focus();
      await this.page.keyboard.press("Space");
      if (await this.dialog.count()) await this.page.keyboard.press("Enter");
    } else {
      await this.press("Pass", this.actions);
      if (await this.dialog.count()) await this.press("Pass", this.dialog);
    }
  }

  /** Presses a button in one's own way. */
  async press(name: string | RegExp, within: Locator | Page = this.page): Promise<void> {
    const button = within.getByRole("button", { name, ...(typeof name === "string" ? { exact: true } : {}) });
    await this.activate(button);
  }

  async activate(button: Locator): Promise<void> {
    await until("a button that can be pressed", () => button.isEnabled(), (enabled) => enabled);
    if (this.hand === "keys") await button.press("Enter");
    else if (this.hand === "touch") await button.tap();
    else await button.click();
  }

  async centre(name: string): Promise<{ x: number; y: number }> {
    const cell = this.cell(name);
    await cell.waitFor({ state: "attached" });
    const box = (await cell.boundingBox())!;
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  async #cursorTo(name: string): Promise<void> {
    await this.board.focus();
    const [from, to] = await Promise.all([this.#slot(null), this.#slot(name)]);
    const down = to.line - from.line;
    const right = to.column - from.column;
    for (let step = 0; step < Math.abs(down); step++) await this.page.keyboard.press(down > 0 ? "ArrowDown" : "ArrowUp");
    for (let step = 0; step < Math.abs(right); step++) {
      await this.page.keyboard.press(right > 0 ? "ArrowRight" : "ArrowLeft");
    }
  }

  /** Where the cell is drawn; null asks for the cell under the cursor. */
  #slot(name: string | null): Promise<{ line: number; column: number }> {
    return this.board.evaluate((board, wanted) => {
      const cursor = document.getElementById(board.getAttribute("aria-activedescendant") ?? "");
      const lines = [...board.querySelectorAll("[role=row]")];
      for (const [line, row] of lines.entries()) {
        const column = [...row.children].findIndex((cell) =>
          wanted === null ? cell === cursor : cell.getAttribute("aria-label")?.startsWith(`${wanted}, `),
        );
        if (column >= 0) return { line, column };
      }
      throw new Error(`There is no cell ${wanted ?? "under the cursor"}.`);
    }, name);
  }

  // Coming and going.

  /** From the home page to a match. */
  async start(game: GameTitle | "Tic-tac-toe" | "Connect Four", { opponent, level, colour, options }: Wish): Promise<void> {
    await this.page.goto("/");
    await this.press(`Play ${game}`);
    const dialog = this.page.getByRole("dialog", { name: game });
    if (opponent === "Anyone") await dialog.getByText("Other opponents").first().click();
    await dialog.getByText(opponent, { exact: true }).click();
    if (level !== undefined) await this.setLevel(dialog, level);
    if (colour) await dialog.getByText(colour).click();
    if (options) {
      await dialog.getByText("Rules and more").click();
      await options(dialog);
    }
    await this.press(/^(Start the game|Make the invitation|Open a seat)$/, dialog);
    await this.page.waitForURL(/\/play\//);
    await this.board.waitFor();
  }

  async setLevel(dialog: Locator, level: number): Promise<void> {
    const slider = dialog.getByRole("slider", { name: "Level" });
    await slider.press("Home");
    for (let step = 1; step < level; step++) await slider.press("ArrowRight");
  }

  async link(): Promise<string> {
    const field = this.page.getByRole("textbox", { name: "Link" });
    await field.waitFor();
    return field.inputValue();
  }

  /** Opens the link of an invitation and sits down. */
  async accept(link: string): Promise<void> {
    await this.page.goto(link);
    await this.press("Sit down and play");
    await this.page.waitForURL(/\/play\//);
    await this.board.waitFor();
  }

  get matchId(): string {
    return /\/(?:play|review)\/([^/#?]+)/.exec(this.page.url())![1]!;
  }
}

/** The first person begins. Both see every move in their lists before the next is made. */
export async function playAll(first: Person, second: Person, moves: string, already = 0): Promise<void> {
  for (const [index, move] of moves.split(" ").entries()) {
    const person = (index + already) % 2 === 0 ? first : second;
    if (move === "pass") await person.pass();
    else await person.play(move);
    await Promise.all([first.moves(index + already + 1), second.moves(index + already + 1)]);
  }
}
