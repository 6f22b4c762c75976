"""What a match waits for from the house: a machine's move or answer, or the suggestion of dead stones.

`duty` says it from the log alone, so every process comes to the same answer; `deeds` does it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from tengen.match import Match


@dataclass(frozen=True, slots=True)
class Duty:
    """`seat` is the machine's; a suggestion has none. `move` is the only one that needs its player."""

    kind: Literal["move", "answer", "suggest", "agree"]
    seat: int = -1


def duty(match: Match) -> Duty | None:
    """What the house has to do next, if anything."""
    if match.suspended or match.paused or match.outcome is not None:
        return None
    playing = match.phase == "playing"
    if playing and not match.setup.has_machine:
        return None
    machines = [seat for seat in (0, 1) if match.setup.seats[seat].kind == "machine"]
    if playing:
        offer = match.offer
        if offer is not None and 1 - offer.seat in machines:
            return Duty("answer", 1 - offer.seat)
        return Duty("move", match.state.to_move) if match.state.to_move in machines else None
    marking = match.marking
    assert marking is not None
    if not marking.touched and not _suggested(match):
        return Duty("suggest")
    waiting = [seat for seat in (0, 1) if not marking.accepted[seat]]
    if not waiting or any(seat not in machines for seat in waiting):  # a machine answers after a person
        return None
    return Duty("agree", waiting[0])


def _suggested(match: Match) -> bool:
    """Whether the suggestion has been made in this agreement, which began with the last move."""
    return any(event.kind == "suggest" for event in match.events[match.last_move :])
