/** What this server offers, as rune state; asked once a visit. */
import { api } from "./api";

class Offer {
  programs = $state.raw<readonly string[]>([]);
  /** Whether brains may be trained from here. */
  lab = $state(false);
  #asked = false;

  /** Nothing is offered where the server does not answer; the next call asks again. */
  async ask(): Promise<void> {
    if (this.#asked) return;
    this.#asked = true;
    try {
      const server = await api.server();
      this.programs = server.programs;
      this.lab = server.lab;
    } catch {
      this.#asked = false;
    }
  }
}

export const offer = new Offer();
