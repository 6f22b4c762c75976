/** What SGF's root says of the game that it calls number 1: komi and rules, which files write in many ways. */
import type { SgfFace } from "../face";

/** The first number in a text, with a comma or a point. */
function readNumber(text: string): number | null {
  const found = /[-+]?\d{1,9}(?:[.,]\d{0,9})?|[-+]?[.,]\d{1,9}/.exec(text);
  return found ? Number(found[0].replace(",", ".")) : null;
}

/** Points for White; null where there is no number that could be. Files of our own need no guessing. */
function readKomi(text: string, ours: boolean): number | null {
  let komi = readNumber(text);
  if (komi === null || ours) return komi;
  if (Number.isInteger(komi)) {
    const whole = text.replace(/½/g, " 1/2").normalize("NFKC").replace(/⁄/g, "/");
    komi = readNumber(whole) ?? 0;
    const part = /(?:\s*又)?\s*([1-3])\s*\/\s*([24])|\s*½/.exec(whole);
    if (part) komi += part[1] ? Number(part[1]) / Number(part[2]) : 0.5;
    else if (/[目집](?:半|반)/.test(whole)) komi += 0.5;
  }
  if (Math.abs(komi) >= 100) komi /= 100; // some servers write hundredths,
  if (Math.abs(komi * 2) % 1 === 0.5 && Math.abs(komi) < 5) komi *= 2; // some Chinese stones
  return Math.abs(komi) <= 400 ? komi : null;
}

type Rules = { ko: string; scoring: string; bonus: string; suicide: boolean };

/** Japanese when it says nothing that we know. */
function readRules(text: string): Rules {
  const low = text.toLowerCase().replace(/[_-]/g, " ");
  const area = /chin|\bcn\b|aga|zealand|\bnz\b|goe|ing\b|sst|tromp|fren|fran[cç]ais|bga|area|stone scoring|中国|中國|중국|应氏|應氏|응씨|[数數]子/.test(low);
  const territory = /japan|\bjp\b|korea|\bkr\b|territory|日本|일본|[韩韓][国國]|한국|[数數]目/.test(low);
  const scoring = area && !territory ? "area" : "territory";
  const american = /\baga\b|\bbga\b|french|fran[cç]ais/.test(low);
  const zealand = /zealand|\bnz\b/.test(low);
  let ko = american || zealand ? "situational" : scoring === "area" ? "superko" : "simple";
  if (/situational/.test(low)) ko = "situational";
  else if (/super ?ko|kopositional/.test(low)) ko = "superko";
  else if (/simple ?ko|kosimple/.test(low)) ko = "simple";
  const bonus = american || /bonus n 1|whbn 1/.test(low) ? "less_one" : /bonus n|whbn/.test(low) ? "full" : "zero";
  return { ko, scoring, bonus, suicide: zealand || /\bsuicide\b|sui1|tromp/.test(low) };
}

const koWords: Record<string, string> = { simple: "simple ko", superko: "superko", situational: "situational superko" };

/** What `readRules` reads back. */
function writeRules({ ko, scoring, bonus, suicide }: Record<string, unknown>): string {
  const same = (rules: Rules) =>
    rules.ko === ko && rules.scoring === scoring && rules.bonus === (bonus ?? "zero") && rules.suicide === (suicide ?? false);
  const name = ["Japanese", "Chinese", "AGA", "NZ"].find((one) => same(readRules(one)));
  if (name) return name;
  const words = [scoring === "area" ? "Chinese" : "Japanese"];
  if (ko !== (scoring === "area" ? "superko" : "simple")) words.push(koWords[String(ko)] ?? "");
  if (bonus === "less_one") words.push("bonus N-1");
  if (bonus === "full") words.push("bonus N");
  if (suicide) words.push("suicide");
  return words.filter(Boolean).join(", ");
}

const OURS = "tengen"; // AP, which says who wrote a file

const face: SgfFace = {
  number: "1",
  handicap: "handicap",
  read: (text, size) => ({ size, komi: readKomi(text("KM"), text("AP").startsWith(OURS)) ?? 0, ...readRules(text("RU")) }),
  write: (options, info, stones) => {
    const unstated = (info.unstated ?? "").split(" ");
    const komi = Number(options.komi ?? 0);
    const told = readRules(info.rules ?? "");
    const same = told.scoring === options.scoring && told.bonus === (options.bonus ?? "zero") && told.suicide === (options.suicide ?? false);
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
      ...(komi && readKomi(komi, false) === null ? { komi } : {}),
      ...(rules && writeRules(options) !== rules ? { rules } : {}),
      ...(!["", "0", String(stones)].includes(handicap) ? { handicap } : {}),
    };
  },
  alternatives: (options) => [...new Set([options.ko, "simple", "superko"])].map((ko) => ({ ...options, ko: ko ?? null })),
};

export default face;
