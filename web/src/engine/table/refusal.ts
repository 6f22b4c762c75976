import type { Code } from "../../protocol";
import { CoreError } from "../core/types";

/** Nothing was changed; the message is one sentence for the player, the same as the server's. */
export class Refusal extends Error {
  constructor(
    readonly code: Code,
    message: string,
  ) {
    super(message);
  }

  /** What an error of the core says to whoever caused it. */
  static of(error: unknown): Refusal {
    if (error instanceof Refusal) return error;
    if (!(error instanceof CoreError)) throw error;
    if (error.code === "notation" || error.code === "illegal") return new Refusal("illegal", error.message);
    const ours = error.code === "option" || error.code === "position";
    return new Refusal(ours ? "malformed" : "unavailable", error.message);
  }
}
