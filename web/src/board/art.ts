/**
 * The drawings of all pieces, as one hidden SVG that is put into the page once. A piece is drawn around the
 * origin, within 50 units each way, and used by its id: `art(game, letter)`. Colours come from board.css.
 *
 * Sides differ by shape as well as colour: Blue's castles have round towers and Orange's peaked roofs; white
 * stones have a rim; Kelasu's Blue stands on round shields and Red on cut ones, each pointing forward; Player 1
 * of Dominion Duel has a pointed shield with a cross, Player 2 a round one with a ring.
 */
const SPRITE_ID = "tengen-art";

const ramp = (id: string, stops: [number, string][], more = "") =>
  `<linearGradient id="${id}"${more}>${colours(stops)}</linearGradient>`;
const ball = (id: string, stops: [number, string][]) =>
  `<radialGradient id="${id}" cx=".36" cy=".3" r=".78">${colours(stops)}</radialGradient>`;
const colours = (stops: [number, string][]) =>
  stops.map(([at, name]) => `<stop offset="${at}" class="stop-${name}"/>`).join("");
const down = ' x2="0" y2="1"';

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
  ["blue", "orange", "grey", "red"]
    .map(
      (name) =>
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
        ),
    )
    .join("");

const PATTERNS = ["blue", "black"]
  .map(
    (name) =>
      `<pattern id="tg-hatch-${name}" width="20" height="20" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
      `<path d="M10 0V20" class="hatch-${name}"/></pattern>`,
  )
  .concat(
    ["orange", "white"].map(
      (name) =>
        `<pattern id="tg-dots-${name}" width="25" height="25" patternUnits="userSpaceOnUse">` +
        `<circle cx="12.5" cy="12.5" r="4.2" class="dots-${name}"/></pattern>`,
    ),
  )
  .join("");

const SHADOW = '<ellipse cy="40" rx="40" ry="7.5" class="cast"/>';

const STONES: Record<string, string> = {
  "go-X": '<circle cx="2.5" cy="4.5" r="47" class="cast"/><circle r="47" class="slate"/>',
  "go-O":
    '<circle cx="2.5" cy="4.5" r="47" class="cast"/><circle r="46.3" class="shell"/>' +
    '<path d="M-36 8Q0 34 37 6M-29 24Q2 42 30 22M-38-10Q-4 20 39-12" class="grain"/>',
};

const BLUE_CASTLE =
  SHADOW +
  '<g class="castle blue"><path d="M-41 38V-3a12.5 15 0 0 1 25 0V38ZM16 38V-3a12.5 15 0 0 1 25 0V38Z" class="wall"/>' +
  '<path d="M-41 3V-3a12.5 15 0 0 1 25 0V3ZM16 3V-3a12.5 15 0 0 1 25 0V3Z" class="roof"/>' +
  '<path d="M-20 38V-22H20V38Q0 43-20 38Z" class="wall"/>' +
  '<path d="M-25-19V-41H-14V-34H-5.5V-41H5.5V-34H14V-41H25V-19Q0-13-25-19Z" class="roof"/>' +
  '<path d="M-9 39.5V24a9 9 0 0 1 18 0V39.5Q0 41-9 39.5Z" class="gate"/>' +
  '<path d="M-28.5 13v8M28.5 13v8M0-4v8" class="slit"/></g>';

const ORANGE_CASTLE =
  SHADOW +
  '<g class="castle orange"><path d="M-38 40V2H-15V40ZM15 40V2H38V40Z" class="wall"/>' +
  '<path d="M-43 5-26.5-21-10 5ZM43 5 26.5-21 10 5Z" class="roof"/>' +
  '<path d="M-18 40V-8H18V40Z" class="wall"/><path d="M-25-5 0-46 25-5Z" class="roof"/>' +
  '<path d="M-9 40V24L0 13 9 24V40Z" class="gate"/><path d="M-27 15v8M27 15v8" class="slit"/></g>';

const NEUTRAL_CASTLE =
  SHADOW +
  '<g class="castle grey"><path d="M-38 40V-27H-23V-16H-8V-27H8V-16H23V-27H38V40Z" class="wall"/>' +
  '<path d="M-38 0H38M-38 20H38M-14-16V0M14-16V0M-26 0V20M0 0V20M26 0V20M-14 20V40M14 20V40" class="bricks"/></g>';

const BASE_BLUE = "M0 45C-9 38-39 31-39-4A39 37 0 0 1 39-4C39 31 9 38 0 45Z";
const BASE_RED = "M0-45 37-25V30L25 41H12L0 31-12 41H-25L-37 30V-25Z";

const GLYPHS: Record<string, string> = {
  W: '<path d="M-4.5 9V-20L0-28 4.5-20V9ZM-14 9H14V14.5H-14ZM-3 14.5H3V24H-3Z"/><circle cy="26" r="4"/>',
  R: '<path d="M7-29-17 5H-3L-8 29 17-7H3Z"/>',
  D:
    '<path d="M-14-21H14a9 9 0 0 1 9 9V4a9 9 0 0 1-9 9H3L-8 25V13H-14A9 9 0 0 1-23 4V-12a9 9 0 0 1 9-9Z"/>' +
    '<path d="M-12-9H12M-12 1H5" class="etch"/>',
  C: '<path d="M0-29 7.5-9.5 28-8.5 12 4.5 17.5 24.5 0 13-17.5 24.5-12 4.5-28-8.5-7.5-9.5Z"/>',
  G: '<path d="M-21 10-27-17-12.5-4 0-26 12.5-4 27-17 21 10ZM-21 15H21V22H-21Z"/>',
};

const GEM_BLUE =
  '<path d="M0-37 32-18.5V18.5L0 37-32 18.5V-18.5Z" class="token"/>' +
  '<path d="M0-37V0M32-18.5 0 0M-32-18.5 0 0M0 0V37" class="facet"/>' +
  '<path d="M0-37-32-18.5 0 0Z" class="shine"/>';
const GEM_RED =
  '<path d="M-23-28H23L39-7 0 37-39-7Z" class="token"/>' +
  '<path d="M-39-7H39M-23-28-13-7 0 37M23-28 13-7 0 37M-13-7 0-28 13-7" class="facet"/>' +
  '<path d="M-23-28-13-7 0-28Z" class="shine"/>';

function kelasu(): Record<string, string> {
  const made: Record<string, string> = {
    "kelasu-base-0": `<path d="${BASE_BLUE}" class="cast low"/><g class="piece blue"><path d="${BASE_BLUE}" class="token"/></g>`,
    "kelasu-base-1": `<path d="${BASE_RED}" class="cast low"/><g class="piece red"><path d="${BASE_RED}" class="token"/></g>`,
    "kelasu-S": `${SHADOW}<g class="piece blue">${GEM_BLUE}</g>`,
    "kelasu-s": `${SHADOW}<g class="piece red">${GEM_RED}</g>`,
    "kelasu-B": '<circle r="13" class="hollow"/>',
    "kelasu-b": '<path d="M0-15 15 0 0 15-15 0Z" class="hollow"/>',
  };
  for (const [letter, shape] of Object.entries(GLYPHS)) {
    made[`kelasu-${letter}`] = made[`kelasu-${letter.toLowerCase()}`] = `<g class="glyph">${shape}</g>`;
  }
  return made;
}

const SHAPES: Record<string, string> = {
  ...STONES,
  "great-kingdom-B": BLUE_CASTLE,
  "great-kingdom-O": ORANGE_CASTLE,
  "great-kingdom-N": NEUTRAL_CASTLE,
  ...kelasu(),
  "dominion-duel-X":
    '<g class="piece blue"><path d="M-36-38Q0-30 36-38V-4C36 22 14 36 0 43-14 36-36 22-36-4Z" class="token"/>' +
    '<path d="M-15-15 15 15M15-15-15 15" class="sign"/></g>',
  "dominion-duel-O":
    '<g class="piece orange"><circle r="40" class="token"/><circle r="30" class="facet"/><circle r="15" class="sign"/></g>',
  "dominion-duel-lock":
    '<path d="M-12-4V-14a12 12 0 0 1 24 0V-4" class="shackle"/>' +
    '<rect x="-20" y="-4" width="40" height="30" rx="6" class="lock"/><path d="M0 8v8" class="keyhole"/>',
};

/** The id of a drawing; the facing base of Kelasu's pieces is apart, see `base`. */
export function art(game: string, letter: string): string {
  return `#tg-${game}-${letter === "#" ? "lock" : letter}`;
}

/** What a piece of Kelasu stands on, or null for stones. It points forward while the board is not flipped. */
export function base(letter: string): string | null {
  const upper = letter.toUpperCase();
  if (upper === "S") return null;
  return `#tg-kelasu-base-${letter === upper ? 0 : 1}`;
}

/** Puts the drawings into the page; further calls change nothing. */
export function prepareArt(): void {
  if (document.getElementById(SPRITE_ID)) return;
  const sprite = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  sprite.id = SPRITE_ID;
  sprite.setAttribute("aria-hidden", "true");
  sprite.setAttribute("width", "0");
  sprite.setAttribute("height", "0");
  const shapes = Object.entries(SHAPES).map(([name, shape]) => `<g id="tg-${name}">${shape}</g>`);
  sprite.innerHTML = ownClasses(`<defs>${PAINTS}${PATTERNS}${shapes.join("")}</defs>`);
  document.body.prepend(sprite);
}

/** Classes above are short; in the page they begin with tg-, so that they meet nobody else's. */
function ownClasses(markup: string): string {
  return markup.replace(/class="([^"]*)"/g, (_, names: string) => `class="${names.replace(/[\w-]+/g, "tg-$&")}"`);
}
