// Draws the PNG icons from public/icon.svg with Chromium: `npm run icons` after a change of the drawing.
import { readFileSync } from "node:fs";

import { chromium } from "playwright-core";

const drawing = readFileSync("public/icon.svg", "utf8");
const square = drawing.replace(/ rx="\d+"/, ""); // the system cuts the shape itself
const icons = [
  ["icon-180.png", 180, square],
  ["icon-192.png", 192, drawing],
  ["icon-512.png", 512, drawing],
  ["icon-maskable-512.png", 512, square],
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
for (const [name, side, svg] of icons) {
  const page = await browser.newPage({ viewport: { width: side, height: side } });
  await page.setContent(`<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${svg}`);
  await page.screenshot({ path: `public/${name}`, omitBackground: true });
  await page.close();
}
await browser.close();
