/**
 * What encoding the bytes of an SGF file are in, which it often does not say or says wrongly. The same judgement as the
 * server's (src/tengen/records/_sgf_encoding.py), with a copy of its data (tools/facts.py): the encodings of East Asia
 * are told apart by how familiar their characters are. Other alphabets are told by where their letters stand. Start
 * reading at `decode`.
 */
import tables from "./encodings.json";

type Row = [from: number, to: number, worth: number];

/** By the server's name: the browser's, the rows of its table and its familiar characters. */
const EAST: Record<string, { label: string; rows: Row[]; familiar: Set<string> }> = Object.fromEntries(
  (
    [
      ["gb18030", "gb18030", tables.familiar.gb18030],
      ["big5hkscs", "big5", tables.familiar.big5hkscs],
      ["cp932", "shift_jis", tables.familiar.japanese],
      ["euc_jp", "euc-jp", tables.familiar.japanese],
      ["cp949", "euc-kr", tables.familiar.cp949],
    ] as const
  ).map(([name, label, lines]) => [name, { label, rows: tables.rows[name] as Row[], familiar: new Set(lines.join("")) }]),
);
const EAST_LABELS = new Map(Object.entries(EAST).map(([name, { label }]) => [label, name]));
const LATER = new Set(["gb18030", "cp949"]); // whose tables grew by second bytes below 0xa1
const WESTERN = new Set(["windows-1252", "iso-8859-15", "macintosh"]);
const ALPHABETS = ["windows-1252", "windows-1251", "windows-1250", "koi8-r", "windows-1253", "windows-1254"]; // in the order of trust
const BROKEN = -3;
const BROKEN_SHARE = 0.05;
const BROKEN_UTF8 = 0.25;
const DOUBTFUL = 0.45;
const SURE = 0.6;
const MORE = 0.25;
const ENOUGH = 8;
const SAMPLE = 1 << 16;
const ESCAPE = String.fromCharCode(0x1b);
const JAPANESE = new RegExp(`${ESCAPE}\\$[@B][^${ESCAPE}]{2,2000}${ESCAPE}\\([BJ]`); // ISO-2022 in ASCII bytes
const NOT_ASCII = /[^\0-\x7f]/gu;

/** The text of a file: by its byte order mark, its CA property, as UTF-8, or as what it looks like. */
export function decode(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes);
  if (wide) return read(bytes, wide);
  const head = read(bytes.subarray(0, SAMPLE), "windows-1252");
  const sample = sampleOf(bytes);
  let chosen = statedIn(head);
  if (!sample) return shifted(bytes, head, chosen);
  const truly = chosen ? contradicted(sample, chosen) : "";
  if (truly) return read(bytes, truly);
  const candidates = [...new Set([chosen, "utf-8"])].filter(Boolean);
  for (chosen of candidates) {
    if (isWhole(bytes, chosen)) return read(bytes, chosen);
  }
  for (chosen of candidates) {
    const text = read(sample, chosen);
    const share = chosen === "utf-8" ? BROKEN_UTF8 : BROKEN_SHARE;
    if (count(text, /\ufffd/g) <= share * count(text, NOT_ASCII)) return read(bytes, chosen);
  }
  const [best, worth] = likeliest(sample);
  return read(bytes, worth > DOUBTFUL ? EAST[best]!.label : alphabet(sample));
}

function wideEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    const [one, other] = [bytes[at]!, bytes[at + 1]!];
    if ((one === 0) === (other === 0)) return "";
    if (one === 0x28 || other === 0x28) return other === 0 ? "utf-16le" : "utf-16be";
  }
  return "";
}

/** The encoding that CA names, by the browser's name; empty where that is none, or one that the first bytes tell. */
function statedIn(head: string): string {
  const start = Math.max(head.indexOf("("), 0);
  const named = /CA\s*\[\s*([A-Za-z0-9_.:-]{1,40})\s*\]/.exec(head.slice(start, start + 4096))?.[1];
  if (!named) return "";
  try {
    const plain = named.replace(/^cp(?=125\d$)/i, "windows-").replace(/^cp932$/i, "shift_jis").replace(/^cp949$/i, "euc-kr").replace(/^cp950$/i, "big5");
    const { encoding } = new TextDecoder(plain);
    if (encoding === "gbk") return "gb18030";
    return encoding.startsWith("utf-16") || encoding === "replacement" ? "" : encoding;
  } catch {
    return "";
  }
}

/** A text of ASCII bytes alone, which may say where another alphabet begins and ends. */
function shifted(bytes: Uint8Array, head: string, stated: string): string {
  if (JAPANESE.test(head)) return read(bytes, "iso-2022-jp");
  if (!/~\{(?:[!-w][!-~]){1,1000}~\}/.test(head)) return read(bytes, stated || "utf-8");
  const plain = read(bytes, "windows-1252");
  const raised = plain.replace(/~\{((?:[!-w][!-~])*)~\}/g, (_, pairs: string) => pairs.replace(/[\s\S]/g, (each) => String.fromCharCode(each.charCodeAt(0) | 0x80)));
  return read(Uint8Array.from(raised.replace(/~\n/g, "").replace(/~~/g, "~"), (each) => each.charCodeAt(0)), "gb18030");
}

