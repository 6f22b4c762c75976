"""Checks that a game keeps the contract, for whoever writes one: `check_game(MyGame())` in a test.

Random games are played and every state on the way is asked what the contract promises (`tengen.game`). The
first promise that is broken raises AssertionError with a sentence. Start reading at `CHECKS`.
"""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import TypeVar

from tengen.game import Game, IllegalAction, InvalidPosition, NotationError, Outcome, State, View

__all__ = ["CHECKS", "check_game", "random_play", "spread"]

T = TypeVar("T")

LONGEST_GAME = 50_000  # actions of a random game; more is taken for a game that does not end
FAR_AWAY = (-(2**80), -(2**31) - 1, -1, 2**31, 2**63, 2**80)  # numbers that are no action of any game
NONSENSE = ("", " ", "?", "\0", "½", "٣", "é4", "no such move at all")


def check_game(game: Game, *, games: int = 2, states: int = 12, seed: int = 0) -> None:
    """Plays that many random games and looks at some states of each; raises AssertionError."""
    found: list[State] = []
    for number in range(games):
        played = list(random_play(game.start(), random.Random(seed + number)))
        check_course(played)
        found += spread(played, states)
    for check in CHECKS:
        check(game, found)


def need(kept: object, sentence: str) -> None:
    """A promise of the contract."""
    if not kept:
        raise AssertionError(sentence)


def random_play(state: State, rng: random.Random) -> Iterator[State]:
    """The states of one random game from here to its end, this one included."""
    yield state
    for _ in range(LONGEST_GAME):
        if state.outcome is not None or not (legal := state.legal_actions()):
            return
        state = state.play(rng.choice(legal))
        yield state
    raise AssertionError(f"A random game went on for more than {LONGEST_GAME} actions.")


