"""A line of play: whole moves and resumptions, one way for matches, records, studies, analysis and GTP.

A `Step` is a move or a turn with the states before and after it, or play that was resumed. In text that
is `resume Black`, any seat's name. Start reading at `Line`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tengen.game import IllegalAction, NotationError, Resumed, State, resumptions_of, steps

RESUME = "resume "


class Step(NamedTuple):
    before: State
    actions: tuple[int, ...]  # none where play was resumed
    after: State

    @property
    def resumed(self) -> int | None:
        """The seat that plays on, where this is a resumption."""
        return None if self.actions else self.after.to_move

    @property
    def seat(self) -> int:
        """Who made the move; of a resumption who moves next."""
        return self.before.to_move if self.actions else self.after.to_move

    @property
    def text(self) -> str:
        """As a record writes it, and `Line.read` reads it."""
        game = self.before.game
        return game.format(self.before, self.actions) if self.actions else RESUME + game.seats[self.seat]


class Line:
    """A state that goes on by whole moves and resumptions. What is refused changes nothing."""

    def __init__(self, state: State) -> None:
        self.state = state

    def move(self, actions: Sequence[int]) -> Step:
        """One or more whole moves of the turn; raises IllegalAction."""
        if not actions:
            raise IllegalAction("A move has at least one action.")
        before = after = self.state
        for action in actions:
            if after.to_move != before.to_move:
                raise IllegalAction("The turn is over before the last of those moves.")
            after = after.play(action)
        if after.game.mid_move(after):
            raise IllegalAction("That move is not complete.")
        return self._gone(before, tuple(actions), after)

    def resume(self, seat: int) -> Step:
        """Play goes on after the end, with that seat to move; raises IllegalAction."""
        if seat not in (0, 1):
            raise IllegalAction("Play cannot go on after the end of this game.")
        return self._gone(self.state, (), self.state.resume(seat))

    def read(self, text: str) -> Step:
        """A turn as `Step.text` writes it, perhaps not whole; raises NotationError and IllegalAction."""
        if not text.startswith(RESUME):
            before = after = self.state
            actions = before.game.parse(before, text)
            for action in actions:
                after = after.play(action)
            return self._gone(before, tuple(actions), after)
        name, seats = text.removeprefix(RESUME), self.state.game.seats
        if name not in seats:
            raise NotationError(f"nobody here is called {name[:40]!r}.")
        return self.resume(seats.index(name))

    def turns(self, wanted: Iterable[int | Resumed]) -> Iterator[Step]:
        """Those actions and resumptions, cut where the turn changes; the last turn may be unfinished."""
        before, run = self.state, list[int]()
        for one in wanted:
            if isinstance(one, Resumed):
                yield self.resume(one.seat)
                before = self.state
                continue
            run.append(one)
            self.state = self.state.play(one)
            if self.state.to_move != before.to_move or self.state.outcome is not None:
                yield Step(before, tuple(run), self.state)
                before, run = self.state, []
        if run:
            yield Step(before, tuple(run), self.state)

    def _gone(self, before: State, actions: tuple[int, ...], after: State) -> Step:
        self.state = after
        return Step(before, actions, after)


def turns_to(state: State) -> Iterator[Step]:
    """The turns and resumptions that led to a state."""
    game = state.game
    start = game.start() if state.origin is None else game.position(*state.origin)
    return Line(start).turns(steps(state.actions, resumptions_of(state)))


def whole_moves(state: State, actions: Iterable[int]) -> Iterator[Step]:
    """The whole moves that the actions begin with; one that breaks off at the end is left out."""
    before, move = state, list[int]()
    for action in actions:
        move.append(action)
        state = state.play(action)
        if not state.game.mid_move(state):
            yield Step(before, tuple(move), state)
            before, move = state, []
