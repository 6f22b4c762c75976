"""Writes studies with their files, for the page to read, or reads the files that the page has written.

    tools/record_samples.py            studies of random games, each with its SGF and its JSON record
    tools/record_samples.py --cases    what the server finds in sgf.cases.json and in texts of many encodings
    tools/record_samples.py --read     texts from standard input, a JSON list; the studies in them

web/src/engine/records/records.test.ts compares.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from tengen.game import State
from tengen.games import game as make
from tengen.server.errors import Refusal
from tengen.server.http.studies import read_study, write_study
from tengen.server.protocol import Outcome, Person, Study, StudyNode

GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("go", {"size": 9, "komi": 6.5}),
    ("go", {"size": 9, "scoring": "area", "ko": "superko", "komi": 7}),
    ("go", {"size": 13, "handicap": 4, "komi": 0.5}),
    ("great-kingdom", {}),
    ("great-kingdom", {"size": 7, "neutral": False}),
    ("kelasu", {}),
    ("dominion-duel", {"n": 9}),
)
CASES = Path(__file__).parent.parent / "web/src/engine/records/sgf.cases.json"
# A few words of a file each, with the encodings that such files come in.
WORDS = (
    ("李世石 古力 应氏杯 黑中盘胜", ("gb18030", "utf-8", "utf-16", "hz")),
    ("周俊勳 林海峰 應氏盃 白勝", ("big5", "utf-8")),
    ("井山裕太 趙治勲 名人戦 黒中押し勝ち", ("cp932", "euc_jp", "iso2022_jp", "utf-16-le", "utf-16-be")),
    ("이창호 조훈현 국수전 흑 불계승", ("cp949", "utf-8-sig")),
    ("Иван Петров против Сергея, партия первая", ("cp1251", "koi8_r")),
    ("Jürgen Müller, Besançon, Malmö", ("cp1252", "utf-8")),
)
LINES = (";GM[1]SZ[9]{ca}PB[{0}]PW[{1}]", ";GM[1]SZ[9]{ca}EV[{words}];B[dd]C[{words}]")
COMMENTS = ("", "", "", "good", "[brackets] and \\ slashes", "두 줄\nlines")


def grown(rng: random.Random, name: str, options: dict[str, Any]) -> Study:
    """A random game; where SGF can hold them with variations."""
    game = make(name, **options)
    nodes, states = [StudyNode(None, comment=rng.choice(COMMENTS))], [game.start()]
    branching = "sgf" in game.records.formats
    for _ in range(40):
        at = rng.randrange(len(nodes)) if branching and rng.random() < 0.15 else len(nodes) - 1
        if states[at].outcome is not None:
            continue
        _grow(rng, nodes, states, at)
    result = rng.choice((None, Outcome(0, "resign", None), Outcome(1, "time", None)))
    people = (Person("Ann", ""), Person("Bo (3 dan)", ""))
    return Study(name, dict(game.options), nodes, players=people, result=result, title="A game")


def _grow(rng: random.Random, nodes: list[StudyNode], states: list[State], at: int) -> None:
    before = after = states[at]
    actions = list[int]()
    while not actions or (after.to_move == before.to_move and after.outcome is None):
        actions.append(rng.choice(after.legal_actions()))
        after = after.play(actions[-1])
    if any(node.parent == at and node.actions == actions for node in nodes):
        return
    text = before.game.format(before, actions)
    nodes.append(StudyNode(at, before.to_move, text, actions, comment=rng.choice(COMMENTS)))
    states.append(after)


def told(source: str | bytes) -> Any:
    try:
        return msgspec.to_builtins(read_study(source))
    except Refusal as refusal:
        return {"refused": str(refusal)}


def cases() -> Iterator[dict[str, Any]]:
    """Files as bytes with what is found in them."""
    for data in (*(text.encode() for text in json.loads(CASES.read_text())), *_encoded()):
        yield {"data": base64.b64encode(data).decode(), "found": told(data)}


def _encoded() -> Iterator[bytes]:
    cut = "(;SZ[9]PB[조치훈]PW[".encode() + "井山裕太".encode()[:-1] + "];B[ee]C[좋은 수입니다])".encode()
    yield from (cut, cut.replace(b"SZ", b"CA[UTF-8]SZ"), cut[:-3])
    for words, encodings in WORDS:
        for encoding in encodings:
            for stated in ("", f"CA[{encoding.replace('_', '-')}]"):
                for line in LINES:
                    yield f"({line.format(*words.split()[:2], words=words, ca=stated)})".encode(encoding)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--read", action="store_true")
    parser.add_argument("--cases", action="store_true")
    given = parser.parse_args()
    if given.cases:
        json.dump(list(cases()), sys.stdout)
        return
    if given.read:
        json.dump([told(text) for text in json.load(sys.stdin)], sys.stdout)
        return
    rng, samples = random.Random(5), list[dict[str, Any]]()
    for name, options in GAMES * 2:
        study = grown(rng, name, options)
        for form in make(name).records.formats:
            text = write_study(study, form)
            samples.append({"form": form, "text": text, "study": told(text)})
    json.dump(samples, sys.stdout)


if __name__ == "__main__":
    main()
