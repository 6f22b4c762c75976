/** The languages that the page speaks: the only list of them. English is whole; another may lack a game. */
export const languages = { en: "English", ko: "한국어" } as const;
export type Language = keyof typeof languages;

/** Something in English, and in the other languages where somebody has written it. */
export type Spoken<T> = { en: T } & Partial<Record<Language, T>>;

export function inLanguage<T>(texts: Spoken<T>, language: Language): T {
  return texts[language] ?? texts.en;
}
