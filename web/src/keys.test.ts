import { beforeEach, expect, test } from "vitest";

import { keys } from "./keys.svelte";

let pressed: string[] = [];

beforeEach(() => {
  pressed = [];
  document.body.innerHTML = '<input /><button></button><input type="checkbox" /><div tabindex="0"></div>';
});

function bind(name: string, key: string | string[]): () => void {
  return keys.add({ title: name, bindings: [{ key, what: name, action: () => pressed.push(name) }] });
}

function press(key: string, at = "div", init: KeyboardEventInit = {}): void {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });
  document.querySelector(at)!.dispatchEvent(event);
}

test("the last to want a key gets it, until it is gone", () => {
  const removeOne = bind("one", ["r", " "]);
  const removeTwo = bind("two", "r");
  press("R");
  removeTwo();
  press("r");
  press(" ");
  removeOne();
  press("r");
  expect(pressed).toEqual(["two", "one", "one"]);
});

test("what is typed elsewhere is left alone", () => {
  const remove = bind("one", ["r", " ", "Enter"]);
  press("r", "input");
  press("r", "div", { ctrlKey: true });
  press(" ", "button");
  press("Enter", "button");
  expect(pressed).toEqual([]);
  press("r", "button");
  press("r", "[type=checkbox]");
  expect(pressed).toEqual(["one", "one"]);
  remove();
});
