/**
 * Lets what a machine does be seen: a message that has to keep its distance from the last move waits its turn, and
 * so does all that comes after it, so that nothing is shown out of order. The server is not held up.
 */
export class Pace<Message> {
  #queue: Message[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #moved_ms = -Infinity;

  /** `wait_ms`: how long after the last move a message may be shown; `moves`: whether it is one. */
  constructor(
    private readonly show: (message: Message) => void,
    private readonly wait_ms: (message: Message) => number,
    private readonly moves: (message: Message) => boolean,
  ) {}

  take(message: Message): void {
    this.#queue.push(message);
    if (this.#queue.length === 1) this.#next();
  }

  /** Forgets what waits: something that tells all has come. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#queue = [];
  }

  #next(): void {
    const [message] = this.#queue;
    if (message === undefined) return;
    const left_ms = this.#moved_ms + this.wait_ms(message) - performance.now();
    if (left_ms > 0) {
      this.#timer = setTimeout(() => this.#next(), left_ms);
      return;
    }
    this.#queue.shift();
    if (this.moves(message)) this.#moved_ms = performance.now();
    this.show(message);
    this.#next();
  }
}
