"""Moves of a match: reading one from a request, and playing one of the log again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tengen.game import State
from tengen.line import Line
from tengen.match.events import Event, Malformed


def read_move(state: State, data: Mapping[str, Any]) -> tuple[tuple[int, ...], State]:
    """The actions of one or more whole moves of the turn, and the state after them."""
    actions = data.get("actions")
    if actions is None:
        if not isinstance(text := data.get("text"), str):
            raise Malformed("A move is given as text or as actions.")
        actions = state.game.parse(state, text)
    elif not isinstance(actions, list | tuple) or not all(type(action) is int for action in actions):
        raise Malformed("The actions of a move are whole numbers.")
    if not actions:
        raise Malformed("A move has at least one action.")
    step = Line(state).move(actions)
    return step.actions, step.after


def played(state: State, event: Event) -> State:
    """The state after a move or resumption of a line."""
    line = Line(state)
    if event.kind == "resume":
        assert event.seat is not None
        return line.resume(1 - event.seat).after
    return line.move(event.data["actions"]).after
