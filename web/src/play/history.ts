/**
 * The moves that stand, as a list to read: numbered, and the moves of a turn together.
 *
 * A place in the game is a number of moves made: 0 is the start, `line.length` is now.
 */
import type { BoardFace } from "../board/face";
import type { LineMove, View } from "../protocol";

export interface ListedMove {
  /** The place after this move. */
  at: number;
  text: string;
  seat: number | null;
}

/** A run of moves by one seat; where play was resumed the seat is null. */
export interface Turn {
  seat: number | null;
  moves: ListedMove[];
}

/** A line of the list: what seat 0 and seat 1 did, under one number. */
export interface Round {
  number: number;
  turns: [Turn | null, Turn | null];
}

export function turnsOf(line: readonly LineMove[]): Turn[] {
  const turns: Turn[] = [];
  line.forEach((move, index) => {
    const last = turns.at(-1);
    const listed = { at: index + 1, text: move.text, seat: move.seat };
    if (last && last.seat === move.seat && move.seat !== null) last.moves.push(listed);
    else turns.push({ seat: move.seat, moves: [listed] });
  });
  return turns;
}

/** Rounds begin with seat 0; a resumption stands on a line of its own, with both places of `turns` null but the first. */
export function roundsOf(line: readonly LineMove[]): Round[] {
  const rounds: Round[] = [];
  for (const turn of turnsOf(line)) {
    const last = rounds.at(-1);
    if (turn.seat === 1 && last && !last.turns[1] && last.turns[0]?.seat === 0) last.turns[1] = turn;
    else rounds.push({ number: 0, turns: turn.seat === 1 ? [null, turn] : [turn, null] });
  }
  let number = 0;
  for (const round of rounds) {
    if (round.turns[0]?.seat !== null || round.turns[1]) number += 1;
    round.number = number;
  }
  return rounds;
}


/** Where one is after a step; stays inside the game. */
export function stepped(at: number, by: number, length: number): number {
  return Math.min(length, Math.max(0, at + by));
}

/** The numbers of the moves that brought the pieces of a view, on their cells. */
export function numbersOn(
  face: BoardFace,
  view: View,
  moves: readonly { actions: readonly number[] }[],
): { cell: number; label: string }[] {
  const labels = new Map<number, string>();
  moves.forEach(({ actions }, index) => {
    const spot = actions.length ? face.spot(view, [], actions) : null;
    if (spot?.from !== undefined) labels.delete(spot.from);
    if (spot) labels.set(spot.cell, String(index + 1));
  });
  return [...labels].filter(([cell]) => view.cells[cell] !== face.empty).map(([cell, label]) => ({ cell, label }));
}
