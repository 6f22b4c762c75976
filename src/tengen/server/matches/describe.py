"""Matches and rows of the store as the protocol tells them. Nothing here waits or changes anything.

What a reader must not learn never gets in: ids of persons, secrets and invitations stay in the rows.
Start reading at `now` and `match_info`. Games and positions are described in `tengen.server.games`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tengen.game import Game
from tengen.games import game as make
from tengen.games import game_class
from tengen.line import RESUME
from tengen.match import Clock as MatchClock
from tengen.match import Event as LogEvent
from tengen.match import Match, NoClock, Occupant, Setup
from tengen.records import Player, Record, Result
from tengen.server import protocol as p
from tengen.server.games import choices, outcome, told_view
from tengen.server.matches.duties import duty
from tengen.server.store.rows import MatchRow, SeatRow, Summary

LOG_PAGE = 1000  # events in an answer

encode = msgspec.json.Encoder().encode


# Matches


def seats_held(row: MatchRow, person: str | None) -> list[int]:
    """The seats of that person."""
    if person is None:
        return []
    one, other = row.seats
    held = [0] if one.holder == person else []
    if other.holder == person:
        held.append(1)
    return held


def match_info(
    row: MatchRow, here: Sequence[bool] = (False, False), status: p.Status | None = None
) -> p.MatchInfo:
    """`status` is for who knows better than the row, which may have been read a while ago."""
    return p.MatchInfo(
        id=row.id,
        game=row.game,
        options=row.options,
        clock=msgspec.convert(row.clock, p.Clock),
        origin=row.origin,
        status=status or row.status,
        public=row.public,
        seats=(seat_info(row.seats[0], here[0]), seat_info(row.seats[1], here[1])),
        created_ms=row.created_ms,
        started_ms=row.started_ms,
        rematch=row.rematch,
        rematch_of=row.rematch_of,
        estimate=may_estimate(row),
    )


def may_estimate(row: MatchRow) -> bool:
    """Whether one may ask how the match stands while it is played: not where two persons have not agreed."""
    persons = sum(seat.kind != "machine" for seat in row.seats)
    alone = row.seats[0].holder is not None and row.seats[0].holder == row.seats[1].holder
    return game_class(row.game).opponents_kind.estimates and (row.estimate or persons < 2 or alone)


def seat_info(seat: SeatRow, here: bool) -> p.SeatInfo:
    kind: Any = seat.kind
    return p.SeatInfo(kind, seat.name, seat.player, here and seat.kind == "person")


def event(logged: LogEvent) -> p.Event:
    return p.Event(logged.number, logged.kind, logged.seat, logged.at_ms, dict(logged.data), logged.position)


def log_page(match: Match, after: int) -> p.Log:
    """A page of the events of a match."""
    number, end = len(match.events), after + LOG_PAGE
    return p.Log([event(logged) for logged in match.events[after:end]], number, end < number)


def line_move(game: Game, logged: LogEvent) -> p.LineMove:
    if logged.kind == "move":
        actions, text = list(logged.data["actions"]), logged.data["text"]
        return p.LineMove(logged.number, logged.seat, text, actions, logged.at_ms)
    assert logged.kind == "resume" and logged.seat is not None
    goes_on = 1 - logged.seat
    return p.LineMove(logged.number, None, RESUME + game.seats[goes_on], [], logged.at_ms, goes_on)


def now(match: Match, at_ms: int, begun: bool = True) -> p.Now:
    """What the match amounts to at that time; one that has not `begun` still waits for a player."""
    state, marking, count, offer, phase = match.state, match.marking, match.count, match.offer, match.phase
    timed = not isinstance(match.setup.clock, NoClock)
    playing = phase == "playing"
    return p.Now(
        number=len(match.events),
        position=match.position,
        phase=phase,
        view=told_view(state),  # type: ignore[arg-type]  # encoded already
        legal=state.legal_actions() if playing else [],
        line=match.length,
        at_ms=at_ms,
        running=match.running if begun else None,
        clocks=_readings(match, at_ms if begun else match.setup.started_ms) if timed else None,
        outcome=outcome(match.outcome),
        offer=None if offer is None else p.Offer(offer.what, offer.seat),  # type: ignore[arg-type]
        marking=None
        if marking is None
        else p.Marking(sorted(marking.dead), sorted(marking.neutral), marking.accepted),
        count=None
        if count is None
        else p.Count(count.points, count.territory, count.stones, count.lost, count.dead, list(count.owner)),
        suspended=match.suspended,
        paused=match.paused,
        can_take_back=(match.can_take_back(0), match.can_take_back(1)),
        moves=choices(state) if playing else [],
    )


def _readings(match: Match, at_ms: int) -> tuple[p.Reading, p.Reading]:
    one, other = match.clocks(at_ms)
    return (
        p.Reading(one.left_ms or 0, one.main_ms, one.periods, one.period_ms),
        p.Reading(other.left_ms or 0, other.main_ms, other.periods, other.period_ms),
    )


def match_summary(row: MatchRow, you: list[int], here: Sequence[bool] = (False, False)) -> p.MatchSummary:
    """A row of a list, from what the row has: the log is not looked at."""
    summary = row.summary
    result = summary.outcome
    return p.MatchSummary(
        info=match_info(row, here),
        you=you,
        moves=summary.moves,
        to_move=summary.to_move,
        moved_ms=summary.moved_ms,
        diagram=summary.diagram,
        outcome=None if result is None else msgspec.convert(result, p.Outcome),
    )


def waiting_setup(row: MatchRow) -> Setup:
    """The setup of a match that has not begun, as far as it is known: it serves to show the board."""
    game = make(row.game, **row.options)
    return Setup(
        game=game,
        seats=(occupant(row.seats[0]), occupant(row.seats[1])),
        clock=MatchClock.from_json(row.clock),
        started_ms=row.created_ms,
        origin=row.origin,
        agreement=True if game.table.agreement else None,
    )


def occupant(seat: SeatRow) -> Occupant:
    if seat.kind == "machine":
        return Occupant(seat.name, "machine", seat.player)
    return Occupant(seat.name, "person", seat.holder or "")


def summary_of(match: Match) -> Summary:
    """What lists show of a match that has begun, and what the sweeps look for."""
    found = match.outcome
    return Summary(
        number=len(match.events),
        moves=match.length,
        to_move=match.state.to_move if match.phase == "playing" else None,
        moved_ms=match.events[-1].at_ms if match.events else match.setup.started_ms,
        diagram=match.game.diagram(match.state),
        status="playing" if found is None else "over",
        outcome=None
        if found is None
        else {"winner": found.winner, "reason": found.reason, "score": found.score},
        flag_at_ms=match.flag_at_ms,
        machine_due=not match.setup.machines_only and duty(match) is not None,
    )


# Records


def record(match: Match) -> Record:
    """The match as a record, its log included. The log names no persons beyond their nicknames."""
    from datetime import UTC, datetime

    def stamp(at_ms: int) -> str:
        return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="seconds")

    players = [Player(one.name, kind=one.kind) for one in match.setup.seats]
    over = match.outcome is not None and bool(match.events)
    return Record.from_state(
        match.state,
        players=(players[0], players[1]),
        result=None if match.outcome is None else Result.of(match.outcome),
        started=stamp(match.setup.started_ms),
        finished=stamp(match.events[-1].at_ms) if over else "",
        events=tuple(logged.to_json() for logged in match.events),
    )


def study(match: Match) -> p.Study:
    """The line of a match to look at; nodes of a study are moves, so a record's turns are not used."""
    nodes = [p.StudyNode(None)]
    for number, logged in enumerate(match.line):
        move = line_move(match.game, logged)
        nodes.append(p.StudyNode(number, move.seat, move.text, move.actions, resumed=move.resumed))
    players = [p.Person(one.name, one.kind) for one in match.setup.seats]
    return p.Study(
        game=match.game.name,
        options=dict(match.game.options),
        nodes=nodes,
        origin=match.setup.origin,
        players=(players[0], players[1]),
        result=outcome(match.outcome),
    )
