/**
 * Files of tests share a jsdom, since a new one takes longer than most of them. What one leaves behind is put away
 * before the next: modules with their state, the page, its address, what it keeps, stubs and timers.
 */
import { vi } from "vitest";

vi.useRealTimers();
vi.unstubAllGlobals();
vi.restoreAllMocks();
vi.resetModules();
document.head.replaceChildren();
document.body.replaceChildren();
for (const { name } of [...document.documentElement.attributes]) document.documentElement.removeAttribute(name);
localStorage.clear();
sessionStorage.clear();
history.replaceState(null, "", "/");
