/** What somebody who opens an invitation can do about it. */
import type { Snapshot } from "../protocol";

export type Welcome =
  | { can: "sit"; seat: 0 | 1; host: string }
  | { can: "enter"; why: "yours" | "own" | "taken" | "over" }
  | { can: "nothing"; why: "cancelled" | "no_token" };

export function welcome({ match, you }: Pick<Snapshot, "match" | "you">, token: string): Welcome {
  if (match.status === "cancelled") return { can: "nothing", why: "cancelled" };
  const seat = match.seats.findIndex((each) => each.kind === "open" || each.kind === "invited");
  if (you.length) return { can: "enter", why: seat >= 0 ? "own" : "yours" };
  if (match.status === "over") return { can: "enter", why: "over" };
  if (seat < 0) return { can: "enter", why: "taken" };
  if (match.seats[seat]!.kind === "invited" && !token) return { can: "nothing", why: "no_token" };
  return { can: "sit", seat: seat === 0 ? 0 : 1, host: match.seats[1 - seat]!.name };
}
