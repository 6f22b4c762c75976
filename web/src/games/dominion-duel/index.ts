/** All that the browser knows of Dominion Duel. */
import { t } from "../../i18n";
import { gameFace } from "../face";
import { points } from "../sheet";
import { board } from "./board";

export const face = gameFace({
  name: "dominion-duel",
  board,
  table: {
    letter: (seat) => board.placed(seat),
    facts: (view, seat) => [{ name: t("dominion_duel.claims"), value: points(view.score?.[seat] ?? 0) }],
    ending(_view, { reason, winner, score }, { first, second }) {
      if (reason !== "claims") return null;
      const [a, b] = (score ?? [0, 0]).map(points) as [string, string];
      return winner === null ? t("dominion_duel.end_claims_even", { a }) : t("dominion_duel.end_claims", { first, second, a, b });
    },
  },
  home: { sample: async () => (await import("./sample.json")).default as never, frame_ms: 1500 },
  rules: {
    text: {
      en: async () => (await import("./rules/en")).text,
      ko: async () => (await import("./rules/ko")).text,
    },
    lessons: async () => (await import("./lessons.json")).default as never,
  },
});
