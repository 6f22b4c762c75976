/** A new match from a position of a study. */
import type { GoDetails, NewMatch, OptionValue, Position, SeatWish, Study } from "../protocol";

/**
 * The options of a match that begins in this position. A position has no past, so Go's prisoners would be lost:
 * under territory scoring komi makes up for them.
 */
export function optionsFrom(study: Study, position: Position): Record<string, OptionValue> {
  const { options } = study;
  if (study.game !== "go" || options.scoring === "area") return options;
  const [black, white] = (position.view.details as GoDetails).prisoners;
  return { ...options, komi: Number(options.komi ?? 0) + white - black };
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
