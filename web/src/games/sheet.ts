/** A score sheet: rows that add up to the total in front of the player. */
export interface Sheet {
  rows: { label: string; points: [number, number] }[];
  total: [number, number];
  /** By how much the first seat is ahead; negative where the second is. */
  lead: number;
  /** The points with losses subtracted, where they differ from the total. */
  subtracted: [number, number] | null;
}

/** A number of points without a needless .0; a minus sign, not a hyphen. */
export function points(value: number): string {
  const text = String(Math.round(Math.abs(value) * 100) / 100);
  return value < 0 ? `−${text}` : text;
}
