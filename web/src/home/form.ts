/**
 * From what is chosen on the home page to the request for a match.
 *
 * A `Draft` holds choices, not values: an option that nobody touched is not in `options`, so that the server's
 * defaults (which can depend on other options) stay in force. `valueOf` says what a field shows. Start reading at
 * `newMatch`.
 */
import { faceOf } from "../games";
import type { BrainInfo, Clock, GameInfo, NewMatch, OptionInfo, OptionValue, SeatWish } from "../protocol";

/** Whom one plays against; `watch` is two machines. */
export const OPPONENTS = ["level", "brain", "katago", "friend", "screen", "open", "program", "watch"] as const;
export type Opponent = (typeof OPPONENTS)[number];

/** Whom only a server brings to the table; the others sit at this device. */
export function needsServer(opponent: Opponent): boolean {
  return opponent === "friend" || opponent === "open" || opponent === "program" || opponent === "katago";
}

export type Colour = "first" | "second" | "random";
export type Options = Record<string, OptionValue>;

/** A level, or a brain where `net` says so; what was chosen for the other is kept. */
export interface Machine {
  net: boolean;
  level: number;
  /** The name of a brain, or `latest` for the champion of the day. */
  brain: string;
  /** How many positions a brain looks at for a move. */
  simulations: number;
}

export interface Draft {
  game: string;
  opponent: Opponent;
  /** Of the opponents `level` and `brain`, whatever its `net` says. */
  machine: Machine;
  /** For `watch`. */
  machines: [Machine, Machine];
  program: string;
  colour: Colour;
  options: Options;
  clock: Clock;
  /** Whether the lobby shows a game that one plays with oneself or with machines. */
  shown: boolean;
  /** Whether two people may ask how it stands. */
  estimate: boolean;
}

export const LATEST = "latest";
/** What a brain is given unless one asks for more or less. */
export const SIMULATIONS = 64;

export function firstDraft(game: GameInfo): Draft {
  const middle = Math.max(1, Math.ceil(game.levels.length * 0.3));
  const machine = { net: false, level: middle, brain: LATEST, simulations: SIMULATIONS };
  return {
    game: game.name,
    opponent: game.levels.length ? "level" : "screen",
    machine,
    machines: [{ ...machine }, { ...machine, level: Math.min(game.levels.length, middle + 2) }],
    program: "",
    colour: "first",
    options: { ...faceOf(game).home.first },
    clock: { kind: "none" },
    shown: false,
    estimate: false,
  };
}

/** Sizes that people play, offered as one tap each. */
export function usual(game: GameInfo, option: string): number[] {
  return (game.look.sizes[option] ?? []).filter((value) => typeof value === "number");
}

/** What the option is if nothing more is chosen: the preset's value, or the default. */
export function defaultOf(game: GameInfo, option: OptionInfo, chosen: Options): OptionValue {
  const special = faceOf(game).home.defaultOf(option.name, chosen);
  if (special !== undefined) return special;
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

/** The option values in full, as a server tells them of brains and matches. */
export function wholeOptions(game: GameInfo, chosen: Options): Options {
  return Object.fromEntries(game.options.map((option) => [option.name, valueOf(game, option, chosen)]));
}

/** Whether both are the same board and rules; both in full. */
export function sameOptions(a: Options, b: Options): boolean {
  return Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);
}

/** Whether there is a board that both brains know. */
export function canMeet(a: BrainInfo, b: BrainInfo): boolean {
  return a.any_board || b.any_board || sameOptions(a.options, b.options);
}

/** The brain that is meant; one that is gone gives way to the champion. Undefined where there are none. */
export function brainOf(brains: readonly BrainInfo[], name: string): BrainInfo | undefined {
  return brains.find((each) => each.name === name) ?? brains.find((each) => each.champion) ?? brains[0];
}

/** What a seat asks for it by. */
export function brainId({ champion, name }: BrainInfo): string {
  return champion ? LATEST : name;
}

/** The request; `random` is a number from 0 to 1 that decides a random colour. */
export function newMatch(draft: Draft, name: string, random: number = Math.random()): NewMatch {
  const request: NewMatch = {
    game: draft.game,
    seats: seats(draft, random),
    options: draft.options,
    clock: draft.opponent === "watch" ? { kind: "none" } : draft.clock,
    public: inLobby(draft),
    ...(draft.estimate && (draft.opponent === "friend" || draft.opponent === "open") ? { estimate: true } : {}),
  };
  return name.trim() ? { ...request, name: name.trim() } : request;
}

/** An open seat must be found; a friend has the link; everything else is one's own affair unless one says so. */
function inLobby({ opponent, shown }: Draft): boolean {
  return opponent === "open" || (opponent !== "friend" && shown);
}

function seats(draft: Draft, random: number): [SeatWish, SeatWish] {
  const me: SeatWish = { kind: "me" };
  if (draft.opponent === "screen") return [me, me];
  if (draft.opponent === "watch") return [machine(draft.machines[0]), machine(draft.machines[1])];
  const them = opponent(draft);
  const first = draft.colour === "first" || (draft.colour === "random" && random < 0.5);
  return first ? [me, them] : [them, me];
}

function opponent(draft: Draft): SeatWish {
  if (draft.opponent === "friend") return { kind: "invited" };
  if (draft.opponent === "open") return { kind: "open" };
  if (draft.opponent === "katago") return { kind: "machine", player: "katago" };
  if (draft.opponent === "program") return { kind: "machine", player: `program:${draft.program}` };
  return machine({ ...draft.machine, net: draft.opponent === "brain" });
}

function machine({ net, level, brain, simulations }: Machine): SeatWish {
  const budget = simulations === SIMULATIONS ? "" : `@${simulations}`;
  return { kind: "machine", player: net ? `brain:${brain}${budget}` : `level:${level}` };
}
