/** What this server offers, as rune state; asked once a visit. */
import { read, write } from "../storage";
import { api } from "./api";

const KEY = "tengen.lab";

export class Offer {
  programs = $state.raw<readonly string[]>([]);
  /** Whether brains may be trained from here; as it was last told, so that no link moves the others when it is. */
  lab = $state(read(KEY) !== null);
  #asked: Promise<void> | null = null;

  /** Nothing is offered where the server does not answer; the next call asks again. */
  ask(): Promise<void> {
    return (this.#asked ??= this.#ask());
  }

  async #ask(): Promise<void> {
    try {
      const server = await api.server();
      this.programs = server.programs;
      this.lab = server.lab;
      write(KEY, server.lab ? "open" : null);
    } catch {
      this.lab = false;
      this.#asked = null;
    }
  }
}

export const offer = new Offer();
