/** What another language must have of a game's texts: every key of English. */
export type Text<English> = { [K in keyof English]: string };
