/**
 * Makes the pictures of the README: `npm run screenshots` plays a little on a server of its own, in a real browser,
 * and writes docs/images/, each picture in both themes. Start reading at `main`.
 */
import { mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import type { Browser } from "playwright-core";

import { launch, visitor } from "./browser.ts";
import { Person } from "./person.ts";
import { Server } from "./server.ts";
import { until } from "./until.ts";

const FOLDER = resolve(import.meta.dirname, "../../docs/images");
const MOST_BYTES = 250_000;
const WIDE = { viewport: { width: 1280, height: 800 } };
const LOW = { viewport: { width: 1280, height: 712 } };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
const CLOCK = { kind: "fischer", main_ms: 600_000, increment_ms: 5_000 };
const LEVELS = { first: 3, second: 5 }; // of the machines whose game is reviewed
const SHOWN_MOVE = /^16\./; // of that game
/** What is trained for the picture of the Lab: small enough to see it learn within a minute or two. */
const TRAINED = { kind: "gumbel", game: "dominion-duel", minutes: 30 };
const LEAST_RATES = 6; // times that the net was measured, for curves that show something

interface Scene {
  game: string;
  options?: Record<string, unknown>;
  origin?: [string, number];
  moves: string; // of both sides in turns, or with a dash of who begins
  held?: string; // a piece that is picked up in the picture
}

const SCENES: Scene[] = [
  {
    game: "great-kingdom",
    moves: "C7 G3 B7 H3 D8 F2 A7 J3 D9 F1 B3 G8 C2 H7 D1 F9 A4",
  },
  {
    game: "go",
    options: { size: 19 },
    moves:
      "Q16 D4 Q4 D16 R14 O3 R6 F17 C6 C5 D6 F4 C11 C14 K3 M3 K5 O5 Q8 R3 Q3 R4 Q5 O17 O16 N16 O15 P17 Q17 N15 O14 M17",
  },
  {
    game: "kelasu",
    origin: [
      "1BBB1BBB2/B1BBR1BB1B/S1S2G1S1S/2W2B1C2/4W1b3/3w1D4/1bb3r1b1/s1s1g2s1s/bb1bbb1bbb/1bbb2bb1b",
      0,
    ],
    moves: "D2-E2 D7-E6",
    held: "C5",
  },
  { game: "dominion-duel", options: { n: 21 }, moves: "11 4 15 8 18" },
];

class Studio {
  constructor(
    private readonly browser: Browser,
    private readonly server: Server,
  ) {}

  async person(options: Parameters<typeof visitor>[2] = WIDE, hand: "mouse" | "touch" = "mouse"): Promise<Person> {
    return new Person(await visitor(this.browser, this.server.url, { ...options, reducedMotion: "reduce" }), hand);
  }

  /** Two people who have names sit down and make the moves of the scene through the page. */
  async play(scene: Scene, first: Person, second: Person): Promise<void> {
    const { game, options = {}, origin } = scene;
    const seats = [{ kind: "me" }, { kind: "invited" }];
    const asked = { game, options, origin, seats, clock: CLOCK, name: "Ada" };
    const made = await post(first, "/api/matches", asked);
    await post(second, `/api/matches/${made.match}/join`, { token: made.invitation, name: "Bo" });
    await Promise.all([first, second].map((person) => person.page.goto(`/play/${made.match}`)));
    const wide = [first, second].filter((person) => person.hand === "mouse"); // a phone folds its list of moves
    for (const [index, move] of scene.moves.split(" ").entries()) {
      const [from, to] = move.split("-");
      const person = to || index % 2 === 0 ? first : second;
      await person.play(from!);
      if (to || person.hand === "touch") await person.choose(to ?? from!); // a finger confirms with a second tap
      await Promise.all(wide.map((each) => each.moves(index + 1)));
    }
    if (scene.held) await first.play(scene.held);
    await first.page.mouse.move(0, 0);
  }

  async reviewed(): Promise<Person> {
    const me = await this.person();
    const machines = [LEVELS.first, LEVELS.second].map((level) => ({ kind: "machine", player: `level:${level}` }));
    const { match } = await post(me, "/api/matches", { game: "go", options: { size: 9 }, seats: machines });
    await me.page.goto(`/play/${match}`);
    await me.page.getByRole("link", { name: "Review", exact: true }).last().waitFor();
    await me.page.getByRole("region", { name: /wins$|A draw/ }).waitFor({ timeout: 300_000 });
    await me.page.goto(`/review/${match}`);
    await me.press("Analyse");
    await me.page.getByRole("table", { name: "Accuracy" }).waitFor();
    await me.page.getByRole("progressbar").waitFor({ state: "detached", timeout: 300_000 });
    await me.press(SHOWN_MOVE);
    await me.page.getByRole("slider", { name: /Win rate/ }).locator("canvas").waitFor();
    await me.page.mouse.move(0, 0);
    await me.page.evaluate(() => window.scrollTo(0, 0));
    return me;
  }

  /** Who may train here: the Lab is for whoever runs the server. */
  operator(): Promise<Person> {
    return this.person({ ...LOW, extraHTTPHeaders: { "X-Tengen-Lab": this.server.labKey } });
  }

  /** The Lab while a net learns; null where there is no PyTorch. */
  async trained(): Promise<Person | null> {
    const me = await this.operator();
    const { missing } = await get<{ missing: string }>(me, "/api/lab");
    if (missing) return null;
    const { run } = await post<{ run: { name: string } }>(me, "/api/lab/runs", TRAINED);
    this.#run = run.name;
    await until("the first curves", () => this.#rates(me), (count) => count >= LEAST_RATES, 900_000);
    await me.page.goto("/lab");
    await me.page.getByRole("img", { name: /^Win rate/ }).locator("canvas").waitFor();
    await me.page.getByRole("img", { name: /, [2-9] moves$/ }).waitFor(); // on the live board
    return me;
  }

  #run: string | null = null;

  async #rates(me: Person): Promise<number> {
    const report = await get<{ points: { win_rates: Record<string, number> }[] }>(me, `/api/lab/runs/${this.#run}`);
    return report.points.filter(({ win_rates }) => Object.keys(win_rates).length > 0).length;
  }

  /** A run would outlive its server. */
  async stop(): Promise<void> {
    if (this.#run === null) return;
    const me = await this.operator();
    await post(me, `/api/lab/runs/${this.#run}`, { wish: "stop" });
    const state = async () => (await get<{ run: { state: string } }>(me, `/api/lab/runs/${this.#run}`)).run.state;
    await until("the end of training", state, (now) => ["stopped", "finished", "failed"].includes(now), 120_000);
  }

  async picture(person: Person, name: string): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await person.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      // The plot is drawn anew in the other colours.
      await person.page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      const path = join(FOLDER, `${name}-${colorScheme}.png`);
      await person.page.screenshot({ path });
      const bytes = statSync(path).size;
      process.stdout.write(`${path} ${Math.round(bytes / 1000)} kB\n`);
      if (bytes > MOST_BYTES) throw new Error(`${path} is larger than ${MOST_BYTES} bytes.`);
    }
  }
}

