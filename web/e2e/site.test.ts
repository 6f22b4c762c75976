/** The static site (`make site`) below a folder of a host that does nothing but send files. */
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { existsSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { hasCore } from "../src/engine/core/testing.ts";
import { shared, visitor } from "./browser.ts";
import { Person } from "./person.ts";

const SITE = resolve(import.meta.dirname, "../../build/site");
const BELOW = "/some/folder/";
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

let host: Server;
let url: string;

beforeAll(async () => {
  if (!existsSync(join(SITE, "index.html"))) throw new Error(`There is no ${SITE}: run \`make site\` first.`);
  host = createServer(({ url: path = "" }, answer) => {
    const file = join(SITE, new URL(path, "http://host").pathname.slice(BELOW.length) || "index.html");
    if (!path.startsWith(BELOW) || !existsSync(file) || statSync(file).isDirectory()) return answer.writeHead(404).end();
    answer.writeHead(200, { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" });
    answer.end(readFileSync(file));
  });
  await new Promise<void>((ready) => host.listen(0, "127.0.0.1", ready));
  url = `http://127.0.0.1:${(host.address() as AddressInfo).port}${BELOW}`;
});

afterAll(() => host?.close());

test.skipIf(!hasCore)("it is the whole app for one device: a game, a reload, rules to play in, and links for another tab", async () => {
  const me = new Person(await visitor(await shared(), url, { reducedMotion: "reduce" }));
  await me.page.goto(url);
  await me.page.getByTitle("The engine in this page plays.").waitFor();
  await me.press("Play Great Kingdom");
  const dialog = me.page.getByRole("dialog", { name: "Great Kingdom" });
  expect(await dialog.getByText("A friend", { exact: true }).count()).toBe(0);
  await me.setLevel(dialog, 1);
  await me.press("Start the game", dialog);
  await me.page.waitForURL(/#\/play\/~/);
  await me.play("E4");
  await me.moves(2);
  await me.page.reload();
  await me.moves(2);
  await me.sees("E4", /blue castle/);

  await me.page.getByRole("link", { name: "Rules", exact: true }).first().click();
  const chapter = me.page.getByRole("link", { name: /Go/ }).first();
  expect(await chapter.getAttribute("href")).toMatch(/^#\/rules/);
  await me.page.goto(`${url}#/rules/go`);
  await me.page.getByRole("figure").first().getByRole("grid").waitFor();

  await me.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await new Promise((done) => {
    host.closeAllConnections();
    host.close(done);
  });
  await me.page.goto(`${url}#/`);
  await me.page.reload();
  await me.page.getByRole("heading", { name: "Go on playing" }).waitFor();
  await me.page.getByRole("link", { name: /^You/ }).click();
  await me.moves(2);
  await me.play(await me.free("C3", "G7", "C7"));
  await me.moves(4);
  expect(me.complaints.filter((each) => !/ERR_CONNECTION_REFUSED/.test(each))).toEqual([]);
  await me.page.context().close();
});
