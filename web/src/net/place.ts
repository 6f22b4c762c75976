/** How a position came about, as the server is asked about it: moves, and where play was resumed between them. */
import type { Place } from "../protocol";

/** The moves and resumptions of a line; whatever has a `resumed` seat is no move. */
export function wayOf(
  line: readonly { actions: number[]; resumed: number | null }[],
): Required<Pick<Place, "moves" | "resumptions">> {
  const moves: number[][] = [];
  const resumptions: [number, number][] = [];
  for (const { actions, resumed } of line) {
    if (resumed === null) moves.push(actions);
    else resumptions.push([moves.length, resumed]);
  }
  return { moves, resumptions };
}
