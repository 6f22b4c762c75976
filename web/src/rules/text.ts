/** The shape of the texts of a rules page; en.ts and ko.ts fill it, and a test compares the two. */

export interface Section {
  id: string;
  heading: string;
  body: string[];
  /** Diagrams in lessons.json that belong here, with what the reader is asked to do and told afterwards. */
  lessons?: { id: string; task: string; done: string; hint: string }[];
}

export interface RulesText {
  lead: string;
  sections: Section[];
  /** How it ends: what happens, and who wins. */
  endings: [string, string][];
  /** How moves are written: an example, and what it means. */
  notation: [string, string][];
  /** Where rulebooks are wrong or silent: the subject, what they say, what we decided. */
  errata: [string, string, string][];
  tips: string[];
}

export type RulesTexts = Record<"great-kingdom" | "go" | "kelasu" | "dominion-duel", RulesText>;
