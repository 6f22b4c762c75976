/**
 * All that the browser knows of a game beyond what the server sends: `GameFace`, in small parts with an answer for
 * everything. A game's folder replaces what is special about it; index.ts knows the games that have a folder.
 * Nothing outside of src/games/ names a game.
 */
import type { Component } from "svelte";

import type { BoardFace } from "../board/face";
import type { BoardProps } from "../board/types";
import { t, word } from "../i18n";
import type { Spoken } from "../i18n";
import type { Binding } from "../keys.svelte";
import type { IconName } from "../parts/Icon.svelte";
import type { MatchInfo, Now, OptionValue, Outcome, Position, View } from "../protocol";
import type { Session } from "../play/session.svelte";
import type { Lesson, RulesText } from "../rules/text";
import type { Sheet } from "./sheet";

type Options = Record<string, OptionValue>;
/** What is fetched when it is first shown. */
export type Lazy<Shown> = () => Promise<{ default: Shown }>;

/** A number beside a player's name. */
export type Fact = { name: string; value: string };
/** The same as dots: how many of all are full. */
export type Pips = { full: number; all: number; label: string };

/** A question before a move that nobody should make by mistake. */
export type Warning = { title: string; text: string; yes: string };

export type SeatNames = Record<"winner" | "loser" | "first" | "second", string>;

/** A button of the action bar. */
export type ActionButton = { label: string; icon: IconName; pressed?: boolean; disabled: boolean; run: () => void };

/** What a game adds to a match on the screen while it is looked at; read as rune state. */
export interface Companion {
  readonly buttons: readonly ActionButton[];
  readonly keys: readonly Binding[];
  readonly board: Partial<BoardProps>;
  /** Whether something was begun that a finger on the board goes on with. */
  readonly busy: boolean;
  /** Leaves what was begun; whether there was anything. */
  stop(): boolean;
}

/** What is said and shown beside a board on which a match is played. */
export interface TableFace {
  /** The piece that stands for a seat, or null. */
  letter(seat: number): string | null;
  facts(view: View, seat: number): Fact[];
  pips(view: View, seat: number, over: boolean): Pips | null;
  /** One more sentence on how it stands, or "". */
  note(now: Now): string;
  /** What a pass means for the one who moves next. */
  passed(seat: string): string;
  /** Why it ended, or null where the reason is one that every game has. */
  ending(view: View, outcome: Outcome, names: SeatNames): string | null;
  warning(view: View, actions: readonly number[]): Warning | null;
  /** Why a cell is closed, or null where that is not known. */
  refusal(view: View, cell: number): string | null;
  /** A move in words where its text needs them, or null. */
  moveText(text: string): string | null;
  /** The same within a sentence, for whoever does not know the notation: "merging G7+G8 into a warrior on G8". */
  inWords(text: string): string | null;
  said(text: string, seat: string): string | null;
  /** What a move has taken, in words; `own`: said to the one who made it. */
  taken(captured: number, own: boolean): string;
  sheet(info: MatchInfo, now: Now): Sheet | null;
  /** The seat whose side is the lower one as the rules draw the board; null where neither is. */
  bottom: number | null;
  panel: Lazy<Component<{ session: Session }>> | null;
  legend: Lazy<Component<{ open: boolean }, object, "open">> | null;
  companion: ((session: Session) => Companion) | null;
}

export const plainTable: TableFace = {
  letter: () => null,
  facts: () => [],
  pips: () => null,
  note: () => "",
  passed: (seat) => t("play.passed", { seat }),
  ending: () => null,
  warning: () => null,
  refusal: () => null,
  moveText: () => null,
  inWords: () => null,
  said: () => null,
  taken: (captured, own) => (captured && !own ? t("play.said_takes") : ""),
  sheet: () => null,
  bottom: null,
  panel: null,
  legend: null,
  companion: null,
};

/** A position of a sample game, in the words of `View`; `territory` is a digit a cell. */
export interface Frame {
  cells: string;
  to_move: number;
  last: number[];
  captured: number[];
  territory?: string;
  energy?: number;
  moved?: number[];
}

