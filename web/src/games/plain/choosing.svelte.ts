/** What is added to a match of such a game: the listed moves for the board, and buttons for those without cells. */
import type { BoardProps } from "../../board/types";
import type { Session } from "../../play/session.svelte";
import type { ActionButton, Companion } from "../face";

const MOST_BUTTONS = 3; // more are in the list alone

export class Choosing implements Companion {
  readonly keys = [];
  readonly busy = false;

  constructor(private readonly session: Session) {}

  get board(): Partial<BoardProps> {
    return { moves: this.session.canMove ? this.session.moves : [] };
  }

  get buttons(): ActionButton[] {
    const { session } = this;
    const bare = session.canMove ? session.moves.filter((move) => move.cells.length === 0) : [];
    return bare.slice(0, MOST_BUTTONS).map(({ text, actions }) => ({
      label: text,
      icon: "pass",
      disabled: false,
      run: () => session.move(actions),
    }));
  }

  stop(): boolean {
    return false;
  }
}
