/**
 * Builds the client into the Python package. `npm run dev` serves it with /api passed on to TENGEN_SERVER;
 * `npm run build -- --outDir DIR` builds elsewhere. `npm run site` builds the client that needs no server, for any
 * static host and any folder of it.
 */
import { resolve } from "node:path";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

import { compressed } from "./scripts/compressed.ts";
import { together } from "./scripts/together.ts";
import { worker } from "./scripts/worker.ts";

const server = process.env.TENGEN_SERVER ?? "http://127.0.0.1:7777";

const QUIET = { bundlerTimings: false, pluginTimings: false };

export default defineConfig(({ mode }) => ({
  base: mode === "site" ? "./" : "/",
  plugins: [svelte(), worker(), ...(mode === "site" ? [] : [compressed()])],
  build: {
    outDir: mode === "site" ? "../build/site" : "../src/tengen/web",
    emptyOutDir: true,
    target: "es2022",
    manifest: true,
    assetsInlineLimit: 0, // the server's policy allows no data: addresses
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: QUIET,
      output: { codeSplitting: { groups: [together(resolve(import.meta.dirname, "src/main.ts"))] } },
    },
  },
  // Below whichever path the page is served, its files find each other; the server puts that path into the page.
  experimental: { renderBuiltUrl: (_, { hostType }) => (hostType === "html" ? undefined : { relative: true }) },
  worker: { format: "es", rolldownOptions: { checks: QUIET } },
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: server, ws: true, changeOrigin: true } },
  },
  resolve: mode === "test" ? { conditions: ["browser"] } : {},
  test: {
    environment: "jsdom",
    environmentOptions: { jsdom: { url: "http://tengen.test/" } },
    pool: "threads",
    isolate: false, // src/apart.ts does it
    setupFiles: ["src/apart.ts"],
    include: ["src/**/*.test.ts", "tests/unit/**/*.test.ts"],
  },
}));
