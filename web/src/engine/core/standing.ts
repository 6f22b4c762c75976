/** How a game that is counted stands while it is played: what `standing` of the game says in Python. */
import type { Estimate, Place } from "../../protocol.ts";
import type { Core } from "./types.ts";

const SURE = 0.4; // an ownership from which on a point is counted as somebody's, and
const NOISE = 0.15; // one below which it is nobody's

/**
 * What each side may expect at the end, from whose each point is likely to be. Under territory scoring a stone that
 * dies counts twice for the other side, one that lives for nobody.
 */
export async function standing(core: Core, place: Place): Promise<Estimate> {
  const { codes } = await core.position(place);
  const found = await core.estimate(place);
  const { owner: enclosed, territory, stones, lost, dead, points: counted } = await core.count(place, found.dead, found.neutral);
  const byTerritory = (await core.options(place.game, place.options ?? {})).scoring === "territory";
  const komi = byTerritory ? counted[1] - territory[1] + lost[1] + dead[1] : counted[1] - territory[1] - stones[1];
  const points: [number, number] = byTerritory ? [lost[1], komi + lost[0]] : [0, komi];
  const ownership = found.ownership.map((owner, cell) => share(owner, enclosed[cell]!));
  ownership.forEach((owner, cell) => {
    const code = codes[cell]!;
    if (code && byTerritory) points[code === 2 ? 0 : 1] += code === 2 ? 1 + owner : 1 - owner;
    else points[owner > 0 ? 0 : 1] += Math.abs(owner);
  });
  return { points: [rounded(points[0], 1), rounded(points[1], 1)], dead: found.dead, ownership: ownership.map((owner) => rounded(owner, 2)) };
}

/**
 * As much of a point as counts: playouts are never quite sure of one, and never quite even. What the living stones of
 * one side enclose is that side's where the playouts do not doubt it.
 */
function share(owner: number, enclosed: number): number {
  if (Math.abs(owner) < NOISE) return 0;
  const same = enclosed === (owner > 0 ? 1 : 2);
  return same || Math.abs(owner) >= SURE ? Math.sign(owner) : owner;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
