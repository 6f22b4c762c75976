/** Blue stands on round shields and Red on cut ones, each pointing forward; stones are gems without a shield. */
import { SHADOW, shapes } from "../../board/art";

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

function pieces(): Record<string, string> {
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

export const art = (): string => shapes(pieces());

/** What a piece stands on, or null for stones. It points forward while the board is not flipped. */
export function base(letter: string): string | null {
  const upper = letter.toUpperCase();
  if (upper === "S") return null;
  return `#tg-kelasu-base-${letter === upper ? 0 : 1}`;
}