def spread(items: Sequence[T], count: int) -> list[T]:
    """At most that many of the items, evenly chosen, the first and the last among them."""
    if len(items) <= count:
        return list(items)
    return [items[i * (len(items) - 1) // (count - 1)] for i in range(count)]


def check_course(played: Sequence[State]) -> None:
    """A whole game: legal actions until the end, an outcome with a known reason there."""
    game = played[0].game
    for state in played:
        legal = state.legal_actions()
        need(all(a < b for a, b in pairwise(legal)), f"Legal actions are ascending and unique: {state!r}.")
        need(all(0 <= a < game.action_count for a in legal), f"Actions are below action_count: {state!r}.")
        need(bool(legal) == (state.outcome is None), f"There are legal actions until the end: {state!r}.")
        need(state.to_move in (0, 1), f"to_move is 0 or 1: {state!r}.")
    outcome = played[-1].outcome
    need(isinstance(outcome, Outcome), "A finished game has an Outcome.")
    assert outcome is not None
    need(outcome.reason in game.reasons, f"The reason {outcome.reason!r} is one of Game.reasons.")
    need(outcome.winner in (0, 1, None), "A winner is 0, 1 or None.")


def check_description(game: Game, states: Sequence[State]) -> None:
    need(isinstance(game.start(), State), "Game.start gives an object with all members of tengen.State.")
    need(len(game.seats) == 2 and all(game.seats) and game.title, "A game has a title and two seats.")
    need(game.letters[0] == ".", "The first letter is the empty cell, a point.")
    need(len(set(game.letters)) == len(game.letters), "No two letters are the same.")
    need(not any(one.isdigit() or one in "/ " for one in game.letters), "Letters are no digits, / or blanks.")
    for option in game.option_list:
        need(option.help and option.check(option.default) == option.default, f"{option.name} has a default.")


def check_values(game: Game, states: Sequence[State]) -> None:
    """Games and states are values: equal when made alike, unchanged by play, the same after pickling."""
    same = type(game)(**game.options)
    need(game == same and hash(game) == hash(same), "Games with the same options are equal.")
    need(copied(game) == game, "A game survives pickling.")
    need(game.start() == game.start() and game.start().actions == (), "Starts are equal and have no actions.")
    for state in states:
        before = snapshot(state)
        again = same.start()
        for action in state.actions:
            again = again.play(action)
        need(again == state and snapshot(again) == before, f"Equal histories give equal states: {state!r}.")
        copy = copied(state)
        need(copy == state and snapshot(copy) == before, f"A state survives pickling: {state!r}.")
        for action in spread(state.legal_actions(), 4):
            after = state.play(action)
            need(snapshot(state) == before, f"play leaves the old state alone: {state!r}.")
            need(after.actions == (*state.actions, action), f"play adds its action to actions: {after!r}.")
            need(after != state, f"A state after an action differs from the one before: {after!r}.")


def copied(value: T) -> T:
    """By pickle, as games go to other processes."""
    try:
        copy: T = pickle.loads(pickle.dumps(value))  # noqa: S301
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise AssertionError(f"Games and states can be pickled: {error}.") from error
    return copy


def snapshot(state: State) -> object:
    return (state.cells(), hash(state), state.to_move, state.legal_actions(), state.outcome, state.actions)


def check_refusals(game: Game, states: Sequence[State]) -> None:
    """What is not legal is refused with a sentence, and nothing has changed."""
    for state in states:
        before, legal = snapshot(state), set(state.legal_actions())
        others = [action for action in range(game.action_count) if action not in legal]
        for action in (*spread(others, 20), game.action_count, *FAR_AWAY):
            sentence = refusal(IllegalAction, state.play, action)
            need(sentence, f"Action {action} is refused with IllegalAction: {state!r}.")
            need(sentence[0].isupper() and sentence.endswith("."), f"A refusal is a sentence: {sentence!r}.")
        need(snapshot(state) == before, f"A refused action changes nothing: {state!r}.")


def refusal(kind: type[Exception], call: Callable[..., object], *given: object) -> str:
    """What the call says when it raises that error; empty when it does not."""
    try:
        call(*given)
    except kind as error:
        return str(error) or "nothing"
    return ""


def check_board(game: Game, states: Sequence[State]) -> None:
    """Cells, encoding, text and view."""
    import numpy as np

    shape = game.start().encode().shape
    need(shape[1:] == (game.height, game.width), "encode gives [channels, height, width].")
    for state in states:
        cells = state.cells()
        need(isinstance(cells, bytes), "cells gives bytes.")
        need(len(cells) == game.width * game.height, "cells has a code for each cell.")
        need(max(cells) < len(game.letters), "Codes of cells are those of Game.letters.")
        planes = state.encode()
        need(planes.shape == shape and planes.dtype == np.float32, "encode is float32 and of one shape.")
        need(np.isfinite(planes).all(), "encode holds finite numbers.")
        text = game.text(state)
        need(text.strip() and "\x1b" not in text and "\t" not in text, "text draws a board without colours.")
        view = game.view(state)
        need(isinstance(view, View) and view.to_move == state.to_move, "view is of the position.")
        need(view.cells == tuple(game.letters[code] for code in cells), "view.cells are letters.")
        need(set(view.last) | set(view.captured) <= set(range(len(cells))), "view.last has cells.")
        json.dumps(asdict(view), allow_nan=False)


def check_notation(game: Game, states: Sequence[State]) -> None:
    for state in states:
        for action in spread(state.legal_actions(), 30):
            text = game.format(state, [action])
            need(text and text == text.strip(), f"format writes action {action}: {state!r}.")
            need(game.parse(state, text) == [action], f"parse reads {text!r} back: {state!r}.")
            need(game.parse(state, f" {text.lower()}\n") == [action], f"parse reads {text.lower()!r}.")
    start = game.start()
    for text in NONSENSE:
        need(
            refusal(ValueError, game.parse, start, text),
            f"parse refuses {text!r} with NotationError or IllegalAction.",
        )


def check_positions(game: Game, states: Sequence[State]) -> None:
    """Boards are written and read back, unless a game begins at its start only."""
    start = game.start()
    try:
        game.position(game.diagram(start), start.to_move)
    except InvalidPosition:
        return
    for state in (state for state in states if state.outcome is None):
        diagram = game.diagram(state)
        position = game.position(diagram, state.to_move)
        need(position.cells() == state.cells(), f"position reads what diagram writes: {diagram}.")
        need(position.to_move == state.to_move and position.actions == (), "A position has its mover.")
        need(position.origin == (diagram, state.to_move), "A position knows its origin.")
    for text in ("", "/", game.diagram(start) + "1"):
        need(
            refusal(NotationError, game.position, text, start.to_move),
            f"position refuses {text!r} with NotationError.",
        )


def check_symmetries(game: Game, states: Sequence[State]) -> None:
    for symmetry in range(game.symmetries):
        to, where = game.action_map(symmetry), game.cell_map(symmetry)
        need(sorted(to) == list(range(game.action_count)), f"action_map({symmetry}) is a permutation.")
        need(sorted(where) == list(range(game.width * game.height)), f"cell_map({symmetry}) is one too.")
        for state in spread(states, 4):
            turned = game.transform(state, symmetry)
            need(turned.outcome == state.outcome, f"Symmetry {symmetry} keeps the outcome: {state!r}.")
            legal = sorted(to[action] for action in state.legal_actions())
            need(turned.legal_actions() == legal, f"Symmetry {symmetry} maps legal actions: {state!r}.")


def check_facets(game: Game, states: Sequence[State]) -> None:
    """What stands above the rules: words, pieces, levels, moves by hand."""
    need(game.table.summary and game.table.rule_lines, "A game can be told of.")
    need([one.letter for one in game.look.pieces] == list(game.letters[1:]), "Each letter is a piece.")
    levels = [level.number for level in game.opponents.levels]
    need(levels == list(range(1, len(levels) + 1)), "Levels are numbered from 1.")
    passing = game.table.pass_action
    need(passing is None or 0 <= passing < game.action_count, "The pass is an action.")
    for state in spread(states, 6):
        need(game.table.board_words(state), "A board can be told in words.")
        if state.outcome is not None:
            need(game.table.outcome_words(state.outcome).endswith("."), "An outcome is a sentence.")
            continue
        need(game.table.legal_words(state), "What is legal can be told in words.")
        for choice in game.look.moves(state, 10):
            need(game.parse(state, choice.text) == list(choice.actions), f"{choice.text!r} is that move.")


CHECKS: tuple[Callable[[Game, Sequence[State]], None], ...] = (
    check_description,
    check_values,
    check_refusals,
    check_board,
    check_notation,
    check_positions,
    check_symmetries,
    check_facets,
)
