"""One contest: seats, events, clocks, offers, takebacks, Go's dead-stone agreement. Pure and deterministic.

In reading order: `setup` (what is fixed), `clock` (time controls), `events` (requests, the log, errors),
`agreement` (marks on a Go board), `standing` (what a log amounts to), `moves`, `match` (the state machine).

>>> import tengen
>>> from tengen.match import Match, Request, Setup
>>> match = Match(Setup(tengen.game("dominion-duel", n=3)))
>>> match.apply(Request.move(0, "2", at_ms=1000)).data["text"]
'2'
>>> match.outcome
Outcome(winner=0, reason='claims', score=(1.0, 0.0))
>>> Match.replay(match.setup, match.events) == match
True
"""

from tengen.match.agreement import Marking
from tengen.match.clock import (
    Absolute,
    ByoYomi,
    Canadian,
    Clock,
    Correspondence,
    Fischer,
    NoClock,
    Reading,
    Reserve,
)
from tengen.match.events import (
    Event,
    Malformed,
    MatchError,
    MatchOver,
    NoOffer,
    NotNow,
    NotYourTurn,
    ReplayError,
    Request,
    Stale,
    Stranger,
    TimeUp,
)
from tengen.match.match import Match
from tengen.match.setup import Occupant, Setup
from tengen.match.standing import REASONS, Offer

__all__ = [
    "REASONS",
    "Absolute",
    "ByoYomi",
    "Canadian",
    "Clock",
    "Correspondence",
    "Event",
    "Fischer",
    "Malformed",
    "Marking",
    "Match",
    "MatchError",
    "MatchOver",
    "NoClock",
    "NoOffer",
    "NotNow",
    "NotYourTurn",
    "Occupant",
    "Offer",
    "Reading",
    "ReplayError",
    "Request",
    "Reserve",
    "Setup",
    "Stale",
    "Stranger",
    "TimeUp",
]
