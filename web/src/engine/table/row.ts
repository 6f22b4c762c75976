/** A match of this device as it is stored and as lists show it. Nothing here needs the engine. */
import type { MatchInfo, MatchSummary, Outcome } from "../../protocol";
import type { Kept } from "./match";

export interface Row {
  id: string;
  created_ms: number;
  moved_ms: number;
  kept: Kept;
  to_move: number | null;
  diagram: string;
  outcome: Outcome | null;
  rematch: string | null;
  rematch_of: string | null;
  sent: string | null; // the study on the server that it became
}

/** The seats of whoever has the device. */
export function seatsOf({ kept: { setup } }: Row): number[] {
  return [0, 1].filter((seat) => setup.seats[seat]!.kind === "person");
}

/** `estimate` says whether one may ask how it stands. */
export function infoOf(row: Row, estimate = false): MatchInfo {
  const { game, options, clock, origin, seats, started_ms } = row.kept.setup;
  const seat = (at: 0 | 1) => ({ ...seats[at], here: seats[at].kind === "person" });
  return {
    id: row.id,
    game,
    options,
    clock,
    origin,
    status: row.outcome ? "over" : "playing",
    public: false,
    estimate,
    seats: [seat(0), seat(1)],
    created_ms: row.created_ms,
    started_ms,
    rematch: row.rematch,
    rematch_of: row.rematch_of,
  };
}

export function summaryOf(row: Row): MatchSummary {
  const { moved_ms, to_move, diagram, outcome, kept } = row;
  return { info: infoOf(row), you: seatsOf(row), moves: kept.standing.line.length, to_move, moved_ms, diagram, outcome };
}
