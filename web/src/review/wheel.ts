/** The wheel over the board steps through the game; at its ends the page scrolls as usual. */

const STEP_PX = 40;
const LINE_PX = 20; // what a line of a coarse wheel comes to
const REST_MS = 60;

export function wheelSteps(step: (by: 1 | -1) => void, canStep: (by: 1 | -1) => boolean) {
  return (element: HTMLElement) => {
    let sum = 0;
    let rested = 0;
    const turned = (event: WheelEvent) => {
      const by = event.deltaY > 0 ? 1 : -1;
      if (event.ctrlKey || event.deltaY === 0 || !canStep(by)) return;
      event.preventDefault();
      const moved = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1);
      sum = Math.sign(sum) === by ? sum + moved : moved;
      if (Math.abs(sum) < STEP_PX || event.timeStamp < rested) return;
      rested = event.timeStamp + REST_MS;
      sum = 0;
      step(by);
    };
    element.addEventListener("wheel", turned, { passive: false });
    return () => element.removeEventListener("wheel", turned);
  };
}
