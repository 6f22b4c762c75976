const BARS_PX = 130; // what stands over the foot of a small screen

/** An attachment: what has just come up is scrolled into sight if it is not. */
export function inSight(element: HTMLElement): void {
  element.style.scrollMarginBottom = `${BARS_PX}px`;
  requestAnimationFrame(() => element.scrollIntoView?.({ block: "nearest" }));
}
