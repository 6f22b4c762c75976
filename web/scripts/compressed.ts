/** Writes .gz and .br beside each text file of a build and the engine, so that the server need not compress anything. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { Plugin, ResolvedConfig } from "vite";

const TEXT = /\.(js|css|html|svg|json|webmanifest|wasm)$/;
const WORTH_BYTES = 1024;

export function compressed(): Plugin {
  let config: ResolvedConfig;
  return {
    name: "tengen-compressed",
    apply: "build",
    enforce: "post",
    configResolved(resolved) {
      config = resolved;
    },
    writeBundle: {
      order: "post",
      sequential: true,
      async handler() {
        const folder = resolve(config.root, config.build.outDir);
        const files = await readdir(folder, { recursive: true });
        await Promise.all(files.filter((file) => TEXT.test(file) && !file.startsWith(".")).map((file) => pack(join(folder, file))));
      },
    },
  };
}

async function pack(path: string): Promise<void> {
  const content = await readFile(path);
  if (content.length < WORTH_BYTES) return;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  await Promise.all([
    promisify(gzip)(content, { level: 9 }).then((data) => writeFile(`${path}.gz`, data)),
    promisify(brotliCompress)(content, { params }).then((data) => writeFile(`${path}.br`, data)),
  ]);
}
