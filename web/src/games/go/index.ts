/** All that the browser knows of Go. */
import { cellName, sizeOf } from "../../board/names";
import { plural, t } from "../../i18n";
import type { GoDetails, View } from "../../protocol";
import { gameFace } from "../face";
import { board } from "./board";
import { sheetOf } from "./score";

const HANDICAP_KOMI = 0.5; // GO 24
const detailsOf = (view: View): Partial<GoDetails> => view.details as Partial<GoDetails>;

/** That a point is closed, where it is. */
function koText(view: View): string {
  const { ko } = detailsOf(view);
  return ko === null || ko === undefined ? "" : t("go.ko", { point: cellName(sizeOf(board, view), ko) });
}

export const face = gameFace({
  name: "go",
  board,
  table: {
    letter: (seat) => board.placed(seat),
    facts: (view, seat) => [{ name: t("go.captured"), value: String(detailsOf(view).prisoners?.[seat] ?? 0) }],
    note: ({ view }) => koText(view),
    passed: (seat) => t("go.passed", { seat }),
    refusal: (view, cell) => (detailsOf(view).ko === cell ? koText(view) : null),
    taken: (captured) => (captured ? plural("go.said_captured", captured) : ""),
    sheet: sheetOf,
  },
  home: {
    sample: async () => (await import("./sample.json")).default as never,
    stillDetails: (cells) => ({ liberties: Array<number>(cells.length).fill(0), ko: null, prisoners: [0, 0] }),
    first: { size: 9 }, // a full board is no first game
    defaultOf: (option, chosen) => (option === "komi" && chosen.handicap ? HANDICAP_KOMI : undefined),
    winsBy: true,
  },
  review: {
    /** Under territory scoring komi makes up for the prisoners, which a position does not hold. */
    optionsFrom(options, { view }) {
      if (options.scoring === "area") return options;
      const [black, white] = detailsOf(view).prisoners ?? [0, 0];
      return { ...options, komi: Number(options.komi ?? 0) + white - black };
    },
    playOn: (before, after) => (after.komi === before.komi ? "" : t("go.play_on", { komi: String(after.komi) })),
    sgf: () => import("./sgf"),
  },
  rules: {
    text: {
      en: async () => (await import("./rules/en")).text,
      ko: async () => (await import("./rules/ko")).text,
    },
    lessons: async () => (await import("./lessons.json")).default as never,
  },
});
