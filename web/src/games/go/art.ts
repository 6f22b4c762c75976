/**
 * Stones of slate and shell, and the wood below them. White ones have a rim and a grain. There are STONE_KINDS drawings
 * of each colour, which differ as stones from one bowl do: in how the grain runs and where the light falls.
 */
import { ball, patterns, shapes } from "../../board/art";

export const STONE_KINDS = 4;
const TURNS = [0, 67, 148, 221]; // of the grain, in degrees
const LIGHT = ["0 0", "-2.5 1.5", "2 -1.5", "1.5 2.5"]; // where the gloss of a black stone lies

const PAINTS =
  ball("tg-slate", [
    [0, "slate-1"],
    [0.5, "slate-2"],
    [1, "slate-3"],
  ]) +
  ball("tg-shell", [
    [0, "shell-1"],
    [0.62, "shell-2"],
    [1, "shell-3"],
  ]) +
  '<radialGradient id="tg-gloss"><stop offset="0" class="stop-gloss-1"/><stop offset="1" class="stop-gloss-2"/></radialGradient>' +
  '<radialGradient id="tg-soft"><stop offset=".8" class="stop-soft-1"/><stop offset="1" class="stop-soft-2"/></radialGradient>';

/** A board sawn along the tree: lines that run down it, some closer together. */
const WOOD =
  '<pattern id="tg-wood" width="620" height="2100" patternUnits="userSpaceOnUse">' +
  '<path class="vein" d="M14 0C30 500-4 900 22 1400S8 1900 14 2100M58 0C44 600 78 1100 60 1600S66 1950 58 2100M96 0C118 400 84 1000 104 1500S90 1900 96 2100M176 0C160 700 196 1200 172 1700S182 2000 176 2100M262 0C284 500 246 1000 270 1500S256 1900 262 2100M300 0C288 600 320 1200 298 1700S306 2000 300 2100M388 0C404 500 372 1100 394 1600S382 1950 388 2100M470 0C452 500 492 900 466 1500S476 1950 470 2100M508 0C524 600 490 1100 514 1600S502 1950 508 2100M584 0C570 500 602 1000 580 1500S590 1950 584 2100"/>' +
  '<path class="vein-wide" d="M36 0C54 700 20 1200 40 1700S30 2000 36 2100M226 0C206 600 244 1200 222 1700S232 2000 226 2100M430 0C448 500 412 1000 434 1600S424 1950 430 2100M548 0C534 600 566 1200 544 1700S552 2000 548 2100"/>' +
  "</pattern>";

const CAST = '<circle cx="3" cy="5.5" r="50" fill="url(#tg-soft)" class="soft"/>';
const stones: Record<string, string> = {};
for (let kind = 0; kind < STONE_KINDS; kind++) {
  stones[`go-X${kind}`] =
    `${CAST}<circle r="47" class="slate"/><ellipse transform="translate(${LIGHT[kind]}) rotate(-38)" cx="0" cy="-24" rx="21" ry="12" fill="url(#tg-gloss)" class="gloss"/>`;
  stones[`go-O${kind}`] =
    `${CAST}<circle r="46.4" class="shell"/>` +
    `<path transform="rotate(${TURNS[kind]})" d="M-36 8Q0 34 37 6M-29 24Q2 42 30 22M-38-10Q-4 20 39-12M-33-26Q-2-2 34-27" class="grain"/>`;
}

export const art = (): string => PAINTS + WOOD + patterns("black", "white") + shapes(stones);
