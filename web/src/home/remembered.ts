/** What was chosen last for each game, kept in this browser. A draft that no longer fits is dropped. */
import type { BrainInfo, GameInfo } from "../protocol";
import { readJson, write } from "../storage";
import { firstDraft } from "./form";
import type { Draft, Opponent } from "./form";

const KEY = "tengen.drafts";

function all(): Record<string, Partial<Draft>> {
  const stored = readJson(KEY);
  return typeof stored === "object" && stored !== null ? (stored as Record<string, Partial<Draft>>) : {};
}

export function keepDraft(draft: Draft): void {
  write(KEY, JSON.stringify({ ...all(), [draft.game]: draft }));
}

export function rememberedDraft(
  game: GameInfo,
  programs: readonly string[],
  brains: readonly BrainInfo[],
  opponent?: Opponent,
  brain?: string,
): Draft {
  const first = { ...firstDraft(game), program: programs[0] ?? "" };
  const kept = { ...first, ...all()[game.name], game: game.name };
  const fits =
    [kept.machine, ...kept.machines].every((machine) => game.levels.some(({ number }) => number === machine.level)) &&
    Object.keys(kept.options).every((name) => game.options.some((option) => option.name === name));
  const draft = fits ? kept : first;
  if (draft.opponent === "program" && !(game.gtp && programs.includes(draft.program))) draft.opponent = first.opponent;
  if (draft.opponent === "brain" && !brains.length) draft.opponent = first.opponent;
  if (draft.opponent === "katago" && !game.engines.includes("katago")) draft.opponent = first.opponent;
  if (brain) draft.machine = { ...draft.machine, brain };
  return opponent ? { ...draft, opponent } : draft;
}
