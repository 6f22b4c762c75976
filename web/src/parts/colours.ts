/** The colour that a custom property means now: it may hold light-dark(), which a canvas cannot read. */
export function resolved(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found || "gray";
}