/** A game that plays by itself, as tools/samples.py writes it. */
export interface Sample extends Pick<View, "board" | "width" | "height"> {
  options: Record<string, number>;
  outcome: Outcome | null;
  frames: Frame[];
}

/** How a game is shown and offered on the home page. */
export interface HomeFace {
  /** A game that plays by itself, or null. */
  sample: (() => Promise<Sample>) | null;
  frame_ms: number;
  /** `View.details` of a picture that nobody plays on; what is not known is left out or 0. */
  stillDetails(cells: string): Record<string, unknown>;
  /** Where a browser begins with something else than the game's defaults. */
  first: Options;
  /** What an option is if nothing more is chosen, where that depends on other choices. */
  defaultOf(option: string, chosen: Options): OptionValue | undefined;
  /** Whether a result is told by the difference alone. */
  winsBy: boolean;
}

const USUAL_MS = 1000;

export const plainHome: HomeFace = {
  sample: null,
  frame_ms: USUAL_MS,
  stillDetails: () => ({}),
  first: {},
  defaultOf: () => undefined,
  winsBy: false,
};

/** How a game that has a number in SGF is described in the root of a file. */
export interface SgfFace {
  number: string; // SGF's GM
  handicap: string; // the option that counts SGF's HA
  /** The options by the texts of the root's properties. */
  read(text: (ident: string) => string, size: number): Options;
  /** Those texts again; `info` is what `stated` kept, `stones` how many the weaker side began with. */
  write(options: Options, info: Record<string, string>, stones: number): Record<string, string>;
  /** What options cannot hold of those texts, for writing; `own` says whether the rules have placed those stones. */
  stated?(text: (ident: string) => string, options: Options, stones: number, own: boolean): Record<string, string>;
  /** The options, and others that files mean which do not say so, in that order. */
  alternatives?(options: Options): Options[];
}

/** What is special where a game is looked at and not played. */
export interface ReviewFace {
  /** What the board alone cannot do: beside the buttons for a pass. */
  bar: Lazy<
    Component<
      { position: Position; selection: number[] | undefined; onmove: (actions: number[]) => void },
      object,
      "selection"
    >
  > | null;
  /** The options of a match that begins in this position: a position has no past. */
  optionsFrom(options: Options, position: Position): Options;
  /** What whoever plays on from a position should know, or "". */
  playOn(before: Options, after: Options): string;
  /** How SGF knows it, where SGF has a number for it; null leaves it to a property of our own. */
  sgf: Lazy<SgfFace> | null;
}

export const plainReview: ReviewFace = { bar: null, optionsFrom: (options) => options, playOn: () => "", sgf: null };

/** The rules page, which is fetched when it is wanted. */
export interface RulesFace {
  text: Spoken<() => Promise<RulesText>>;
  /** Diagrams to play in, if there are any. */
  lessons?(): Promise<Lesson[]>;
}

export interface GameFace {
  /** As the server calls it. */
  name: string;
  title: string;
  about: string;
  seat(number: number): string;
  /** A text of the game's own for a key that comes from data, such as an option or a reason. */
  word(key: string, fallback: string, params?: Record<string, string | number>): string;
  board: BoardFace;
  table: TableFace;
  home: HomeFace;
  review: ReviewFace;
  rules: RulesFace | null;
}

/** What a game's folder says of it. */
export type Special = {
  name: string;
  board: BoardFace;
  table?: Partial<TableFace>;
  home?: Partial<HomeFace>;
  review?: Partial<ReviewFace>;
  rules?: RulesFace;
};

/** The whole face of a game that has a folder; its texts are the section of its name. */
export function gameFace({ name, board, table, home, review, rules }: Special): GameFace {
  const section = name.replaceAll("-", "_");
  const own = (key: string, fallback: string, params?: Record<string, string | number>) =>
    word(`${section}.${key}`, fallback, params);
  return {
    name,
    get title() {
      return own("name", name);
    },
    get about() {
      return own("about", "");
    },
    seat: (number) => own(`seat_${number}`, t(number === 0 ? "play.seat_first" : "play.seat_second")),
    word: own,
    board,
    table: { ...plainTable, ...table },
    home: { ...plainHome, ...home },
    review: { ...plainReview, ...review },
    rules: rules ?? null,
  };
}
