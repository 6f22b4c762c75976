/** A new match from a position of a study. */
import { faceOf } from "../games";
import type { NewMatch, OptionValue, Position, SeatWish, Study } from "../protocol";

/** The options of a match that begins in this position; a position has no past, which a game may make up for. */
export function optionsFrom(study: Study, position: Position): Record<string, OptionValue> {
  return faceOf(study.game).review.optionsFrom(study.options, position);
}

export function matchFrom(study: Study, position: Position, seat: number, level: number, name: string): NewMatch {
  const me: SeatWish = { kind: "me" };
  const machine: SeatWish = { kind: "machine", player: `level:${level}` };
  return {
    game: study.game,
    options: optionsFrom(study, position),
    origin: [position.diagram, position.view.to_move],
    seats: seat === 0 ? [me, machine] : [machine, me],
    public: false,
    ...(name ? { name } : {}),
  };
}
