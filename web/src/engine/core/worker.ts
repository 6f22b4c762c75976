/** The thread that the core runs in: calls come as messages, and go back as answers under the same number. */
import { CoreModule } from "./module.ts";
import { Home } from "./home.ts";
import { CoreError } from "./types.ts";
import type { Call, FromWorker, ToWorker } from "./messages.ts";

const brains = import.meta.glob<string>("./brains/*.onnx", { query: "?url", import: "default", eager: true });

let home: Promise<Home> | null = null;
const stops = new Map<number, AbortController>();

const tell = (message: FromWorker): void => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === "module") home = Promise.resolve(new Home(new CoreModule(data.module), fetchBrain));
  else if (data.kind === "stop") stops.get(data.id)?.abort();
  else void answer(data);
};

async function fetchBrain(name: string): Promise<Uint8Array> {
  const response = await fetch(brains[`./brains/${name}.onnx`]!);
  if (!response.ok) throw new CoreError("unavailable", `The brain ${name} could not be fetched.`);
  return new Uint8Array(await response.arrayBuffer());
}

async function answer({ id, method, args }: Call): Promise<void> {
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    const thinking = { signal: stop.signal, onReport: (found: unknown) => tell({ kind: "report", id, found }) };
    const value = await called((await home)!, method, args, thinking);
    tell({ kind: "value", id, value });
  } catch (error) {
    const code = error instanceof CoreError ? error.code : "broken";
    tell({ kind: "error", id, code, message: (error as Error).message });
  } finally {
    stops.delete(id);
  }
}

/** The last argument of what thinks is how it does; signals and functions do not travel. */
function called(to: Home, method: Call["method"], args: unknown[], thinking: object): unknown {
  const last = args.at(-1);
  const thinks = method === "analyse" || method === "review" || method === "choose";
  const given = thinks ? [...args.slice(0, -1), { ...(last as object), ...thinking }] : args;
  return (to[method] as (...given: unknown[]) => unknown).apply(to, given);
}
