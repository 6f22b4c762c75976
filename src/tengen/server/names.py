"""What people may be called, and what they may write: nothing that hides, turns round or passes for another.

Names and texts are brought into one form (NFKC for names) without controls, signs of direction and letters
that show nothing. A name keeps to one script, or to those that are written together. Two names look alike
when they have the same `skeleton`: letters that are drawn like Latin ones (facts of Unicode's list of
confusables) count as those, without accents and case. The operator's words are found by it too.
Start reading at `clean_name` and `Words`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from tengen.server.errors import Refusal
from tengen.server.protocol import MAX_NAME, Person, Study

MOST_MARKS = 2  # accents on one letter
_SECOND = " (2)"
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and signs that show nothing
# Marks that show nothing by themselves: they choose between forms of a letter, or keep letters apart.
_UNSEEN = {chr(0x34F)} | {
    chr(code) for codes in ((0x180B, 0x1810), (0xFE00, 0xFE10), (0xE0100, 0xE01F0)) for code in range(*codes)
}
_HIDDEN = frozenset(("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"))  # controls, signs of direction, line breaks
_KEPT = frozenset("\n\t\u200c\u200d")  # in a text: these join letters in some scripts, or do not
# Scripts that people mix within a word, beside Latin.
_TOGETHER = (
    frozenset(("HANGUL", "CJK")),
    frozenset(("HIRAGANA", "KATAKANA", "CJK")),
    frozenset(("BOPOMOFO", "CJK")),
)
_ANY_SCRIPT = frozenset(("MICRO", "MODIFIER", "FEMININE", "MASCULINE", "KELVIN", "ANGSTROM", "OHM"))
_ALIKE = {
    "a": "ɑΑαАаᎪꓮ",
    "b": "ƄΒВЬᏏᏴꓐꞴ",
    "c": "СсᏟᴄⲤⲥꓚꮯ",
    "d": "ԁᎠᏧꓒꓓ",
    "e": "ΕЕеҽᎬꓰꬲ",
    "f": "ϜքẝꓝꞘꞙꬵ",
    "g": "ƍɡԌցᏀᏳᶃꓖ",
    "h": "ΗНһհᎻᏂⲎꓧ",
    "i": "ıɩɪιіӏᎥꙇꭵ",
    "j": "ͿϳЈјᎫꓙꞲ",
    "k": "ΚКᏦⲔꓗ",
    "l": "ƖǀΙІӀᏞⲒⳐꓡꓲ",
    "m": "ΜϺМᎷⲘꓟ",
    "n": "ΝոռⲚꓠ",
    "o": "ΟοσОоՕօᴏᴑⲞⲟꓳꬽ",
    "p": "ΡρРрᏢⲢⲣꓑ",
    "q": "ԛգզ",
    "r": "ƦгᎡᏒᴦⲅꓣꭇꭈꮁ",
    "s": "ƽЅѕՏᏕᏚꓢꜱꮪ",
    "t": "ΤТᎢⲦꓔ",
    "u": "ʋυՍսᴜꓴꞟꭎꭒ",
    "v": "νѴѵᏙᴠꓦꮩ",
    "w": "ɯѡԜԝաᎳᏔᴡꓪꮃ",
    "x": "ΧХхⲬꓫꞳ",
    "y": "ɣʏΥγУуҮүᎩᎽᶌỿⲨꓬꭚ",
    "z": "ΖᏃᴢꓜꮓ𐋵",
}
_LATIN = {ord(one): letter for letter, others in _ALIKE.items() for one in others}
# What a letter is called that is a Latin one in other clothes, which no form of Unicode takes off.
_DRESSED = re.compile(
    r"(?:LATIN (?:SMALL |CAPITAL )?LETTER|LATIN LETTER SMALL CAPITAL|REGIONAL INDICATOR SYMBOL LETTER"
    r"|(?:CROSSED )?NEGATIVE (?:SQUARED|CIRCLED) LATIN CAPITAL LETTER) ([A-Z])(?: WITH .*)?"
)
_STROKES = str.maketrans("01i|!5$@", "ollllssa")
_BETWEEN = re.compile(r"[^\w|!$@]|_")
_ROLES = ("admin", "administrator", "moderator", "operator", "tengen", "system", "server")


def clean_name(name: str) -> str:
    """A nickname in one form, at most MAX_NAME characters; raises Refusal for one that passes for another.

    It may be empty, as it is where no character would be seen.
    """
    folded = unicodedata.normalize("NFKC", name[: 4 * MAX_NAME])[: 8 * MAX_NAME]  # one letter may be eighteen
    kept = "".join(
        " " if letter.isspace() or letter in _BLANK else letter
        for letter in folded
        if letter.isspace() or (unicodedata.category(letter) not in _HIDDEN and letter not in _UNSEEN)
    )
    name = " ".join(_few_marks(kept).split())[:MAX_NAME].rstrip()
    if not any(unicodedata.category(letter)[0] in "LNPS" for letter in name):
        return ""
    if not _one_script(name):
        raise Refusal("malformed", "That name mixes letters of several scripts; keep to one.")
    if shape(name) in _ROLE_SHAPES:
        raise Refusal("malformed", "That name could be taken for whoever runs this server; choose another.")
    return name


def clean_text(text: str) -> str:
    """A text of several lines without what hides or turns round; what it says stays."""
    return "".join(
        letter for letter in text if letter in _KEPT or unicodedata.category(letter) not in _HIDDEN
    )


def clean_study(study: Study) -> Study:
    """The same for all that somebody wrote into a study."""
    from msgspec.structs import replace

    one, other = (Person(clean_text(player.name), clean_text(player.kind)) for player in study.players)
    nodes = [replace(node, comment=clean_text(node.comment)) for node in study.nodes]
    return replace(study, title=clean_text(study.title), players=(one, other), nodes=nodes)


def skeleton(text: str) -> str:
    """What a text looks like from afar: equal for those that are easily mixed up."""
    latin = _undressed(text).translate(_LATIN).casefold().translate(_LATIN)
    return latin.translate(_STROKES).replace("rn", "m").replace("vv", "w")


def _undressed(text: str) -> str:
    """With plain letters for those with accents or strokes, in boxes, or small and capital at once."""
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFKD", text)
    return "".join(_plain(letter) for letter in parts if unicodedata.category(letter) != "Mn")


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    found = None if letter.isascii() else _DRESSED.fullmatch(unicodedata.name(letter, ""))
    return letter if found is None else found[1].lower()


def shape(name: str) -> str:
    """The skeleton of a name, however it is spaced out; of one without letters its signs count."""
    return skeleton(_BETWEEN.sub("", _undressed(name))) or skeleton(name)


def look_alike(one: str, other: str) -> bool:
    """Whether two different names are easily mixed up."""
    return bool(one) and one != other and shape(one) == shape(other)


def told_apart(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it where somebody at the table has the same."""
    if not name or name not in others:
        return name
    return f"{name[: MAX_NAME - len(_SECOND)].rstrip()}{_SECOND}"


