/** Player 1 has a pointed shield with a cross, Player 2 a round one with a ring; a lock is a padlock. */
import { shapes } from "../../board/art";

export const art = (): string =>
  shapes({
    "dominion-duel-X":
      '<g class="piece blue"><path d="M-36-38Q0-30 36-38V-4C36 22 14 36 0 43-14 36-36 22-36-4Z" class="token"/>' +
      '<path d="M-15-15 15 15M15-15-15 15" class="sign"/></g>',
    "dominion-duel-O":
      '<g class="piece orange"><circle r="40" class="token"/><circle r="30" class="facet"/><circle r="15" class="sign"/></g>',
    "dominion-duel-lock":
      '<path d="M-12-4V-14a12 12 0 0 1 24 0V-4" class="shackle"/>' +
      '<rect x="-20" y="-4" width="40" height="30" rx="6" class="lock"/><path d="M0 8v8" class="keyhole"/>',
  });
