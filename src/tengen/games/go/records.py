"""Go on paper and over a pipe: game 1 of SGF, whose komi, rules and handicap files write in many ways, and
the game that GTP is about.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from tengen.facets.records import KataQuestion, Records, SgfStart
from tengen.facets.words import plain_numbers, read_number

if TYPE_CHECKING:
    from tengen.game import Game, OptionValue, State
    from tengen.games.go.rules import Go


OURS = "tengen"  # AP, which says who wrote a file
RULE_OPTIONS = ("ko", "scoring", "bonus", "suicide", "dead")
MOST_KOMI = 400  # either way, as the option has it
MOST_STONES = 5  # that Chinese players give as komi: 3¾ are the most usual
KO_WORDS = {"simple": "simple ko", "superko": "superko", "situational": "situational superko"}


# Rules under which stones on the board count: those of places, where the players agree on what is dead, and
# those where it has to be captured.
_AGREED = re.compile(
    r"\bchin|\bcn\b|\baga|zealand|\bnz\b|\bgoe|\bing\b|fren|fran[cç]ais|\bbga\b|\bsst\b"
    r"|中国|中國|중국|应氏|應氏|응씨|[数數]子"
)
_CAPTURED = re.compile(r"tromp|area|stone (?:scoring|counting)")
_NO_AGREEMENT = "no agreement"
_TERRITORY = re.compile(r"japan|\bjp\b|korea|\bkr\b|territory|日本|일본|[韩韓][国國]|한국|[数數]目")
_NUMBER = re.compile(r"[-+]?\d{1,9}(?:\.\d{0,9})?")
_FRACTION = re.compile(r"(?:(?<=\d)\s*又\s*|(?<![\d.,]))([1-3])\s*/\s*([24])(?!\d)")
_HALF = re.compile(r"[目집]\s*(?:半|반)")
_POWER = re.compile(r"\d\s*e\s*[-+]?\d")
_REVERSED = re.compile(r"reverse|逆|倒[贴貼]")


def read_komi(text: str, ours: bool = False) -> float | None:
    """Points for White, None where the text has no number that could be.

    Some servers write hundredths (650), some Chinese stones (3.75 for 7.5 points); files of our own neither.
    """
    komi = float(text) if ours and _NUMBER.fullmatch(text) else _guessed_komi(text)
    return komi if komi is not None and abs(komi) <= MOST_KOMI else None


def _guessed_komi(text: str) -> float | None:
    text = plain_numbers(text)
    if _POWER.search(text):
        return None
    fraction = _FRACTION.search(text)
    komi = read_number(text if fraction is None else text[: fraction.start()])
    if fraction is not None:
        komi = komi or 0.0
        komi += math.copysign(int(fraction[1]) / int(fraction[2]), komi)
    elif komi is None:
        return None
    elif komi == int(komi) and _HALF.search(text):
        komi += math.copysign(0.5, komi)
    if abs(komi) >= 100:
        komi /= 100
    if abs(komi * 2) % 1 == 0.5 and abs(komi) < MOST_STONES:
        komi *= 2
    return -abs(komi) if _REVERSED.search(text) else komi


def read_rules(text: str) -> dict[str, OptionValue]:
    """The options that a rule set's name stands for; Japanese when it says nothing that we know."""
    low = text.lower().replace("_", " ").replace("-", " ")
    agreed, captured = _AGREED.search(low), _CAPTURED.search(low)
    scoring = "area" if (agreed or captured) and not _TERRITORY.search(low) else "territory"
    american, zealand = (
        re.search(r"\baga\b|\bbga\b|french|fran[cç]ais", low),
        re.search(r"zealand|\bnz\b", low),
    )
    ko = "situational" if american or zealand else "superko" if scoring == "area" else "simple"
    if re.search(r"situational", low):
        ko = "situational"
    elif re.search(r"super ?ko|kopositional", low):
        ko = "superko"
    elif re.search(r"simple ?ko|kosimple", low):
        ko = "simple"
    less_one = american or re.search(r"bonus n 1|whbn 1", low)
    bonus = "less_one" if less_one else "full" if re.search(r"bonus n|whbn", low) else "zero"
    suicide = bool(zealand or re.search(r"\bsuicide\b|sui1|tromp", low))
    friendly = (agreed and not captured and _NO_AGREEMENT not in low) or "fpok1" in low
    dead = "agreed" if scoring == "area" and friendly else "by_scoring"
    return {"ko": ko, "scoring": scoring, "bonus": bonus, "suicide": suicide, "dead": dead}


def write_rules(options: Mapping[str, OptionValue]) -> str:
    """What `read_rules` reads back."""
    wanted = {name: options[name] for name in RULE_OPTIONS}
    area = options["scoring"] == "area"
    if not area:
        wanted["dead"] = "by_scoring"  # which then is an agreement too
    for name in ("Japanese", "Chinese", "AGA", "NZ", "Tromp-Taylor"):
        if read_rules(name) == wanted:
            return name
    words = ["Chinese" if area else "Japanese"]
    if options["ko"] != ("superko" if area else "simple"):
        words.append(KO_WORDS[str(options["ko"])])
    if options["bonus"] != "zero":
        words.append("bonus N-1" if options["bonus"] == "less_one" else "bonus N")
    if options["suicide"]:
        words.append("suicide")
    if area and options["dead"] != "agreed":
        words.append(_NO_AGREEMENT)
    return ", ".join(words)


def _named(rules: dict[str, OptionValue]) -> dict[str, OptionValue]:
    """With the preset that they are, if they are one."""
    from tengen.games.go.rules import PRESETS

    usual = read_rules("") | {"komi": None}
    for name, changes in PRESETS.items():
        if rules == {key: value for key, value in (usual | changes).items() if key != "komi"}:
            return {"rules": name, **rules}
    return rules