def _few_marks(text: str) -> str:
    """Without accents piled up on a letter."""
    kept: list[str] = []
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks <= MOST_MARKS:
            kept.append(letter)
    return "".join(kept)


def _one_script(name: str) -> bool:
    scripts = {unicodedata.name(letter, "?").split(" ")[0] for letter in name if letter.isalpha()}
    scripts -= _ANY_SCRIPT
    others = scripts - {"LATIN"}
    return len(scripts) <= 1 or any(others <= together for together in _TOGETHER)


_ROLE_SHAPES = frozenset(map(shape, _ROLES))


class Words:
    """What the operator does not want to read: a word a line, `*word*` also within others; # is a remark."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        wanted = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
        self._whole = {skeleton(line) for line in wanted if not line.startswith("*")}
        self._within = {skeleton(line.strip("*")) for line in wanted if line.startswith("*")} - {""}

    def are_in(self, text: str) -> bool:
        if not self._whole and not self._within:
            return False
        words = set(re.findall(r"\w+", skeleton(text)))
        close = skeleton(_BETWEEN.sub("", _undressed(text)))  # as one word, however it is spaced out
        return not self._whole.isdisjoint({*words, close}) or any(word in close for word in self._within)

    def check_name(self, name: str) -> None:
        if self.are_in(name):
            raise Refusal("malformed", "That name is not wanted on this server; choose another.")

    def check_study(self, study: Study) -> None:
        texts = [study.title, *(player.name for player in study.players)]
        if any(self.are_in(text) for text in (*texts, *(node.comment for node in study.nodes))):
            raise Refusal("malformed", "This server does not keep a text with such words.")
