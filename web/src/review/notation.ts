/**
 * Moves as the search writes them, turned into actions, so that its lines can be followed on the board.
 *
 * Only the forms are known here (the rules pages of docs/ describe them); whether a move is legal the server
 * says. A game that is not one of the four gives null for everything.
 */
import { RANKS, SIZE } from "../play/kelasu";

const COLUMNS = "ABCDEFGHJKLMNOPQRST";
export const MERGE_KINDS = "WRDCGS";
const KELASU_CELLS = SIZE * SIZE;
export const END_TURN = KELASU_CELLS + MERGE_KINDS.length;

export interface BoardSize {
  width: number;
  height: number;
}

/** The actions of a whole move, or null where the text cannot be read. */
export function actionsOf(game: string, size: BoardSize, text: string): number[] | null {
  switch (game) {
    case "go":
    case "great-kingdom":
      return single(pointAction(size, text));
    case "dominion-duel":
      return /^\d+$/.test(text) ? single(Number(text) - 1) : null;
    case "kelasu":
      return kelasuActions(text);
    default:
      return null;
  }
}

function single(action: number | null): number[] | null {
  return action === null ? null : [action];
}

function pointAction(size: BoardSize, text: string): number | null {
  if (text === "pass") return size.width * size.height;
  const found = /^([A-HJ-T])(\d{1,2})$/.exec(text);
  if (!found) return null;
  const row = size.height - Number(found[2]);
  const column = COLUMNS.indexOf(found[1]!);
  return row >= 0 && row < size.height && column < size.width ? row * size.width + column : null;
}

function kelasuActions(text: string): number[] | null {
  if (text === "end") return [END_TURN];
  const merge = /^=([WRDCGS]) ([A-J0-9+]+)>([A-J]\d)$/.exec(text);
  if (merge) {
    const cells = merge[2]!.split("+").map(kelasuCell);
    return [KELASU_CELLS + MERGE_KINDS.indexOf(merge[1]!), ...mergeOrder(cells, kelasuCell(merge[3]!))];
  }
  const move = /^([A-J]\d)[-x%@]([A-J]\d)$/.exec(text);
  return move ? [kelasuCell(move[1]!), kelasuCell(move[2]!)] : null;
}

function kelasuCell(name: string): number {
  return RANKS.indexOf(name[0]!) * SIZE + Number(name[1]);
}

/** The target, then again and again the lowest cell that touches those before it: as the rules stage a merge. */
export function mergeOrder(cells: readonly number[], target: number): number[] {
  const order = [target];
  const rest = cells.filter((cell) => cell !== target).sort((a, b) => a - b);
  while (rest.length) {
    const at = Math.max(0, rest.findIndex((cell) => order.some((other) => touch(cell, other))));
    order.push(...rest.splice(at, 1));
  }
  return order;
}

function touch(a: number, b: number): boolean {
  const rows = Math.abs(Math.floor(a / SIZE) - Math.floor(b / SIZE));
  return rows + Math.abs((a % SIZE) - (b % SIZE)) === 1;
}
