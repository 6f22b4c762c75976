"""What goes into a match and what its log is made of: `Request`, `Event`, and the errors between the two.

A `Request` is what a seat asks for; `Match.apply` refuses it with a `MatchError` or turns it into an `Event`.
Events are numbered from 1 and are plain data. `Event.position` is `Match.position` after the event: whoever
follows the log can compare. What `data` holds, by kind:

| kind | seat | data |
|---|---|---|
| move | mover | `actions`, `text`: one or more whole moves of one turn, a pass included, and `lag_ms` |
| resign | loser | |
| offer | who offers | `what`: draw, takeback, rematch or pause |
| answer | who answers | `what`, `accept`; an accepted takeback has `keep`: how long `Match.line` is then |
| takeback | who asked | `keep`; granted at once by a machine, or in a hot seat |
| rematch, pause | who asked | granted at once likewise |
| unpause | who asked | either seat may |
| mark | who marks | `what`: dead or neutral; `cell`; `on`: whether it is so now |
| accept | who accepts | |
| resume | who asked | |
| suggest | None | `dead`, `neutral`: cells |
| flag | None | `loser`; `at_ms` is the instant when the flag fell |
| suspend, continue | None | |
| abandon | None | `loser` |
| cancel | None | |

Events without a seat come from whoever runs the match, through methods of `Match` and never through a
`Request`, so no player can ask for one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

OFFERS = ("draw", "takeback", "rematch", "pause")
AT_ONCE = ("takeback", "rematch", "pause")  # events that an offer may become
MARKS = ("dead", "neutral")
SEAT_EVENTS = ("move", "resign", "offer", "answer", *AT_ONCE, "unpause", "mark", "accept", "resume")
HOUSE_EVENTS = ("suggest", "flag", "suspend", "continue", "abandon", "cancel")


class MatchError(ValueError):
    """The request is refused and nothing has changed; the text is one sentence for the player."""


class Malformed(MatchError):
    """The request makes no sense in any match."""


class Stranger(MatchError):
    """Whoever asks has no seat in this match."""


class NotYourTurn(MatchError):
    pass


class MatchOver(MatchError):
    pass


class NoOffer(MatchError):
    """There is no such offer to answer."""


class NotNow(MatchError):
    """It could be asked for at another time."""


class Stale(MatchError):
    """The match is no longer at the position that the request was made for."""


class TimeUp(MatchError):
    """The running clock has fallen before this; `Match.tick` says so in the log."""


class ReplayError(MatchError):
    """The log does not follow from itself: it was damaged, or written under other rules."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a seat asks for. `position`, if given, is the `Match.position` that it was made for.

    The constructors below give `data` its form; `apply` checks it again, since requests come from outside.
    """

    kind: str
    seat: int
    at_ms: int
    data: Mapping[str, Any] = field(default_factory=dict)
    position: str | None = None

    @staticmethod
    def move(
        seat: int, move: str | Sequence[int], at_ms: int, position: str | None = None, lag_ms: int = 0
    ) -> Request:
        """A move as text or as actions; the network took `lag_ms` of the turn, as far as that is known."""
        data: dict[str, Any] = {"text": move} if isinstance(move, str) else {"actions": tuple(move)}
        return Request("move", seat, at_ms, data | ({"lag_ms": lag_ms} if lag_ms else {}), position)

    @staticmethod
    def resign(seat: int, at_ms: int) -> Request:
        return Request("resign", seat, at_ms)

    @staticmethod
    def offer(seat: int, what: str, at_ms: int, position: str | None = None) -> Request:
        """An offer of a draw, or the wish for a takeback, a rematch or a pause."""
        return Request("offer", seat, at_ms, {"what": what}, position)

    @staticmethod
    def answer(seat: int, what: str, accept: bool, at_ms: int) -> Request:
        return Request("answer", seat, at_ms, {"what": what, "accept": accept})

    @staticmethod
    def mark(seat: int, what: str, cell: int, at_ms: int, on: bool | None = None) -> Request:
        """Turns the chain on the cell dead or alive, or the region around it neutral or not.

        Without `on` it becomes what it is not; with it two players who click at once do not undo each other.
        """
        data = {"what": what, "cell": cell}
        return Request("mark", seat, at_ms, data if on is None else data | {"on": on})

    @staticmethod
    def accept(seat: int, at_ms: int, position: str) -> Request:
        """Accepts the marks of that `Match.position`, and no others."""
        return Request("accept", seat, at_ms, {}, position)

    @staticmethod
    def unpause(seat: int, at_ms: int) -> Request:
        return Request("unpause", seat, at_ms)

    @staticmethod
    def resume(seat: int, at_ms: int) -> Request:
        return Request("resume", seat, at_ms)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log. `data` is not to be changed."""

    number: int
    kind: str
    seat: int | None
    at_ms: int
    data: Mapping[str, Any]
    position: str

    def to_json(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "kind": self.kind,
            "seat": self.seat,
            "at_ms": self.at_ms,
            "data": {name: list(v) if isinstance(v, tuple) else v for name, v in self.data.items()},
            "position": self.position,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Event:
        """The event that `to_json` wrote. That it fits into a log is for `Match.follow` to say."""
        try:
            fields = {name: tuple(v) if isinstance(v, list) else v for name, v in data["data"].items()}
            event = Event(data["number"], data["kind"], data["seat"], data["at_ms"], fields, data["position"])
        except (KeyError, TypeError, AttributeError):
            raise ReplayError("That is not an event of a match.") from None
        by_seat = event.kind in SEAT_EVENTS and type(event.seat) is int
        by_house = event.kind in HOUSE_EVENTS and event.seat is None
        whole = type(event.number) is int and type(event.at_ms) is int
        if not (whole and (by_seat or by_house)):
            raise ReplayError("That is not an event of a match.")
        return event
