/** What games, seats, levels, options, clocks and results are called in the reader's language. */
import { faceOf } from "../games";
import { reasonOf } from "../games/reasons";
import { language, t, word } from "../i18n";
import { brainIn } from "../play/words";
import type { BrainInfo, Clock, GameInfo, LevelInfo, MatchInfo, OptionInfo, Outcome, SeatInfo } from "../protocol";
import { clockNumbers } from "./clocks";
import { resultWords } from "./matches";

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
}

export function gameTitle(name: string, games: readonly GameInfo[] = []): string {
  return faceOf(games.find((game) => game.name === name) ?? name).title;
}

export function aboutGame(name: string, games: readonly GameInfo[] = []): string {
  return faceOf(games.find((game) => game.name === name) ?? name).about || t("home.about_other");
}

/** What a seat is called; where the game is not known yet, its number. */
export function seatName(game: GameInfo | undefined, seat: number): string {
  return faceOf(game ?? "").seat(seat);
}

export function levelName(level: LevelInfo): string {
  return word(`home.level_${slug(level.name)}`, level.name);
}

/** What it is like to play against that level; nothing where nobody has said. */
export function levelHint(level: LevelInfo): string {
  return word(`home.level_hint_${slug(level.name)}`, "");
}

/** A brain by its title or its file, with what the arena has measured. */
export function brainName({ title, name, rating, shipped }: BrainInfo): string {
  const called = shipped ? t("home.brain_own") : title || name;
  return rating === null ? called : `${called} (${Math.round(rating)})`;
}

/** The same with the board that it has learned on. */
export function brainText(game: GameInfo | undefined, brain: BrainInfo): string {
  return [brainName(brain), optionsText(game, brain.options)].filter(Boolean).join(" · ");
}

export function optionLabel(game: GameInfo, option: OptionInfo): string {
  return faceOf(game).word(`option_${option.name}`, word(`home.option_${option.name}`, option.name));
}

export function optionHint(game: GameInfo, option: OptionInfo): string {
  return faceOf(game).word(`hint_${option.name}`, option.name === "size" ? "" : option.help);
}

export function choiceNames(game: GameInfo, option: OptionInfo): Record<string, string> {
  const name = (choice: string) => faceOf(game).word(`choice_${option.name}_${slug(choice)}`, choice);
  return Object.fromEntries(option.choices.map((choice) => [choice, name(choice)]));
}

/** How a clock runs, for whoever has not met its name. */
export function clockMeans(clock: Clock): string {
  return word(`home.clock_means_${slug(clock.kind)}`, clockText(clock), clockNumbers(clock));
}

export function clockText(clock: Clock): string {
  return word(`home.clock_${slug(clock.kind)}`, clock.kind, clockNumbers(clock));
}

/** Whose rules they are and what differs from them; the size of the board stands elsewhere. */
export function rulesText(game: GameInfo, options: MatchInfo["options"]): string {
  const rules = game.options.find((option) => option.name === "rules");
  const chosen = String(options.rules ?? rules?.default ?? "");
  const size = game.options.find((option) => option.name === "size");
  const others = size ? { ...game, options: game.options.filter((option) => option !== size && option !== rules) } : game;
  return [rules && (choiceNames(game, rules)[chosen] ?? chosen), optionsText(others, options)].filter(Boolean).join(" · ");
}

/** The options that differ from the game's defaults, in a few words each, and always the size of a board. */
export function optionsText(game: GameInfo | undefined, options: MatchInfo["options"]): string {
  if (!game) return "";
  const parts = game.options.flatMap((option) => {
    const value = options[option.name] ?? option.default;
    if (option.name === "size") return [t("home.size_of", { size: String(value) })];
    const preset = game.presets[String(options.rules)]?.[option.name];
    if (value === (preset === undefined ? option.default : preset) || value === null) return [];
    if (option.choices.length) return [choiceNames(game, option)[String(value)] ?? String(value)];
    if (typeof value === "boolean") return [`${optionLabel(game, option)}: ${t(value ? "common.on" : "common.off")}`];
    return [`${optionLabel(game, option)} ${value}`];
  });
  return parts.join(" · ");
}

export function seatText(seat: SeatInfo, game?: GameInfo): string {
  if (seat.kind === "open") return t("home.free_seat");
  if (seat.kind === "invited") return t("home.invited_seat");
  const level = /^level:(\d+)$/.exec(seat.player);
  const known = level && game?.levels.find((each) => each.number === Number(level[1]));
  if (known) return t("home.level_of", { number: known.number, name: levelName(known) });
  return brainIn(seat.player) ?? (seat.name || t("home.somebody"));
}

export function resultText(game: GameInfo | undefined, outcome: Outcome): string {
  const face = faceOf(game ?? "");
  const words = resultWords(outcome, face.home.winsBy);
  const key = `reason_${slug(words.reason)}`;
  const own = game && reasonOf(game, outcome);
  const said = own && (outcome.winner === null ? own : `(${own})`);
  const reason = face.word(key, said || word(`home.${key}`, `(${words.reason})`));
  const winner = words.winner === null ? "" : seatName(game, words.winner);
  return word(`home.result_${words.key}`, words.key, { ...words, winner, reason }).trim();
}

/** How long ago, in the largest unit that fits. */
export function ago(at_ms: number, now_ms: number = Date.now()): string {
  const seconds = Math.min(0, Math.round((at_ms - now_ms) / 1000));
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ["day", 86_400],
    ["hour", 3_600],
    ["minute", 60],
  ];
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  const [unit, size] = units.find((each) => -seconds >= each[1]) ?? ["second", 1];
  return format.format(unit === "second" ? 0 : Math.ceil(seconds / size), unit);
}
