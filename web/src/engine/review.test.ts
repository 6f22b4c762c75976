import { describe, expect, it } from "vitest";

import type { Analysis, Study } from "../protocol";
import { studyOfMatch } from "../review/study";
import type { Core, Thinking } from "./core/types";
import { exploreHere } from "./review";
import { keepReview, keptReviews } from "./table/kept";

const found = (visits: number) => ({ visits, win: 0.5, moves: [] }) as unknown as Analysis;

function study(game: string): Study {
  const info = { game, options: {}, origin: null, seats: [{}, {}] } as unknown as Parameters<typeof studyOfMatch>[0];
  return studyOfMatch(info, [], null);
}

/** It searches that deep and further, until it is stopped. */
function searching(depths: number[], after: (thinking: Thinking) => void): Core {
  const analyse: Core["analyse"] = (_place, _budget, thinking = {}) => {
    for (const visits of depths) thinking.onReport?.(found(visits));
    after(thinking);
    return new Promise(() => undefined);
  };
  return { analyse } as Core;
}

describe("a search of the position that one looks at", () => {
  it("is kept while it goes on, for whoever reloads the page", async () => {
    const of = { study: study("one"), node: 0 };
    const told: number[] = [];
    await new Promise<void>((gone) => {
      const core = searching([100, 5000], () => gone());
      const place = { game: "one", options: {}, origin: null };
      void exploreHere(core, { place }, of, ({ analysis }) => told.push(analysis!.visits), new AbortController().signal);
    });
    expect(told).toEqual([100, 5000]);
    await expect.poll(async () => (await keptReviews(of.study))[0]?.analysis?.visits).toBe(5000);
  });

  it("is not put aside by a shorter one, nor by what is said of a move", async () => {
    const of = study("other");
    await keepReview(of, { node: 0, analysis: found(5000), review: null });
    const review = { number: 1 } as NonNullable<Awaited<ReturnType<typeof keptReviews>>[number]["review"]>;
    await keepReview(of, { node: 0, analysis: found(400), review: null });
    await keepReview(of, { node: 0, analysis: null, review });
    expect(await keptReviews(of)).toMatchObject([{ node: 0, analysis: { visits: 5000 }, review: { number: 1 } }]);
  });
});
