/**
 * A study that somebody looks at, as rune state: the tree, where one is in it, and its positions. What the machine
 * says about them is in `analyst`.
 *
 * Positions are kept by the moves that lead to them (`key`), so they stay right when nodes are renumbered. Start
 * reading at `play`.
 */
import { api, sentence } from "../net";
import type { GameInfo, Position, ReviewedMove, Study, TurningPoint } from "../protocol";
import { toast } from "../toast.svelte";
import { Analyst } from "./analyst.svelte";
import { turningOf } from "./decided";
import { graphData, nextMistake } from "./graph";
import type { Mistake } from "./graph";
import * as tree from "./study";

export class ReviewSession {
  study = $state.raw<Study>()!;
  at = $state(tree.ROOT);
  changed = $state(false);
  pending = $state.raw<number[] | null>(null);
  problem = $state<string | null>(null);
  /** Where the game was lost, once that was asked. */
  turning = $state.raw<TurningPoint | null>(null);
  readonly analyst = new Analyst(this);

  #positions = $state.raw<ReadonlyMap<string, Position>>(new Map());

  readonly keys = $derived(tree.keysOf(this.study));
  readonly depths = $derived(tree.depthsOf(this.study));
  readonly children = $derived(tree.childrenOf(this.study));
  readonly path = $derived(tree.pathTo(this.study, this.at));
  /** The path to here and on to the end: what the slider goes along. */
  readonly line = $derived(tree.lineThrough(this.study, this.at));
  readonly main = $derived(tree.lineThrough(this.study, tree.ROOT));
  readonly onMain = $derived(this.main.includes(this.at));
  readonly key = $derived(this.keyOf(this.at));
  readonly position = $derived(this.#positions.get(this.key) ?? null);
  readonly analysis = $derived(this.analyst.of(this.key));
  /** What the review says of the move that led here. */
  readonly verdict = $derived(this.analyst.reviewed.get(this.key) ?? null);
  readonly mainReviews = $derived(this.#reviewsOf(this.main));
  readonly mainMoves = $derived(this.main.filter((at) => this.study.nodes[at]!.actions.length > 0).length);
  readonly lineReviews = $derived(this.#reviewsOf(this.line));
  readonly graph = $derived(graphData(this.lineReviews, this.line.length - 1));
  /** Where the game was lost as its review says, once every move of it has been reviewed. */
  readonly reviewedTurning = $derived.by(() => {
    const winner = this.study.result?.winner;
    if ((winner !== 0 && winner !== 1) || !this.mainMoves || this.mainReviews.length < this.mainMoves) return null;
    return turningOf(
      this.mainReviews,
      1 - winner,
      (number) => this.analyst.of(this.keyOf(this.main[number - 1]!))?.proven === "win",
    );
  });

  constructor(
    study: Study,
    readonly game: GameInfo,
    /** The match that it is a study of, if any. */
    readonly match: string | null,
    changed: boolean,
  ) {
    this.changed = changed;
    this.study = study;
    this.analyst.learn();
    void this.#fetch(this.main.at(-1)!);
  }

  close(): void {
    this.analyst.stop();
  }

  keyOf(at: number): string {
    return this.keys[at]!;
  }

  go(at: number): void {
    if (at === this.at || !this.study.nodes[at]) return;
    this.at = at;
    if (!this.position) void this.#fetch(tree.lineThrough(this.study, at).at(-1)!);
  }

  canStep(by: number): boolean {
    const there = this.path.length - 1 + by;
    return there >= 0 && there < this.line.length;
  }

  step(by: number): void {
    const here = this.path.length - 1;
    this.go(this.line[Math.min(this.line.length - 1, Math.max(0, here + by))]!);
  }

  /** To the next move that was tried instead of this one. */
  sibling(by: number): void {
    const parent = tree.node(this.study, this.at).parent;
    if (parent === null) return;
    const all = this.children[parent]!;
    this.go(all[(all.indexOf(this.at) + by + all.length) % all.length]!);
  }

  /** Adds a move, or goes to it where it is known. */
  async play(actions: number[]): Promise<void> {
    this.pending = actions;
    await this.#follow(this.at, [actions]);
    this.pending = null;
  }

  /** Adds a line of moves that the search found, and goes to its first. */
  async playLine(from: number, moves: number[][]): Promise<void> {
    if (moves.length) await this.#follow(from, moves);
  }

  remove(): void {
    this.#rebuilt(tree.without(this.study, this.at));
  }

  promote(): void {
    this.#rebuilt(tree.promoted(this.study, this.at));
  }

  comment(text: string): void {
    this.study = tree.withComment(this.study, this.at, text);
    this.changed = true;
  }

  /** To the next mistake of the line that one is on. */
  mistake(step: 1 | -1, sizes?: readonly Mistake[]): boolean {
    const number = nextMistake(this.lineReviews, this.path.length - 1, step, sizes);
    if (number !== null) this.go(this.line[number]!);
    return number !== null;
  }

  #reviewsOf(line: readonly number[]): ReviewedMove[] {
    return line.slice(1).flatMap((at, index) => {
      const found = this.analyst.reviewed.get(this.keyOf(at));
      return found ? [{ ...found, number: index + 1 }] : [];
    });
  }

  /** The position of a node, where it is known. */
  positionAt(at: number | null | undefined): Position | null {
    return at === null || at === undefined ? null : (this.#positions.get(this.keyOf(at)) ?? null);
  }

  /** The position that a node follows on. */
  before(at: number): Position | null {
    return this.positionAt(tree.node(this.study, at).parent);
  }

  showTurning(found: TurningPoint): void {
    this.turning = found;
    if (found.number) this.go(this.main[found.number]!);
  }

  #rebuilt({ study, at }: { study: Study; at: number }): void {
    this.study = study;
    this.at = at;
    this.changed = true;
    if (!this.position) void this.#fetch(at);
  }

  /** The positions of the whole line to a node, from each position that was set up on the way. */
  async #fetch(at: number): Promise<void> {
    const { study } = this;
    try {
      for (let end: number | null = at; end !== null; ) {
        const stretch = tree.stretchTo(study, end);
        const keys = stretch.map((each) => this.keyOf(each));
        this.#keep(keys, await api.line(tree.placeOf(study, end)));
        end = tree.node(study, stretch[0]!).parent;
      }
      this.problem = null;
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  /** Adds moves after a node and goes to the first of them. */
  async #follow(from: number, moves: number[][]): Promise<void> {
    const place = tree.placeOf(this.study, from);
    const start = tree.stretchTo(this.study, from).length - 1;
    try {
      const positions = await api.line({ ...place, moves: [...place.moves!, ...moves] });
      let { study } = this;
      let at = from;
      let first = from;
      moves.forEach((actions, index) => {
        const { seat, text } = positions[start + index + 1]!;
        ({ study, at } = tree.withMove(study, at, { seat, text, actions }));
        if (index === 0) first = at;
      });
      this.changed ||= study !== this.study;
      this.study = study;
      this.#keep(
        tree.stretchTo(study, at).map((each) => this.keyOf(each)),
        positions,
      );
      this.go(first);
      this.problem = null;
    } catch (error) {
      toast(sentence(error), "bad");
    }
  }

  #keep(keys: readonly string[], positions: readonly Position[]): void {
    const known = new Map(this.#positions);
    keys.forEach((key, index) => positions[index] && known.set(key, positions[index]));
    this.#positions = known;
  }
}
