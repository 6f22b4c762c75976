/** Servers whose `ServerConfig` differs in a number, so that a test need not wait for as long as people do. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The environment of a server that has those numbers in place of the defaults. */
export function withConfig(numbers: Record<string, number>): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), "tengen-config-"));
  const code = [
    "import json",
    "from tengen.server.config import ServerConfig",
    `numbers = json.loads(${JSON.stringify(JSON.stringify(numbers))})`,
    "assert set(numbers) <= set(ServerConfig.__init__.__kwdefaults__), numbers",
    "ServerConfig.__init__.__kwdefaults__.update(numbers)",
  ];
  writeFileSync(join(folder, "sitecustomize.py"), `${code.join("\n")}\n`); // Python reads it when it starts
  return { PYTHONPATH: folder };
}
