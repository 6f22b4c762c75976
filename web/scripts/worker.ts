/**
 * Writes sw.js: src/sw.js with the list of the build's files and a version that changes when any of them does, and the
 * list of the brains, which are kept from when they are first used.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import type { Plugin, ResolvedConfig } from "vite";

const SHELL = /^(index\.html|theme\.js|icon\.svg|manifest\.webmanifest|assets\/.*\.(js|css|wasm))$/;
const BRAIN = /^assets\/.*\.onnx$/;

export function worker(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "tengen-worker",
    apply: "build",
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle: {
      sequential: true,
      async handler() {
        const folder = resolve(config.root, config.build.outDir);
        const files = (await readdir(folder, { recursive: true })).map((file) => file.replaceAll("\\", "/"));
        const shell = files.filter((file) => SHELL.test(file)).sort();
        const hash = createHash("sha256");
        for (const file of shell) hash.update(file).update(await readFile(join(folder, file)));
        const list = shell.map((file) => (file === "index.html" ? "./" : file));
        const source = await readFile(join(config.root, "src/sw.js"), "utf8");
        const brains = files.filter((file) => BRAIN.test(file)).sort();
        const given = { VERSION: hash.digest("hex").slice(0, 12), SHELL: list, BRAINS: brains };
        const head = Object.entries(given).map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`).join("");
        await writeFile(join(folder, "sw.js"), head + source);
      },
    },
  };
}
