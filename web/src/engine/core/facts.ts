/** What Python says of the built-in games beyond their rules: facts.json, written by tools/facts.py. */
import found from "./facts.json";
import type { Facts } from "./types.ts";

export const facts = found as unknown as Facts;
