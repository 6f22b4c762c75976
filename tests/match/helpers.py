"""Matches for the tests, and short ways to drive them."""

from __future__ import annotations

import random

import tengen
from tengen import State
from tengen.game import OptionValue
from tengen.match import Clock, Event, Match, NoClock, Occupant, Request, Setup

ANN, BOB = Occupant("Ann", id="ann"), Occupant("Bob", id="bob")
MACHINE = Occupant("Level 3", "machine")


def new_match(
    name: str,
    *,
    clock: Clock | None = None,
    seats: tuple[Occupant, Occupant] = (ANN, BOB),
    started_ms: int = 0,
    origin: tuple[str, int] | None = None,
    **options: OptionValue,
) -> Match:
    game = tengen.game(name, **options)
    return Match(Setup(game, seats, clock or NoClock(), started_ms, origin))


def play(match: Match, *moves: str, at_ms: int = 0) -> list[Event]:
    """The moves, each by whoever is to move."""
    return [match.apply(Request.move(match.state.to_move, move, at_ms)) for move in moves]


def whole_move(state: State, rng: random.Random) -> list[int]:
    """The actions of one random move, all its stages."""
    actions: list[int] = []
    while not actions or state.game.mid_move(state):
        actions.append(rng.choice(state.legal_actions()))
        state = state.play(actions[-1])
    return actions


def play_turn(match: Match, at_ms: int = 0, seed: int = 0) -> int:
    """A whole turn of random moves; returns how many moves it had."""
    rng, seat, moves = random.Random(seed), match.state.to_move, 0
    while match.phase == "playing" and match.state.to_move == seat:
        match.apply(Request.move(seat, whole_move(match.state, rng), at_ms))
        moves += 1
    return moves
