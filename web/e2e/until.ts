/** Waiting for what a page says, in tests and outside of them. */
import { setTimeout as sleep } from "node:timers/promises";

const WAIT_MS = 30_000;
const EVERY_MS = 40;

/** For what is tested by time that passes, and for the pace of a measurement: nothing is waited for with it. */
export const letPass = (ms: number): Promise<void> => sleep(ms);

/** Asks again until the answer is right. `what` is what the failure says was waited for. */
export async function until<T>(
  what: string,
  ask: () => Promise<T>,
  right: (answer: T) => boolean,
  wait_ms = WAIT_MS,
): Promise<T> {
  const end = performance.now() + wait_ms;
  for (;;) {
    const answer = await ask();
    if (right(answer)) return answer;
    if (performance.now() > end) throw new Error(`Waited in vain for ${what}; last it was ${JSON.stringify(answer)}.`);
    await sleep(EVERY_MS);
  }
}
