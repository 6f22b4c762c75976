/**
 * What the person at the board is about to do: where the pointer and the cursor are, which piece is held, which
 * move waits for a second tap. Knows no rules: `Table` says what may be done. Start reading at `act`.
 */
import type { MoveChoice } from "../protocol";
import type { HandFace, Situation } from "./face";
import { cellAt, toDrawing, type Layout } from "./geometry";
import { moved } from "./keys";
import { typed, type Size } from "./names";

export type Table = Omit<Situation, "picked"> & {
  face: HandFace;
  at: Layout;
  size: Size;
  playable: boolean;
  confirm: boolean;
  onmove?: (actions: number[]) => void;
  onrefuse?: (cell: number) => boolean;
  oncell?: (cell: number) => void;
  onselect?: (cells: number[]) => void;
};

type Press = { id: number; cell: number; x: number; y: number; fresh: boolean };
export type Drag = { from: number; x: number; y: number }; // in the units of the drawing

const DRAG_PX = 7; // less is a click with an unsteady hand
const TYPING_MS = 1500;
const REFUSED_MS = 1200;

export class Hand {
  hover = $state(-1);
  cursor = $state(-1); // -1 until the board has had the focus
  focused = $state(false);
  picked = $state<number | null>(null); // the piece that is held
  waiting = $state.raw<{ cell: number; actions: number[] } | null>(null); // the move that waits for a second tap
  asked = $state.raw<readonly MoveChoice[] | null>(null); // the moves among which is to be chosen
  refused = $state.raw<{ cell: number; told: boolean } | null>(null); // shown for a moment; told: others say why
  drag = $state.raw<Drag | null>(null);
  finger = $state.raw<{ x: number; y: number } | null>(null); // in the window, while it is down

  dropped = false; // the last move was dragged: the piece is there already and need not slide

  #press: Press | null = null;
  #typed = "";
  #typedAt = 0;
  #refusal: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly table: () => Table) {}

  /** The position is another one: whatever was begun is void. */
  reset(): void {
    this.picked = this.waiting = this.asked = this.refused = this.drag = null;
    if (this.cursor >= this.table().at.count) this.cursor = -1;
  }

  get situation(): Situation {
    const { view, legal, moves, selection, selectable } = this.table();
    return { view, legal, moves, picked: this.picked, selection, selectable };
  }

  /** A cell was clicked, tapped, or entered; `sure` needs no second tap. */
  act(cell: number, sure: boolean): void {
    const table = this.table();
    table.oncell?.(cell);
    if (!table.playable && !table.selection) return;
    const choice = table.face.choose(this.situation, cell);
    if (choice.kind === "move") return this.#play(choice.actions, cell, sure);
    this.waiting = null;
    this.asked = choice.kind === "ask" ? choice.moves : null;
    if (choice.kind === "pick") this.picked = choice.cell;
    else if (choice.kind === "drop") this.picked = null;
    else if (choice.kind === "select") table.onselect?.(choice.cells);
    else if (choice.kind === "refuse") this.#refuse(cell);
  }

  /** The cell that waits for a second tap. */
  get chosen(): number | null {
    return this.waiting?.cell ?? null;
  }

  /** Makes the move that waits, without a second tap. */
  confirm(): void {
    if (this.waiting) this.#play(this.waiting.actions, this.waiting.cell, true);
  }

  /** One of the moves that were asked about. */
  settle(move: MoveChoice): void {
    this.reset();
    this.table().onmove?.(move.actions);
  }

  #refuse(cell: number): void {
    this.refused = { cell, told: this.table().onrefuse?.(cell) ?? false };
    clearTimeout(this.#refusal);
    this.#refusal = setTimeout(() => (this.refused = null), REFUSED_MS);
  }

