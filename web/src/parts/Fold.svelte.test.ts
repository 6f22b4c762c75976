import { createRawSnippet, flushSync, mount, unmount } from "svelte";
import { expect, it } from "vitest";

import Fold from "./Fold.svelte";

it("stays as a person left it while what is chosen inside changes, and opens where its owner says so", () => {
  const children = createRawSnippet(() => ({ render: () => "<p>the rest</p>" }));
  const props = $state({ title: "Rules", text: "Standard", open: false, children });
  const fold = mount(Fold, { target: document.body, props });
  flushSync();
  const details = document.querySelector("details")!;
  const seen = () => [details.open, details.querySelector(".soft")!.textContent];
  expect(seen()).toEqual([false, "Standard"]);
  details.open = true;
  details.dispatchEvent(new Event("toggle"));
  props.text = "Chinese";
  flushSync();
  expect(seen()).toEqual([true, "Chinese"]);
  for (const open of [true, false]) {
    props.open = open;
    flushSync();
    expect(seen()).toEqual([open, "Chinese"]);
  }
  void unmount(fold);
});
