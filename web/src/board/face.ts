/**
 * What a game tells the board: how its pieces look and are called, what is special about a view, what choosing a
 * cell means, and how the board itself is drawn. The board has no other way to know a game.
 *
 * `plainBoard` has an answer for everything, for games in which a turn puts one piece on a cell; the folders of
 * src/games/ replace what is special about theirs.
 */
import { t } from "../i18n";
import type { MoveChoice, View } from "../protocol";
import { placements, type Effect } from "./drawn";

/** A piece of the game's own without a drawing: a disc or a shield in a colour, with a letter. */
export type Token = { colour: string; text: string; shape: "disc" | "shield" | "block" };

export type Part =
  | { use: string; turns?: boolean } // a drawing by its id; `turns`: upside down on a flipped board
  | { image: string } // the address of a picture that fills the cell
  | { token: Token };

/** A piece around the origin, within 50 units each way: parts that lie on each other, and a badge with its letter. */
export type Drawn = { parts: readonly Part[]; transform?: string; badge?: { text: string; y: number } };

/** What a view says beyond its cells, in words that the board draws. */
export type Sight = {
  territory: readonly number[] | null; // by cell: 0 nobody's, 1 the first seat's, 2 the second's
  liberties: readonly number[]; // by cell, of the group on it
  closed: number | null; // a cell that is closed for one turn
  loses: readonly number[]; // where a piece would lose at once
  goals: readonly number[]; // cells that win
  won: (reason: string) => readonly number[]; // the cells that a game was won by
  moved: readonly number[]; // pieces that have had their turn
  begun: readonly number[]; // the actions of a move that is under way
};

export const NO_SIGHT: Sight = {
  territory: null,
  liberties: [],
  closed: null,
  loses: [],
  goals: [],
  won: () => [],
  moved: [],
  begun: [],
};

/** How the board itself looks; colours are in the game's style sheet, under its class. */
export type Style = {
  className: string; // of the board: `board-` and this
  lines: "through" | "between"; // the points, or the cells
  chequered: boolean;
  stars: (width: number, height: number) => number[]; // points with a dot
  last: "cell" | "ring"; // where the last move is marked: under the piece or on it
  dark: (letter: string) => boolean; // whether marks on that piece must be bright
  paints: readonly [string, string]; // of territory: the patterns hatch-NAME and dots-NAME
  underPieces: boolean; // whether territory is tinted under pieces too
  ranks: boolean; // whether cells are named by rank and file, such as E0
  numbersDown: number; // how far below its middle a piece has its number
  colours?: readonly [string, string]; // of the seats, where the style sheet does not know them
};

export type TargetKind = "move" | "capture" | "convert" | "recall";
export type Target = { cell: number; kind: TargetKind };

/** What choosing a cell comes to. */
export type Choice =
  | { kind: "pick"; cell: number } // a piece is held from now on
  | { kind: "drop" } // nothing is held any more
  | { kind: "move"; actions: number[] }
  | { kind: "ask"; moves: readonly MoveChoice[] } // which of them is asked
  | { kind: "select"; cells: number[] }
  | { kind: "refuse" }
  | { kind: "none" };

export type Situation = {
  view: View;
  legal: ReadonlySet<number>;
  moves: readonly MoveChoice[];
  picked: number | null;
  selection: readonly number[] | null; // the cells chosen so far, where several are to be chosen
  selectable: readonly number[];
};

/** What the hand of a player does with cells. */
export interface HandFace {
  /** Whether a free cell under the pointer shows the piece that would be put there. */
  places: boolean;
  /** Whether pieces are dragged. */
  drags: boolean;
  choose(situation: Situation, cell: number): Choice;
  /** Where the piece on a cell may go; empty where nothing is picked up. */
  targets(situation: Situation, cell: number | null): readonly Target[];
  /** Whether something would come of choosing that cell. */
  inviting(situation: Situation, cell: number): boolean;
  /** The cells that may be chosen where several are to be chosen. */
  selectable(view: View): readonly number[];
}

