/** Turns effects into animations of transform and opacity, 120 to 250 ms long. Durations are in milliseconds. */
import { centre, type Layout } from "./geometry";
import type { Effect } from "./drawn";

const EASE = "cubic-bezier(.2,.7,.2,1)";

/** A piece that has left its cell and is drawn until its animation is over. */
export type Leaving = { key: number; cell: number; letter: string; to: number | null };

/** Starts what moves a piece that stands on the board; `find` gives the drawing on a cell. */
export function animateIn(at: Layout, effects: Effect[], find: (cell: number) => Element | null): void {
  for (const effect of effects) {
    switch (effect.kind) {
      case "place":
        run(find(effect.cell), [{ transform: "scale(1.25)", opacity: 0.2 }, { transform: "none", opacity: 1 }], 140);
        break;
      case "slide":
        slide(find(effect.to), at, effect.from, effect.to, effect.far);
        break;
      case "turn":
        run(find(effect.cell), [{ transform: "scaleX(0)" }, { transform: "none" }], 240);
        break;
      case "merge":
        run(find(effect.cell), [{ transform: "scale(.3)", opacity: 0 }, { transform: "none", opacity: 1 }], 250);
        break;
    }
  }
}

function slide(element: Element | null, at: Layout, from: number, to: number, far: boolean): void {
  const [start, end] = [centre(at, from), centre(at, to)];
  const offset = `translate(${start.x - end.x}px,${start.y - end.y}px)`;
  const half = `translate(${(start.x - end.x) / 2}px,${(start.y - end.y) / 2}px) scale(1.35)`;
  const frames = [offset, ...(far ? [half] : []), "none"].map((transform) => ({ transform }));
  run(element, frames, far ? 250 : 180);
}

/** Lets a leaving piece go: into another cell when it merges or converts, else away where it stands. */
export function animateOut(at: Layout, leaving: Leaving, element: Element, done: () => void): void {
  let last: Keyframe = { transform: "scale(.55)", opacity: 0 };
  if (leaving.to !== null) {
    const [start, end] = [centre(at, leaving.cell), centre(at, leaving.to)];
    last = { transform: `translate(${end.x - start.x}px,${end.y - start.y}px) scale(.5)`, opacity: 0 };
  }
  const animation = run(element, [{ transform: "none", opacity: 1 }, last], 220);
  if (!animation) return done();
  animation.onfinish = animation.oncancel = done;
}

function run(element: Element | null, frames: Keyframe[], duration: number): Animation | null {
  return element?.animate?.(frames, { duration, easing: EASE, fill: "none" }) ?? null;
}

/** The pieces that must be drawn a little longer for these effects. */
export function leavingPieces(effects: Effect[], nextKey: () => number): Leaving[] {
  return effects.flatMap((effect): Leaving[] => {
    if (effect.kind === "remove") return [{ key: nextKey(), cell: effect.cell, letter: effect.letter, to: null }];
    if (effect.kind === "turn" && effect.by) return [{ key: nextKey(), ...effect.by, to: effect.cell }];
    if (effect.kind === "merge") return effect.from.map((piece) => ({ key: nextKey(), ...piece, to: effect.cell }));
    return [];
  });
}
