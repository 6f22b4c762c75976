/**
 * Every key that does something, so that `?` can list them all. Pages call `useKeys`; keys typed into a field,
 * with Ctrl, Alt or Meta, or while a dialog is open are left alone, and so are Space and Enter on a button.
 */
import { untrack } from "svelte";

export interface Binding {
  key: string | readonly string[]; // as KeyboardEvent.key says it; letters in either case
  what: string; // for the list
  action: (event: KeyboardEvent) => void;
}

export interface Group {
  title: string;
  bindings: readonly Binding[];
}

class Keys {
  groups = $state.raw<readonly Group[]>([]);

  /** Returns what takes them away again. Where two groups want the same key, the later gets it. */
  add(group: Group): () => void {
    this.groups = [...this.groups, group];
    return () => (this.groups = this.groups.filter((other) => other !== group));
  }

  handle(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || isTaken(event)) return;
    for (const group of this.groups.toReversed()) {
      const binding = group.bindings.find(({ key }) => fits(event.key, key));
      if (binding) {
        event.preventDefault();
        binding.action(event);
        return;
      }
    }
  }
}

function fits(pressed: string, key: string | readonly string[]): boolean {
  return typeof key === "string" ? pressed.toLowerCase() === key.toLowerCase() : key.some((one) => fits(pressed, one));
}

function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (document.querySelector("dialog:modal")) return true;
  if (target?.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]")) return true;
  const presses = event.key === " " || event.key === "Enter";
  return presses && Boolean(target?.closest("button, a[href], summary, input, [role=menuitem]"));
}

export const keys = new Keys();
window.addEventListener("keydown", (event) => keys.handle(event));

/** In a component: these keys work as long as it is shown. Both functions may read rune state. */
export function useKeys(title: () => string, bindings: () => readonly Binding[]): void {
  $effect(() => {
    const group = { title: title(), bindings: bindings() };
    return untrack(() => keys.add(group));
  });
}
