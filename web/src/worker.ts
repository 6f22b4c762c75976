/** The service worker keeps the shell, so that the page opens without a network and can be installed. */

import { at } from "./base";
import { SITE } from "./engine/engine.svelte";

export function registerWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  if (document.readyState === "complete") register();
  else window.addEventListener("load", register, { once: true });
}

function register(): void {
  // Private windows and some settings forbid it; the page works without.
  void navigator.serviceWorker.register(SITE ? "./sw.js" : at("/sw.js")).catch(() => {});
}
