import { afterEach, expect, test, vi } from "vitest";

async function below(base: string) {
  vi.resetModules();
  document.head.innerHTML = base && `<meta name="tengen-base" content="${base}">`;
  return import("./base");
}

afterEach(() => {
  document.head.innerHTML = "";
});

test("at the root nothing changes", async () => {
  const { at, within } = await below("");
  expect([at("/rules"), within("/rules"), within("/")]).toEqual(["/rules", "/rules", "/"]);
});

test("below a path, the browser sees it and the program does not", async () => {
  const { at, within } = await below("/tengen");
  expect([at("/rules"), at("/"), at("#main"), at("https://elsewhere/")]).toEqual(["/tengen/rules", "/tengen/", "#main", "https://elsewhere/"]);
  expect([within("/tengen/rules"), within("/tengen/"), within("/tengen"), within("/tengenx")]).toEqual(["/rules", "/", "/", "/tengenx"]);
});
