"""Moves of a match: reading one from a request, and playing one of the log again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tengen import _core
from tengen.game import IllegalAction, State
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
    mover = state.to_move
    for action in actions:
        if state.to_move != mover:
            raise IllegalAction("The turn is over before the last of those moves.")
        state = state.play(action)
    if state.game.mid_move(state):
        raise IllegalAction("That move is not complete.")
    return tuple(actions), state


def played(state: State, event: Event) -> State:
    """The state after a move or resumption of a line."""
    if event.kind == "resume":
        assert isinstance(state, _core.Go9 | _core.Go19) and event.seat is not None
        return state.resume(1 - event.seat)
    for action in event.data["actions"]:
        state = state.play(action)
    return state
