/**
 * Go's score sheet, as rows that add up to the total in front of the player.
 *
 * Under territory scoring the server's points subtract each side's own losses; people add the other side's as
 * prisoners. The sheet shows the sum that people make, and the difference is the same (GO 12).
 */
import type { Count, Outcome, View } from "../protocol";

export type RowName = "territory" | "prisoners" | "dead" | "stones" | "komi";

export interface Sheet {
  rows: { name: RowName; points: [number, number] }[];
  total: [number, number];
  /** By how much Black is ahead; negative where White is. */
  lead: number;
  /** The points with losses subtracted, where they differ from the total. */
  subtracted: [number, number] | null;
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

function sheet(rows: Sheet["rows"], points: [number, number]): Sheet {
  const total: [number, number] = [0, 0];
  for (const row of rows) {
    total[0] += row.points[0];
    total[1] += row.points[1];
  }
  const same = total[0] === points[0] && total[1] === points[1];
  return { rows, total, lead: total[0] - total[1], subtracted: same ? null : points };
}

function counted(cells: string, letter: string): number {
  return [...cells].filter((cell) => cell === letter).length;
}

/** A number of points without a needless .0; a minus sign, not a hyphen. */
export function points(value: number): string {
  const text = String(Math.round(Math.abs(value) * 100) / 100);
  return value < 0 ? `−${text}` : text;
}
