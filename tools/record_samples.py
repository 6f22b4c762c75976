"""Writes studies with their files, for the page to read, or reads the files that the page has written.

    tools/record_samples.py            studies of random games, each with its SGF and its JSON record
    tools/record_samples.py --read     texts from standard input, a JSON list; the studies in them

web/src/engine/records/records.test.ts compares. What only the server tells of a file is left out of `info`.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from typing import Any

import msgspec

from tengen.game import State
from tengen.games import game as make
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
SERVER_ONLY = ("unstated", "rules", "result")  # what a file said, for writing it again in the same words
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


def told(text: str, number: int = 1) -> Any:
    study: Any = msgspec.to_builtins(read_study(text, number))
    study["info"] = {name: word for name, word in study["info"].items() if name not in SERVER_ONLY}
    return study


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--read", action="store_true")
    if parser.parse_args().read:
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
