"""One contest as its event log: validates what is asked for, appends it, and says what the log amounts to.

Everything that the log amounts to is one immutable value, `Standing`. A request is turned into the event and
the next standing without touching the match; both are then put in place together, so a refused request
changes nothing, and `copy` costs nothing. `follow` takes an event from a log through the same path and
compares, so a replay either gives the same match or fails. Start reading at `Match.apply`.

Time comes from outside, in whole milliseconds on any scale. A stamp that lies before the last event is taken
as that event's: the clock of a computer may be set back, and that must not lock the players out. Clocks run
in the phase "playing" only; during Go's agreement, while suspended, and while paused, they stand still. A
request that comes after the flag fell is refused with `TimeUp`, and `tick` puts the fall into the log, at its
own instant. A move may say how much of its turn the network took; what the bank of the seat allows of that is
given back, so who runs the match lets the flag fall that much later (`lag_allowance_ms`).

A takeback goes back to the start of the asker's last turn: the turn under way if the asker has moved in it
already, else the last one before. Replies to it go too. Clocks do not go back with it: each seat has the less
of what it has now and what it had there, so that nobody gains time by a takeback.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from itertools import accumulate
from typing import Any

from tengen.facets.table import ScoreSheet
from tengen.game import Game, Outcome, State
from tengen.match.agreement import Marking
from tengen.match.clock import LAG_BANK_MS, LAG_TURN_MS, MOST_LAG_MS, Reading
from tengen.match.events import (
    AT_ONCE,
    MARKS,
    OFFERS,
    Event,
    Malformed,
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
from tengen.match.moves import played, read_move
from tengen.match.setup import Setup
from tengen.match.standing import Offer, Phase, Standing, Step, extended, fingerprint

_NONE: frozenset[Offer] = frozenset()
_Decision = tuple[str, dict[str, Any], Standing]  # the kind and data of the event, and what follows from it


class Match:
    """A contest under way or over. `apply` is for the seats; the methods without a seat for who runs it."""

    __slots__ = ("_events", "_now", "setup")

    def __init__(self, setup: Setup) -> None:
        state = setup.first_state()
        reserves = (setup.clock.start(), setup.clock.start())
        seed = f"{setup.game.name} {sorted(setup.game.options.items())} {setup.origin}"
        first = Step(state, fingerprint(seed, state), 0, None, reserves)
        self.setup = setup
        self._events: tuple[Event, ...] = ()
        self._now = self._arrived(Standing((first,), reserves, setup.started_ms))

    @classmethod
    def replay(cls, setup: Setup, events: Iterable[Event]) -> Match:
        """The match that this log amounts to; raises ReplayError."""
        match = cls(setup)
        for event in events:
            match.follow(event)
        return match

    def copy(self) -> Match:
        """An independent match, such as to try a request on before it is stored."""
        other = Match.__new__(Match)
        other.setup, other._events, other._now = self.setup, self._events, self._now
        return other

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        return (self.setup, self._events, self._now) == (other.setup, other._events, other._now)

    __hash__ = None  # type: ignore[assignment]

    # What the log amounts to.

    @property
    def game(self) -> Game:
        return self.setup.game

    @property
    def events(self) -> tuple[Event, ...]:
        """The whole log; event n is `events[n - 1]`, and those after the n-th are `events[n:]`."""
        return self._events

    @property
    def state(self) -> State:
        return self._now.state

    @property
    def states(self) -> tuple[State, ...]:
        """From the start to now, one for each event of `line` and the first; they are played again."""
        return tuple(accumulate(self.line, played, initial=self.setup.first_state()))

    @property
    def line(self) -> tuple[Event, ...]:
        """The moves and resumptions that stand, without what was taken back: what a record is made of."""
        return tuple(self._events[step.event - 1] for step in self._now.line[1:])

    @property
    def length(self) -> int:
        """How many moves and resumptions stand, as `line` has them."""
        return len(self._now.line) - 1

    @property
    def last_move(self) -> int:
        """The number of the last event of `line`, 0 where there is none."""
        return self._now.line[-1].event

    @property
    def position(self) -> str:
        """A fingerprint of the line and, in an agreement, of the marks: the same in every process."""
        return self._now.position

    @property
    def phase(self) -> Phase:
        return self._now.phase

    @property
    def outcome(self) -> Outcome | None:
        """The reason is one of the game's or of `REASONS`. A void match has no winner and is no draw."""
        return self._now.outcome

    @property
    def offer(self) -> Offer | None:
        """The one offer that waits for an answer."""
        return self._now.offer

    @property
    def marking(self) -> Marking | None:
        """The marks during an agreement, and those agreed on after it."""
        return self._now.marking

    @property
    def count(self) -> ScoreSheet | None:
        """The score sheet with those marks."""
        return None if self._now.marking is None else _count(self.state, self._now.marking)

    @property
    def suspended(self) -> bool:
        return self._now.suspended

    @property
    def paused(self) -> bool:
        """Whether the seats have agreed to let the clocks stand still."""
        return self._now.paused

    def lag_allowance_ms(self, seat: int) -> int:
        """How much of its turn that seat can be given back now."""
        return min(MOST_LAG_MS, self._now.lag_banks[seat]) if self.setup.clock.gives_back_lag else 0

    @property
    def takebacks(self) -> tuple[int, int]:
        """How many were granted to each seat."""
        return self._now.takebacks

    def can_take_back(self, seat: int) -> bool:
        """Whether a takeback makes sense now, granted or not."""
        if self.phase != "playing":
            return False
        line = self._now.line
        place = len(line) - 1
        while place and line[place].seat != seat:  # asked for every move that is told
            place -= 1
        return place > 0

    @property
    def rematch_agreed(self) -> bool:
        return self._now.rematch

    def rematch_setup(self, started_ms: int) -> Setup:
        """The setup of the next match, seats swapped; whether it was agreed is not asked."""
        return self.setup.rematch(started_ms)

    # Clocks.

    @property
    def running(self) -> int | None:
        """The seat whose clock runs."""
        now = self._now
        stands = now.outcome is not None or now.marking is not None or now.suspended or now.paused
        return None if stands else now.state.to_move

    @property
    def flag_at_ms(self) -> int | None:
        """When the flag of the running clock falls if nothing happens."""
        if (seat := self.running) is None:
            return None
        budget_ms = self.setup.clock.budget_ms(self._now.reserves[seat])
        return None if budget_ms is None else self._now.since_ms + budget_ms - self._now.used_ms

    def clocks(self, at_ms: int) -> tuple[Reading, Reading]:
        """What both clocks show at that time."""
        under_way = self.state.to_move if self.phase == "playing" else None
        used_ms = self._used_ms(self._time(at_ms))
        first, second = (
            self.setup.clock.reading(reserve, used_ms if seat == under_way else 0)
            for seat, reserve in enumerate(self._now.reserves)
        )
        return first, second

    # What the seats ask for.

    def apply(self, request: Request) -> Event:
        """Appends what the seat asks for and returns the event.

        Raises a MatchError, or what `Game.parse` and `State.play` raise for a move; then nothing has changed.
        Who may speak for a seat is not checked here.
        """
        seat, kind = request.seat, request.kind
        if type(seat) is not int or seat not in (0, 1):
            raise Stranger("You have no seat in this match.")
        handler = _HANDLERS.get(kind) if isinstance(kind, str) else None
        if handler is None or not isinstance(request.data, Mapping):
            raise Malformed("There is no such request.")
        if kind == "accept" and request.position is None:
            raise Malformed("An acceptance says which marks it is for.")
        at_ms = self._time(request.at_ms)
        if kind not in ("offer", "answer"):
            self._check_not_over()
        self._check_flag(at_ms - (self._lag_ms(seat, request.data) if kind == "move" else 0))
        if self.suspended and kind != "resign":
            raise NotNow("The match is suspended.")
        if request.position is not None and request.position != self.position:
            raise Stale("The match has moved on since.")
        return self._append(seat, at_ms, handler(self, seat, at_ms, request.data))

    def _move(self, seat: int, at_ms: int, data: Mapping[str, Any]) -> _Decision:
        if self.phase == "agreement":
            raise NotNow("Play has stopped: agree on the dead stones, or resume play first.")
        if self.paused:
            raise NotNow("The match is paused: let it go on first.")
        state = self.state
        if state.to_move != seat:
            raise NotYourTurn(f"It is the turn of {self.game.seats[state.to_move]}.")
        actions, after = read_move(state, data)
        turn_over = after.to_move != seat or after.outcome is not None
        if not turn_over:
            self._check_flag(at_ms)  # lag is given back when the turn is over
        lag_ms = self._lag_ms(seat, data) if turn_over else 0
        turned = self._turned(seat, at_ms, lag_ms) if turn_over else {}
        made: dict[str, Any] = {"actions": actions, "text": self.game.format(state, actions)}
        if lag_ms:
            made["lag_ms"] = lag_ms
        return "move", made, self._arrived(self._stepped(after, f"{actions}", seat, turned))

    def _resign(self, seat: int, at_ms: int, data: Mapping[str, Any]) -> _Decision:
        return "resign", {}, self._ended(at_ms, Outcome(1 - seat, "resign"))

    def _offer(self, seat: int, at_ms: int, data: Mapping[str, Any]) -> _Decision:
        what = _word(data, OFFERS)
        offer, pending = Offer(what, seat), self._now.offer
        if what == "rematch":
            if self.phase != "over":
                raise NotNow("A rematch comes after the end of this match.")
            if self._now.rematch:
                raise NotNow("The rematch is already agreed.")
        else:
            self._check_not_over()
            if self.phase == "agreement":
                raise NotNow("Play has stopped: agree on the dead stones, or resume play first.")
        if what == "pause":
            self._check_pausable()
        if what != "takeback" and pending == Offer(what, 1 - seat):
            return self._answer(seat, at_ms, {"what": what, "accept": True})
        if what == "takeback":
            keep = self._turn_start(seat)
            if keep is None:
                raise NotNow("You have made no move that could be taken back.")
            if self.setup.grants_at_once(seat):
                return "takeback", {"keep": keep}, self._taken_back(seat, keep, at_ms)
        if what == "rematch" and self.setup.grants_at_once(seat):
            return "rematch", {}, self._now._replace(rematch=True, offer=None)
        if what == "pause" and self.setup.grants_at_once(seat):
            return "pause", {}, self._paused(at_ms)
        if pending is not None:
            raise NotNow("There is already an offer that waits for its answer.")
        if offer in self._now.declined:
            raise NotNow("That was declined; it can be offered again after the next move.")
        return "offer", {"what": what}, self._now._replace(offer=offer)

    def _answer(self, seat: int, at_ms: int, data: Mapping[str, Any]) -> _Decision:
        what, accept = _word(data, OFFERS), data.get("accept")
        if not isinstance(accept, bool):
            raise Malformed("An answer says whether the offer is accepted.")
        offer = Offer(what, 1 - seat)
        if self._now.offer != offer:
            raise NoOffer("There is no such offer for you to answer.")
        made = {"what": what, "accept": accept}
        if not accept:
            return "answer", made, self._now._replace(offer=None, declined=self._now.declined | {offer})
        if what == "draw":
            return "answer", made, self._ended(at_ms, Outcome(None, "agreement"))
        if what == "rematch":
            return "answer", made, self._now._replace(offer=None, rematch=True)
        if what == "pause":
            return "answer", made, self._paused(at_ms)
        keep = self._turn_start(offer.seat)
        assert keep is not None, "the asker had moved when the offer was made, and no move was made since"
        return "answer", made | {"keep": keep}, self._taken_back(offer.seat, keep, at_ms)

    def _unpause(self, seat: int, at_ms: int, data: Mapping[str, Any]) -> _Decision:
        if not self.paused:
            raise NotNow("The match is not paused.")
        return "unpause", {}, self._now._replace(paused=False, since_ms=at_ms)

    def _mark(self, seat: int, at_ms: int, data: Mapping[str, Any]) -> _Decision:
        marking = self._in_agreement()
        what, cell, on = _word(data, MARKS), data.get("cell"), data.get("on")
        if type(cell) is not int or not (on is None or isinstance(on, bool)):
            raise Malformed("A mark says which point it is for, and what it becomes.")
        marking, on = marking.mark(what, cell, on)
        return "mark", {"what": what, "cell": cell, "on": on}, self._now._replace(marking=marking)

    def _accept(self, seat: int, at_ms: int, data: Mapping[str, Any]) -> _Decision:
        marking = self._in_agreement().accept(seat)
        if not all(marking.accepted):
            return "accept", {}, self._now._replace(marking=marking)
        black, white = _count(self.state, marking).points
        winner = None if black == white else int(white > black)
        ended = self._ended(at_ms, Outcome(winner, "score", (black, white)))
        return "accept", {}, ended._replace(marking=marking)

    def _resume(self, seat: int, at_ms: int, data: Mapping[str, Any]) -> _Decision:
        self._in_agreement()
        state = self.state
        changed = {"marking": None, "since_ms": at_ms}
        return "resume", {}, self._stepped(state.resume(1 - seat), f"resume {1 - seat}", None, changed)

    # What whoever runs the match does.

    def tick(self, at_ms: int) -> Event | None:
        """Ends the match on time if a flag has fallen by then; the event carries the instant of the fall."""
        at_ms = self._time(at_ms)
        seat, flag_at_ms = self.running, self.flag_at_ms
        if seat is None or flag_at_ms is None or at_ms < flag_at_ms:
            return None
        ended = self._ended(flag_at_ms, Outcome(1 - seat, "time"))
        return self._append(None, flag_at_ms, ("flag", {"loser": seat}, ended))

    def suggest(self, dead: Iterable[int], neutral: Iterable[int], at_ms: int) -> Event:
        """Opens an agreement: stones of the dead chains, points of the neutral regions.

        Refused with NotNow once a seat has marked or accepted, so that it never undoes a player's work.
        """
        at_ms = self._house_time(at_ms)
        marking = self._in_agreement().suggest(dead, neutral)
        made = {"dead": tuple(sorted(marking.dead)), "neutral": tuple(sorted(marking.neutral))}
        return self._append(None, at_ms, ("suggest", made, self._now._replace(marking=marking)))

    def suspend(self, at_ms: int) -> Event:
        """Stops the clocks and refuses all but resignations, until `proceed`.

        After an outage both can be appended at once, this one with the last time that was known to be good.
        """
        at_ms = self._house_time(at_ms)
        if self.suspended:
            raise NotNow("The match is already suspended.")
        standing = self._now._replace(suspended=True, used_ms=self._used_ms(at_ms), since_ms=at_ms)
        return self._append(None, at_ms, ("suspend", {}, standing))

    def proceed(self, at_ms: int) -> Event:
        at_ms = self._house_time(at_ms)
        if not self.suspended:
            raise NotNow("The match is not suspended.")
        return self._append(
            None, at_ms, ("continue", {}, self._now._replace(suspended=False, since_ms=at_ms))
        )

    def abandon(self, loser: int, at_ms: int) -> Event:
        """Ends the match against a seat that left it. When that is fair is for the caller to say."""
        at_ms = self._house_time(at_ms)
        if type(loser) is not int or loser not in (0, 1):
            raise Malformed("Only a seat can have left the match.")
        ended = self._ended(at_ms, Outcome(1 - loser, "forfeit"))
        return self._append(None, at_ms, ("abandon", {"loser": loser}, ended))

    def cancel(self, at_ms: int) -> Event:
        """Ends the match as if it had not been played."""
        at_ms = self._house_time(at_ms)
        return self._append(None, at_ms, ("cancel", {}, self._ended(at_ms, Outcome(None, "void"))))

    # The log.

    def follow(self, event: Event) -> None:
        """Appends an event of a log; raises ReplayError if it is not what comes next."""
        trial = self.copy()
        try:
            made = trial._again(event)
        except (ValueError, TypeError) as error:
            raise ReplayError(f"Event {event.number} cannot follow: {error}") from error
        if made != event:
            raise ReplayError(f"Event {event.number} is not what follows from those before it.")
        self._events, self._now = trial._events, trial._now

    def _again(self, event: Event) -> Event | None:
        data = event.data
        if event.seat is not None:
            kind = "offer" if event.kind in AT_ONCE else event.kind
            asked = {"what": event.kind} if kind != event.kind else data
            position = self.position if kind == "accept" else None
            return self.apply(Request(kind, event.seat, event.at_ms, asked, position))
        house: dict[str, Callable[[], Event | None]] = {
            "suggest": lambda: self.suggest(data.get("dead", ()), data.get("neutral", ()), event.at_ms),
            "flag": lambda: self.tick(event.at_ms),
            "suspend": lambda: self.suspend(event.at_ms),
            "continue": lambda: self.proceed(event.at_ms),
            "abandon": lambda: self.abandon(data.get("loser", -1), event.at_ms),
            "cancel": lambda: self.cancel(event.at_ms),
        }
        return house[event.kind]() if event.kind in house else None

    def _append(self, seat: int | None, at_ms: int, decision: _Decision) -> Event:
        kind, data, standing = decision
        event = Event(len(self._events) + 1, kind, seat, at_ms, data, standing.position)
        self._events, self._now = (*self._events, event), standing
        return event

    # Parts of the next standing.

    def _stepped(self, state: State, what: str, seat: int | None, changed: dict[str, Any]) -> Standing:
        """One step further, with what else has changed: offers expire and may be made again."""
        now = self._now
        key = fingerprint(f"{now.line[-1].position} {what}", state)
        step = Step(state, key, len(self._events) + 1, seat, changed.get("reserves", now.reserves))
        return now._replace(line=extended(now.line, step), offer=None, declined=_NONE, **changed)

    def _arrived(self, now: Standing) -> Standing:
        """The end by the rules of the game if there is one, or Go's agreement before it (GO 16)."""
        state = now.state
        if state.outcome is None:
            return now
        if state.outcome.reason == "score" and self.setup.agrees_on_dead:
            return now._replace(marking=Marking(state.cells(), self.game.width))
        return now._replace(outcome=state.outcome)

    def _paused(self, at_ms: int) -> Standing:
        """The clocks stand still in the middle of the turn."""
        return self._now._replace(paused=True, offer=None, used_ms=self._used_ms(at_ms), since_ms=at_ms)

    def _turned(self, seat: int, at_ms: int, lag_ms: int) -> dict[str, Any]:
        """What changes when the turn of that seat is over."""
        banks = list(self._now.lag_banks)
        banks[seat] = min(LAG_BANK_MS, banks[seat] - lag_ms + LAG_TURN_MS)
        return {**self._counted(at_ms, moved=True, lag_ms=lag_ms), "lag_banks": (banks[0], banks[1])}

    def _lag_ms(self, seat: int, data: Mapping[str, Any]) -> int:
        """How much of the turn is given back."""
        lag_ms = data.get("lag_ms", 0)
        if type(lag_ms) is not int or lag_ms < 0:
            raise Malformed("What the network took is a whole number of milliseconds.")
        return min(lag_ms, self.lag_allowance_ms(seat))

    def _stopped(self, at_ms: int) -> Standing:
        """The turn under way is stopped without a move and its time counted; the next begins at once."""
        return self._now._replace(**self._counted(at_ms, moved=False))

    def _counted(self, at_ms: int, moved: bool, lag_ms: int = 0) -> dict[str, Any]:
        """What changes when the time of the turn under way is counted."""
        reserves = list(self._now.reserves)
        if self.phase == "playing":
            seat, used_ms = self.state.to_move, max(0, self._used_ms(at_ms) - lag_ms)
            reserves[seat] = self.setup.clock.after(reserves[seat], used_ms, moved)
        return {"reserves": (reserves[0], reserves[1]), "used_ms": 0, "since_ms": at_ms}

    def _ended(self, at_ms: int, outcome: Outcome) -> Standing:
        return self._stopped(at_ms)._replace(outcome=outcome, offer=None, suspended=False, paused=False)

    def _taken_back(self, seat: int, keep: int, at_ms: int) -> Standing:
        now = self._stopped(at_ms)
        line = now.line[: keep + 1]
        if line[-1].state is None:
            moves = (self._events[step.event - 1] for step in line[1:])
            line = (*line[:-1], line[-1]._replace(state=reduce(played, moves, self.setup.first_state())))
        clock = self.setup.clock
        first, second = map(clock.lesser, line[-1].reserves, now.reserves)
        counts = (now.takebacks[0] + (seat == 0), now.takebacks[1] + (seat == 1))
        return now._replace(
            line=line, reserves=(first, second), offer=None, declined=frozenset(), takebacks=counts
        )

    def _turn_start(self, seat: int) -> int | None:
        """The place in `states` where that seat's last turn began."""
        line = self._now.line
        last = next((i for i in range(len(line) - 1, 0, -1) if line[i].seat == seat), None)
        if last is None:
            return None
        while line[last - 1].seat == seat:
            last -= 1
        return last - 1

    # Checks.

    def _time(self, at_ms: int) -> int:
        if type(at_ms) is not int or at_ms < 0:
            raise Malformed("A time stamp is a whole number of milliseconds.")
        return max(at_ms, self._events[-1].at_ms if self._events else self.setup.started_ms)

    def _house_time(self, at_ms: int) -> int:
        at_ms = self._time(at_ms)
        self._check_not_over()
        self._check_flag(at_ms)
        return at_ms

    def _used_ms(self, at_ms: int) -> int:
        """How long the mover has thought about the turn under way."""
        return self._now.used_ms + (at_ms - self._now.since_ms if self.running is not None else 0)

    def _check_not_over(self) -> None:
        if self._now.outcome is not None:
            raise MatchOver("The match is over.")

    def _check_flag(self, at_ms: int) -> None:
        flag_at_ms = self.flag_at_ms
        if flag_at_ms is not None and at_ms >= flag_at_ms:
            raise TimeUp(f"The time of {self.game.seats[self.state.to_move]} is over.")

    def _check_pausable(self) -> None:
        if self.setup.clock.budget_ms(self._now.reserves[0]) is None:
            raise NotNow("Nobody is timed: there is nothing to pause.")
        if self.paused:
            raise NotNow("The match is paused already.")

    def _in_agreement(self) -> Marking:
        if self.phase != "agreement" or self._now.marking is None:
            raise NotNow("There are no dead stones to agree on now.")
        return self._now.marking


_HANDLERS: dict[str, Callable[[Match, int, int, Mapping[str, Any]], _Decision]] = {
    "move": Match._move,
    "resign": Match._resign,
    "offer": Match._offer,
    "answer": Match._answer,
    "mark": Match._mark,
    "accept": Match._accept,
    "resume": Match._resume,
    "unpause": Match._unpause,
}


def _word(data: Mapping[str, Any], words: tuple[str, ...]) -> str:
    what = data.get("what")
    if what not in words:
        raise Malformed(f"The request is about one of {', '.join(words)}.")
    return str(what)


def _count(state: State, marking: Marking) -> ScoreSheet:
    return state.game.table.count(state, marking.dead, marking.neutral)
