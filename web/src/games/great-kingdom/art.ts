/** Castles differ by shape as well as colour: Blue's have round towers, Orange's peaked roofs, the neutral one none. */
import { SHADOW, shapes } from "../../board/art";

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

export const art = (): string =>
  shapes({
    "great-kingdom-B": BLUE_CASTLE,
    "great-kingdom-O": ORANGE_CASTLE,
    "great-kingdom-N": NEUTRAL_CASTLE,
  });
