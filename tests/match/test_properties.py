"""Random events by both seats, strangers and the house: no sequence breaks an invariant, and replay agrees.

A sequence is a list of commands drawn by Hypothesis. Each names what to do and carries numbers that choose
the details by the state of the match, so that most commands make sense and some do not.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tengen
from tengen import IllegalAction, NotationError
from tengen.game import Game, restore
from tengen.match import (
    Absolute,
    ByoYomi,
    Canadian,
    Correspondence,
    Event,
    Fischer,
    Match,
    MatchError,
    NoClock,
    Occupant,
    Request,
    Setup,
    Stranger,
)
from tests.match.helpers import ANN, BOB, MACHINE, whole_move

GAMES: dict[str, list[Game]] = {
    "go": [
        tengen.game("go", size=2),
        tengen.game("go", size=3, komi=0),
        tengen.game("go", size=4, ko="superko"),
        tengen.game("go", size=3, scoring="area"),
    ],
    "great-kingdom": [
        tengen.game("great-kingdom", size=3),
        tengen.game("great-kingdom", rules="published", size=5),
    ],
    "kelasu": [tengen.game("kelasu"), tengen.game("kelasu", may_end_turn_early=True)],
    "dominion-duel": [tengen.game("dominion-duel", n=n) for n in (1, 5, 12)],
}
CLOCKS = (
    NoClock(),
    Absolute(20_000),
    Fischer(9_000, 4_000, 15_000),
    ByoYomi(5_000, 2, 4_000),
    Canadian(5_000, 3, 6_000),
    Correspondence(1),
    Correspondence(1, 2),
)
SEATS = ((ANN, BOB), (ANN, MACHINE), (MACHINE, BOB), (MACHINE, MACHINE), (Occupant(id="x"), Occupant(id="x")))
AFTER_THE_END = {"offer", "answer", "rematch"}


class Command(NamedTuple):
    what: str
    seat: int  # 0 the seat to move, 1 the other, 2 and more a stranger
    step_ms: int
    pick: int


WORDS = (
    *("move",) * 10,
    *("pass",) * 5,
    *("draw", "takeback", "takeback", "rematch", "pause", "yes", "yes", "no"),
    *("unpause", "unpause"),
    *("mark",) * 4,
    *("accept",) * 4,
    *("stale accept", "resume", "suggest"),
    *("tick", "suspend", "proceed", "proceed", "nonsense", "old move"),
    *("resign", "abandon", "cancel"),
)
commands = st.lists(
    st.builds(
        Command,
        what=st.sampled_from(WORDS),
        seat=st.sampled_from((0, 0, 0, 0, 1, 1, 2, 3)),
        step_ms=st.sampled_from((0, 1, 50, 400, 400, 1_000, 3_000, 6_000, -500)),
        pick=st.integers(0, 2**16),
    ),
    min_size=5,
    max_size=70,
)


def act(match: Match, command: Command, at_ms: int) -> Callable[[], Event | None]:
    """What the command means now."""
    what, pick = command.what, command.pick
    to_move = match.state.to_move
    seat: Any = (to_move, 1 - to_move, 2, None)[command.seat]
    rng = random.Random(pick)
    cells = match.game.width * match.game.height
    house: dict[str, Callable[[], Event | None]] = {
        "tick": lambda: match.tick(at_ms),
        "suspend": lambda: match.suspend(at_ms),
        "proceed": lambda: match.proceed(at_ms),
        "abandon": lambda: match.abandon(pick % 3, at_ms),
        "cancel": lambda: match.cancel(at_ms),
        "suggest": lambda: match.suggest(
            [cell for cell in range(cells) if match.state.cells()[cell] and rng.random() < 0.3],
            [cell for cell in range(cells) if not match.state.cells()[cell] and rng.random() < 0.3],
            at_ms,
        ),
    }
    if what in house:
        return house[what]
    if what == "move" and match.state.outcome is None:
        request = Request.move(seat, whole_move(match.state, rng), at_ms, lag_ms=pick % 700)
    elif what in ("move", "pass"):
        request = Request.move(seat, "pass", at_ms)
    elif what == "old move":
        request = Request.move(seat, [pick % match.game.action_count], at_ms, "f" * 16)
    elif what in ("draw", "takeback", "rematch", "pause"):
        request = Request.offer(seat, what, at_ms)
    elif what in ("yes", "no"):
        asked = match.offer.what if match.offer else "draw"
        request = Request.answer(seat, asked, what == "yes", at_ms)
    elif what == "mark":
        on = (None, None, True, False)[pick % 4]
        request = Request.mark(seat, ("dead", "neutral")[pick % 2], pick // 4 % (cells + 1), at_ms, on)
    elif what == "accept":
        request = Request.accept(seat, at_ms, match.position)
    elif what == "stale accept":
        request = Request.accept(
            seat, at_ms, match.events[pick % len(match.events)].position if match.events else ""
        )
    elif what in ("resume", "resign", "unpause"):
        request = Request(what, seat, at_ms)
    else:
        kinds = ("flag", "cancel", "takeback", "mark", "move", "answer", "offer", "accept")
        request = Request(kinds[pick % 8], seat, at_ms, {"what": pick, "cell": None, "actions": [None]})
    return lambda: match.apply(request)


def check_step(before: Match, match: Match, event: Event | None, command: Command, at_ms: int) -> None:
    """What holds after a command that was not refused."""
    if event is None:
        assert command.what == "tick" and match == before
        return
    assert match.events == (*before.events, event)
    assert event.number == len(match.events)
    assert event.position == match.position
    assert event.at_ms >= (before.events[-1].at_ms if before.events else match.setup.started_ms)
    if before.phase == "over":
        assert event.kind in AFTER_THE_END
        assert (match.outcome, match.state, match.line) == (before.outcome, before.state, before.line)
    if event.seat is not None:
        assert command.seat < 2
    if event.kind in ("move", "takeback", "resume"):
        assert match.offer is None
    if event.kind == "move":
        assert before.state.to_move == event.seat
        assert match.states[:-1] == before.states
    if event.kind in ("mark", "suggest") and match.marking is not None:
        assert match.marking.accepted == (False, False)
        assert match.position != before.position or event.kind == "suggest"
    if event.kind == "resume" and event.seat is not None:
        assert match.state.to_move == 1 - event.seat
    if sum(match.takebacks) > sum(before.takebacks):
        assert event.data["keep"] == len(match.line) < len(before.line)
        asker = 0 if match.takebacks[0] > before.takebacks[0] else 1
        assert match.state.to_move == asker
        assert all(now <= then for now, then in zip(total(match, at_ms), total(before, at_ms), strict=True))


def total(match: Match, at_ms: int) -> tuple[int, int]:
    """Whole periods are given back when a turn stops, so they are counted as whole ones."""
    first, second = match.clocks(at_ms)
    period_ms = match.setup.clock.period_ms if isinstance(match.setup.clock, ByoYomi) else 0
    if isinstance(match.setup.clock, Correspondence):
        return 0, 0
    if isinstance(match.setup.clock, Canadian):  # a period goes back to as many moves as were to be made
        return first.main_ms, second.main_ms
    return first.main_ms + first.periods * period_ms, second.main_ms + second.periods * period_ms


def check_invariants(match: Match, at_ms: int) -> None:
    """What holds at any time."""
    assert (match.phase == "over") == (match.outcome is not None)
    assert len(match.states) == len(match.line) + 1
    assert all(event.kind in ("move", "resume") for event in match.line)
    if match.phase == "playing":
        assert match.state.outcome is None
        assert match.marking is None
    if match.phase == "agreement":
        assert match.offer is None and match.state.outcome is not None
    if match.paused:
        assert match.running is None and match.flag_at_ms is None and match.phase != "over"
    if match.running is not None and match.flag_at_ms is not None and match.events:
        assert match.flag_at_ms > match.events[-1].at_ms
    for seat, reading in enumerate(match.clocks(at_ms)):
        assert reading.left_ms is None or reading.left_ms >= 0
        assert min(reading.main_ms, reading.periods, reading.period_ms) >= 0
        if reading.left_ms == 0 and match.phase == "over":
            assert match.outcome is not None
            assert match.outcome[:2] == (1 - seat, "time")
    if (marking := match.marking) is not None:
        cells = match.state.cells()
        assert all(marking.chain(cell) <= marking.dead for cell in marking.dead)
        assert all(marking.region(cell) <= marking.neutral for cell in marking.neutral)
        assert all(not cells[cell] or cell in marking.dead for cell in marking.neutral)
        assert match.count is not None
        if all(marking.accepted):
            assert match.outcome is not None and match.outcome.score == match.count.points


def check_log(match: Match) -> None:
    """The log gives the same match, and its line the same state."""
    log = json.loads(json.dumps([event.to_json() for event in match.events]))
    setup = Setup.from_json(json.loads(json.dumps(match.setup.to_json())))
    assert Match.replay(setup, map(Event.from_json, log)) == match
    played: list[int] = []
    resumed: list[tuple[int, int]] = []
    for event in match.line:
        if event.kind == "move":
            played += event.data["actions"]
        else:
            assert event.seat is not None
            resumed.append((len(played), 1 - event.seat))
    again = restore(match.game, match.setup.origin, played, resumed)
    assert again == match.state
    assert (again.actions, again.resumptions) == (match.state.actions, match.state.resumptions)


def drive(setup: Setup, script: list[Command]) -> Match:
    match, at_ms = Match(setup), setup.started_ms
    for command in script:
        at_ms = max(0, at_ms + command.step_ms)
        before = match.copy()
        try:
            event = act(match, command, at_ms)()
        except (MatchError, IllegalAction, NotationError) as error:
            assert match == before
            assert str(error).endswith(".") and "\n" not in str(error)
            assert (
                command.seat < 2
                or isinstance(error, Stranger)
                or command.what not in ("move", "pass", "mark")
            )
        else:
            check_step(before, match, event, command, at_ms)
        check_invariants(match, at_ms)
    check_log(match)
    return match


@pytest.mark.parametrize("name", GAMES)
@given(data=st.data(), clock=st.sampled_from(CLOCKS), seats=st.sampled_from(SEATS), script=commands)
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_sequence_breaks_an_invariant(
    name: str, data: st.DataObject, clock: Any, seats: tuple[Occupant, Occupant], script: list[Command]
) -> None:
    game = data.draw(st.sampled_from(GAMES[name]))
    agreement = data.draw(st.sampled_from((None, True)))
    drive(Setup(game, seats, clock, started_ms=1_000, agreement=agreement), script)


@pytest.mark.parametrize("name", GAMES)
def test_random_scripts_reach_every_kind_of_event(name: str) -> None:
    """The property above is worth something only if the commands are not mostly refused."""
    rng, kinds, reasons = random.Random(5), set(), set()
    for _ in range(150):
        clock, seats = rng.choice(CLOCKS), rng.choice(SEATS)
        script = [
            Command(
                rng.choice(WORDS[:-3]),
                rng.choice((0, 0, 0, 1, 2)),
                rng.choice((0, 50, 400, 3_000)),
                rng.getrandbits(16),
            )
            for _ in range(60)
        ]
        match = drive(Setup(rng.choice(GAMES[name]), seats, clock), script)
        kinds |= {event.kind for event in match.events}
        reasons |= {match.outcome.reason} if match.outcome else set()
    assert kinds >= {"move", "offer", "answer", "takeback", "suspend", "continue", "flag"}
    assert reasons >= {"agreement", "time"}
    if name == "go":
        assert kinds >= {"mark", "accept", "resume", "suggest", "rematch"}
        assert "score" in reasons
