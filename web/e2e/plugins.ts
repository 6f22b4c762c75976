/** Games that somebody has added, without installing anything: a folder for PYTHONPATH with modules and entry points. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

export interface Plugin {
  game: string; // as the entry point calls it
  file: string; // from the root of the repository
  kind: string; // the class in it
}

export const TIC_TAC_TOE: Plugin = { game: "tic-tac-toe", file: "tests/contract/tic_tac_toe.py", kind: "TicTacToe" };
/** A package in a folder of the repository, by the entry point that it declares. */
export function packaged(folder: string): Plugin {
  const project = readFileSync(join(ROOT, folder, "pyproject.toml"), "utf8");
  const point = /^\[project\.entry-points\."tengen\.games"\]\n(\S+) = "(\w+):(\w+)"$/m.exec(project);
  if (!point) throw new Error(`${folder} declares no game.`);
  const [, game, module, kind] = point;
  return { game: game!, file: `${folder}/${module}.py`, kind: kind! };
}

/** The environment of a server that has them. */
export function withPlugins(...plugins: Plugin[]): NodeJS.ProcessEnv {
  const folder = mkdtempSync(join(tmpdir(), "tengen-plugins-"));
  const about = join(folder, "added_games-0.1.dist-info");
  mkdirSync(about);
  for (const { file } of plugins) copyFileSync(join(ROOT, file), join(folder, basename(file)));
  const points = plugins.map(({ game, file, kind }) => `${game} = ${basename(file, ".py")}:${kind}`);
  writeFileSync(join(about, "METADATA"), "Metadata-Version: 2.1\nName: added-games\nVersion: 0.1\n");
  writeFileSync(join(about, "entry_points.txt"), `[tengen.games]\n${points.join("\n")}\n`);
  return { PYTHONPATH: folder };
}

export const CONNECT_FOUR = packaged("examples/connect-four");
