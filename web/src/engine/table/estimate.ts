/** How a match stands while it is played, in points and by the cells that are likely to be somebody's. */
import type { Estimate, Place } from "../../protocol";
import type { Core } from "../core/types";

const LOOK_S = 1;
const OPEN = 1 / 8; // of the cells are not yet anybody's, from which on nothing is counted
const LOST = 0.6; // of an ownership, from which on a piece of the other side is taken for dead

/**
 * Counted where nearly all is settled. Before that playouts know little of what will become of the rest, and a search
 * with a net is believed: then the score says what a hint and a review say.
 */
export async function estimate(core: Core, place: Place): Promise<Estimate> {
  const counted = await core.standing(place);
  const open = counted.ownership.filter((owner) => Math.abs(owner) < 1).length;
  if (open <= OPEN * counted.ownership.length) return counted;
  const { by, lead, ownership, to_move } = await core.analyse(place, { seconds: LOOK_S });
  if (by === "search" || lead === null || !ownership) return counted;
  const { codes } = await core.position(place);
  const together = counted.points[0] + counted.points[1];
  const first = (together + (to_move === 0 ? lead : -lead)) / 2;
  return {
    points: [first, together - first],
    dead: codes.flatMap((code, cell) => (code && ownership[cell]! * (code === 1 ? -1 : 1) > LOST ? [cell] : [])),
    ownership,
  };
}
