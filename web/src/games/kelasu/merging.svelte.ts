/**
 * What Kelasu adds to a match on the screen: a merge under way (the blanks chosen, what they become and where it
 * stands), the end of a turn, and the keys for them.
 */
import { t } from "../../i18n";
import type { Binding } from "../../keys.svelte";
import type { Session } from "../../play/session.svelte";
import type { ActionButton, Companion } from "../face";
import { detailsOf } from "./hand";
import { END_TURN, mergeActions, mergeChoices } from "./merges";
import type { MergeChoice } from "./merges";

export class Merging implements Companion {
  on = $state(false);
  #chosen = $state.raw<{ cells: number[]; at: string | undefined }>({ cells: [], at: undefined });
  kind = $state<string | null>(null);
  target = $state<number | null>(null);

  constructor(private readonly session: Session) {}

  /** The blanks chosen in the position that stands: after a takeback they may be elsewhere. */
  get blanks(): number[] {
    return this.#chosen.at === this.session.now?.position ? this.#chosen.cells : [];
  }

  /** What the chosen blanks can become. */
  choices = $derived.by(() => {
    const now = this.session.now;
    return this.on && now ? mergeChoices(detailsOf(now.view), this.blanks) : [];
  });
  /** The merge that would be sent now. */
  ready = $derived(this.choices.find((choice) => choice.kind === this.kind && choice.more === 0) ?? null);

  get busy(): boolean {
    return this.on;
  }

  get board() {
    if (!this.on) return {};
    const marks = this.ready && this.target !== null ? [{ cell: this.target, label: this.ready.kind }] : [];
    return { selection: this.blanks, onselect: (cells: number[]) => this.chooseBlanks(cells), marks };
  }

  get canEndTurn(): boolean {
    const { canMove, now } = this.session;
    return canMove && now !== null && detailsOf(now.view).may_end_turn;
  }

  get buttons(): ActionButton[] {
    const toggle = () => (this.on ? void this.stop() : this.start());
    return [
      { label: t("kelasu.merge"), icon: "plus", pressed: this.on, disabled: !this.session.canMove, run: toggle },
      ...(this.#endsEarly
        ? [{ label: t("kelasu.end_turn"), icon: "pass" as const, disabled: !this.canEndTurn, run: () => this.endTurn() }]
        : []),
    ];
  }

  get keys(): Binding[] {
    return [
      ...(this.#endsEarly ? [{ key: " ", what: t("kelasu.end_turn"), action: () => this.endTurn() }] : []),
      { key: "m", what: t("kelasu.key_merge"), action: () => (this.on ? void this.stop() : this.start()) },
    ];
  }

  get #endsEarly(): boolean {
    return this.session.info?.options.may_end_turn_early === true;
  }

  start(): void {
    if (!this.session.canMove) return;
    this.chooseBlanks([]);
    this.on = true;
  }

  stop(): boolean {
    const was = this.on;
    this.on = false;
    this.chooseBlanks([]);
    return was;
  }

  /** A tap on a chosen blank, once it is said what they become, says where the piece stands. */
  chooseBlanks(cells: number[]): void {
    const tapped = this.blanks.find((cell) => !cells.includes(cell));
    if (this.ready && tapped !== undefined && cells.length === this.blanks.length - 1) {
      this.target = tapped;
      return;
    }
    this.#choose(cells);
    this.kind = null;
    this.target = cells.at(-1) ?? null;
  }

  #choose(cells: number[]): void {
    this.#chosen = { cells, at: this.session.now?.position };
  }

  /** Takes the blanks that are missing from those nearest to the chosen ones. */
  chooseKind(choice: MergeChoice): void {
    this.kind = choice.kind;
    this.#choose(choice.cells);
  }

  merge(): void {
    const { ready, target } = this;
    if (!ready || target === null) return;
    const actions = mergeActions(ready.kind, ready.cells, target);
    this.stop();
    this.session.move(actions);
  }

  endTurn(): void {
    if (this.canEndTurn) this.session.move([END_TURN]);
  }
}
