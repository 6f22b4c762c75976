/**
 * Puts all that the page needs at once into one file, where it compresses better and arrives sooner than in a
 * dozen; only what is fetched on demand gets files of its own.
 */
interface Modules {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

interface Group {
  debugName: string;
  name: (id: string, modules: Modules) => string | null;
}

export function together(entry: string): Group {
  let needed: Set<string> | null = null;
  return {
    debugName: "app",
    name(id, modules) {
      needed ??= reachable(entry, modules);
      return needed.has(id) ? "app" : null;
    },
  };
}

function reachable(entry: string, modules: Modules): Set<string> {
  const seen = new Set<string>();
  const waiting = [entry];
  while (waiting.length > 0) {
    const id = waiting.pop()!;
    if (seen.has(id)) continue;
    seen.add(id);
    waiting.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
  }
  return seen;
}
