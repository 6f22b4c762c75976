/** All that the browser knows of Kelasu. */
import { plural, t, word } from "../../i18n";
import { gameFace } from "../face";
import { board } from "./board";
import { detailsOf } from "./hand";
import { NAMES } from "./merges";
import { Merging } from "./merging.svelte";

const END = "end"; // how the end of a turn is written
const STONES = "Ss";
const MERGE = /^=(\w) (.+)>(.+)$/; // as the rules write them (KE 30)
const FROM_TO = /^(\w+)([%@])(\w+)$/;

/** A merge, a conversion or a recall in words: what their notation says only to who knows it. */
function told(text: string, how: "words" | "said", seat = ""): string | null {
  const merge = MERGE.exec(text);
  if (merge) {
    const [, kind, cells, cell] = merge as unknown as [string, string, string, string];
    return t(`kelasu.${how}_merge`, { seat, cells, cell, piece: word(`kelasu.${NAMES[kind]}`, kind) });
  }
  const act = FROM_TO.exec(text);
  if (!act) return null;
  const [, from, sign, to] = act as unknown as [string, string, string, string];
  return t(sign === "%" ? `kelasu.${how}_convert` : `kelasu.${how}_recall`, { seat, from, to });
}

export const face = gameFace({
  name: "kelasu",
  board,
  table: {
    letter: (seat) => STONES[seat]!,
    pips(view, seat, over) {
      const stones = [...view.cells].filter((cell) => cell === STONES[seat]).length;
      const energy = view.to_move === seat && !over ? detailsOf(view).energy : 0;
      return { full: energy, all: Math.max(energy, stones), label: t("kelasu.energy_of", { energy, stones }) };
    },
    note: ({ view }) => plural("kelasu.energy_left", detailsOf(view).energy),
    ending: (_view, { reason }, names) => word(`kelasu.end_${reason}`, "", names) || null,
    moveText: (text) => (text === END ? t("kelasu.end_turn") : null),
    inWords: (text) => told(text, "words"),
    said: (text, seat) => (text === END ? t("kelasu.said_end", { seat }) : told(text, "said", seat)),
    bottom: 1, // Blue sits at the top of the board as the rules draw it
    panel: () => import("./Army.svelte"),
    legend: () => import("./Legend.svelte"),
    companion: (session) => new Merging(session),
  },
  home: {
    sample: async () => (await import("./sample.json")).default as never,
    frame_ms: 700,
    stillDetails() {
      const rest = { stages: [], moves: [], merges: [], may_end_turn: false };
      return { energy: 0, quiet_rounds: 0, moved: [], victory_tiles: [44, 45, 54, 55], ...rest };
    },
  },
  review: { bar: () => import("./MergeBar.svelte"), playOn: () => t("kelasu.play_on") },
  rules: {
    text: {
      en: async () => (await import("./rules/en")).text,
      ko: async () => (await import("./rules/ko")).text,
    },
    lessons: async () => (await import("./lessons.json")).default as never,
  },
});
