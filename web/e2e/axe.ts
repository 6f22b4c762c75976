/** What axe finds on a page, in the light and in the dark. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { AxeResults, RunOptions } from "axe-core";
import { expect } from "vitest";

import type { Person } from "./person.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Both themes; a page follows the system until it is told otherwise. */
export async function clean(me: Person, what: string): Promise<void> {
  if (await me.page.evaluate(() => !("axe" in window))) await me.page.evaluate(AXE);
  const grounds = new Set<string>();
  for (const colorScheme of ["light", "dark"] as const) {
    await me.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const found = await me.page.evaluate(async () => {
      const { axe } = window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } };
      await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
      const { violations } = await axe.run({ resultTypes: ["violations"] }); // of the rest one need not know each place
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 120)} ${node.any[0]?.message ?? ""}`),
      );
    });
    expect.soft(found, `${what} in the ${colorScheme}`).toEqual([]);
    grounds.add(await me.page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  }
  expect(grounds.size, "themes that were looked at").toBe(2);
}
