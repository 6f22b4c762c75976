/**
 * The compiled core (cpp/wasm/module.cpp) as a function from questions to answers. What it refuses is a CoreError with
 * the core's sentence. A call that the core could not finish leaves its memory as it was in the midst of things, so the
 * next question is asked of a new instance; what was kept in the old one is lost, which `generation` tells.
 */
import { CoreError, type CoreCode } from "./types.ts";

interface Exports {
  memory: WebAssembly.Memory;
  _initialize: () => void;
  room: (length: number) => number;
  ask: () => number;
  brain: () => number;
  answer: () => number;
}

interface Denied {
  refused: { code: CoreCode; message: string };
}

const SUCCESS = 0;
const NANOSECONDS = 1_000_000; // in a millisecond

export class CoreModule {
  generation = 0; // how many instances there were before this one
  #exports: Exports;

  constructor(readonly module: WebAssembly.Module) {
    this.#exports = this.#instance();
  }

  /** How much memory the instance has taken. */
  get bytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  ask<T>(question: object): T {
    let answer: string;
    try {
      answer = this.#asked(JSON.stringify(question));
    } catch (error) {
      this.#exports = this.#instance();
      this.generation += 1;
      if (error instanceof CoreError) throw error;
      throw new CoreError("broken", `The core in the page has failed: ${(error as Error).message}.`);
    }
    const found = JSON.parse(answer) as T | Denied;
    if (isDenied(found)) throw new CoreError(found.refused.code, found.refused.message);
    return found;
  }

  /** The number under which this generation keeps the brain of that file; 0 where it is none. */
  brain(file: Uint8Array): number {
    this.#write(file);
    return this.#exports.brain();
  }

  #write(bytes: Uint8Array): void {
    const { memory, room } = this.#exports;
    const at = room(bytes.length); // before the buffer is looked at: memory that grows is another one
    new Uint8Array(memory.buffer, at, bytes.length).set(bytes);
  }

  #asked(text: string): string {
    const { memory, ask, answer } = this.#exports;
    this.#write(new TextEncoder().encode(text));
    const length = ask();
    return read(memory, answer(), length);
  }

  #instance(): Exports {
    let memory: WebAssembly.Memory | null = null;
    const fail = (text: number, length: number): never => {
      throw new CoreError("position", read(memory!, text, length));
    };
    const clock_time_get = (_id: number, _precision: bigint, at: number): number => {
      const now = BigInt(Math.round(performance.now() * NANOSECONDS));
      new DataView(memory!.buffer).setBigUint64(at, now, true);
      return SUCCESS;
    };
    // Nothing is written anywhere, but the C library's printf knows how it would be.
    const nothing = (): number => SUCCESS;
    const { exports } = new WebAssembly.Instance(this.module, {
      tengen: { fail },
      wasi_snapshot_preview1: { clock_time_get, fd_close: nothing, fd_seek: nothing, fd_write: nothing },
    });
    const found = exports as unknown as Exports;
    memory = found.memory;
    found._initialize();
    return found;
  }
}

function read(memory: WebAssembly.Memory, at: number, length: number): string {
  return new TextDecoder().decode(new Uint8Array(memory.buffer, at, length));
}

function isDenied(found: unknown): found is Denied {
  return typeof found === "object" && found !== null && "refused" in found;
}
