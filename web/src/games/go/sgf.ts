/** What SGF's root says of the game that it calls number 1: komi and rules, which files write in many ways. */
import type { SgfFace } from "../face";

function readKomi(text: string): number {
  let komi = Number(text.replace(",", ".")) || 0;
  if (Math.abs(komi) >= 100) komi /= 100; // some servers write hundredths,
  if (Math.abs(komi * 2) % 1 === 0.5 && Math.abs(komi) < 5) komi *= 2; // some Chinese stones
  return Math.abs(komi) <= 400 ? komi : 0;
}

type Rules = { ko: string; scoring: string; bonus: string; suicide: boolean };

/** Japanese when it says nothing that we know. */
function readRules(text: string): Rules {
  const low = text.toLowerCase().replace(/[_-]/g, " ");
  const area = /chin|\bcn\b|aga|zealand|\bnz\b|goe|ing\b|sst|tromp|fren|bga|area|stone scoring|中国|中國|중국|应氏|應氏|응씨|[数數]子/.test(low);
  const territory = /japan|\bjp\b|korea|\bkr\b|territory|日本|일본|[韩韓][国國]|한국|[数數]目/.test(low);
  const scoring = area && !territory ? "area" : "territory";
  const american = /\baga\b|\bbga\b|french/.test(low);
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

const face: SgfFace = {
  number: "1",
  handicap: "handicap",
  read: (text, size) => ({ size, komi: readKomi(text("KM")), ...readRules(text("RU")) }),
  write: (options) => ({ KM: String(options.komi), RU: writeRules(options) }),
};

export default face;
