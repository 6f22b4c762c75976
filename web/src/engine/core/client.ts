/**
 * `Core` over workers: one answers questions at once, one thinks about moves and positions, one search at a time, and
 * one reviews, so that a long review and a look at a position do not wait for each other. Each starts when it is first
 * asked. What cannot be interrupted from within is ended with its worker, and a new one takes its place; trees are lost
 * with it.
 */
import type { Analysis, OptionValue, Place } from "../../protocol.ts";
import type { Call, FromWorker, ToWorker } from "./messages.ts";
import { CoreError, type Budget, type Core, type Thinking } from "./types.ts";

type NewWorker = () => Worker;

interface Waiting {
  done: (value: never) => void;
  failed: (error: Error) => void;
  onReport: Thinking["onReport"];
}

class Thread {
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #last = 0;

  constructor(
    readonly module: WebAssembly.Module,
    readonly newWorker: NewWorker,
  ) {}

  /** With `hard` the thread is ended when the signal stops the call. */
  call<T>(method: keyof Core, args: unknown[], { signal, onReport }: Thinking = {}, hard = false): Promise<T> {
    const id = ++this.#last;
    return new Promise<T>((done, failed) => {
      if (signal?.aborted) return failed(stopped());
      this.#waiting.set(id, { done, failed, onReport });
      const call: Call = { kind: "call", id, method, args };
      this.#post(call);
      signal?.addEventListener("abort", () => {
        if (!this.#waiting.has(id)) return;
        if (hard) this.#end(stopped());
        else this.#post({ kind: "stop", id });
      });
    });
  }

  #post(message: ToWorker): void {
    this.#worker ??= this.#started();
    this.#worker.postMessage(message);
  }

  #started(): Worker {
    const worker = this.newWorker();
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.#told(data);
    worker.onerror = () => this.#end(new CoreError("broken", "The core in the page has failed."));
    worker.postMessage({ kind: "module", module: this.module } satisfies ToWorker);
    return worker;
  }

  #told(message: FromWorker): void {
    const waiting = this.#waiting.get(message.id);
    if (message.kind === "report") return waiting?.onReport?.(message.found as Analysis);
    this.#waiting.delete(message.id);
    if (message.kind === "value") waiting?.done(message.value as never);
    else waiting?.failed(new CoreError(message.code, message.message));
  }

  #end(why: CoreError): void {
    this.#worker?.terminate();
    this.#worker = null;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { failed } of waiting) failed(why);
  }
}

function stopped(): CoreError {
  return new CoreError("stopped", "The search was stopped.");
}

/** A thread that does one thing after the other. */
class Queue extends Thread {
  #busy: Promise<unknown> = Promise.resolve();

  /** What waits is not begun once its signal has stopped it. */
  thought<M extends keyof Core>(method: M, args: unknown[], thinking: Thinking, hard: boolean): ReturnType<Core[M]> {
    const { seed } = thinking;
    const begin = () => this.call(method, [...args, seed === undefined ? {} : { seed }], thinking, hard);
    const found = this.#busy.then(begin, begin);
    this.#busy = found.catch(() => undefined);
    return found as ReturnType<Core[M]>;
  }
}

export class WorkerCore implements Core {
  #asks: Thread;
  #thinks: Queue;
  #reviews: Queue;

  constructor(module: WebAssembly.Module, newWorker: NewWorker) {
    this.#asks = new Thread(module, newWorker);
    this.#thinks = new Queue(module, newWorker);
    this.#reviews = new Queue(module, newWorker);
  }

  options = (game: string, given: Record<string, OptionValue>) => this.#asked("options", game, given);
  line = (place: Place) => this.#asked("line", place);
  position = (place: Place) => this.#asked("position", place);
  parse = (place: Place, text: string) => this.#asked("parse", place, text);
  move = (place: Place, actions: number[]) => this.#asked("move", place, actions);
  resume = (place: Place, seat: number) => this.#asked("resume", place, seat);
  estimate = (place: Place) => this.#asked("estimate", place);
  count = (place: Place, dead: number[], neutral: number[]) => this.#asked("count", place, dead, neutral);

  standing = (place: Place) => this.#thinks.thought("standing", [place], {}, false);
  analyse = (place: Place, budget: Budget, thinking: Thinking = {}) =>
    this.#thinks.thought("analyse", [place, budget], thinking, budget.visits !== undefined);
  review = (place: Place, actions: number[], visits: number, thinking: Thinking = {}) =>
    this.#reviews.thought("review", [place, actions, visits], thinking, true);
  choose = (place: Place, machine: string, table: string, limit: Budget, thinking: Thinking = {}) =>
    this.#thinks.thought("choose", [place, machine, table, limit], thinking, true);

  forget = (table: string): void => void this.#thinks.call("forget", [table]);

  #asked<M extends keyof Core>(method: M, ...args: Parameters<Core[M]>): ReturnType<Core[M]> {
    return this.#asks.call(method, args) as ReturnType<Core[M]>;
  }
}
