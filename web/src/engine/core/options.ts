/** The options of a game, whole and checked: what `tengen.game.Option` does, by the same facts. */
import type { OptionInfo, OptionValue } from "../../protocol.ts";
import { facts } from "./facts.ts";
import { CoreError } from "./types.ts";

type Options = Record<string, OptionValue>;

/**
 * The options with their values, late ones only where one is not at its default; throws `option` with a sentence.
 */
export function resolved(game: string, given: Options): Options {
  const info = facts.games.find(({ name }) => name === game);
  if (!info) {
    const known = facts.games.map(({ name }) => name).join(", ");
    throw new CoreError("option", `There is no game ${shown(game)} here; there are ${known}.`);
  }
  for (const name of Object.keys(given)) {
    if (info.options.some((option) => option.name === name)) continue;
    const has = info.options.map((option) => option.name).join(", ");
    throw new CoreError("option", `${game} has no option ${shown(name)}; it has ${has}.`);
  }
  const values = { ...defaults(game, info.options, given), ...given };
  for (const option of info.options) values[option.name] = checked(option, values[option.name]);
  const asBefore = info.options.every(({ name, late, default: value }) => !late || values[name] === value);
  const written = info.options.filter(({ late }) => !(late && asBefore));
  return Object.fromEntries(written.map(({ name }) => [name, values[name]!]));
}

function defaults(game: string, options: OptionInfo[], given: Options): Options {
  const changes = facts.machines[game]!.defaults;
  const usual = Object.fromEntries(options.map(({ name, default: value }) => [name, value]));
  const changed = options.map(({ name }) => changes[name]?.[JSON.stringify(given[name])] ?? {});
  return Object.assign(usual, ...changed) as Options;
}

function checked(option: OptionInfo, value: OptionValue | undefined): OptionValue {
  if (value === null && option.optional) return null;
  if (value !== undefined && value !== null && fits(option, value)) return value;
  throw new CoreError("option", `${option.name} must be ${expected(option)}, not ${shown(value)}.`);
}

function fits(option: OptionInfo, value: boolean | number | string): boolean {
  if (option.type === "bool") return typeof value === "boolean";
  if (option.type === "str") return typeof value === "string" && (!option.choices.length || option.choices.includes(value));
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  if (option.type === "int" && !Number.isInteger(value)) return false;
  return value >= (option.minimum ?? -Infinity) && value <= (option.maximum ?? Infinity);
}

function expected(option: OptionInfo): string {
  const { minimum, maximum } = option;
  let words = option.type === "int" ? "a whole number" : "a number";
  if (option.choices.length) words = option.choices.map((choice) => shown(choice)).join(" or ");
  else if (option.type === "bool") words = "True or False";
  else if (minimum !== null && maximum !== null) words += ` from ${minimum} to ${maximum}`;
  else if (minimum !== null) words += ` of at least ${minimum}`;
  return words + (option.optional ? " or None" : "");
}

/** As Python writes it. */
function shown(value: OptionValue | undefined): string {
  if (typeof value === "string") return `'${value}'`;
  if (typeof value === "boolean") return value ? "True" : "False";
  return value === null || value === undefined ? "None" : String(value);
}
