/**
 * From what is chosen on the home page to the request for a match.
 *
 * A `Draft` holds choices, not values: an option that nobody touched is not in `options`, so that the server's
 * defaults (which can depend on other options) stay in force. `valueOf` says what a field shows. Start reading at
 * `newMatch`.
 */
import type { Clock, GameInfo, NewMatch, OptionInfo, OptionValue, SeatWish } from "../protocol";

/** Whom one plays against; `watch` is two machines. */
export type Opponent = "level" | "brain" | "friend" | "screen" | "open" | "program" | "watch";
export type Colour = "first" | "second" | "random";
export type Options = Record<string, OptionValue>;

export interface Draft {
  game: string;
  opponent: Opponent;
  level: number;
  /** For `watch`: the level of the second machine. */
  other: number;
  program: string;
  /** The name of a brain, or `latest` for the champion of the day. */
  brain: string;
  /** How many positions a brain looks at for a move. */
  simulations: number;
  colour: Colour;
  options: Options;
  clock: Clock;
  public: boolean;
}

/** Where a browser begins with something else than the game's default: a full Go board is no first game. */
const FIRST_CHOICES: Record<string, Options> = { go: { size: 9 } };
/** Sizes that people play, offered as one tap each; the field beside them takes any that the game allows. */
const USUAL: Record<string, Record<string, number[]>> = {
  go: { size: [9, 13, 19] },
  "great-kingdom": { size: [7, 9, 11] },
  "dominion-duel": { n: [9, 15, 21] },
};
const HANDICAP_KOMI = 0.5; // GO 24
export const LATEST = "latest";
/** What a brain is given unless one asks for more or less. */
export const SIMULATIONS = 64;

export function firstDraft(game: GameInfo): Draft {
  const middle = Math.max(1, Math.ceil(game.levels.length * 0.3));
  return {
    game: game.name,
    opponent: game.levels.length ? "level" : "screen",
    level: middle,
    other: Math.min(game.levels.length, middle + 2),
    program: "",
    brain: LATEST,
    simulations: SIMULATIONS,
    colour: "first",
    options: { ...FIRST_CHOICES[game.name] },
    clock: { kind: "none" },
    public: true,
  };
}

export function usual(game: string, option: string): number[] {
  return USUAL[game]?.[option] ?? [];
}

/** What the option is if nothing more is chosen: the preset's value, or the default. */
export function defaultOf(game: GameInfo, option: OptionInfo, chosen: Options): OptionValue {
  if (option.name === "komi" && chosen.handicap) return HANDICAP_KOMI;
  const rules = game.options.find((other) => other.name === "rules");
  const preset = game.presets[String(chosen.rules ?? rules?.default ?? "")] ?? {};
  return option.name in preset ? preset[option.name]! : option.default;
}

export function valueOf(game: GameInfo, option: OptionInfo, chosen: Options): OptionValue {
  return option.name in chosen ? chosen[option.name]! : defaultOf(game, option, chosen);
}

/** The choices after one more; choosing what is the default anyway takes the choice back. */
export function choose(game: GameInfo, option: OptionInfo, chosen: Options, value: OptionValue): Options {
  const next: Options = { ...chosen, [option.name]: value };
  const others: Options = { ...chosen };
  delete others[option.name];
  return defaultOf(game, option, others) === value ? others : next;
}

/** The request; `random` is a number from 0 to 1 that decides a random colour. */
export function newMatch(draft: Draft, name: string, random: number = Math.random()): NewMatch {
  const request: NewMatch = {
    game: draft.game,
    seats: seats(draft, random),
    options: draft.options,
    clock: draft.opponent === "watch" ? { kind: "none" } : draft.clock,
    public: draft.opponent === "friend" ? false : draft.public,
  };
  return name.trim() ? { ...request, name: name.trim() } : request;
}

function seats(draft: Draft, random: number): [SeatWish, SeatWish] {
  const me: SeatWish = { kind: "me" };
  if (draft.opponent === "screen") return [me, me];
  if (draft.opponent === "watch") return [machine(draft.level), machine(draft.other)];
  const them = opponent(draft);
  const first = draft.colour === "first" || (draft.colour === "random" && random < 0.5);
  return first ? [me, them] : [them, me];
}

function opponent(draft: Draft): SeatWish {
  if (draft.opponent === "friend") return { kind: "invited" };
  if (draft.opponent === "open") return { kind: "open" };
  if (draft.opponent === "program") return { kind: "machine", player: `program:${draft.program}` };
  if (draft.opponent === "brain") return brain(draft);
  return machine(draft.level);
}

function brain({ brain, simulations }: Draft): SeatWish {
  const budget = simulations === SIMULATIONS ? "" : `@${simulations}`;
  return { kind: "machine", player: `brain:${brain}${budget}` };
}

function machine(level: number): SeatWish {
  return { kind: "machine", player: `level:${level}` };
}
