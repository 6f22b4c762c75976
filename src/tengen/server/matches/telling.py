"""What a room tells as bytes: made once for everybody, and only what is new of a long line.

A snapshot of a match with thousands of moves is a hundred kilobytes. Whoever asks for one gets pieces that
are kept: each move of the line as it was encoded first, and what the match amounts to (`Now`), which the
update that told it was made of too. Nothing here waits. Start reading at `Telling.snapshot`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Raw, Struct

from tengen.match import Event, Match
from tengen.server import protocol as p
from tengen.server.matches.describe import encode, event, line_move, now
from tengen.server.stamp import now_ms

FRESH_MS = 1000  # how old the reading of a running clock may be; it says itself when it was made


class _Snapshot(Struct, frozen=True, tag_field="type", tag="snapshot"):
    match: p.MatchInfo
    you: list[int]
    line: Raw
    now: Raw


class _Update(Struct, frozen=True, tag_field="type", tag="update"):
    match: str
    events: list[p.Event]
    now: Raw


class Telling:
    """The pieces of one room. What is told of a match is only ever asked for the newest."""

    __slots__ = ("_line", "_moves", "_now", "_now_ms", "_now_of")

    def __init__(self) -> None:
        self._moves: list[int] = []  # the events of the line
        self._line: list[bytes] = []  # and how they are told
        self._now_of: tuple[Match, bool] | None = None
        self._now_ms = 0
        self._now = Raw(b"")

    def behind(self, match: Match) -> int:
        """How many moves of the line have yet to be encoded."""
        return max(0, match.length - len(self._moves))

    def catch_up(self, match: Match) -> None:
        """Encodes the moves that are new. From any thread, but from one at a time."""
        line = match.line
        same = min(len(line), len(self._moves))
        while same and self._moves[same - 1] != line[same - 1].number:
            same -= 1
        moves, told = self._moves[:same], self._line[:same]
        for logged in line[same:]:
            moves.append(logged.number)
            told.append(encode(line_move(match.game, logged)))
        self._moves, self._line = moves, told

    def snapshot(self, info: p.MatchInfo, match: Match, you: list[int]) -> bytes:
        if not self._is_current(match):
            self.catch_up(match)
        line = Raw(b"[" + b",".join(self._line) + b"]")
        return encode(_Snapshot(info, you, line, self.now(match, begun=info.status != "open")))

    def update(self, match_id: str, match: Match, events: Sequence[Event]) -> bytes:
        return encode(_Update(match_id, [event(logged) for logged in events], self.now(match)))

    def now(self, match: Match, begun: bool = True) -> Raw:
        at_ms = now_ms()
        old = self._now_of is None or self._now_of[0] is not match or self._now_of[1] != begun
        if old or (match.running is not None and at_ms - self._now_ms > FRESH_MS):
            self._now_of, self._now_ms = (match, begun), at_ms
            self._now = Raw(encode(now(match, at_ms, begun)))
        return self._now

    def forget(self) -> None:
        """Gives the memory of a long line back."""
        self._moves, self._line = [], []

    def _is_current(self, match: Match) -> bool:
        """A line of the same length and end is the same: an event has one line before it."""
        if match.length != len(self._moves):
            return False
        return not self._moves or match.last_move == self._moves[-1]
