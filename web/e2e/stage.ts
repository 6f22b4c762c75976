/**
 * What every file of tests begins with: a server, a browser, and people who leave after each test. Each worker has one
 * browser, and one server for the files that need none of their own (setup.ts). When a test fails, what each of the
 * people saw is kept in FAILURES, as a picture and in words.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, inject } from "vitest";

import { shared, visitor } from "./browser.ts";
import { Person } from "./person.ts";
import type { Hand } from "./person.ts";
import { Server } from "./server.ts";
import type {} from "./setup.ts";

const FAILURES = resolve(import.meta.dirname, "../../build/e2e-failures"); // not shared with other people

const BLOCKED = "console: Service Worker registration blocked by Playwright";
const HURRY = { reducedMotion: "reduce", serviceWorkers: "block" } as const;

/** Machines answer as soon as they can, unless one has said otherwise. */
function hurry(): void {
  if (location.protocol.startsWith("http")) localStorage["tengen.settings"] ??= JSON.stringify({ pace: "none" });
}

export class Stage {
  server!: Server;
  browser!: Browser;
  /** Complaints that a test expects, such as those about a server that was killed. */
  expected: RegExp[] = [];
  #people: Person[] = [];

  constructor(private readonly calm: boolean) {}

  async person(hand: Hand = "mouse", options: BrowserContextOptions = {}): Promise<Person> {
    const owner = { extraHTTPHeaders: { "X-Tengen-Lab": this.server.labKey }, ...(this.calm ? {} : HURRY), ...options };
    const person = new Person(await visitor(this.browser, this.server.url, owner), hand);
    if (!this.calm) await person.page.addInitScript(hurry);
    this.#people.push(person);
    return person;
  }

  /** One with the mouse and one with the keys, who have sat down to the same match. */
  async pair(game: Parameters<Person["start"]>[0], wish: Partial<Parameters<Person["start"]>[1]> = {}) {
    const [host, guest] = await Promise.all([this.person("mouse"), this.person("keys")]);
    await host.start(game, { opponent: "A friend", colour: /\(first\)/, ...wish });
    await guest.accept(await host.link());
    await host.page.getByRole("region", { name: "Moves" }).waitFor();
    return [host, guest] as const;
  }

  /** Says where what was seen has been written to. */
  async keep(name: string): Promise<void> {
    mkdirSync(FAILURES, { recursive: true });
    for (const [index, { page, complaints }] of this.#people.entries()) {
      const path = join(FAILURES, `${name.replaceAll(/\W+/g, "-").slice(0, 60)}-${index + 1}`);
      const words = await page.locator("body").ariaSnapshot();
      writeFileSync(`${path}.txt`, `${page.url()}\n\n${words}\n\n${complaints.join("\n")}\n`);
      await page.screenshot({ path: `${path}.png` });
      process.stderr.write(`What person ${index + 1} saw: ${path}.png and .txt\n`);
    }
  }

  async leave(): Promise<string[]> {
    const people = this.#people;
    this.#people = [];
    const complaints = people.flatMap((person) => person.complaints.splice(0));
    await Promise.all(
      people.map(async ({ page }) => {
        // What a test answers itself may be asked for just now.
        if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
        await page.context().close();
      }),
    );
    const expected = this.expected;
    this.expected = [];
    return complaints.filter((complaint) => complaint !== BLOCKED && !expected.some((known) => known.test(complaint)));
  }
}

export interface Setting {
  /** Pieces move, machines take their time and the page is kept for later, as for people who have set nothing. */
  calm?: boolean;
  /** A server that no other file uses: it is killed, or what the lobby lists is looked at. */
  own?: boolean | { env?: NodeJS.ProcessEnv; words?: string[] };
}

/** To be called once at the top of a file of tests. No page may complain in any of them. */
export function stage({ calm = false, own = false }: Setting = {}): Stage {
  const made = new Stage(calm);
  const { env, words } = typeof own === "object" ? own : {};
  const worker = Number(process.env.VITEST_POOL_ID) - 1;
  beforeAll(async () => {
    const server = own ? Server.start(env, words) : Server.at(inject("servers")[worker]!);
    [made.server, made.browser] = await Promise.all([server, shared()]);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === "fail") {
      const why = task.result.errors?.at(-1)?.message ?? "";
      process.stderr.write(`\n*** FAILED: ${task.name}: ${why}\n`);
      await made.keep(task.name);
    }
    expect(await made.leave(), "what the pages complained about").toEqual([]);
  });
  afterAll(async () => {
    if (own) await made.server?.stop();
  });
  return made;
}
