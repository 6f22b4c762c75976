/**
 * Go's score sheet, as rows that add up to the total in front of the player.
 *
 * Under territory scoring the server's points subtract each side's own losses; people add the other side's as
 * prisoners. The sheet shows the sum that people make, and the difference is the same (GO 12).
 */
import { t } from "../../i18n";
import type { Count, MatchInfo, Now, Outcome, View } from "../../protocol";
import type { Sheet } from "../sheet";

export type RowName = "territory" | "prisoners" | "dead" | "stones" | "komi";
type Row = { name: RowName; points: [number, number] };

/** What White gets on top, for moving second and for handicap stones. */
function komiOf({ komi, handicap, bonus }: MatchInfo["options"]): number {
  const made = handicap && bonus ? { less_one: Number(handicap) - 1, full: Number(handicap) }[String(bonus)] : 0;
  return Number(komi ?? 0) + (made ?? 0);
}

/** The sheet of a match that is counted: while the players agree on dead stones, and when it is over. */
export function sheetOf(info: MatchInfo, now: Now): Sheet | null {
  const komi = komiOf(info.options);
  const counted = info.options.scoring === "area" ? areaCountSheet : territorySheet;
  if (now.count) return !now.outcome || now.outcome.reason === "score" ? counted(now.count, komi) : null;
  return now.outcome ? areaSheet(now.view, now.outcome, komi) : null;
}

export function territorySheet(count: Count, komi: number): Sheet {
  const [territory, lost, dead] = [count.territory, count.lost, count.dead];
  return sheet(
    [
      { name: "territory", points: [territory[0], territory[1]] },
      { name: "prisoners", points: [lost[1], lost[0]] },
      { name: "dead", points: [dead[1], dead[0]] },
      { name: "komi", points: [0, komi] },
    ],
    [count.points[0], count.points[1]],
  );
}

/** The sheet of an area game whose players agree on dead stones, which are taken off. */
export function areaCountSheet(count: Count, komi: number): Sheet {
  return sheet(
    [
      { name: "territory", points: [count.territory[0], count.territory[1]] },
      { name: "stones", points: [count.stones[0], count.stones[1]] },
      { name: "komi", points: [0, komi] },
    ],
    [count.points[0], count.points[1]],
  );
}

/** The sheet of an area game that is over: stones as they stand, and what is left of the score beside them. */
export function areaSheet(view: View, outcome: Outcome, komi: number): Sheet | null {
  if (!outcome.score) return null;
  const stones: [number, number] = [counted(view.cells, "X"), counted(view.cells, "O")];
  const [black, white] = outcome.score;
  return sheet(
    [
      { name: "territory", points: [black - stones[0], white - komi - stones[1]] },
      { name: "stones", points: stones },
      { name: "komi", points: [0, komi] },
    ],
    [black, white],
  );
}

function sheet(rows: Row[], points: [number, number]): Sheet {
  const total: [number, number] = [0, 0];
  for (const row of rows) {
    total[0] += row.points[0];
    total[1] += row.points[1];
  }
  const same = total[0] === points[0] && total[1] === points[1];
  return { rows: rows.map((row) => ({ label: t(`go.sheet_${row.name}`), points: row.points })), total, lead: total[0] - total[1], subtracted: same ? null : points };
}

function counted(cells: string, letter: string): number {
  return [...cells].filter((cell) => cell === letter).length;
}