async function post<T = { match: string; invitation: string }>(person: Person, path: string, data: unknown): Promise<T> {
  const answer = await person.page.request.post(path, { data });
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

async function get<T>(person: Person, path: string): Promise<T> {
  return (await (await person.page.request.get(path)).json()) as T;
}

export async function main(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const server = await Server.start();
  const browser = await launch();
  const studio = new Studio(browser, server);
  try {
    const [ada, bo] = await Promise.all([studio.person(), studio.person()]);
    for (const scene of SCENES) {
      await studio.play(scene, ada, bo);
      await studio.picture(ada, scene.game);
    }
    await studio.picture(await studio.reviewed(), "review");
    const guest = await studio.person();
    await guest.page.goto("/");
    await guest.page.getByRole("heading", { name: "Live now" }).waitFor();
    await guest.page.getByRole("heading", { name: "Neural nets" }).waitFor();
    await studio.picture(guest, "home");
    const phone = await studio.person(PHONE, "touch");
    await studio.play(SCENES[0]!, phone, bo);
    await studio.picture(phone, "phone");
    const lab = await studio.trained();
    if (lab) await studio.picture(lab, "lab");
    else process.stdout.write("There is no PyTorch, so the picture of the Lab stays as it is.\n");
  } finally {
    await studio.stop();
    await Promise.allSettled([browser.close(), server.stop()]);
  }
}
