import type { Attachment } from "svelte/attachments";

/** Calls `run` whenever the element has another size. */
export function resized(run: () => void): Attachment {
  return (element) => {
    if (typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(run);
    observer.observe(element);
    return () => observer.disconnect();
  };
}
