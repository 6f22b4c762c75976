"""What the values of SGF properties mean to us, read as files really have them: results, points, clocks.
Nothing here raises for a value that makes no sense: it is as if it were not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from sgfmill import sgf_grammar

from tengen.facets.points import cell_name
from tengen.facets.words import plain_numbers, read_number
from tengen.records.record import Result

LONGEST_LIST = 10_000  # characters of points in one value, which are five times those of the largest board
SGF_LETTERS = "abcdefghijklmnopqrs"


def read_point(text: str, size: int) -> str:
    """The name of the point, `pass`, or the text as it is when it is neither.

    An empty value is a pass, and so is tt on boards up to 19×19. Capitals and names such as Q16 are seen.
    """
    word = "".join(text.split())
    low = word.lower()
    if low in ("", "pass") or (low == "tt" and size <= 19):
        return "pass"
    if len(low) == 2 and low[0] in SGF_LETTERS[:size] and low[1] in SGF_LETTERS[:size]:
        return cell_name(SGF_LETTERS.index(low[1]) * size + SGF_LETTERS.index(low[0]), size)
    return word


# Some characters, none of them torn from the backslash before it or the other half of a line break.
_PIECE = re.compile(rb"(?:\\(?:\r\n|\n\r|.)|\r\n|\n\r|[^\\]){1,4000}+", re.DOTALL)
_BLANKS, _ONE_LINE = bytes.maketrans(b"\t\f\v", b"   "), bytes.maketrans(b"\t\f\v\n", b"    ")
_SPAN = re.compile(r"\s*:\s*")
_LIST = re.compile(r"[,;\s]+")


def read_cells(values: Iterable[str], size: int) -> set[int] | None:
    """The cells of a list of points, where aa:cc is a rectangle; None when one cannot be read.

    Some programs write the whole list into one value: pd,dp.
    """
    cells: set[int] = set()
    values = list(values)
    if any(len(text) > LONGEST_LIST for text in values):
        return None
    words = {word for text in values for word in _LIST.split(_SPAN.sub(":", text.strip().lower()))}
    for word in words:
        found = _rectangle(word, size)
        if found is None:
            return None
        cells.update(found)
    return cells


@lru_cache
def _rectangle(value: str, size: int) -> tuple[int, ...] | None:
    corners = [word.strip() for word in value.split(":", 2)]
    if corners == [""]:
        return ()
    letters = SGF_LETTERS[:size]
    if len(corners) > 2 or not all(len(c) == 2 and c[0] in letters and c[1] in letters for c in corners):
        return None
    columns = sorted(letters.index(corner[0]) for corner in corners)
    rows = sorted(letters.index(corner[1]) for corner in corners)
    return tuple(
        row * size + column
        for row in range(rows[0], rows[-1] + 1)
        for column in range(columns[0], columns[-1] + 1)
    )


def write_point(cell: int, size: int) -> str:
    return SGF_LETTERS[cell % size] + SGF_LETTERS[cell // size]


def read_clock(text: str) -> float | None:
    """Seconds by SGF's BL and WL; None where it is no number, such as 05:30."""
    return read_number(text) if _NUMBER.fullmatch(text.strip()) else None


_SIZE = r"(?:\d{1,9}(?:[.,]\d{0,9})?|[.,]\d{1,9})"
_NUMBER = re.compile(rf"[-+]?{_SIZE}")
_DRAWN = re.compile(
    r"(?:0|draw|jigo|tie|drawn|draw by agreement|和棋|和局|和|平局|持碁|ジゴ|무승부|빅)(?:\s*[(,].*)?"
)
_VOID = re.compile(r"(?:void|no[ -]?result)(?:\s*[(,].*)?|.*(?:無勝負|无胜负|무효|三劫循[环環])")
_BLACK = "b|black|schwarz|noirs?|negro|negras|nero|ч[её]рные"
_WHITE = "w|white|weiss|blancs?|blanco|blancas|bianco|белые"
_WINS = "wins?|won|gewinnt|gagnent|gagne|gana|ganan|vince|выиграли"
_WINNER = re.compile(
    rf"(?:({_BLACK})|{_WHITE})(?:\s*\+\s*|\s+(?:{_WINS})\b\s*|\s+(?=by\b)|\s*\Z)(.*)", re.DOTALL
)
_LOSER = re.compile(
    r"(?:(b|black)|w|white)\s+(?:(resign|forfeit)(?:s|ed)?|(?:loses?|lost)\b\s*(.*))", re.DOTALL
)
_WINNERS = (("黑", 0), ("黒", 0), ("흑", 0), ("先番", 0), ("白", 1), ("백", 1))
# What stands after the winner, as a whole; what is none of these tells the winner alone.
_HOW = tuple(
    (reason, re.compile(rf"(?:(?:by|on|durch|par|por|per) )?(?:{words})(?:[\s,(].*)?", re.DOTALL))
    for reason, words in (
        ("resign", "r|res|resign(?:s|ed|ation)?|aufgabe|abandono?|abbandono|中[盘盤押].*|불계.*"),
        ("time", "t|time ?(?:out)?|zeit|temps|tiempo|tempo|(?:超时|超時|时间|時間|시간).*"),
        ("forfeit", "f|forf|forfeit(?:s|ed|ure)?|walk ?over|default|disqualif\\w*|disconnect\\w*|illegal.*"),
        ("repetition", "repetition|super ?ko"),
    )
)
_POINTS = re.compile(
    rf"(?:by\s+|win\s+)?(?:({_SIZE})(\s+1/2)?|(1/2))"
    r"\s*(?:p|pts?\.?|points?|moku|stones?|목|[目집](半|반)?\s*(?:勝ち?|승)?)?\.?(?:\s*[(\[{].*)?",
    re.DOTALL,
)
_EAST_RESIGNED = re.compile("中[盘盤押]|불계")
_EAST_TIME = re.compile("超时|超時|时间|時間|시간")
_EAST_LATE = re.compile("超时|超時|時間切れ")  # which is said of whom it happened to
_EAST_FORFEIT = re.compile("기권|[弃棄][权権權]|不戦|不戰|不战")
_EAST_WON = re.compile("[勝胜贏赢]|승")
_COUNTED_STONES = 100  # so many are not by how much was won: 黑胜185子 says what the winner has of 361
_EAST_LOST = re.compile("[负負敗败]|패|投了|认输|認輸|投子|던짐")
_EAST_GAVE_UP = re.compile("投了|认输|認輸|投子|던짐")
_EAST_POINTS = re.compile(
    rf"(?:番|方|棋|の)?\s*[勝胜]?\s*"
    rf"(?:({_SIZE})(?:(?:\s*又\s*|\s+)([1-3])\s*/\s*([24]))?|([1-3])\s*/\s*([24])|(半|반))"
    r"\s*(目半|집\s*반|[目집子])?\s*(?:[勝胜]ち?|승)?"
)
_PLAIN = re.compile(
    r"0|draw|jigo|void|[bw]\+(?:r|resign|t|time|f|forfeit|\d{1,4}(?:\.\d{1,3})?)?", re.IGNORECASE
)


