/** What the page and the core's worker tell each other. */
import type { Core, CoreCode } from "./types.ts";

export interface Call {
  kind: "call";
  id: number;
  method: keyof Core;
  args: unknown[];
}

export type ToWorker = { kind: "module"; module: WebAssembly.Module } | Call | { kind: "stop"; id: number };

export type FromWorker =
  | { kind: "value"; id: number; value: unknown }
  | { kind: "report"; id: number; found: unknown }
  | { kind: "error"; id: number; code: CoreCode; message: string };
