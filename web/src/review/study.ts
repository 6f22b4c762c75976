/**
 * A study as a tree: nodes in a flat list in which a parent always stands before its children, node 0 the start.
 *
 * Among the children of a node the first is the main one, in the order of the list. Nothing here changes a study;
 * what adds or removes nodes gives a new one. Legality is not checked: moves come from the server's lists.
 */
import { wayOf } from "../net/place";
import type { LineMove, MatchInfo, Outcome, Person, Place, Study, StudyNode } from "../protocol";

export const ROOT = 0;

export function node(study: Study, at: number): StudyNode {
  const found = study.nodes[at];
  if (!found) throw new RangeError(`There is no node ${at}.`);
  return found;
}

/** The children of every node, the main one first. */
export function childrenOf(study: Study): number[][] {
  const children: number[][] = study.nodes.map(() => []);
  study.nodes.forEach((each, at) => {
    if (each.parent !== null) children[each.parent]?.push(at);
  });
  return children;
}

/** The nodes from the start to this one, both included. */
export function pathTo(study: Study, at: number): number[] {
  const path: number[] = [];
  for (let each: number | null = at; each !== null; each = node(study, each).parent) path.push(each);
  return path.reverse();
}

/** The path to a node and on from there by main children to the end. */
export function lineThrough(study: Study, at: number): number[] {
  const children = childrenOf(study);
  const path = pathTo(study, at);
  for (let next = children[at]?.[0]; next !== undefined; next = children[next]?.[0]) path.push(next);
  return path;
}

export function isMain(study: Study, at: number): boolean {
  return lineThrough(study, ROOT).includes(at);
}

/** The path to a node from where pieces were set up last, which may be the start. */
export function stretchTo(study: Study, at: number): number[] {
  const path = pathTo(study, at);
  return path.slice(Math.max(0, path.findLastIndex((each) => Boolean(node(study, each).origin))));
}

export function placeOf(study: Study, at: number): Place {
  const [first, ...rest] = stretchTo(study, at);
  const way = wayOf(rest.map((each) => node(study, each)));
  return { game: study.game, options: study.options, origin: node(study, first!).origin ?? study.origin, ...way };
}

/** The study with one more move after a node, and where it is; a move that is there already is only found. */
export function withMove(
  study: Study,
  parent: number,
  move: { seat: number | null; text: string; actions: number[] },
): { study: Study; at: number } {
  const known = study.nodes.findIndex(
    (each) => each.parent === parent && !each.origin && each.actions.join() === move.actions.join(),
  );
  if (known >= 0) return { study, at: known };
  const added: StudyNode = { parent, comment: "", resumed: null, origin: null, analysis: null, review: null, sgf: {}, ...move };
  return { study: { ...study, nodes: [...study.nodes, added] }, at: study.nodes.length };
}

/** The study without a node and all that follows on it, and where its parent is then. */
export function without(study: Study, at: number): { study: Study; at: number } {
  const parent = node(study, at).parent;
  if (parent === null) return { study, at: ROOT };
  const kept = new Map<number, number>();
  const nodes: StudyNode[] = [];
  study.nodes.forEach((each, index) => {
    if (index === at || (each.parent !== null && !kept.has(each.parent))) return;
    kept.set(index, nodes.length);
    nodes.push({ ...each, parent: each.parent === null ? null : kept.get(each.parent)! });
  });
  return { study: { ...study, nodes }, at: kept.get(parent)! };
}

/** The study with the path to a node as its main line, and where the node is then. */
export function promoted(study: Study, at: number): { study: Study; at: number } {
  if (isMain(study, at)) return { study, at };
  const children = childrenOf(study);
  for (const each of pathTo(study, at).slice(1)) {
    const parent = node(study, each).parent!;
    children[parent] = [each, ...children[parent]!.filter((other) => other !== each)];
  }
  const renamed = new Map<number, number>();
  const nodes: StudyNode[] = [];
  const queue = [ROOT];
  for (const each of queue) {
    const old = node(study, each);
    renamed.set(each, nodes.length);
    nodes.push({ ...old, parent: old.parent === null ? null : renamed.get(old.parent)! });
    queue.push(...children[each]!);
  }
  return { study: { ...study, nodes }, at: renamed.get(at)! };
}

/** The study without what is known of its positions, which the server knows itself. */
export function bare(study: Study): Study {
  return { ...study, nodes: study.nodes.map((each) => ({ ...each, analysis: null, review: null })) };
}

export function withComment(study: Study, at: number, comment: string): Study {
  return { ...study, nodes: study.nodes.map((each, index) => (index === at ? { ...each, comment } : each)) };
}

/** By node, how many moves lead to it. */
export function depthsOf(study: Study): number[] {
  const depths: number[] = [];
  for (const { parent } of study.nodes) depths.push(parent === null ? 0 : depths[parent]! + 1);
  return depths;
}

/** By node, a text of the moves that lead to it: the same for the same line, however nodes are numbered. */
export function keysOf(study: Study): string[] {
  const keys: string[] = [];
  for (const { parent, actions, resumed, origin } of study.nodes) {
    const own = origin ? `set up ${origin.join(" ")}` : resumed === null ? actions.join(".") : `resumed ${resumed}`;
    keys.push(parent === null ? "" : `${keys[parent]}/${own}`);
  }
  return keys;
}

/** A move of the list with the other moves that were tried in its place, each with what followed on it. */
export interface ListedMove {
  at: number;
  variations: ListedMove[][];
}

/** The main line after a node, with its variations. */
export function listed(study: Study, from: number = ROOT): ListedMove[] {
  const children = childrenOf(study);
  const follow = (next: readonly number[]): ListedMove[] => {
    const found: ListedMove[] = [];
    for (let [main, ...others] = next; main !== undefined; [main, ...others] = children[main]!) {
      const variations = others.map((at) => [{ at, variations: [] }, ...follow(children[at]!)]);
      found.push({ at: main, variations });
    }
    return found;
  };
  return follow(children[from] ?? []);
}

/** A study of a match that has no stored one, such as one that is still under way. */
export function studyOfMatch(info: MatchInfo, line: readonly LineMove[], result: Outcome | null): Study {
  const players = info.seats.map((seat) => ({ name: seat.name, kind: seat.kind })) as [Person, Person];
  const unknown = { comment: "", origin: null, analysis: null, review: null, sgf: {} };
  const root: StudyNode = { parent: null, seat: null, text: "", actions: [], resumed: null, ...unknown };
  const moves = line.map(({ seat, text, actions, resumed }, at) => ({
    parent: at,
    seat,
    text,
    actions,
    resumed,
    ...unknown,
  }));
  const { game, options, origin } = info;
  const fresh = { id: null, title: "", number: 1, games: 1, info: {}, started: "", notice: "" };
  return { game, options, origin, players, result, nodes: [root, ...moves], ...fresh };
}
