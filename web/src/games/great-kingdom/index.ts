/** All that the browser knows of Great Kingdom. */
import { t } from "../../i18n";
import type { GreatKingdomDetails } from "../../protocol";
import { gameFace } from "../face";
import { points } from "../sheet";
import { board } from "./board";
import { Overlays } from "./overlays.svelte";
import { ending, warning } from "./words";

export const face = gameFace({
  name: "great-kingdom",
  board,
  table: {
    letter: (seat) => board.placed(seat),
    facts(view, seat) {
      const { castles_left } = view.details as GreatKingdomDetails;
      const territory = { name: t("great_kingdom.territory"), value: points(view.score?.[seat] ?? 0) };
      if (!castles_left) return [territory];
      return [territory, { name: t("great_kingdom.castles"), value: String(castles_left[seat]) }];
    },
    ending,
    warning,
    taken: () => "", // a capture ends the game, which is said
    panel: () => import("./Kingdom.svelte"),
    companion: () => new Overlays(),
  },
  home: {
    sample: async () => (await import("./sample.json")).default as never,
    stillDetails(cells) {
      const none = Array<number>(cells.length).fill(0);
      return { territory: none, liberties: none, suicide: [], passes: 0, lead: 3, castles_left: null };
    },
  },
  rules: {
    text: {
      en: async () => (await import("./rules/en")).text,
      ko: async () => (await import("./rules/ko")).text,
    },
    lessons: async () => (await import("./lessons.json")).default as never,
  },
});
