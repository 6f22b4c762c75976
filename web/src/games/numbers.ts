/** Numbers as files write them. The server's are in src/tengen/facets/words.py. */

const SIGNS: Record<string, string> = { "½": " 1/2", "¼": " 1/4", "¾": " 3/4", "−": "-" };
const NUMERALS = "一二三四五六七八九";
const digit = (numeral: string) => String(NUMERALS.indexOf(numeral) + 1);

/** The text in small letters with numbers as digits and fractions as 3/4: 三又四分之三子 is 3又3/4子. */
export function plainNumbers(text: string): string {
  return text
    .replace(/[½¼¾−]/g, (sign) => SIGNS[sign]!)
    .normalize("NFKC")
    .replace(/\u2044/g, "/")
    .toLowerCase()
    .replace(/([二四])分之([一三])/g, (_, of: string, part: string) => `${digit(part)}/${digit(of)}`)
    .replace(/[一二三四五六七八九](?=\s*[目子又点點])/g, digit);
}
