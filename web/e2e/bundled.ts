/** A page of our own around parts of the client, built as `npm run build` builds them and served on a free port. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build, preview } from "vite";

export interface Bundled {
  url: string;
  close(): Promise<void>;
}

/** `folder` is beside this file and has an index.html. */
export async function bundled(folder: string): Promise<Bundled> {
  const root = resolve(import.meta.dirname, folder);
  const outDir = mkdtempSync(join(tmpdir(), "tengen-page-"));
  const rolldownOptions = { checks: { bundlerTimings: false, pluginTimings: false } };
  const building = { outDir, emptyOutDir: true, target: "es2022", rolldownOptions };
  const shared = { configFile: false, root, logLevel: "warn", build: building } as const;
  const remove = () => rmSync(outDir, { recursive: true, force: true });
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = "production"; // otherwise Svelte is built with its checks for developers, and slow
  try {
    await build({ ...shared, plugins: [svelte({ configFile: resolve(import.meta.dirname, "../svelte.config.js") })] });
    const server = await preview({ ...shared, preview: { host: "127.0.0.1" } });
    const close = async () => {
      await server.close();
      remove();
    };
    return { url: server.resolvedUrls!.local[0]!, close };
  } catch (error) {
    remove();
    throw error;
  } finally {
    process.env.NODE_ENV = before;
  }
}
