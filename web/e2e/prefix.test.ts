/** The site below a path of somebody else's host, behind a proxy that takes the path away or leaves it. */
import { expect, test } from "vitest";

import { proxied } from "./proxy.ts";
import { stage } from "./stage.ts";

const at = stage({ calm: true, own: { words: ["--prefix", "/tengen"] } });

test.each([true, false])("everything works below a path, which the proxy strips: %s", async (strips) => {
  const proxy = await proxied(at.server.url, "/tengen", strips);
  const [host, guest] = await Promise.all([at.person(), at.person("keys")]);
  try {
    await host.page.goto(`${proxy.url}/tengen/`);
    await host.press("Play Dominion Duel");
    await host.dialog.getByText("A friend", { exact: true }).click();
    await host.dialog.getByText(/\(first\)/).click();
    await host.press("Make the invitation", host.dialog);
    await host.page.waitForURL(`${proxy.url}/tengen/play/*`);
    expect(await host.link()).toMatch(/:\d+\/tengen\/join\/[\w-]+#/);
    const { pathname, hash } = new URL(await host.link());
    await guest.page.goto(`${proxy.url}${pathname}${hash}`);
    await guest.press("Sit down and play");
    await guest.page.waitForURL(`${proxy.url}/tengen/play/*`);
    await host.play("5");
    await guest.moves(1);
    await guest.page.reload();
    await guest.moves(1);

    const cookies = await host.page.context().cookies();
    expect(cookies.map(({ path }) => path)).toEqual(["/tengen"]);
    const scope = await host.page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
    expect(scope).toBe(`${proxy.url}/tengen/`);
    await guest.page.goto(`${proxy.url}/tengen/rules`);
    await guest.page.getByRole("link", { name: "Settings" }).click();
    await guest.page.waitForURL(`${proxy.url}/tengen/settings`);
    const hrefs = await guest.page.locator("a[href^='/']").evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(hrefs.filter((href) => !href!.startsWith("/tengen/"))).toEqual([]);
  } finally {
    await Promise.all([host, guest].map(({ page }) => page.goto("about:blank")));
    await proxy.close();
  }
});