class GoRecords(Records):
    game: Go
    formats = ("json", "sgf")
    sgf_number = "1"
    sgf_scored = True
    gtp = True
    gtp_rules = {name: read_rules(name) for name in ("japanese", "chinese", "aga", "new_zealand")}
    fresh = {"handicap": 0}

    @classmethod
    def from_sgf(cls, kind: type[Game], start: SgfStart) -> Game:
        """Handicap stones on the usual points leave the set-up and become an option."""
        from tengen._core import InvalidOption

        komi = read_komi(start.texts.get("KM", ""), start.texts.get("AP", "").startswith(OURS)) or 0.0
        options: dict[str, OptionValue] = {"size": start.size, "komi": komi}
        options |= _named(read_rules(start.texts.get("RU", "")))
        handicap = int(read_number(start.texts.get("HA", "")) or 0)
        stones = set(start.setup.values())
        if start.to_move is None:
            black_first = not (stones == {1} or handicap >= 2)
            start.to_move = start.first if start.first is not None else 0 if black_first else 1
        game = kind(**options)
        if stones - {1} or start.to_move != 1 or (not stones and handicap < 2):
            if not stones and start.to_move == 0:
                start.to_move = None
            return game
        try:
            usual = kind(**options, handicap=len(start.setup) or handicap)
        except InvalidOption:
            return game
        on_usual = {cell for cell, code in enumerate(usual.start().cells()) if code}
        if start.setup and set(start.setup) != on_usual:
            return game
        if not {game.format(game.start(), [cell]) for cell in on_usual}.isdisjoint(start.moves):
            return game  # the stones were not there: HA says what was agreed, or they were placed elsewhere
        start.setup, start.to_move = {}, None
        return usual

    def sgf_alternatives(self) -> Sequence[Game]:
        """With the other ko rule, then with suicide: files rarely say which they mean."""
        stated = self.game
        kos = dict.fromkeys((stated.options["ko"], "simple", "superko"))
        suicides = dict.fromkeys((stated.all_options["suicide"], True))
        return [
            type(stated)(**(stated.options | {"ko": ko, "suicide": suicide}))
            for suicide in suicides
            for ko in kos
        ]

    def sgf_texts(self, info: Mapping[str, str], handicap: int) -> dict[str, str]:
        """KM, RU and HA as the file had them, where the options are still those; absent ones stay absent."""
        options, unstated = self.game.all_options, info.get("unstated", "").split()
        komi, unread = float(options["komi"] or 0), info.get("komi", "")
        texts = {"GM": self.sgf_number}
        if komi or not (unread or "komi" in unstated):
            texts["KM"] = f"{komi:.10g}"
        elif unread:
            texts["KM"] = unread
        rules = info.get("rules", "")
        told = read_rules(rules)
        # The moves may have shown the ko and suicide, and earlier readers did not know of an agreement.
        same = all(told[name] == options[name] for name in ("scoring", "bonus"))
        if not same or not (rules or "rules" in unstated):
            rules = write_rules(options)
        stones = "" if not handicap or "handicap" in unstated else str(handicap)
        return texts | {"RU": rules, "HA": info.get("handicap", "") or stones}

    def sgf_stated(
        self, texts: Mapping[str, str], setup: Mapping[int, int], to_move: int | None
    ) -> dict[str, str]:
        found, (count, placed) = {}, self.sgf_stones(setup, to_move)
        komi, rules, handicap = (texts.get(ident, "") for ident in ("KM", "RU", "HA"))
        unstated = [name for name, text in (("komi", komi), ("rules", rules)) if not text]
        if count and not placed and not handicap:
            unstated.append("handicap")
        if unstated:
            found["unstated"] = " ".join(unstated)
        if komi and read_komi(komi, texts.get("AP", "").startswith(OURS)) is None:
            found["komi"] = komi
        if rules and write_rules(self.game.all_options) != rules:
            found["rules"] = rules
        if handicap not in ("", "0", str(count)):
            found["handicap"] = handicap
        return found

    def sgf_stones(self, setup: Mapping[int, int], to_move: int | None) -> tuple[int, Sequence[int]]:
        stones = [cell for cell, code in enumerate(self.game.start().cells()) if code]
        if stones and not setup:
            return len(stones), stones
        placed = len(setup) >= 2 and set(setup.values()) == {1} and to_move == 1
        return (len(setup) if placed else 0), ()

    kata = True

    def kata_question(self, state: State, *, whole: bool = True) -> KataQuestion:
        from tengen.games.go.kata import question

        return question(self.game, self.game._go(state), whole=whole)

    def kata_action(self, word: str) -> int:
        if word.lower() == "pass":
            passing = self.game.table.pass_action
            assert passing is not None
            return passing
        return self.game.table.read_cell(word)

    def gtp_commands(self, state: State, known: Collection[str]) -> list[str]:
        game, origin = self.game, state.origin
        commands = [f"boardsize {game.size}", "clear_board"]
        if "kata-set-rules" in known:
            from tengen.games.go.kata import rules

            commands.append(f"kata-set-rules {json.dumps(rules(game))}")
        elif "kgs-rules" in known:
            commands.append(f"kgs-rules {'chinese' if game.options['scoring'] == 'area' else 'japanese'}")
        commands.append(f"komi {game.komi:g}")
        if origin is None and game.options["handicap"] and "fixed_handicap" in known:
            return [*commands, f"fixed_handicap {game.options['handicap']}"]
        start = game.start() if origin is None else game.position(*origin)
        for cell, code in enumerate(start.cells()):
            if code:
                commands.append(f"play {'bw'[code - 1]} {game.look.cell_name(cell)}")
        return commands
