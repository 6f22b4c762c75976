/** Why a game ended in the words of the game itself, where it came with some; null elsewhere. */
import type { GameInfo, Outcome } from "../protocol";

export function reasonOf({ wins, draws, seats }: GameInfo, { winner, reason }: Outcome): string | null {
  if (winner === null) return draws[reason] ?? null;
  const names: Record<string, string> = { winner: seats[winner]!, loser: seats[1 - winner]! };
  return wins[reason]?.replaceAll(/\{(winner|loser)\}/g, (_, who: string) => names[who]!) ?? null;
}
