/** The games that the browser has a folder for, and the face of every game. */
import type { GameInfo } from "../protocol";
import { face as dominionDuel } from "./dominion-duel";
import type { GameFace } from "./face";
import { face as go } from "./go";
import { face as greatKingdom } from "./great-kingdom";
import { face as kelasu } from "./kelasu";
import { plainFace } from "./plain";

/** In the order in which they are shown before the server has told which games it has. */
export const known: readonly GameFace[] = [greatKingdom, go, kelasu, dominionDuel];
const byName = new Map(known.map((face) => [face.name, face]));
const others = new Map<string, { info: GameInfo | null; face: GameFace }>();

/**
 * The face of a game: its own, or one made from what the server says of it. With a name alone a game that the
 * browser has no folder for is drawn as well as can be until the server has told more.
 */
export function faceOf(game: GameInfo | string): GameFace {
  const [name, info] = typeof game === "string" ? [game, null] : [game.name, game];
  const own = byName.get(name);
  if (own) return own;
  const made = others.get(name);
  if (made && (info === null || made.info === info)) return made.face;
  const face = plainFace(name, info);
  others.set(name, { info, face });
  return face;
}

/** The board that settings are shown on. */
export const showpiece: GameFace = go;
