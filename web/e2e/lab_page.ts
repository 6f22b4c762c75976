/** The Lab as a person sees it: the forms, the run of one game, and the brains. Start reading at `LabPage`. */
import type { Locator } from "playwright-core";

import type { Person } from "./person.ts";
import type { Server } from "./server.ts";
import { until } from "./until.ts";

export const SLOW_MS = 120_000; // PyTorch takes a while to start on a busy machine

interface Run {
  name: string;
  state: string;
}

/** As whoever started the server, to whom alone the Lab is open. */
const asked = (server: Server, path: string, more: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}/api/lab${path}`, { ...more, headers: { "content-type": "application/json", "x-tengen-lab": server.labKey } });

export async function labOf(server: Server): Promise<{ missing: string; runs: Run[] }> {
  return (await (await asked(server, "")).json()) as { missing: string; runs: Run[] };
}

const alive = ({ state }: Run): boolean => !["stopped", "finished", "failed"].includes(state);

/** Nothing may go on training when a test has ended: runs do not end with their server. */
export async function stopRuns(server: Server): Promise<void> {
  for (const run of (await labOf(server)).runs.filter(alive)) {
    await asked(server, `/runs/${run.name}`, { method: "POST", body: JSON.stringify({ wish: "stop" }) });
  }
  await until("the end of every run", async () => (await labOf(server)).runs.filter(alive), (left) => !left.length, SLOW_MS);
}

export class LabPage {
  constructor(
    readonly me: Person,
    readonly title: string,
  ) {}

  async open(): Promise<void> {
    await this.me.page.goto("/lab");
    await this.me.page.getByRole("heading", { name: "Brains", exact: true }).waitFor();
  }

  get train(): Locator {
    return this.me.page.getByRole("form", { name: "Train Neural Net" });
  }

  get duel(): Locator {
    return this.me.page.getByRole("form", { name: "Brain vs. Brain" });
  }

  get run(): Locator {
    return this.me.page.getByRole("region", { name: new RegExp(`^${this.title}: `) });
  }

  get brains(): Locator {
    return this.me.page.getByRole("region", { name: "Brains" });
  }

  async state(wanted: string): Promise<void> {
    await this.run.getByRole("status").filter({ hasText: wanted }).waitFor({ timeout: SLOW_MS });
  }

  async games(): Promise<number> {
    const text = await this.run.getByRole("definition").first().textContent();
    return Number(text!.replaceAll(/\D/g, ""));
  }

  async gamesAbove(count: number): Promise<number> {
    return until(`more than ${count} games`, () => this.games(), (found) => found > count, SLOW_MS);
  }

  /** Presses Save Brain and says what the brain is called. */
  async save(): Promise<string> {
    const last = this.run.getByText(/^Last saved: /);
    const before = (await last.count()) ? await last.textContent() : "";
    await this.me.press("Save Brain", this.run);
    await until("a saved brain", async () => ((await last.count()) ? await last.textContent() : ""), (text) => text !== before);
    return (await last.getByRole("code").textContent())!;
  }
}
