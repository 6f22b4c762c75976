/** What games, seats, levels, options, clocks and results are called in the reader's language. */
import { language, t, word } from "../i18n";
import type { BrainInfo, Clock, GameInfo, LevelInfo, MatchInfo, OptionInfo, Outcome, SeatInfo } from "../protocol";
import { clockNumbers } from "./clocks";
import { resultWords } from "./matches";

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, "_");
}

export function gameTitle(name: string, games: readonly GameInfo[] = []): string {
  return word(`common.${slug(name)}`, games.find((game) => game.name === name)?.title ?? name);
}

export function aboutGame(name: string): string {
  return word(`home.about_${slug(name)}`, t("home.about_other"));
}

/** What a seat is called; where the game is not known yet, its number. */
export function seatName(game: GameInfo | undefined, seat: number): string {
  const name = game?.seats[seat] ?? `Player ${seat + 1}`;
  return word(`home.seat_${slug(name)}`, name);
}

export function levelName(level: LevelInfo): string {
  return word(`home.level_${slug(level.name)}`, level.name);
}

/** A brain by its title or its file, with what the arena has measured. */
export function brainName({ title, name, rating }: BrainInfo): string {
  return rating === null ? title || name : `${title || name} (${Math.round(rating)})`;
}

/** The same with the board that it has learned on. */
export function brainText(game: GameInfo | undefined, brain: BrainInfo): string {
  return [brainName(brain), optionsText(game, brain.options)].filter(Boolean).join(" · ");
}

export function optionLabel(option: OptionInfo): string {
  return word(`home.option_${option.name}`, option.name);
}

export function optionHint(game: string, option: OptionInfo): string {
  if (option.name === "size") return game === "great-kingdom" ? t("home.hint_size") : "";
  return word(`home.hint_${option.name}`, option.help);
}

export function choiceNames(option: OptionInfo): Record<string, string> {
  return Object.fromEntries(
    option.choices.map((choice) => [choice, word(`home.choice_${option.name}_${slug(choice)}`, choice)]),
  );
}

export function clockText(clock: Clock): string {
  return word(`home.clock_${slug(clock.kind)}`, clock.kind, clockNumbers(clock));
}

/** The options that differ from the game's defaults, in a few words each, and always the size of a board. */
export function optionsText(game: GameInfo | undefined, options: MatchInfo["options"]): string {
  if (!game) return "";
  const parts = game.options.flatMap((option) => {
    const value = options[option.name] ?? option.default;
    if (option.name === "size") return [t("home.size_of", { size: String(value) })];
    const preset = game.presets[String(options.rules)]?.[option.name];
    if (value === (preset === undefined ? option.default : preset) || value === null) return [];
    if (option.choices.length) return [choiceNames(option)[String(value)] ?? String(value)];
    if (typeof value === "boolean") return [`${optionLabel(option)}: ${t(value ? "common.on" : "common.off")}`];
    return [`${optionLabel(option)} ${value}`];
  });
  return parts.join(" · ");
}

export function seatText(seat: SeatInfo, game?: GameInfo): string {
  if (seat.kind === "open") return t("home.free_seat");
  if (seat.kind === "invited") return t("home.invited_seat");
  const level = /^level:(\d+)$/.exec(seat.player);
  const known = level && game?.levels.find((each) => each.number === Number(level[1]));
  if (known) return t("home.level_of", { number: known.number, name: levelName(known) });
  const brain = /^brain:([^@]+)/.exec(seat.player);
  if (brain) return t("home.brain_of", { name: brain[1]! });
  return seat.name || t("home.somebody");
}

export function resultText(game: GameInfo | undefined, outcome: Outcome): string {
  const words = resultWords(game?.name ?? "", outcome);
  const reason = word(`home.reason_${slug(words.reason)}`, words.reason);
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
