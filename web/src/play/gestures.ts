/** Stepping through history with the wheel over the board, or a swipe over the board and the plates. */

const WHEEL_STEP = 40; // pixels, or what a line of a coarse wheel comes to
const LINE_PX = 20;
const WHEEL_REST_MS = 70;
const SWIPE_PX = 48;
const SWIPE_MS = 600;

interface Steps {
  step(by: number): void;
  /** Whether a finger on the board means the board, not the history. */
  busy(): boolean;
  length(): number;
}

/** An attachment for an element over which the wheel steps. A page that has to scroll keeps its wheel. */
export function wheelSteps(steps: Steps) {
  return (element: HTMLElement) => {
    let sum = 0;
    let rested = 0;
    const turned = (event: WheelEvent) => {
      const page = document.documentElement;
      const scrolls = page.scrollHeight > page.clientHeight + 8;
      if (event.ctrlKey || scrolls || steps.length() === 0) return;
      event.preventDefault();
      sum += event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1);
      if (Math.abs(sum) < WHEEL_STEP || event.timeStamp < rested) return;
      rested = event.timeStamp + WHEEL_REST_MS;
      steps.step(Math.sign(sum));
      sum = 0;
    };
    element.addEventListener("wheel", turned, { passive: false });
    return () => element.removeEventListener("wheel", turned);
  };
}

/** An attachment for an element over which a finger swipes: to the right goes back, as a page turned back. */
export function swipeSteps(steps: Steps, board: boolean) {
  return (element: HTMLElement) => {
    let start: { x: number; y: number; at: number } | null = null;
    const down = (event: PointerEvent) => {
      const counts = event.pointerType === "touch" && event.isPrimary && !(board && steps.busy());
      start = counts ? { x: event.clientX, y: event.clientY, at: event.timeStamp } : null;
    };
    const up = (event: PointerEvent) => {
      if (!start) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      const quick = event.timeStamp - start.at < SWIPE_MS;
      start = null;
      if (quick && Math.abs(x) > SWIPE_PX && Math.abs(x) > 2 * Math.abs(y)) steps.step(x > 0 ? -1 : 1);
    };
    const cancel = () => (start = null);
    element.addEventListener("pointerdown", down);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", cancel);
    return () => {
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", cancel);
    };
  };
}
