/**
 * The brains that come with tengen, as the core in the page plays them: which one a game has (`tengen.brains.store`
 * chooses likewise), and its file, which is fetched when it is first needed.
 */
import type { OptionValue, Place } from "../../protocol.ts";
import { facts } from "./facts.ts";
import type { CoreModule } from "./module.ts";
import { resolved } from "./options.ts";
import { CoreError, type BrainFacts } from "./types.ts";

/** Brings the file of that brain; throws where it cannot be had. */
export type FetchBrain = (name: string) => Promise<Uint8Array>;

interface Fit {
  fits: boolean; // takes positions of the game
  trained: boolean[]; // by what it has learned: whether that prepares for the game
}

export class Brains {
  #files = new Map<string, Promise<Uint8Array>>();
  #kept = new Map<string, { number: number; generation: number }>();

  constructor(
    readonly module: CoreModule,
    readonly fetchBrain: FetchBrain,
  ) {}

  /** The name of `default` for that game, and where it is stronger than the search once more. */
  names(place: Place): { default: string | null; stronger: string | null } {
    const nearest = this.#fitting(place)[0];
    const name = nearest?.brain.name ?? null;
    const stronger = facts.machines[place.game]!.brain_is_stronger && nearest !== undefined && nearest.distance < Infinity;
    return { default: name, stronger: stronger ? name : null };
  }

  /** The number of the brain that is stronger than the search, for hints and levels; 0 where there is none. */
  async stronger(place: Place): Promise<number> {
    const { stronger } = this.names(place);
    // A device that is offline and has never fetched the brain plays without.
    return stronger === null ? 0 : this.#number(stronger).catch(() => 0);
  }

  /** The number of `default`, which is all that `latest` can be here; throws with a sentence. */
  async named(place: Place, name: string): Promise<number> {
    if (name !== "default" && name !== "latest")
      throw new CoreError("unavailable", `The page has no brain ${name} for ${place.game}.`);
    const found = this.names(place).default;
    if (found === null) throw new CoreError("option", `No brain of the page plays ${place.game} on this board.`);
    return this.#number(found);
  }

  /** Those that take positions of the game, the nearest to it first. */
  #fitting(place: Place): { brain: BrainFacts; distance: number }[] {
    const options = resolved(place.game, place.options ?? {});
    const brains = facts.machines[place.game]?.brains ?? [];
    const fits = this.module.ask<Fit[]>({ do: "fits", place: { game: place.game, options }, brains });
    return brains
      .map((brain, at) => ({ brain, ...fits[at]! }))
      .filter(({ fits }) => fits)
      .map(({ brain, trained }) => ({ brain, distance: distance(options, brain.learned.filter((_, at) => trained[at])) }))
      .sort((one, other) => (one.distance === other.distance ? 0 : one.distance - other.distance));
  }

  async #number(name: string): Promise<number> {
    let file = this.#files.get(name);
    if (!file) {
      file = this.fetchBrain(name);
      file.catch(() => this.#files.delete(name)); // a network that is back may have it
      this.#files.set(name, file);
    }
    const bytes = await file;
    const known = this.#kept.get(name);
    if (known?.generation === this.module.generation) return known.number;
    const number = this.module.brain(bytes);
    if (number === 0) throw new CoreError("unavailable", `The brain ${name} cannot be read in the page.`);
    this.#kept.set(name, { number, generation: this.module.generation });
    return number;
  }
}

/** How many options differ from the nearest that it learned for such a game; infinite if there are none. */
function distance(options: Record<string, OptionValue>, learned: Record<string, OptionValue>[]): number {
  const differing = (one: Record<string, OptionValue>) =>
    Object.keys(options).filter((name) => one[name] !== options[name]).length;
  return Math.min(Infinity, ...learned.map(differing));
}
