/** Kelasu on the board: how pieces are drawn and named, and what a move changes. */
import { boardFace, NO_SIGHT, type Told } from "../../board/face";
import { differences, type Effect } from "../../board/drawn";
import { t } from "../../i18n";
import type { View } from "../../protocol";
import { art, base } from "./art";
import "./board.css";
import { detailsOf, hand, mergeable, targetsOf } from "./hand";
import { mergeKind } from "./merges";

const NAMES = {
  B: "kelasu.blank",
  W: "kelasu.warrior",
  R: "kelasu.runner",
  D: "kelasu.diplomat",
  C: "kelasu.champion",
  G: "kelasu.general",
  S: "kelasu.stone",
} as const;

const TARGETS = {
  move: "board.to_move",
  capture: "board.to_capture",
  convert: "kelasu.to_convert",
  recall: "kelasu.to_recall",
} as const;

const isFirst = (letter: string): boolean => letter === letter.toUpperCase();
const swapCase = (letter: string): string => (isFirst(letter) ? letter.toLowerCase() : letter.toUpperCase());

function withPending(view: View, actions: readonly number[]): string {
  const cells = [...view.cells];
  const stages = [...detailsOf(view).stages, ...actions];
  const [first, second] = stages as [number, number | undefined];
  if (second === undefined || second >= cells.length) return view.cells;
  if (first >= cells.length) {
    const kind = mergeKind(first);
    if (!kind) return view.cells;
    const blank = cells[second]!;
    for (const cell of stages.slice(1)) cells[cell] = ".";
    cells[second] = isFirst(blank) ? kind : kind.toLowerCase();
    return cells.join("");
  }
  const piece = cells[first]!;
  const target = cells[second]!;
  cells[first] = ".";
  cells[second] = piece.toUpperCase() === "D" && target !== "." ? swapCase(target) : piece;
  return cells.join("");
}

function changes(before: string, after: string): Effect[] {
  const found = differences(before, after);
  if (!found) return [];
  const { gone, come, other } = found;
  const from = gone[0];
  const left = (cell: number) => ({ cell, letter: before[cell]! });
  if (from === undefined) return [];
  if (gone.length === 1 && come.length === 1 && other.length === 0) {
    const to = come[0]!;
    return after[to] === before[from] ? [{ kind: "slide", from, to, far: isRecall(before[from]!, from, to) }] : [];
  }
  if (come.length > 0 || other.length !== 1) return [];
  const to = other[0]!;
  if (gone.length === 1 && after[to] === before[from]) {
    return [
      { kind: "remove", ...left(to) },
      { kind: "slide", from, to, far: isRecall(before[from]!, from, to) },
    ];
  }
  if (gone.length === 1 && before[from]!.toUpperCase() === "D" && after[to] === swapCase(before[to]!)) {
    return [{ kind: "turn", cell: to, by: left(from) }];
  }
  const blank = before[to]!;
  if (blank.toUpperCase() === "B" && gone.every((cell) => before[cell] === blank)) {
    return [{ kind: "merge", cell: to, from: [...gone, to].map(left) }];
  }
  return [];
}

function isRecall(piece: string, from: number, to: number): boolean {
  return piece.toUpperCase() === "W" && Math.abs(from - to) === 90;
}

function cellWords({ view, situation, playable }: Told, cell: number): string[] {
  const details = detailsOf(view);
  const { picked, selection } = situation;
  const words: string[] = [];
  if (details.victory_tiles.includes(cell)) words.push(t("kelasu.tile"));
  if (details.moved.includes(cell)) words.push(t("kelasu.moved"));
  if (selection?.includes(cell)) words.push(t("board.chosen"));
  if (!playable) return words;
  const target = targetsOf(details, picked).find((other) => other.cell === cell);
  if (target) words.push(t(TARGETS[target.kind]));
  if (picked === cell) words.push(t("board.picked"));
  else if (picked === null && details.moves.some((move) => move.from === cell)) words.push(t("board.can_move"));
  if (picked === null && mergeable(details).includes(cell)) words.push(t("kelasu.can_merge"));
  return words;
}

export const board = boardFace({
  art,
  piece(letter, flipped) {
    const ground = base(letter);
    return {
      parts: [...(ground ? [{ use: ground, turns: true }] : []), { use: `#tg-kelasu-${letter}` }],
      ...(letter.toUpperCase() === "B" ? { transform: "scale(.74)" } : {}),
      badge: { text: letter.toUpperCase(), y: isFirst(letter) === flipped ? 29 : -29 },
    };
  },
  seatOf: (letter) => (letter === "." ? -1 : isFirst(letter) ? 0 : 1),
  pieceName(letter) {
    const name = NAMES[letter.toUpperCase() as keyof typeof NAMES];
    if (!name) return t("board.empty");
    return t(isFirst(letter) ? "kelasu.blue_piece" : "kelasu.red_piece", { piece: t(name) });
  },
  sight(view) {
    const { moved, stages, victory_tiles } = detailsOf(view);
    const won = (reason: string) => (reason === "victory-tiles" ? victory_tiles : []);
    return { ...NO_SIGHT, goals: victory_tiles, moved, begun: stages, won };
  },
  style: { className: "kelasu", chequered: true, ranks: true },
  hand,
  spot(view, _moves, [first, second]) {
    const cell = second ?? first;
    if (cell === undefined || cell >= view.cells.length) return null;
    return second !== undefined && first! < view.cells.length ? { cell, from: first! } : { cell };
  },
  withPending,
  changes,
  cellWords,
});
