const BARS_PX = 130; // what stands over the foot of a small screen

/** What an element scrolls in, if that is not the page. */
function scroller(element: HTMLElement): HTMLElement | null {
  for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(box).overflowY)) return box;
  }
  return null;
}

/** An attachment: what has just come up is scrolled into sight if it is not; of what is too tall, the beginning. */
export function inSight(element: HTMLElement): void {
  requestAnimationFrame(() => {
    const box = scroller(element);
    element.style.scrollMarginBottom = box ? "0px" : `${BARS_PX}px`; // the bars stand over the page, not over a box
    const room = box ? box.clientHeight : innerHeight - BARS_PX;
    element.scrollIntoView?.({ block: element.offsetHeight > room ? "start" : "nearest" });
  });
}
