/** Writes sw.js: src/sw.js with the list of the build's files and a version that changes when any of them does. */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

import type { Plugin, ResolvedConfig } from "vite";

const SHELL = /^(index\.html|theme\.js|icon\.svg|manifest\.webmanifest|assets\/.*\.(js|css|wasm))$/;

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
        const head = `const VERSION = "${hash.digest("hex").slice(0, 12)}";\nconst SHELL = ${JSON.stringify(list)};\n`;
        await writeFile(join(folder, "sw.js"), head + source);
      },
    },
  };
}
