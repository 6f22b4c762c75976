"""The diagrams of the rules pages: each begins in a position that the rules allow, its solution reaches its
goal, and it is not reached already before the reader does anything.

The lessons.json of each game in web/src/games/ says of each diagram where it begins, what the reader should
bring about (`goal`), what the other side answers (`reply`: actions by the reader's move, `pass`, or any
move), and one `solution`. The client looks at goals in web/src/rules/lesson.ts.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tengen
from tengen.game import Game, State

GAMES = Path(__file__).parent.parent.parent / "web" / "src" / "games"
LESSONS = {file.parent.name: json.loads(file.read_text()) for file in sorted(GAMES.glob("*/lessons.json"))}
ALL = [
    pytest.param(name, lesson, id=f"{name} {lesson['id']}") for name in LESSONS for lesson in LESSONS[name]
]


def begin(name: str, lesson: dict[str, Any]) -> State:
    game = tengen.game(name, **lesson["options"])
    return game.position(*lesson["origin"]) if lesson["origin"] else game.start()


def make(state: State, text: str) -> State:
    for action in state.game.parse(state, text):
        state = state.play(action)
    return state


def answered(state: State, reader: int, text: str, reply: object) -> State:
    """The position after the other side has answered; the last legal action stands for any."""
    if reply is None or state.outcome is not None or state.to_move == reader:
        return state
    if isinstance(reply, dict):
        for action in reply.get(text, ()):
            state = state.play(action)
        return state
    return state.play(state.legal_actions()[-1]) if reply == "any" else make(state, "pass")


def reached(goal: dict[str, Any], state: State, texts: list[str]) -> bool:
    """Whether the position right after the reader's last move fulfils the goal."""
    view = state.game.view(state)
    if "outcome" in goal:
        outcome = state.outcome
        return (
            outcome is not None
            and outcome.reason == goal["outcome"]
            and goal.get("winner", outcome.winner) == outcome.winner
        )
    if "score" in goal:
        assert view.score is not None
        return bool(view.score[goal["score"][0]] >= goal["score"][1])
    if "below" in goal:
        assert view.score is not None
        return bool(view.score[goal["below"][0]] < goal["below"][1])
    if not texts:
        return False
    if "move" in goal:
        return texts[-1] in goal["move"]
    if "text" in goal:
        return goal["text"] in texts[-1]
    if "captured" in goal:
        return bool(len(view.captured) >= goal["captured"])
    return bool(len(texts) >= goal["moves"])


def mirrored(state: State) -> str:
    """In a row: the opposite of the last claim."""
    return str(state.game.width - state.actions[-1])


@pytest.mark.parametrize(("name", "lesson"), ALL)
def test_the_solution_reaches_the_goal(name: str, lesson: dict[str, Any]) -> None:
    state = begin(name, lesson)
    reader, texts = state.to_move, list[str]()
    assert not reached(lesson["goal"], state, texts)
    done = False
    for step in lesson["solution"]:
        if state.outcome is not None:
            break
        text = mirrored(state) if step == "mirror" else step
        state = make(state, text)
        texts.append(text)
        done = reached(lesson["goal"], state, texts)
        state = answered(state, reader, text, lesson.get("reply"))
        done = done or reached(lesson["goal"], state, texts)
    assert done


@pytest.mark.parametrize(("name", "lesson"), ALL)
def test_another_move_is_possible(name: str, lesson: dict[str, Any]) -> None:
    """A diagram with one legal move would teach nothing, and a goal that any move reaches has to say so."""
    game: Game = tengen.game(name, **lesson["options"])
    state = begin(name, lesson)
    assert len(state.legal_actions()) > 1
    if "moves" in lesson["goal"] or name == "kelasu":
        return
    others = [
        state.play(a) for a in state.legal_actions() if game.format(state, [a]) != lesson["solution"][0]
    ]
    texts = [game.format(state, [a]) for a in state.legal_actions()]
    assert not all(reached(lesson["goal"], other, texts[:1]) for other in others)


def test_every_game_has_lessons() -> None:
    assert set(LESSONS) == {"great-kingdom", "go", "kelasu", "dominion-duel"}
