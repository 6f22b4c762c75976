import type { Code } from "../protocol";

/** A request that the server refused, or that never reached it (then the code is "unavailable"). */
export class ApiError extends Error {
  constructor(
    readonly code: Code,
    message: string,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

/** The sentence of any error, for people. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
