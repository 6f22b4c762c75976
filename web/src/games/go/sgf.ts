/** What SGF's root says of the game that it calls number 1: komi and rules, which files write in many ways. */
import type { SgfFace } from "../face";

function readKomi(text: string): number {
  let komi = Number(text.replace(",", ".")) || 0;
  if (Math.abs(komi) >= 100) komi /= 100; // some servers write hundredths,
  if (Math.abs(komi * 2) % 1 === 0.5) komi *= 2; // some Chinese stones
  return Math.abs(komi) <= 400 ? komi : 0;
}

/** Japanese when it says nothing that we know; situational superko is read as our positional one. */
function readRules(text: string): { ko: string; scoring: string } {
  const low = text.toLowerCase().replace(/[_-]/g, " ");
  const area = /chin|aga|zealand|\bnz\b|goe|ing\b|tromp|french|bga|area|stone scoring|中国|中國/.test(low);
  const territory = /japan|korea|territory|日本|韩国|한국/.test(low);
  const scoring = area && !territory ? "area" : "territory";
  if (/super ?ko|kopositional|kosituational/.test(low)) return { ko: "superko", scoring };
  if (/simple ?ko|kosimple/.test(low)) return { ko: "simple", scoring };
  return { ko: scoring === "area" ? "superko" : "simple", scoring };
}

function writeRules(ko: unknown, scoring: unknown): string {
  if (scoring === "area") return ko === "superko" ? "Chinese" : "Chinese, simple ko";
  return ko === "simple" ? "Japanese" : "Japanese, superko";
}

const face: SgfFace = {
  number: "1",
  handicap: "handicap",
  read: (text, size) => ({ size, komi: readKomi(text("KM")), ...readRules(text("RU")) }),
  write: ({ komi, ko, scoring }) => ({ KM: String(komi), RU: writeRules(ko, scoring) }),
};

export default face;
