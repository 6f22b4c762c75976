/** What others tell the board. */
import type { Outcome, View } from "../protocol";
import type { BoardStyle } from "../settings.svelte";

/** A move worth considering; `from` draws an arrow from the piece that would make it. */
export type Heat = { cell: number; from?: number; win: number; visits: number; text: string; best: boolean };

export type BoardProps = {
  game: string;
  view: View;
  legal?: readonly number[]; // actions that may be made here now; empty or absent: look only
  seat?: number | null; // whose piece the ghost shows; the mover's unless told
  flipped?: boolean;
  coordinates?: boolean;
  confirm?: boolean; // a first tap chooses, a second one plays
  pending?: readonly number[] | null; // actions sent, drawn at once
  owners?: readonly number[] | null; // by cell: 1 the first seat's to -1 the second's, or 0, 1, 2 as a score sheet
  territory?: boolean; // whether the territory that the view itself knows is tinted
  heat?: readonly Heat[];
  dead?: readonly number[];
  neutral?: readonly number[];
  marks?: readonly { cell: number; label: string }[];
  liberties?: boolean; // numbers on the pieces, and the liberties of the group under the pointer
  danger?: boolean; // groups with one or two liberties
  letters?: boolean; // Kelasu: each piece with its letter
  outcome?: Outcome | null;
  label: string;
  animate?: boolean;
  sound?: boolean;
  look?: BoardStyle;
  still?: boolean; // a picture with the label as its text: no stop for Tab, no cells to read
  onmove?: (actions: number[]) => void; // a whole move chosen on the board
  onrefuse?: (cell: number) => boolean; // a cell that may not be played was chosen; true where the reason was told
  oncell?: (cell: number) => void; // any cell chosen
  onhover?: (cell: number) => void; // the cell under the pointer or the cursor, -1 for none
  selection?: readonly number[]; // Kelasu: blanks chosen for a merge; its presence is the merge mode
  selectable?: readonly number[]; // the blanks that may be chosen; all that can merge unless told
  onselect?: (cells: number[]) => void;
};