  #play(actions: number[], cell: number, sure: boolean): void {
    const table = this.table();
    if (table.confirm && !sure && this.chosen !== cell) {
      this.waiting = { cell, actions };
      this.asked = null;
      return;
    }
    this.reset();
    table.onmove?.(actions);
  }

  down(event: PointerEvent): void {
    if (!event.isPrimary || event.button !== 0) return this.cancel();
    const cell = this.#cell(event);
    const fresh = this.#canPick(cell) && this.picked !== cell;
    this.#press = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, fresh };
    this.dropped = false;
    if (fresh) {
      this.picked = cell;
      this.waiting = this.asked = null;
    }
    if (event.pointerType !== "mouse") {
      this.finger = { x: event.clientX, y: event.clientY };
      this.hover = cell;
    }
    (event.currentTarget as Element).setPointerCapture?.(event.pointerId);
  }

  move(event: PointerEvent): void {
    if (event.pointerType !== "mouse" && this.#press?.id !== event.pointerId) return;
    this.hover = this.#cell(event);
    const press = this.#press;
    if (!press) return;
    if (this.finger) this.finger = { x: event.clientX, y: event.clientY };
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_PX;
    if (this.picked === press.cell && (this.drag || far)) this.drag = { from: press.cell, ...this.#point(event) };
  }

  up(event: PointerEvent): void {
    const press = this.#press;
    if (press?.id !== event.pointerId) return;
    const cell = this.#cell(event);
    const drag = this.drag;
    const slid = this.finger !== null;
    this.#press = this.drag = this.finger = null;
    if (slid) this.hover = -1;
    if (cell < 0) return;
    if (drag && cell !== press.cell) {
      this.dropped = true;
      if (this.#isTarget(cell)) this.act(cell, false);
      else this.picked = null;
    } else if (!(press.fresh && cell === press.cell) && (slid || cell === press.cell)) {
      this.act(cell, false);
    } else if (press.fresh && cell === press.cell) {
      this.table().oncell?.(cell);
    }
  }

  /** The browser took the gesture over (scrolling, pinching), or another finger came. */
  cancel(): void {
    if (this.#press?.fresh) this.picked = null;
    this.#press = this.drag = this.finger = null;
    this.hover = -1;
  }

  leave(): void {
    if (!this.#press) this.hover = -1;
  }

  focus(visible: boolean): void {
    this.focused = visible;
    if (this.cursor >= 0) return;
    const { at, view } = this.table();
    this.cursor = view.last.at(-1) ?? (at.kind === "row" ? 0 : Math.floor(at.count / 2));
  }

  blur(): void {
    this.focused = false;
    this.#typed = "";
  }

  /** Whether the key was for the board. */
  key(event: KeyboardEvent, nowMs: number): boolean {
    if (event.altKey || event.metaKey || event.isComposing) return false;
    if (this.cursor < 0) this.focus(true);
    const { at, size } = this.table();
    const next = moved(at, this.cursor, event.key, event.ctrlKey);
    if (next >= 0) {
      this.cursor = next;
    } else if (event.ctrlKey) {
      return false;
    } else if (event.key === "Enter") {
      this.act(this.cursor, true);
    } else if (event.key === "Escape") {
      const busy = this.picked !== null || this.waiting !== null || this.asked !== null || this.#typed !== "";
      this.reset();
      this.#typed = "";
      return busy;
    } else {
      const before = nowMs - this.#typedAt < TYPING_MS ? this.#typed : "";
      const read = typed(size, before, event.key);
      if (!read) return false;
      this.#typed = read.text;
      this.#typedAt = nowMs;
      if (read.cell >= 0) this.cursor = read.cell;
    }
    this.focused = true;
    return true;
  }

  #canPick(cell: number): boolean {
    const { face, playable, selection } = this.table();
    if (!face.drags || !playable || selection) return false;
    return !this.#isTarget(cell) && face.targets(this.situation, cell).length > 0;
  }

  #isTarget(cell: number): boolean {
    return this.table().face.targets(this.situation, this.picked).some((target) => target.cell === cell);
  }

  #point(event: PointerEvent) {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    return toDrawing(this.table().at, box, event.clientX, event.clientY);
  }

  #cell(event: PointerEvent): number {
    return cellAt(this.table().at, this.#point(event));
  }
}
