/** A tengen server of one's own, on a free port with a database that is thrown away. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { until } from "./until.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const TENGEN = join(ROOT, ".venv/bin/tengen");
const CLIENT = join(ROOT, "src/tengen/web/index.html");
const START_MS = 60_000;
const STOP_MS = 10_000;

/** Where a server is found by those who have not started it. */
export interface Place {
  folder: string;
  port: number;
}

export class Server {
  readonly url: string;
  #process: ChildProcess | null = null;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly env: NodeJS.ProcessEnv,
    private readonly words: string[],
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  /** `env` is added to what the server finds around it, `words` to the command. */
  static async start(env: NodeJS.ProcessEnv = {}, words: string[] = []): Promise<Server> {
    for (const needed of [TENGEN, CLIENT]) {
      if (!existsSync(needed)) throw new Error(`There is no ${needed}: run \`make web build\` first.`);
    }
    const server = new Server(mkdtempSync(join(tmpdir(), "tengen-e2e-")), await freePort(), env, words);
    await server.run();
    return server;
  }

  /** One that somebody else starts and stops. */
  static at({ folder, port }: Place): Server {
    return new Server(folder, port, {}, []);
  }

  get place(): Place {
    return { folder: this.folder, port: this.port };
  }

  /** Starts it, or starts it again: the port and the database stay the same. */
  async run(): Promise<void> {
    const log = openSync(this.log, "a");
    const options = ["--port", String(this.port), "--no-limits", ...this.words];
    const child = spawn(TENGEN, ["serve", ...options, "--database-url", `sqlite:///${this.folder}/matches.db`], {
      stdio: ["ignore", log, log],
      env: { ...process.env, ...this.env, HOME: this.folder, XDG_CONFIG_HOME: this.folder, XDG_DATA_HOME: this.folder },
    });
    this.#process = child;
    const ended = () => child.exitCode !== null;
    const ready = async () => ended() || (await answers(`${this.url}/readyz`));
    await until("the server to start", ready, (is) => is, START_MS).catch(() => null);
    if (ended() || !(await answers(`${this.url}/readyz`))) {
      await this.kill(); // or it would answer later on, when it is thought to be away
      throw new Error(`The server did not start:\n${readFileSync(this.log, "utf8")}`);
    }
  }

  /** As a power cut would: the process has no time for anything. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** What lets the one who has started the server into its Lab. */
  get labKey(): string {
    return readFileSync(join(this.folder, "tengen", `lab-${this.port}.key`), "utf8");
  }

  get log(): string {
    return join(this.folder, "server.log");
  }

  async #end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await ended;
    clearTimeout(late);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

/** Below those that connections get: while a server is away, no browser may happen to have its port. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, "127.0.0.1");
    try {
      await once(probe, "listening");
    } catch {
      continue; // somebody has it
    }
    probe.close();
    await once(probe, "close");
    return port;
  }
}
