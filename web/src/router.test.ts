import { beforeEach, expect, test } from "vitest";

import { find, router } from "./router.svelte";

beforeEach(() => {
  document.body.innerHTML = "";
  window.scrollTo = () => {};
  router.go("/");
});

test.each([
  ["/", "Home", {}],
  ["/play/abc-_1", "Play", { match: "abc-_1" }],
  ["/play/abc/", "Play", { match: "abc" }],
  ["/join/abc", "Join", { match: "abc" }],
  ["/review", "Review", {}],
  ["/study/x%20y", "Study", { id: "x y" }],
  ["/rules/go", "Rules", { game: "go" }],
  ["/study/%E0%A4%A", "Study", { id: "%E0%A4%A" }],
])("%s shows %s", (path, page, params) => {
  expect(find(path)).toEqual({ page, params });
});

test.each(["/nothing", "/play", "/play/a/b", "/settings/x"])("%s shows no page", (path) => {
  expect(find(path)).toBeNull();
});

test("going keeps the token behind the #", () => {
  router.go("/join/abc?x=1#secret");
  expect([router.path, router.hash, router.query.get("x")]).toEqual(["/join/abc", "secret", "1"]);
  expect(router.route?.page).toBe("Join");
});

function click(attributes: string, init: MouseEventInit = {}): boolean {
  document.body.innerHTML = `<a ${attributes}><b>text</b></a>`;
  const event = new MouseEvent("click", { bubbles: true, cancelable: true, ...init });
  document.addEventListener("click", (seen) => seen.preventDefault(), { once: true });
  document.querySelector("b")!.dispatchEvent(event);
  return router.path === "/rules";
}

test("a plain link is followed without a page load", () => {
  expect(click('href="/rules"')).toBe(true);
});

test.each([
  ['href="/rules"', { ctrlKey: true }],
  ['href="/rules"', { button: 1 }],
  ['href="/rules" target="_blank"', {}],
  ['href="/rules" download', {}],
  ['href="https://example.org/rules"', {}],
  ['href="/api/rules"', {}],
])("%s with %o is left to the browser", (attributes, init) => {
  expect(click(attributes, init)).toBe(false);
});

test("the back button shows the page before", async () => {
  router.go("/lobby");
  router.go("/rules");
  const moved = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
  history.back();
  await moved;
  expect(router.path).toBe("/lobby");
});
