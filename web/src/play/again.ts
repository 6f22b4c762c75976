import type { MatchInfo, NewMatch, SeatWish } from "../protocol";

/** The wish for the same match once more; null where that needs another person. */
export function sameAgain(info: MatchInfo, you: readonly number[]): NewMatch | null {
  const seats = info.seats.map((seat, number): SeatWish | null => {
    if (seat.kind === "machine") return { kind: "machine", player: seat.player };
    return you.includes(number) ? { kind: "me" } : null;
  });
  const [first, second] = seats;
  if (!first || !second) return null;
  const { game, options, clock, origin } = info;
  return { game, options, clock, origin, seats: [first, second], public: info.public };
}
