/** A study that grows by what is legal, node by node, as a file says; each node knows its position. */
import type { GameInfo, OptionValue, Place, Study, StudyNode } from "../../protocol";
import { childrenOf, pathTo, placeOf } from "../../review/study";
import type { Core, Told } from "../core/types";

export type Options = Record<string, OptionValue>;
export type Origin = [string, number] | null;

export const RESUME = "resume ";
const EMPTY: StudyNode = {
  parent: null,
  seat: null,
  text: "",
  actions: [],
  comment: "",
  resumed: null,
  origin: null,
  analysis: null,
  review: null,
  sgf: {},
};

/** Where files are read and written: with the rules, and the games that there are. */
export interface Desk {
  core: Core;
  games: readonly GameInfo[];
}

export class Growing {
  readonly nodes: StudyNode[] = [{ ...EMPTY }];
  readonly told: Told[] = [];
  /** What of the file could not be followed, in a sentence, and whether that is on its main line. */
  notice = "";
  broken = false;

  private constructor(
    private readonly core: Core,
    private readonly start: Place,
  ) {}

  static async from(core: Core, start: Place): Promise<Growing> {
    const growing = new Growing(core, start);
    growing.told.push(await core.position(start));
    return growing;
  }

  place(at: number): Place {
    return placeOf({ ...this.start, nodes: this.nodes } as Study, at);
  }

  /** A move after a node; throws what the core does. */
  async move(at: number, actions: number[]): Promise<number> {
    const seat = this.told[at]!.view.to_move;
    const { text, after } = await this.core.move(this.place(at), actions);
    return this.#add({ ...EMPTY, parent: at, seat, text, actions }, after);
  }

  /** A turn as it is written, or play that is resumed. */
  async read(at: number, text: string, seats: readonly string[]): Promise<number> {
    if (text.startsWith(RESUME)) return this.resume(at, seats.indexOf(text.slice(RESUME.length)));
    const { actions } = await this.core.parse(this.place(at), text);
    return this.move(at, actions);
  }

  async resume(at: number, seat: number): Promise<number> {
    const after = await this.core.resume(this.place(at), seat);
    return this.#add({ ...EMPTY, parent: at, text: after.text, resumed: seat }, after);
  }

  /** That seat plays on after the end: play is resumed, or where rules do not know that the passes are taken back. */
  async goOn(at: number, seat: number): Promise<number> {
    if (this.told[at]!.agreement) return this.resume(at, seat);
    const earlier = this.nodes[at]!.parent!;
    return this.told[earlier]!.view.to_move === seat ? earlier : this.nodes[earlier]!.parent!;
  }

  /** Goes on from another position. */
  async setUp(at: number, origin: [string, number]): Promise<number> {
    const { game, options } = this.start;
    const told = await this.core.position({ game, options, origin });
    return this.#add({ ...EMPTY, parent: at, origin }, told);
  }

  /** A branch of the file ends at a node. */
  stop(at: number, why: string, isMain: boolean): void {
    const stopped = `The file goes on here with what cannot be shown: ${why}`;
    if (!this.nodes[at]!.comment.split("\n").includes(stopped)) this.note(at, stopped); // of several variations once
    const depth = pathTo({ nodes: this.nodes } as Study, at).length - 1;
    this.notice ||= `The file cannot be followed ${depth ? `after move ${depth}` : "from its start"}: ${why}`;
    this.broken ||= isMain;
  }

  note(at: number, comment: string): void {
    const node = this.nodes[at]!;
    if (comment) node.comment = node.comment ? `${node.comment}\n${comment}` : comment;
  }

  mark(at: number, marks: Record<string, string[]>): void {
    const node = this.nodes[at]!;
    if (Object.keys(marks).length) node.sgf = { ...marks, ...node.sgf };
  }

  #add(node: StudyNode, told: Told): number {
    this.nodes.push(node);
    this.told.push(told);
    return this.nodes.length - 1;
  }
}

/** The last position of the main line. */
export function lastOf({ nodes, told }: Growing): Told {
  const children = childrenOf({ nodes } as Study);
  let at = 0;
  while (children[at]?.length) at = children[at]![0]!;
  return told[at]!;
}

