"""Go's agreement on dead stones: a suggestion, marks, acceptance by both, or play resumed (GO 16 to 22).

A machine accepts any count that is no worse for it than its own estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tengen import _core
from tengen.game import IllegalAction, NotationError, State
from tengen.games._grid import GridGame, read_cell
from tengen.match import Marking, MatchError, Request
from tengen.search.estimate import estimate_dead
from tengen.terminal import draw, words
from tengen.terminal.commands import help_lines, read_command, read_move
from tengen.terminal.rules import rules
from tengen.terminal.screen import Left, Screen, now_ms

if TYPE_CHECKING:
    from tengen.terminal.session import Session

_ON = {"dead": True, "alive": False, "neutral": None}  # words that may stand before a point


class Agreement:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._refused = False  # a machine does not accept the marks as they are
        self._fresh = True

    def run(self) -> None:
        """From two passes until the count is agreed, play resumed, or the game over otherwise."""
        session, match = self._session, self._session.match
        self._refused, self._fresh = False, True
        marking = match.marking
        assert marking is not None
        if not marking.touched and match.events[-1].kind != "suggest":
            found = estimate_dead(match.state)
            session.keep(match.suggest(found.dead, found.neutral, now_ms()))
        while match.phase == "agreement":
            assert match.marking is not None
            waiting = [seat for seat in session.persons if not match.marking.accepted[seat]]
            if not waiting and not self._refused:
                self._ask_machines()
            else:
                self._person(waiting[0] if waiting else session.persons[0])

    def _ask_machines(self) -> None:
        session, match = self._session, self._session.match
        assert match.marking is not None
        for seat in (0, 1):
            if match.marking.accepted[seat]:
                continue
            if not self._good_enough(seat):
                self._refused = True
                session.screen.say(f"{session.name(seat)} does not agree: change the marks, or resume play.")
                return
            session.apply(Request.accept(seat, now_ms(), match.position))
            if session.persons:
                session.screen.say(f"{session.name(seat)} agrees.")

    def _good_enough(self, seat: int) -> bool:
        state, count = self._session.match.state, self._session.match.count
        assert isinstance(state, _core.Go9 | _core.Go19) and count is not None
        found = estimate_dead(state)
        own = state.score(found.dead, found.neutral)
        return count.points[seat] - count.points[1 - seat] >= own[seat] - own[1 - seat]

    def _person(self, seat: int) -> None:
        session = self._session
        if self._fresh:
            self.show()
            self._fresh = False
        line = session.screen.read(session.face.prompt(seat)).strip()
        if not line:
            return
        command = read_command(line, agreeing=True)
        try:
            if command is None:
                self._mark(seat, line)
            else:
                self._command(seat, command.name, command.rest)
        except (NotationError, IllegalAction, MatchError) as error:
            session.refuse(line, error, agreeing=True)

    def _mark(self, seat: int, line: str) -> None:
        mark = read_mark(self._session.match.state, line)
        self._session.apply(Request.mark(seat, mark.what, mark.cell, now_ms(), mark.on))
        self._refused, self._fresh = False, True

    def _command(self, seat: int, name: str, rest: str) -> None:
        session, match = self._session, self._session.match
        if name == "accept":
            session.apply(Request.accept(seat, now_ms(), match.position))
            self._fresh = False
            if match.phase == "agreement" and 1 - seat in session.persons:
                session.screen.say(f"{match.game.seats[seat]} agrees. {match.game.seats[1 - seat]}, do you?")
        elif name == "resume":
            session.apply(Request.resume(seat, now_ms()))
            session.screen.say(f"Play goes on. {match.game.seats[match.state.to_move]} moves.")
        elif name == "resign":
            session.apply(Request.resign(seat, now_ms()))
        elif name == "board":
            self.show()
        elif name == "save":
            session.save(rest)
        elif name == "rules":
            session.face.answer(rules(match.game))
        elif name == "help":
            session.face.answer(help_lines(match.game, agreeing=True))
        else:
            raise Left

    def show(self) -> None:
        match = self._session.match
        assert match.marking is not None and match.count is not None
        show_count(self._session.screen, match.state, match.marking, match.count)


class Count(Protocol):
    """The score sheet, ours or a server's."""

    @property
    def points(self) -> Sequence[float]: ...
    @property
    def territory(self) -> Sequence[int]: ...
    @property
    def lost(self) -> Sequence[int]: ...
    @property
    def dead(self) -> Sequence[int]: ...


def show_count(screen: Screen, state: State, marking: Marking, count: Count) -> None:
    """The board with the marks, and the count."""
    game = state.game
    assert isinstance(game, GridGame)
    if not screen.plain:
        screen.say()
        for text in draw.board(state, screen, marking):
            screen.say(text)
        screen.say("x o dead stones   # Black's territory   ~ White's   ? neutral")
    cells = state.cells()
    for seat, name in enumerate(game.seats):
        dead = [cell for cell in marking.dead if cells[cell] == seat + 1]
        if screen.plain and dead:
            screen.say(f"Dead stones of {name}: {words.names_of(game, dead)}.")
    for seat, name in enumerate(game.seats):
        komi = f", komi {words.number(float(game.options['komi'] or 0))}" if seat == 1 else ""
        screen.say(
            f"{name}: {words.number(count.points[seat])}"
            f" (territory {count.territory[seat]}, lost {count.lost[seat] + count.dead[seat]}{komi})"
        )
    screen.say("Play has stopped. Type a point to change its mark, accept to agree, resume to play on.")


class Mark(NamedTuple):
    what: str
    cell: int
    on: bool | None


def read_mark(state: State, line: str) -> Mark:
    """The mark that a person wrote: a point, perhaps with a word before it; raises NotationError."""
    game = state.game
    assert isinstance(game, GridGame)
    word, _, point = line.lower().partition(" ")
    if word not in _ON:
        word, point = "", line
    cell = read_cell(read_move(game, point), game.size)
    what = "dead" if state.cells()[cell] and word != "neutral" else "neutral"
    return Mark(what, cell, _ON.get(word))
