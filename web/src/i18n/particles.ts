/**
 * Korean particles that depend on how the word before them ends: texts have both forms, "{move}은(는)", and a reader
 * should see one. What is not known how to be read aloud keeps both.
 */
const FORMS: Record<string, readonly [closed: string, open: string]> = {
  "은(는)": ["은", "는"],
  "이(가)": ["이", "가"],
  "을(를)": ["을", "를"],
  "와(과)": ["과", "와"],
  "(으)로": ["으로", "로"],
};
const R = 8; // the final consonant ㄹ, after which "로" stands as after a vowel
/** How letters and digits end when they are read: 0 in a vowel, R in ㄹ, else in another consonant. */
const READ: Record<string, number> = { 0: 1, 1: R, 3: 1, 6: 1, 7: R, 8: R, l: R, m: 1, n: 1, r: R };

export const PARTICLE = "(은\\(는\\)|이\\(가\\)|을\\(를\\)|와\\(과\\)|\\(으\\)로)?";

function ending(word: string): number | null {
  const last = /[\p{L}\p{N}](?=[^\p{L}\p{N}]*$)/u.exec(word)?.[0];
  if (last === undefined) return null;
  if (last >= "가" && last <= "힣") return (last.charCodeAt(0) - 0xac00) % 28;
  return /[a-z0-9]/i.test(last) ? (READ[last.toLowerCase()] ?? 0) : null;
}

/** The one of both forms that follows that word. */
export function particle(word: string, both: string): string {
  const forms = FORMS[both];
  const end = ending(word);
  if (!forms || end === null) return both;
  return forms[end === 0 || (both === "(으)로" && end === R) ? 1 : 0];
}
