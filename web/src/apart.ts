/**
 * Files of tests share a jsdom, since a new one takes longer than most of them. What one leaves behind is put away
 * before the next: modules with their state, who listens, the page, its address, what it keeps, stubs and timers.
 */
import { vi } from "vitest";

type Listening = [target: EventTarget, type: string, listener: EventListenerOrEventListenerObject | null, options?: unknown];
const shared = globalThis as { listening?: Listening[] };

/** What lasts longer than a file remembers who listens to it. */
function remembered(): Listening[] {
  const listening: Listening[] = [];
  for (const target of [window, document, document.documentElement, document.body] as EventTarget[]) {
    const add = target.addEventListener.bind(target);
    target.addEventListener = (type, listener, options) => {
      listening.push([target, type, listener, options]);
      add(type, listener, options);
    };
  }
  return listening;
}

vi.useRealTimers();
vi.unstubAllGlobals();
vi.restoreAllMocks();
vi.resetModules();
shared.listening ??= remembered();
for (const [target, type, listener, options] of shared.listening.splice(0)) {
  target.removeEventListener(type, listener, options as EventListenerOptions | undefined);
}
document.head.replaceChildren();
document.body.replaceChildren();
for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name);
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, "", "/");
