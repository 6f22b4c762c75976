"""What a search tells a GTP engine, and the analysis commands of Leela Zero and KataGo that pass it on.

Sabaki and Lizzie use those: arguments, streaming, info lines. An analyser says what it found as an
`Analysis`, always from the side of the player to move. Start reading at `Stream`.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tengen.game import Game, State
from tengen.records.gtp import parse_colour

DEFAULT_INTERVAL_S = 1.0
_LONGEST_PV = 40  # turns


@dataclass(frozen=True)
class MoveInfo:
    """What a search has found about one move; the best comes first in `Analysis.moves`."""

    actions: Sequence[int]  # the whole move
    visits: int
    win_rate: float  # 0 to 1
    prior: float = 0.0
    lcb: float | None = None  # a lower bound of the win rate
    score_lead: float | None = None
    pv: Sequence[int] = ()  # the actions expected to follow, the move's own first


@dataclass(frozen=True)
class Analysis:
    moves: Sequence[MoveInfo]
    ownership: Sequence[float] | None = None  # a number a cell, 1 the mover's to -1 the opponent's


@dataclass(frozen=True)
class Estimate:
    """How a Go position would be counted: a stone of each dead chain, stones in seki, neutral points."""

    dead: Sequence[int] = ()
    seki: Sequence[int] = ()
    neutral: Sequence[int] = ()


# Analyses a state and reports every so many seconds, until the event is set.
Analyser = Callable[[State, float, Callable[[Analysis], None], threading.Event], None]


@dataclass
class Request:
    """The arguments of an analysis command."""

    seat: int | None = None
    interval_s: float = DEFAULT_INTERVAL_S
    ownership: bool = False
    most: int | None = None  # moves to report
    avoid: set[tuple[int | None, str]] = field(default_factory=set)  # moves of a seat that are left out, and
    allow: set[tuple[int | None, str]] = field(default_factory=set)  # those that alone are wanted, if any are

    def wants(self, state: State, actions: Sequence[int]) -> bool:
        """Whether that move of the one to move was not left out."""
        move = (state.to_move, move_text(state, actions).upper())
        limited = any(seat == state.to_move for seat, _ in self.allow)
        return move not in self.avoid and (not limited or move in self.allow)


InfoFormat = Callable[[State, Analysis, Request], str]


class Stream:
    """One analysis whose reports are written out as they come."""

    def __init__(
        self,
        analyse: Analyser,
        state: State,
        request: Request,
        format_info: InfoFormat,
        write: Callable[[str], None],
    ) -> None:
        self.state = state
        self._analyse, self._request, self._format, self._write = analyse, request, format_info, write
        self._stop = threading.Event()
        self._last: Analysis | None = None
        self._thread = threading.Thread(target=self._run, name="gtp-analysis", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Nothing is written any more once this has returned."""
        self._stop.set()
        self._thread.join()

    def run_for(self, seconds: float) -> None:
        timer = threading.Timer(seconds, self._stop.set)
        timer.daemon = True
        timer.start()
        try:
            self._run()
        finally:
            timer.cancel()

    def best(self) -> Sequence[int] | None:
        """The first wanted move of the last report; where it has none, the first legal one that was named."""
        state, request = self.state, self._request
        moves = () if self._last is None else self._last.moves
        found = next((info.actions for info in moves if request.wants(state, info.actions)), None)
        if found is not None or not (request.avoid or request.allow):
            return found
        legal = (choice.actions for choice in state.game.look.moves(state))
        return next((actions for actions in legal if request.wants(state, actions)), None)

    def _run(self) -> None:
        try:
            self._analyse(self.state, self._request.interval_s, self._report, self._stop)
        except Exception as error:  # the answer has begun, so it can only be told aside
            print(f"the analysis failed: {error}", file=sys.stderr)

    def _report(self, analysis: Analysis) -> None:
        self._last = analysis
        if not self._stop.is_set() and (line := self._format(self.state, analysis, self._request)):
            self._write(line + "\n")


