/** What others tell the board. */
import type { MoveChoice, Outcome, View } from "../protocol";
import type { BoardStyle, PieceStyle } from "../settings.svelte";
import type { BoardFace } from "./face";

/** A move worth considering; `from` draws an arrow from the piece that would make it. */
export type Heat = { cell: number; from?: number; win: number; visits: number; text: string; best: boolean };

/** How much a move gave away, as a review says it. */
export type Size = "blunder" | "mistake" | "inaccuracy";
/** As players write it behind a move. */
export const MARKS: Record<Size, string> = { blunder: "??", mistake: "?", inaccuracy: "?!" };
/** The move that led here, on the cell that it was about. */
export type Judged = { cell: number; size: Size };
/** What would have been better in its place: the piece that would stand there, "" where none does. */
export type Better = { cell: number; from?: number; letter: string };

/** A move that was chosen with a first tap; `cell` is where it ends. */
export type WaitingMove = { cell: number; actions: readonly number[]; play: () => void; drop: () => void };

export type BoardProps = {
  face: BoardFace;
  view: View;
  legal?: readonly number[]; // actions that may be made here now; empty or absent: look only
  moves?: readonly MoveChoice[]; // whole moves, for games whose moves are chosen among them
  seat?: number | null; // whose piece the ghost shows; the mover's unless told
  flipped?: boolean;
  coordinates?: boolean;
  confirm?: boolean; // a first tap chooses, a second one plays
  pending?: readonly number[] | null; // actions sent, drawn at once
  owners?: readonly number[] | null; // by cell: 1 the first seat's to -1 the second's, or 0, 1, 2 as a score sheet
  territory?: boolean; // whether the territory that the view itself knows is tinted
  heat?: readonly Heat[];
  judged?: Judged | null;
  better?: Better | null;
  doomed?: readonly number[]; // pieces that are lost later on, with what closes in on them already
  dead?: readonly number[];
  neutral?: readonly number[];
  marks?: readonly { cell: number; label: string }[];
  liberties?: boolean; // numbers on the pieces, and the liberties of the group under the pointer
  danger?: boolean; // groups with one or two liberties
  letters?: boolean; // each piece with its letter
  outcome?: Outcome | null;
  label: string;
  animate?: boolean;
  sound?: boolean;
  look?: BoardStyle;
  pieces?: PieceStyle;
  still?: boolean; // a picture with the label as its text: no stop for Tab, no cells to read
  onmove?: (actions: number[]) => void; // a whole move chosen on the board
  onrefuse?: (cell: number) => boolean; // a cell that may not be played was chosen; true where the reason was told
  oncell?: (cell: number) => void; // any cell chosen
  onhover?: (cell: number) => void; // the cell under the pointer or the cursor, -1 for none
  guide?: boolean; // whether the places where something may be done shine
  onwait?: (move: WaitingMove | null) => void; // with `confirm`: a move was chosen and waits, or waits no more
  selection?: readonly number[]; // cells chosen for a move that takes several; its presence is that mode
  selectable?: readonly number[]; // the cells that may be chosen; those that the game says unless told
  onselect?: (cells: number[]) => void;
};
