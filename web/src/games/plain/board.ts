/** The board of a game that the browser has no drawing for, from what the server says of its look. */
import { differences, placements, type Effect } from "../../board/drawn";
import { boardFace, type BoardFace, type Drawn, type Token, type Told } from "../../board/face";
import { t } from "../../i18n";
import type { GameInfo, LookInfo, MoveChoice, PieceInfo, View } from "../../protocol";
import { choosing } from "./hand";

const NOBODY = "var(--neutral)";
const SHAPES: readonly Token["shape"][] = ["disc", "shield"];
const MOST_CHANGED = 0.4; // of the board; more is a jump, not a move

/** A picture from a game is drawn as an image, in which nothing runs and nothing is fetched. */
function picture(svg: string): string {
  const whole = svg.trimStart().startsWith("<svg")
    ? svg
    : `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-50 -50 100 100">${svg}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(whole)}`;
}

function drawn({ colours }: LookInfo, letter: string, piece: PieceInfo | undefined): Drawn {
  if (piece?.svg) return { parts: [{ image: picture(piece.svg) }] };
  const seat = piece?.seat ?? null;
  const token: Token =
    seat === null
      ? { colour: NOBODY, text: letter, shape: "block" }
      : { colour: colours[seat]!, text: letter, shape: SHAPES[seat]! };
  return { parts: [{ token }] };
}

/** One piece that went from a cell to another slides; pieces may change where they stand. */
function changes(before: string, after: string): Effect[] {
  const found = differences(before, after);
  if (!found || found.gone.length + found.come.length + found.other.length > MOST_CHANGED * after.length + 2) return [];
  const { gone, come, other } = found;
  const [to] = [...come, ...other];
  const from = gone.find((cell) => to !== undefined && before[cell] === after[to]);
  if (from !== undefined && come.length + other.length === 1) {
    const taken = [...gone, ...other].filter((cell) => cell !== from);
    return [
      ...taken.map((cell): Effect => ({ kind: "remove", cell, letter: before[cell]! })),
      { kind: "slide", from, to: to!, far: false },
    ];
  }
  if (other.length === 0) return placements(before, after, after.length);
  return [
    ...come.map((cell): Effect => ({ kind: "place", cell })),
    ...other.map((cell): Effect => ({ kind: "turn", cell, by: null })),
  ];
}

/** The cell of a listed move that is free, and the one that its piece leaves. */
function spot(seatOf: BoardFace["seatOf"]) {
  return (view: View, moves: readonly MoveChoice[], actions: readonly number[]) => {
    const move = moves.find((each) => each.actions.join() === actions.join());
    if (!move?.cells.length) return null;
    const from = move.cells.find((cell) => seatOf(view.cells[cell]!) === view.to_move);
    const rest = move.cells.filter((cell) => cell !== from);
    const cell = rest.find((each) => view.cells[each] === ".") ?? rest[0] ?? move.cells[0]!;
    return from === undefined || rest.length !== 1 ? { cell } : { cell, from };
  };
}

function choiceWords({ situation, playable }: Told, cell: number): string[] {
  if (!playable) return [];
  const { picked } = situation;
  if (picked === cell) return [t("board.picked")];
  if (choosing.targets(situation, picked).some((target) => target.cell === cell)) return [t("board.to_move")];
  return picked === null && choosing.inviting(situation, cell) ? [t("board.can_choose")] : [];
}

export function plainBoardOf({ letters, board, look }: GameInfo): BoardFace {
  const byLetter = new Map(look.pieces.map((piece) => [piece.letter, piece]));
  const seatOf = (letter: string) => byLetter.get(letter)?.seat ?? -1;
  const single = [0, 1].map((seat) => look.pieces.filter((piece) => piece.seat === seat));
  const choices = look.hand !== "place";
  return boardFace({
    empty: letters[0] ?? ".",
    piece: (letter) => drawn(look, letter, byLetter.get(letter)),
    seatOf,
    placed: (seat) => (!choices && single[seat]?.length === 1 ? single[seat][0]!.letter : ""),
    pieceName: (letter) => (letter === "." ? t("board.empty") : (byLetter.get(letter)?.name ?? letter)),
    style: { lines: board === "points" ? "through" : "between", chequered: board === "squares", colours: look.colours },
    changes,
    ...(choices ? { hand: choosing, spot: spot(seatOf), cellWords: choiceWords, withPending: (view) => view.cells } : {}),
  });
}