/** What a screen reader is told of a cell, beside its name and its piece. */
export type Told = {
  view: View;
  sight: Sight;
  cells: string; // as drawn, pending actions included
  owners: readonly number[] | null; // as the board draws them: 1 the first seat's, -1 or 2 the second's
  dead: ReadonlySet<number>;
  neutral: ReadonlySet<number>;
  situation: Situation;
  playable: boolean; // whether the reader can act on this board
};

export interface BoardFace {
  /** The letter of an empty cell in a view of the server. */
  empty: string;
  /** Drawings to be put into the page before the first use, by id; "" where there are none. */
  art: () => string;
  /** `cell` is where it stands, for pieces that differ a little from each other; null for one by itself. */
  piece(letter: string, flipped: boolean, cell: number | null): Drawn;
  /** The seat that a letter belongs to, or -1 for what is nobody's. */
  seatOf(letter: string): number;
  /** What a turn of that seat puts on a cell, or "" where turns place nothing. */
  placed(seat: number): string;
  pieceName(letter: string): string;
  /** Whose territory a cell is, in words; "" where there is none. */
  territoryName(seat: number): string;
  sight(view: View): Sight;
  style: Style;
  hand: HandFace;
  /** The cell that a whole move is about and, where a piece moves, the one that it leaves; null for a pass. */
  spot(view: View, moves: readonly MoveChoice[], actions: readonly number[]): { cell: number; from?: number } | null;
  /** The cells as they look once those actions are made. Captures are left to the server. */
  withPending(view: View, actions: readonly number[], seat: number): string;
  /** What else would stand somewhere once a piece is put on that cell; shown with the ghost of it. */
  foreseen(cells: string, cell: number): readonly { cell: number; letter: string }[];
  /** The move between two pictures, as effects; a jump between positions that lie apart has none. */
  changes(before: string, after: string): Effect[];
  /** More to say of a cell. */
  cellWords(told: Told, cell: number): string[];
}

const placing: HandFace = {
  places: true,
  drags: false,
  choose: ({ legal }, cell) => (legal.has(cell) ? { kind: "move", actions: [cell] } : { kind: "refuse" }),
  targets: () => [],
  inviting: ({ legal }, cell) => legal.has(cell),
  selectable: () => [],
};

export const plainStyle: Style = {
  className: "plain",
  lines: "between",
  chequered: false,
  stars: () => [],
  last: "cell",
  dark: () => false,
  paints: ["blue", "orange"],
  underPieces: true,
  ranks: false,
  numbersDown: 0,
};

/** A board on which a turn puts the piece of its seat on a free cell, and letters are their own names. */
export const plainBoard: BoardFace = {
  empty: ".",
  art: () => "",
  piece: (letter) => ({ parts: [{ token: { colour: "var(--neutral)", text: letter, shape: "block" } }] }),
  seatOf: () => -1,
  placed: () => "",
  pieceName: (letter) => (letter === "." ? t("board.empty") : letter),
  territoryName: () => "",
  sight: () => NO_SIGHT,
  style: plainStyle,
  hand: placing,
  spot: (view, _moves, [cell]) => (cell !== undefined && cell >= 0 && cell < view.cells.length ? { cell } : null),
  withPending(view, actions, seat) {
    const [cell] = actions;
    const letter = this.placed(seat);
    if (cell === undefined || cell >= view.cells.length || !letter) return view.cells;
    return view.cells.slice(0, cell) + letter + view.cells.slice(cell + 1);
  },
  foreseen: () => [],
  changes: (before, after) => placements(before, after, 1),
  cellWords: () => [],
};

/** The plain board with what is special about one game. */
export function boardFace(special: Partial<Omit<BoardFace, "style" | "hand">> & { style?: Partial<Style>; hand?: HandFace }): BoardFace {
  return { ...plainBoard, ...special, style: { ...plainStyle, ...special.style } };
}