def read_result(text: str) -> Result | None:
    """The result by SGF's RE; None when it is not known or not understood.

    A number is a margin only where nothing else stands beside it: 126th move is none.
    """
    low = " ".join(plain_numbers(text).replace("ß", "ss").split()).rstrip(".!;:")
    if _DRAWN.fullmatch(low):
        return Result(None, "agreement")
    if _VOID.fullmatch(low):
        return Result(None, "void")
    if found := _WINNER.fullmatch(low):
        return _won(0 if found[1] else 1, found[2].strip())
    if found := _LOSER.fullmatch(low):
        return _won(1 if found[1] else 0, found[2] or found[3].strip())
    for word, seat in _WINNERS:
        if low.startswith(word):
            return _won_in_the_east(seat, low[len(word) :].strip())
    return None


def is_plain_result(text: str) -> bool:
    """Whether `write_result` of what was read loses nothing of the text."""
    return not text or _PLAIN.fullmatch(text) is not None


def _won(seat: int, how: str) -> Result:
    for reason, words in _HOW:
        if words.fullmatch(how):
            return Result(seat, reason)
    points = _POINTS.fullmatch(how)
    if points is None:
        return Result(seat, "score")
    half = 0.5 if any(points.group(2, 3, 4)) else 0.0
    return Result(seat, "score", margin=(read_number(points[1] or "0") or 0.0) + half)


def _won_in_the_east(seat: int, how: str) -> Result | None:
    """By what is said of that colour: 黑负 is a loss, and 黑投了 one by giving up."""
    if how.startswith("+"):
        return _won(seat, how[1:].strip())
    won = _EAST_WON.search(how) is not None
    if not won and any(words.search(how) for words in (_EAST_LOST, _EAST_LATE, _EAST_FORFEIT)):
        gave_up = _EAST_GAVE_UP.search(how) or _EAST_RESIGNED.search(how)
        late = "time" if _EAST_TIME.search(how) else "forfeit" if _EAST_FORFEIT.search(how) else "score"
        return Result(1 - seat, "resign" if gave_up and late == "score" else late)
    if _EAST_RESIGNED.search(how):
        return Result(seat, "resign")
    for reason, words in (("time", _EAST_TIME), ("forfeit", _EAST_FORFEIT)):
        if words.search(how):
            return Result(seat, reason) if won else None
    points = _EAST_POINTS.fullmatch(how)
    if points is None:
        return Result(seat, "score") if won else None
    whole, top, bottom, only_top, only_bottom, half, unit = points.groups()
    margin = (read_number(whole) or 0.0) if whole else 0.0
    if top or only_top:
        margin += int(top or only_top) / int(bottom or only_bottom)
    if half or (unit and unit[-1] in "半반"):
        margin += 0.5
    if unit != "子":
        return Result(seat, "score", margin=margin)
    counted = margin >= _COUNTED_STONES
    return Result(seat, "score", margin=None if counted else 2 * margin)  # a stone is two points


def write_result(result: Result, scored: bool) -> str:
    """SGF's RE. `scored` says whether the winner is the side with more points, so that the margin is one."""
    if result.winner is None:
        return "Void" if result.reason in ("void", "repetition") else "0"
    words = {"resign": "R", "time": "T", "forfeit": "F"} | ({"repetition": "Repetition"} if scored else {})
    how = words.get(result.reason, "")
    margin = result.margin
    if margin is None and result.score is not None and scored:
        margin = abs(result.score[0] - result.score[1])
    if not how and margin is not None:
        how = f"{margin:g}"
    return f"{'BW'[result.winner]}+{how}"


def text_of(raw: bytes, *, one_line: bool = False) -> bytes:
    """What a raw text means: without its escapes, all blanks spaces, and on request so are line breaks.

    A long one is read piece by piece: what is done to it in one go keeps other threads waiting.
    """
    if b"\\" not in raw and b"\r" not in raw:
        return raw.translate(_ONE_LINE if one_line else _BLANKS)
    read = sgf_grammar.simpletext_value if one_line else sgf_grammar.text_value
    return b"".join(read(found[0]) for found in _PIECE.finditer(raw))
