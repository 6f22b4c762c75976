/**
 * Studies from files and as files, in the page: SGF with all variations, and the main line as our JSON record. The
 * server does the same for whoever has one; records.test.ts lets each read what the other writes, and both read
 * sgf.cases.json. Start reading at `readStudy` and `writeStudy`.
 */
import type { Import, Study } from "../../protocol";
import { Refusal } from "../table/refusal";
import { decode } from "./encoding";
import type { Desk } from "./growing";
import { readRecord, writeRecord } from "./json";
import { readSgf } from "./reading";
import { writeTree } from "./writing";

export type { Desk } from "./growing";

/** The study in the text of an SGF file or of a JSON record; of a collection the game with that number. */
export async function readStudy(desk: Desk, text: string, number = 1): Promise<Study> {
  const plain = text.replace(/^\uFEFF/, "").trim();
  if (!plain) throw new Refusal("malformed", "The file is empty.");
  return plain.startsWith("{") ? readRecord(desk, plain) : readSgf(desk, plain, number);
}

/** The text of a file, whose bytes are in whatever encoding. */
export function textOf({ text, data }: Import): string {
  return data ? decode(Uint8Array.from(atob(data), (each) => each.charCodeAt(0))) : (text ?? "");
}

export function writeStudy(desk: Desk, study: Study, format: "json" | "sgf"): Promise<string> {
  return format === "sgf" ? writeTree(desk, study) : writeRecord(desk, study);
}
