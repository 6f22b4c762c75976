"""What the log of a match amounts to, as one immutable value."""

from __future__ import annotations

from hashlib import blake2s
from typing import Literal, NamedTuple

from tengen.game import Outcome, State
from tengen.match.agreement import Marking
from tengen.match.clock import LAG_BANK_MS, Reserve

Phase = Literal["playing", "agreement", "over"]
KEPT_STATES = 8  # of the last steps: what takebacks go back to
REASONS = ("resign", "time", "agreement", "forfeit", "void")  # beside those of the game; records use them too


class Offer(NamedTuple):
    what: str  # one of OFFERS
    seat: int  # who made it


class Step(NamedTuple):
    """A state of the line that stands, and what is needed to come back to it.

    Only the last steps keep their state, since one can take many kilobytes; the log tells the others.
    """

    state: State | None
    position: str
    event: int  # the number of the event that led here, 0 for the start
    seat: int | None  # who moved; None for the start and where play was resumed
    reserves: tuple[Reserve, Reserve]


class Standing(NamedTuple):
    """`used_ms` of the turn under way were counted up to `since_ms`."""

    line: tuple[Step, ...]
    reserves: tuple[Reserve, Reserve]
    since_ms: int
    used_ms: int = 0
    suspended: bool = False
    paused: bool = False  # by agreement of the seats
    lag_banks: tuple[int, int] = (LAG_BANK_MS, LAG_BANK_MS)
    outcome: Outcome | None = None
    marking: Marking | None = None  # from two passes on until play is resumed; kept if the match ends there
    offer: Offer | None = None
    declined: frozenset[Offer] = frozenset()  # since the last move
    takebacks: tuple[int, int] = (0, 0)  # granted to each seat
    rematch: bool = False  # agreed

    @property
    def state(self) -> State:
        state = self.line[-1].state
        assert state is not None, "the last step keeps its state"
        return state

    @property
    def phase(self) -> Phase:
        if self.outcome is not None:
            return "over"
        return "playing" if self.marking is None else "agreement"

    @property
    def position(self) -> str:
        key, marking = self.line[-1].position, self.marking
        if marking is None:
            return key
        return _digest(f"{key} {sorted(marking.dead)} {sorted(marking.neutral)}".encode())


def extended(line: tuple[Step, ...], step: Step) -> tuple[Step, ...]:
    """The line with one step more, and without the state that is too old to be needed soon."""
    if len(line) < KEPT_STATES:
        return (*line, step)
    old = line[-KEPT_STATES]
    bare = Step(None, old.position, old.event, old.seat, old.reserves)
    return (*line[:-KEPT_STATES], bare, *line[1 - KEPT_STATES :], step)


def fingerprint(before: str, state: State) -> str:
    """Of a state and all that led to it, the same in every process; Python's hashes are not."""
    return _digest(f"{before} {state.to_move} ".encode() + state.cells())


def _digest(data: bytes) -> str:
    return blake2s(data, digest_size=8).hexdigest()
