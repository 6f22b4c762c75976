/** The shape of a rules page; the folders of src/games/ fill it in each language, and a test compares them. */
import type { OptionValue } from "../protocol";

export interface Section {
  id: string;
  heading: string;
  body: string[];
  /** Lessons that belong here, with what the reader is asked to do and told afterwards. */
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

export type Goal =
  | { outcome: string; winner?: number | null }
  | { score: [number, number] }
  | { below: [number, number] }
  | { move: string[] }
  | { text: string }
  | { captured: number }
  | { moves: number };

/** A diagram to play in, from the lessons.json of a game. */
export interface Lesson {
  id: string;
  options: Record<string, OptionValue>;
  origin: [string, number] | null;
  goal: Goal;
  /** What the other side does: actions by the reader's move, always a pass, or any move. */
  reply?: Record<string, number[]> | "pass" | "any";
  solution: string[];
}
