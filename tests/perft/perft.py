"""Perft: how many sequences of moves of each length a position has.

It counts whole moves: an action is a move, except in Kelasu, where a move is `from, to` and a merge
`kind, target, cell...`. Different orders of picking the same cells are one merge, so the stages in between
are deduplicated. Passing and ending the turn early count as moves. A game that is over has no moves.

It works on anything with `legal_actions()`; how to play an action and what makes two states the same position
come in a `Rules`: one for the engine's values, one for the reference's in-place states.

Data files hold one position a line; lines that start with `#` are comments:

    options | position | counts of depth 1, 2, 3...

Options are `name=value` words or `-`; the position is `start`, or its text and the seat to move.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent
KELASU_COSTS = (2, 4, 4, 5, 10, 21)  # merge kinds W R D C G S, actions 100..105


@dataclass(frozen=True)
class Rules:
    play: Callable[[Any, int], Any]  # the state after an action, leaving the old one alone
    key: Callable[[Any], Any]  # a hashable value, equal for equal positions


def single(action: int) -> int:
    return 1


def kelasu_length(action: int) -> int:
    """How many actions the move that begins with this one has."""
    if action < 100:
        return 2
    return 1 + KELASU_COSTS[action - 100] if action < 106 else 1


MOVE_LENGTHS: dict[str, Callable[[int], int]] = {
    "dominion-duel": single,
    "go": single,
    "great-kingdom": single,
    "kelasu": kelasu_length,
}


def moves(state: Any, rules: Rules, length: Callable[[int], int]) -> list[Any]:
    """The states after every whole move."""
    result = []
    for first in state.legal_actions():
        states = [rules.play(state, first)]
        for _ in range(length(first) - 1):
            following = (rules.play(stage, action) for stage in states for action in stage.legal_actions())
            states = list({rules.key(after): after for after in following}.values())
        result.extend(states)
    return result


def perft(state: Any, depth: int, rules: Rules, length: Callable[[int], int]) -> int:
    if depth == 1:
        if length is single:
            return len(state.legal_actions())
        return len(moves(state, rules, length))
    return sum(perft(after, depth - 1, rules, length) for after in moves(state, rules, length))


@dataclass(frozen=True)
class Line:
    game: str
    options: dict[str, Any]
    position: str | None  # None for the start
    to_move: int
    counts: tuple[int, ...]

    def __str__(self) -> str:
        options = " ".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.game} {options or '-'} {self.position or 'start'} {self.to_move}"


def value(text: str) -> Any:
    """Numbers, true, false and null as in JSON, anything else a word."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def read(game: str) -> Iterable[Line]:
    for line in (DATA / f"{game.replace('-', '_')}.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        options, place, counts = (part.strip() for part in line.split("|"))
        position, _, seat = place.partition(" ")
        yield Line(
            game,
            {} if options == "-" else {k: value(v) for k, v in (word.split("=") for word in options.split())},
            None if position == "start" else position,
            int(seat or 0),
            tuple(int(count) for count in counts.split()),
        )