def parse_request(words: Sequence[str], game: Game) -> Request:
    """`[player] [interval] [key value]...`; keys that we do not know are skipped. Raises ValueError."""
    request, rest = Request(), list(words)
    if rest and (seat := parse_colour(rest[0], game)) is not None:
        request.seat = seat
        rest.pop(0)
    if rest and rest[0].replace(".", "", 1).isdigit():
        request.interval_s = _interval(rest.pop(0))
    while rest:
        key = rest.pop(0).lower()
        if key in ("avoid", "allow"):  # colour, moves, and for how deep, which is always the first move here
            if len(rest) < 3:
                raise ValueError(f"{key} needs a colour, moves and a depth")
            named = {(parse_colour(rest[0], game), word.upper()) for word in rest[1].split(",")}
            (request.avoid if key == "avoid" else request.allow).update(named)
            del rest[:3]
            continue
        if not rest:
            raise ValueError(f"{key} has no value")
        value = rest.pop(0)
        if key == "interval":
            request.interval_s = _interval(value)
        elif key == "ownership":
            request.ownership = value.lower() == "true"
        elif key == "maxmoves" and value.isdigit():
            request.most = int(value)
    return request


def _interval(text: str) -> float:
    """Centiseconds to seconds."""
    return min(max(float(text) / 100, 0.01), 3600.0)


def move_text(state: State, actions: Sequence[int]) -> str:
    """A move as one word."""
    return state.game.format(state, actions).replace(" ", "")


def format_lz(state: State, analysis: Analysis, request: Request) -> str:
    """Win rates in ten thousandths."""
    parts = []
    for order, info in enumerate(_chosen(state, analysis, request)):
        lcb = info.win_rate if info.lcb is None else info.lcb
        parts.append(
            f"info move {move_text(state, info.actions)} visits {info.visits}"
            f" winrate {_myriad(info.win_rate)} prior {_myriad(info.prior)} lcb {_myriad(lcb)}"
            f" order {order} pv {_pv(state, info)}"
        )
    return " ".join(parts)


def format_kata(state: State, analysis: Analysis, request: Request) -> str:
    """Win rates from 0 to 1, scores in points, then the ownership of all cells if it was asked for."""
    parts = []
    for order, info in enumerate(_chosen(state, analysis, request)):
        lcb = info.win_rate if info.lcb is None else info.lcb
        lead = 0.0 if info.score_lead is None else info.score_lead
        parts.append(
            f"info move {move_text(state, info.actions)} visits {info.visits}"
            f" utility {2 * info.win_rate - 1:.6f} winrate {info.win_rate:.6f} scoreMean {lead:.3f}"
            f" scoreLead {lead:.3f} prior {info.prior:.6f} lcb {lcb:.6f} order {order} pv {_pv(state, info)}"
        )
    if request.ownership and analysis.ownership is not None:
        parts.append("ownership " + " ".join(f"{owner:.4f}" for owner in analysis.ownership))
    return " ".join(parts)


def _chosen(state: State, analysis: Analysis, request: Request) -> list[MoveInfo]:
    return [info for info in analysis.moves if request.wants(state, info.actions)][: request.most]


def _myriad(share: float) -> int:
    return round(10_000 * share)


def _pv(state: State, info: MoveInfo) -> str:
    """The expected turns, a word each, as far as the rules allow them."""
    words, at = [], state
    before, run = at, list[int]()
    for action in info.pv or info.actions:
        try:
            at = at.play(action)
        except ValueError:
            break
        run.append(action)
        if at.to_move != before.to_move or at.outcome is not None:
            words.append(move_text(before, run))
            before, run = at, []
        if len(words) == _LONGEST_PV:
            break
    if run:
        words.append(move_text(before, run))
    return " ".join(words)


def beside(cell: int, size: int) -> list[int]:
    """The cells beside it on a square board."""
    row, column = divmod(cell, size)
    found = [cell - size] * (row > 0) + [cell + size] * (row < size - 1)
    return found + [cell - 1] * (column > 0) + [cell + 1] * (column < size - 1)


def chains(cells: bytes, size: int) -> list[set[int]]:
    """The chains of stones on a square board."""
    chains, seen = [], set[int]()
    for start, code in enumerate(cells):
        if not code or start in seen:
            continue
        chain, waiting = set[int](), [start]
        while waiting:
            cell = waiting.pop()
            if cell in chain or cells[cell] != code:
                continue
            chain.add(cell)
            waiting += beside(cell, size)
        seen |= chain
        chains.append(chain)
    return chains