/** The encoding that the text is really in where that is plainly not what the file says, else empty. */
function contradicted(sample: Uint8Array, chosen: string): string {
  const east = EAST_LABELS.get(chosen);
  if (!east && !WESTERN.has(chosen)) return "";
  const own = east ? worthOf(sample, east) : 0;
  if (isWhole(sample, "utf-8", true) && (!east || own < SURE)) return "utf-8";
  if (!east && looksWestern(read(sample, chosen))) return "";
  const [best, worth] = likeliest(sample);
  if (worth > SURE && worth - own > MORE) return EAST[best]!.label;
  const enough = east !== undefined || sample.filter((byte) => byte >= 0x80).length >= ENOUGH;
  return own <= 0 && worth <= DOUBTFUL && enough ? alphabet(sample) : "";
}

/** Whether most of what is not ASCII are letters that stand alone, as in Köln or Besançon. */
function looksWestern(text: string): boolean {
  const alone = (text.match(/[^\0-\x7f]+/gu) ?? []).filter((run) => /^\p{L}$/u.test(run));
  return alone.length >= count(text, NOT_ASCII) / 2;
}

function sampleOf(bytes: Uint8Array): Uint8Array | null {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  return first < 0 ? null : bytes.subarray(Math.max(0, first - 1), Math.max(0, first - 1) + SAMPLE);
}

function likeliest(sample: Uint8Array): [name: string, worth: number] {
  const worths = Object.keys(EAST).map((name): [string, number] => [name, worthOf(sample, name)]);
  return worths.reduce((best, one) => (one[1] > best[1] ? one : best));
}

/** How common the characters are on average, up to 1; a broken one, or one within a Latin word, counts against all. */
function worthOf(sample: Uint8Array, name: string): number {
  const text = read(sample, EAST[name]!.label);
  const found = text.match(NOT_ASCII) ?? [];
  const pairs = pairsOf(name);
  const known = new Map([...new Set(found)].map((char) => [char, charWorth(char, name, pairs.get(char))]));
  let total = found.reduce((sum, char) => sum + known.get(char)!, 0);
  for (const [within] of text.matchAll(/(?<=[A-Za-z])[^\0-\x7f][a-z]?/gu)) {
    const [char = ""] = within;
    const last = pairs.get(char)?.[1] ?? 0;
    if (/[a-z]$/.test(within) || (last >= 0x61 && last <= 0x7a)) total += BROKEN - known.get(char)!;
  }
  return found.length ? total / found.length : 0;
}

function charWorth(char: string, name: string, pair: readonly [number, number] | undefined): number {
  if (char === "\ufffd") return BROKEN;
  if (EAST[name]!.familiar.has(char)) return 1;
  if (!pair || (LATER.has(name) && pair[1] < 0xa1)) return -0.3;
  return EAST[name]!.rows.find(([from, to]) => from <= pair[0] && pair[0] < to)?.[2] ?? -0.3;
}

const known = new Map<string, Map<string, [number, number]>>();

/** The two bytes of each character of an encoding that has two. */
function pairsOf(name: string): Map<string, [number, number]> {
  const made = known.get(name) ?? new Map<string, [number, number]>();
  if (known.has(name)) return made;
  known.set(name, made);
  const decoder = new TextDecoder(EAST[name]!.label);
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    const bytes: number[] = [];
    for (let trail = 0x40; trail <= 0xfe; trail++) bytes.push(lead, trail, 0x0a);
    for (const [index, char] of decoder.decode(Uint8Array.from(bytes)).split("\n").entries()) {
      if ([...char].length === 1 && char !== "\ufffd" && !made.has(char)) made.set(char, [lead, 0x40 + index]);
    }
  }
  return made;
}

/** The alphabet in which the letters stand as letters do: no signs in words, and capitals where words begin. */
function alphabet(sample: Uint8Array): string {
  const strange = (name: string): number => {
    const text = read(sample, name);
    const signs = count(text, /(?<=[A-Za-z])[^\0-\x7f](?<!\p{Script=Latin})(?=[a-z])|(?<=\p{L})[^\p{L}\p{M}\0-\x7f]|[^\p{L}\p{M}\0-\x7f](?=\p{L})/gu);
    const capitals = count(text, /(?<=\p{Ll})(?![\0-\x7f])\p{Lu}/gu);
    const mixed = count(text, /(?<=[A-Za-z])(?!\p{Script=Latin})[^\0-\x7f]|(?![A-Za-z])\p{Script=Latin}{3,}/gu);
    return signs + capitals + mixed;
  };
  return ALPHABETS.reduce((best, name) => (strange(name) < strange(best) ? name : best));
}

function read(bytes: Uint8Array, label: string): string {
  return new TextDecoder(label).decode(bytes);
}

/** Whether all of it is in that encoding; the end of a sample may be within a letter. */
function isWhole(bytes: Uint8Array, label: string, isSample = false): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: isSample });
    return true;
  } catch {
    return false;
  }
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
