/** How the count stands and why a game ended, in sentences. */
import { cellName, listed, sizeOf } from "../../board/names";
import { plural, t } from "../../i18n";
import type { GreatKingdomDetails, Outcome, View } from "../../protocol";
import type { SeatNames, Warning } from "../face";
import { board } from "./board";

const nameOfCell = (view: View, cell: number): string => cellName(sizeOf(board, view), cell);
const detailsOf = (view: View): GreatKingdomDetails => view.details as GreatKingdomDetails;

/** How the count stands against the lead that Blue needs, and who would win now. */
export function leadText(view: View): { stands: string; wins: string } {
  const { lead } = detailsOf(view);
  const [blue, orange] = view.score ?? [0, 0];
  const by = Math.abs(blue - orange);
  const wins = t(blue - orange >= lead ? "great_kingdom.lead_blue_wins" : "great_kingdom.lead_orange_wins");
  if (lead > 0) {
    if (blue === orange) return { stands: t("great_kingdom.lead_even", { lead }), wins };
    return { stands: t(blue > orange ? "great_kingdom.lead_blue" : "great_kingdom.lead_orange", { by, lead }), wins };
  }
  if (blue === orange) return { stands: t("great_kingdom.lead_ties_even"), wins };
  const key = blue > orange ? "great_kingdom.lead_ties_blue" : "great_kingdom.lead_ties_orange";
  return { stands: t(key, { by, behind: -lead }), wins };
}

export function ending(view: View, outcome: Outcome, { loser }: SeatNames): string | null {
  const namesOf = (cells: readonly number[]) => listed(cells.map((cell) => nameOfCell(view, cell)));
  switch (outcome.reason) {
    case "capture": {
      const lost = view.captured.filter((cell) => board.seatOf(view.cells[cell]!) !== outcome.winner);
      return plural("great_kingdom.end_capture", lost.length, { loser, cells: namesOf(lost) });
    }
    case "suicide":
      return t("great_kingdom.end_suicide", { loser, cells: namesOf(view.last) });
    case "territory":
      return territoryEnding(view, outcome);
    default:
      return null;
  }
}

function territoryEnding(view: View, outcome: Outcome): string {
  const { lead } = detailsOf(view);
  const [blue, orange] = outcome.score ?? [0, 0];
  const by = Math.abs(blue - orange);
  if (lead <= 0) return t("great_kingdom.end_lead_ties", { blue, orange, behind: -lead });
  if (by === 0) return t("great_kingdom.end_lead_even", { blue, lead });
  return t(blue > orange ? "great_kingdom.end_lead" : "great_kingdom.end_lead_behind", { blue, orange, lead, by });
}

/** Asked before a castle that would lose at once. */
export function warning(view: View, [cell]: readonly number[]): Warning | null {
  if (cell === undefined || !detailsOf(view).suicide?.includes(cell)) return null;
  return {
    title: t("great_kingdom.suicide_title"),
    text: t("great_kingdom.suicide_text", { cell: nameOfCell(view, cell) }),
    yes: t("great_kingdom.suicide_play"),
  };
}
