import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Offer } from "./offer.svelte";

let says: Response | Error;

const server = (lab: boolean): Response => Response.json({ programs: [], lab });

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("fetch", async () => {
    if (says instanceof Error) throw says;
    return says;
  });
});
afterEach(() => vi.unstubAllGlobals());

test("whether there is a Lab is known from the visit before, until the server says otherwise", async () => {
  says = server(true);
  const first = new Offer();
  expect(first.lab).toBe(false);
  await first.ask();
  expect(first.lab).toBe(true);
  says = server(false);
  const second = new Offer();
  expect(second.lab).toBe(true);
  await second.ask();
  expect(second.lab).toBe(false);
  expect(new Offer().lab).toBe(false);
});

test("nothing is offered where the server does not answer, and it is asked again", async () => {
  localStorage["tengen.lab"] = "open";
  says = new TypeError("failed to fetch");
  const offer = new Offer();
  await offer.ask();
  expect(offer.lab).toBe(false);
  says = server(true);
  await Promise.all([offer.ask(), offer.ask()]); // whoever asks meanwhile waits as well
  expect(offer.lab).toBe(true);
});
