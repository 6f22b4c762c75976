/**
 * The brains that come with tengen, as the core in the page plays them: where a game has one, and its file, which is
 * fetched when it is first needed.
 */
import type { Place } from "../../protocol.ts";
import { facts } from "./facts.ts";
import type { CoreModule } from "./module.ts";
import { resolved } from "./options.ts";
import { CoreError } from "./types.ts";

/** Brings the file of that brain; throws where it cannot be had. */
export type FetchBrain = (name: string) => Promise<Uint8Array>;

interface Fit {
  fits: boolean; // takes positions of the game
  trained: boolean; // something that it has learned prepares for the game
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
    const { brain, brain_is_stronger } = facts.machines[place.game]!;
    if (brain === null) return { default: null, stronger: null };
    const options = resolved(place.game, place.options ?? {});
    const { fits, trained } = this.module.ask<Fit>({ do: "fit", place: { game: place.game, options }, brain });
    return { default: fits ? brain.name : null, stronger: fits && trained && brain_is_stronger ? brain.name : null };
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
