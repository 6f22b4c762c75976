/** What the board of Great Kingdom shows beside the castles; remembered in this browser. */
import type { BoardProps } from "../../board/types";
import { read, write } from "../../storage";
import type { Companion } from "../face";

const SHOWN = { territory: true, liberties: false, danger: false };
export type Shown = keyof typeof SHOWN;

export class Overlays implements Companion {
  shown = $state(shownBefore());
  readonly buttons = [];
  readonly keys = [];
  readonly busy = false;

  get board(): Partial<BoardProps> {
    const { territory, liberties, danger } = this.shown;
    return { territory, liberties, danger };
  }

  stop(): boolean {
    return false;
  }

  toggle(what: Shown): void {
    this.shown[what] = !this.shown[what];
    write("tengen.shown", JSON.stringify(this.shown));
  }
}

function shownBefore(): Record<Shown, boolean> {
  try {
    return { ...SHOWN, ...(JSON.parse(read("tengen.shown") ?? "{}") as Partial<Record<Shown, boolean>>) };
  } catch {
    return { ...SHOWN };
  }
}
