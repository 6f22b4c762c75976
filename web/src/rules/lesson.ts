/**
 * The diagrams of the rules pages: what the reader should bring about, and whether that has happened.
 *
 * The lessons.json of a game holds them; tests/web/test_lessons.py plays every solution by the rules. The reader plays the
 * side that moves first, and both sides where there is no `reply`.
 */
import type { Position } from "../protocol";
import type { Goal, Lesson } from "./text";

/** Whether a position, come about by `moves` moves of the reader, fulfils the goal. */
export function reached(goal: Goal, position: Position, moves: number): boolean {
  if ("outcome" in goal) {
    const outcome = position.outcome;
    if (!outcome || outcome.reason !== goal.outcome) return false;
    return goal.winner === undefined || goal.winner === outcome.winner;
  }
  if ("score" in goal) return (position.view.score?.[goal.score[0]] ?? 0) >= goal.score[1];
  if ("below" in goal) return (position.view.score?.[goal.below[0]] ?? 0) < goal.below[1];
  if (moves === 0) return false;
  if ("move" in goal) return goal.move.includes(position.text);
  if ("text" in goal) return position.text.includes(goal.text);
  if ("captured" in goal) return position.view.captured.length >= goal.captured;
  return moves >= goal.moves;
}

/** What the other side answers to the position that the reader's move led to, as actions, or null. */
export function replyTo(
  lesson: Lesson,
  position: Position,
  reader: number,
  random: number = Math.random(),
): number[] | null {
  const { reply } = lesson;
  if (!reply || position.outcome || position.view.to_move === reader) return null;
  if (reply === "any") return [position.legal[Math.floor(random * position.legal.length)]!];
  if (reply === "pass") return [position.view.width * position.view.height];
  return reply[position.text] ?? null;
}
