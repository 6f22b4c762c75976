/** What SGF's root says of the game that it calls number 1: komi and rules, which files write in many ways. */
import type { SgfFace } from "../face";
import { plainNumbers } from "../numbers";

/** The first number in a text, with a comma or a point. */
function readNumber(text: string): number | null {
  const found = /[-+]?\d{1,9}(?:[.,]\d{0,9})?|[-+]?[.,]\d{1,9}/.exec(text);
  return found ? Number(found[0].replace(",", ".")) : null;
}

const MOST_KOMI = 400; // either way, as the option has it

/** Points for White; null where there is no number that could be. Files of our own need no guessing. */
function readKomi(text: string, ours: boolean): number | null {
  const komi = ours && /^[-+]?\d{1,9}(?:\.\d{0,9})?$/.test(text) ? Number(text) : guessedKomi(text);
  return komi !== null && Math.abs(komi) <= MOST_KOMI ? komi : null;
}

function guessedKomi(stated: string): number | null {
  const text = plainNumbers(stated);
  if (/\d\s*e\s*[-+]?\d/.test(text)) return null;
  const part = /(?:(?<=\d)\s*又\s*|(?<![\d.,]))([1-3])\s*\/\s*([24])(?!\d)/.exec(text);
  let komi = readNumber(part ? text.slice(0, part.index) : text);
  if (part) {
    komi ??= 0;
    komi += (Math.sign(komi) || 1) * (Number(part[1]) / Number(part[2]));
  } else if (komi === null) {
    return null;
  } else if (Number.isInteger(komi) && /[目집]\s*(?:半|반)/.test(text)) {
    komi += (Math.sign(komi) || 1) * 0.5;
  }
  if (Math.abs(komi) >= 100) komi /= 100; // some servers write hundredths,
  if (Math.abs(komi * 2) % 1 === 0.5 && Math.abs(komi) < 5) komi *= 2; // some Chinese stones
  return /reverse|逆|倒[贴貼]/.test(text) ? -Math.abs(komi) : komi;
}

type Rules = { ko: string; scoring: string; bonus: string; suicide: boolean; dead: string };

// Rules under which stones on the board count: those of places, where the players agree on what is dead, and those
// where it has to be captured.
const agreedRules = /\bchin|\bcn\b|\baga|zealand|\bnz\b|\bgoe|\bing\b|fren|fran[cç]ais|\bbga\b|\bsst\b|中国|中國|중국|应氏|應氏|응씨|[数數]子/;
const capturedRules = /tromp|area|stone (?:scoring|counting)/;
const NO_AGREEMENT = "no agreement";

/** Japanese when it says nothing that we know. */
function readRules(text: string): Rules {
  const low = text.toLowerCase().replace(/[_-]/g, " ");
  const agreed = agreedRules.test(low);
  const captured = capturedRules.test(low);
  const territory = /japan|\bjp\b|korea|\bkr\b|territory|日本|일본|[韩韓][国國]|한국|[数數]目/.test(low);
  const scoring = (agreed || captured) && !territory ? "area" : "territory";
  const american = /\baga\b|\bbga\b|french|fran[cç]ais/.test(low);
  const zealand = /zealand|\bnz\b/.test(low);
  let ko = american || zealand ? "situational" : scoring === "area" ? "superko" : "simple";
  if (/situational/.test(low)) ko = "situational";
  else if (/super ?ko|kopositional/.test(low)) ko = "superko";
  else if (/simple ?ko|kosimple/.test(low)) ko = "simple";
  const bonus = american || /bonus n 1|whbn 1/.test(low) ? "less_one" : /bonus n|whbn/.test(low) ? "full" : "zero";
  const friendly = (agreed && !captured && !low.includes(NO_AGREEMENT)) || low.includes("fpok1");
  const dead = scoring === "area" && friendly ? "agreed" : "by_scoring";
  return { ko, scoring, bonus, suicide: zealand || /\bsuicide\b|sui1|tromp/.test(low), dead };
}

const isSame = (one: Rules, other: Rules) =>
  (Object.keys(one) as (keyof Rules)[]).every((name) => one[name] === other[name]);

const presets: Record<string, Rules> = {
  chinese: readRules("Chinese"),
  aga: readRules("AGA"),
  new_zealand: readRules("NZ"),
};

/** With the preset that they are, if they are one. */
function named(rules: Rules): Rules & { rules?: string } {
  const name = Object.keys(presets).find((one) => isSame(presets[one]!, rules));
  return name ? { rules: name, ...rules } : rules;
}

const koWords: Record<string, string> = { simple: "simple ko", superko: "superko", situational: "situational superko" };

/** What `readRules` reads back. */
function writeRules(options: Record<string, unknown>): string {
  const { ko, scoring, bonus = "zero", suicide = false, dead = "by_scoring" } = options as Rules;
  const area = scoring === "area";
  const wanted = { ko, scoring, bonus, suicide, dead: area ? dead : "by_scoring" };
  const name = ["Japanese", "Chinese", "AGA", "NZ", "Tromp-Taylor"].find((one) => isSame(readRules(one), wanted));
  if (name) return name;
  const words = [area ? "Chinese" : "Japanese"];
  if (ko !== (area ? "superko" : "simple")) words.push(koWords[ko] ?? "");
  if (bonus === "less_one") words.push("bonus N-1");
  if (bonus === "full") words.push("bonus N");
  if (suicide) words.push("suicide");
  if (area && dead !== "agreed") words.push(NO_AGREEMENT);
  return words.filter(Boolean).join(", ");
}

const OURS = "tengen"; // AP, which says who wrote a file

const face: SgfFace = {
  number: "1",
  handicap: "handicap",
  read: (text, size) => ({ size, komi: readKomi(text("KM"), text("AP").startsWith(OURS)) ?? 0, ...named(readRules(text("RU"))) }),
  write: (options, info, stones) => {
    const unstated = (info.unstated ?? "").split(" ");
    const komi = Number(options.komi ?? 0);
    const told = readRules(info.rules ?? "");
    const same = told.scoring === options.scoring && told.bonus === (options.bonus ?? "zero");
    const rules = same && (info.rules || unstated.includes("rules")) ? (info.rules ?? "") : writeRules(options);
    return {
      KM: komi || !(info.komi || unstated.includes("komi")) ? String(komi) : (info.komi ?? ""),
      RU: rules,
      HA: info.handicap || (stones && !unstated.includes("handicap") ? String(stones) : ""),
    };
  },
  stated: (text, options, stones, own) => {
    const [komi, rules, handicap] = [text("KM"), text("RU"), text("HA")];
    const unstated = [...(komi ? [] : ["komi"]), ...(rules ? [] : ["rules"]), ...(stones && !own && !handicap ? ["handicap"] : [])];
    return {
      ...(unstated.length ? { unstated: unstated.join(" ") } : {}),
      ...(komi && readKomi(komi, text("AP").startsWith(OURS)) === null ? { komi } : {}),
      ...(rules && writeRules(options) !== rules ? { rules } : {}),
      ...(!["", "0", String(stones)].includes(handicap) ? { handicap } : {}),
    };
  },
  alternatives: (options) =>
    [options, ...(options.suicide ? [] : [{ rules: "japanese", bonus: "zero", dead: "by_scoring", ...options, suicide: true }])].flatMap((stated) =>
      [...new Set([options.ko, "simple", "superko"])].map((ko) => ({ ...stated, ko: ko ?? null })),
    ),
};

export default face;
