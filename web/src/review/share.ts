/** Taking a study along: as a file, or as a link that others can open. */
import { isLocal } from "../engine/engine.svelte";
import { t } from "../i18n";
import { api, ApiError } from "../net";
import type { RecordFormat } from "../net";
import type { Study } from "../protocol";

/** The path under which others find the study; one that was changed, or is on this device alone, is stored anew. */
export async function sharePath(study: Study, match: string | null, changed: boolean): Promise<string> {
  if (!changed && match && !isLocal(match)) return `/review/${encodeURIComponent(match)}`;
  if (!changed && study.id && !isLocal(study.id)) return `/study/${encodeURIComponent(study.id)}`;
  return `/study/${encodeURIComponent(await sent(study))}`;
}

/** Puts a study into the server's store, and says under which id. */
export async function sent(study: Study): Promise<string> {
  const game = (await api.games()).find(({ name }) => name === study.game);
  const text = await api.exportStudy(study, game?.formats.includes("sgf") ? "sgf" : "json");
  const stored = await api.importStudy({ text });
  if (!stored.id || isLocal(stored.id)) throw new ApiError("unavailable", t("common.unreachable"));
  return stored.id;
}

/** Saves the study as a file and says its name. */
export async function download(study: Study, format: RecordFormat, analysis: boolean): Promise<string> {
  const text = await api.exportStudy(study, format, analysis);
  const players = study.players.map((player) => player.name).filter(Boolean);
  const name = [study.game, ...players].join("-").replace(/[^\p{L}\p{N}-]+/gu, "_");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/octet-stream" }));
  link.download = `${name}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  return link.download;
}
