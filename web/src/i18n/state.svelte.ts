/** Which language is spoken now. `loadLanguage` must have finished before the page is first drawn. */
import { settings } from "../settings.svelte";
import { en } from "./en";
import type { Messages } from "./index";
import { languages } from "./languages";
import type { Language } from "./languages";

const loaders: Record<Exclude<Language, "en">, () => Promise<Messages>> = {
  ko: async () => (await import("./ko")).ko,
};

let current = $state.raw<{ language: Language; words: Messages }>({ language: "en", words: en });

function wanted(): Language {
  if (settings.language !== "auto") return settings.language;
  for (const tag of navigator.languages ?? []) {
    const code = tag.split("-")[0];
    if (code && code in languages) return code as Language;
  }
  return "en";
}

/** The language that the page speaks now. */
export function language(): Language {
  return current.language;
}

export function words(): Messages {
  return current.words;
}

/** Speak the chosen language from now on; stays with the present one where it cannot be fetched. */
export async function loadLanguage(): Promise<void> {
  const next = wanted();
  if (next !== current.language) {
    try {
      const words = next === "en" ? en : await loaders[next]();
      if (wanted() === next) current = { language: next, words };
    } catch {
      return;
    }
  }
  document.documentElement.lang = current.language;
}

$effect.root(() => {
  $effect(() => {
    void settings.language;
    void loadLanguage();
  });
});
