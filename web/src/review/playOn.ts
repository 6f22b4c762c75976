/** A new match from a position of a game. */
import { faceOf } from "../games";
import type { NewMatch, OptionValue, Position, SeatWish } from "../protocol";

type Options = Record<string, OptionValue>;

/** The options of a match that begins in this position; a position has no past, which a game may make up for. */
export function optionsFrom(game: string, options: Options, position: Position): Options {
  return faceOf(game).review.optionsFrom(options, position);
}

export function matchFrom(
  game: string,
  options: Options,
  position: Position,
  seat: number,
  level: number,
  name: string,
): NewMatch {
  const me: SeatWish = { kind: "me" };
  const machine: SeatWish = { kind: "machine", player: `level:${level}` };
  return {
    game,
    options: optionsFrom(game, options, position),
    origin: [position.diagram, position.view.to_move],
    seats: seat === 0 ? [me, machine] : [machine, me],
    public: false,
    ...(name ? { name } : {}),
  };
}
