/** Short words that come up at the edge of the page, are read out, and go away. */

export interface Toast {
  id: number;
  text: string;
  kind: "plain" | "good" | "bad";
}

const SHOWN_MS = 5_000;
let last = 0;

class Toasts {
  all = $state.raw<readonly Toast[]>([]);

  remove(id: number): void {
    this.all = this.all.filter((toast) => toast.id !== id);
  }
}

export const toasts = new Toasts();

export function toast(text: string, kind: Toast["kind"] = "plain"): void {
  const id = ++last;
  toasts.all = [...toasts.all.filter((other) => other.text !== text), { id, text, kind }].slice(-3);
  setTimeout(() => toasts.remove(id), SHOWN_MS);
}
