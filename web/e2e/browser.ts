/**
 * Debian's Chromium, and people in it: each `visitor` has cookies and storage of their own. What a page complains
 * about (console, exceptions, failed requests) is collected, so that a test can ask for silence.
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

import { chromium } from "playwright-core";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";

/** The names under which it is found, as in tools/system-packages. */
const NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
const found = (process.env.PATH ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((path) => existsSync(path));

export const CHROMIUM = process.env.TENGEN_CHROMIUM ?? found ?? "/usr/bin/chromium";

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const WAIT_MS = 30_000;

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

let ours: Promise<Browser> | undefined;

/** The one for all files that this process runs, one after another. It ends with the process. */
export function shared(): Promise<Browser> {
  return (ours ??= launch());
}

export interface Visitor {
  page: Page;
  complaints: string[];
  asked: Set<Request>; // what the page waits for now
}

export async function visitor(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    locale: "en-GB",
    viewport: { width: 1280, height: 800 },
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const asked = new Set<Request>();
  page.on("request", (request) => asked.add(request));
  page.on("requestfinished", (request) => asked.delete(request));
  page.on("requestfailed", (request) => asked.delete(request));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`exception: ${error.message}`));
  page.on("requestfailed", (request) => {
    const why = request.failure()?.errorText ?? "";
    if (why !== "net::ERR_ABORTED") complaints.push(`request: ${request.url()} ${why}`); // the page itself gave up on it
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`response: ${response.status()} ${response.url()}`);
  });
  return { page, complaints, asked };
}
