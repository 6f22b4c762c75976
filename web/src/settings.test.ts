import { flushSync } from "svelte";
import { beforeEach, expect, test, vi } from "vitest";

import { checked, confirms, defaults, settings } from "./settings.svelte";
import { read, write } from "./storage";

beforeEach(() => {
  Object.assign(settings, defaults);
  flushSync();
});

test("a change is kept in the browser, and the theme is worn", () => {
  settings.theme = "dark";
  settings.name = "Ann";
  flushSync();
  expect(JSON.parse(localStorage.getItem("tengen.settings")!)).toMatchObject({ theme: "dark", name: "Ann" });
  expect(document.documentElement.dataset.theme).toBe("dark");
  settings.theme = "system";
  flushSync();
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

test.each([null, 5, "x", [], { theme: "pink", sound: "yes", language: null }])("%o is read as the defaults", (stored) => {
  expect(checked(stored)).toEqual(defaults);
});

test("what is stored well is kept beside what is not", () => {
  expect(checked({ theme: "dark", sound: false, confirm: 1, other: 2 })).toEqual({
    ...defaults,
    theme: "dark",
    sound: false,
  });
});

test("another tab's change arrives", () => {
  localStorage.setItem("tengen.settings", JSON.stringify({ coordinates: false }));
  window.dispatchEvent(new StorageEvent("storage", { key: "tengen.settings" }));
  expect(settings.coordinates).toBe(false);
});

test("a chosen way to confirm goes before the kind of pointer", () => {
  expect(confirms()).toBe(false);
  settings.confirm = "on";
  expect(confirms()).toBe(true);
});

test("without storage values last as long as the page", () => {
  const forbidden = () => {
    throw new DOMException("forbidden", "SecurityError");
  };
  vi.stubGlobal("localStorage", { getItem: forbidden, setItem: forbidden, removeItem: forbidden });
  write("key", "value");
  expect(read("key")).toBe("value");
  write("key", null);
  expect(read("key")).toBeNull();
  vi.unstubAllGlobals();
});
