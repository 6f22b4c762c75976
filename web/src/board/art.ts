/**
 * The drawings of pieces, as one hidden SVG in the page. A piece is drawn around the origin, within 50 units each
 * way, and used by its id. A game gives its drawings as markup (`BoardFace.art`); paints and patterns that several
 * share are here. Colours come from board.css and the style sheets of the games.
 */
import type { BoardFace } from "./face";

const SPRITE_ID = "tengen-art";

export const ramp = (id: string, stops: [number, string][], more = "") =>
  `<linearGradient id="${id}"${more}>${colours(stops)}</linearGradient>`;
export const ball = (id: string, stops: [number, string][]) =>
  `<radialGradient id="${id}" cx=".36" cy=".3" r=".78">${colours(stops)}</radialGradient>`;
const colours = (stops: [number, string][]) =>
  stops.map(([at, name]) => `<stop offset="${at}" class="stop-${name}"/>`).join("");
const down = ' x2="0" y2="1"';

/** Gradients for walls and tokens in a colour of board.css: #tg-wall-NAME and #tg-token-NAME. */
export function paints(...names: string[]): string {
  const of = (name: string) =>
    ramp(`tg-wall-${name}`, [
      [0, `${name}-2`],
      [0.3, `${name}-1`],
      [1, `${name}-3`],
    ]) +
    ramp(
      `tg-token-${name}`,
      [
        [0, `${name}-1`],
        [1, `${name}-2`],
      ],
      down,
    );
  return names.map(of).join("");
}

/** Patterns of territory: #tg-hatch-NAME for the first seat, #tg-dots-NAME for the second. */
export function patterns(first: string, second: string): string {
  return (
    `<pattern id="tg-hatch-${first}" width="20" height="20" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
    `<path d="M10 0V20" class="hatch-${first}"/></pattern>` +
    `<pattern id="tg-dots-${second}" width="25" height="25" patternUnits="userSpaceOnUse">` +
    `<circle cx="12.5" cy="12.5" r="4.2" class="dots-${second}"/></pattern>`
  );
}

export const SHADOW = '<ellipse cy="40" rx="40" ry="7.5" class="cast"/>';

/** Shapes by name as drawings with the id #tg-NAME. */
export function shapes(named: Record<string, string>): string {
  return Object.entries(named)
    .map(([name, shape]) => `<g id="tg-${name}">${shape}</g>`)
    .join("");
}

const prepared = new WeakMap<Document, Set<BoardFace["art"]>>();

/** Puts the drawings of a game into the page; further calls change nothing. */
export function prepareArt({ art }: BoardFace): void {
  let sprite = document.getElementById(SPRITE_ID);
  let known = prepared.get(document);
  if (!sprite || !known) {
    sprite = document.createElementNS("http://www.w3.org/2000/svg", "svg") as unknown as HTMLElement;
    sprite.id = SPRITE_ID;
    sprite.setAttribute("aria-hidden", "true");
    sprite.setAttribute("width", "0");
    sprite.setAttribute("height", "0");
    sprite.innerHTML = ownClasses(`<defs>${paints("blue", "orange", "grey", "red")}${patterns("blue", "orange")}</defs>`);
    document.body.prepend(sprite);
    prepared.set(document, (known = new Set()));
  }
  if (known.has(art)) return;
  known.add(art);
  const markup = art();
  if (markup) sprite.insertAdjacentHTML("beforeend", ownClasses(`<defs>${markup}</defs>`));
}

/** Classes above are short; in the page they begin with tg-, so that they meet nobody else's. */
function ownClasses(markup: string): string {
  return markup.replace(/class="([^"]*)"/g, (_, names: string) => `class="${names.replace(/[\w-]+/g, "tg-$&")}"`);
}
