/**
 * The core in the page: `core()` loads it when it is first asked for. Where the build or the device has none it rejects
 * with a CoreError whose code is `unavailable`, each time after the first at once.
 */
import { CoreError, type Core } from "./types.ts";

export { facts } from "./facts.ts";
export { resolved } from "./options.ts";
export * from "./types.ts";

const built = import.meta.glob<string>("./core.wasm", { query: "?url", import: "default", eager: true });
const address = built["./core.wasm"]; // undefined where there was no compiler for it

let loading: Promise<Core> | null = null;

/** Whether a core may be there, before it is loaded. */
export const mayHaveCore = address !== undefined && typeof WebAssembly === "object" && typeof Worker === "function";

export function core(): Promise<Core> {
  return (loading ??= load());
}

async function load(): Promise<Core> {
  if (!mayHaveCore) throw unavailable();
  try {
    const [{ WorkerCore }, module] = await Promise.all([import("./client.ts"), compiled(address!)]);
    return new WorkerCore(module, () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));
  } catch (error) {
    loading = null; // a network that is back may have it
    throw error instanceof CoreError ? error : unavailable();
  }
}

/** Compiled while it arrives where the server says what it is; else when it is there. */
async function compiled(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw unavailable();
  if (response.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

function unavailable(): CoreError {
  return new CoreError("unavailable", "This page has no engine of its own here.");
}
