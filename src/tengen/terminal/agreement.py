"""The agreement on dead stones: a suggestion, marks, acceptance by both, or play resumed (GO 16 to 22)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tengen.facets.table import ScoreSheet
from tengen.game import Game, IllegalAction, NotationError, State
from tengen.match import Marking, MatchError, Request
from tengen.players import manners
from tengen.terminal import draw
from tengen.terminal.commands import RESIGN, help_lines, read_command, read_move
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
            found = match.game.opponents.estimate_dead(match.state)
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
            if not manners.accepts_marks(match, seat):
                self._refused = True
                session.screen.say(f"{session.name(seat)} does not agree: change the marks, or resume play.")
                return
            session.apply(Request.accept(seat, now_ms(), match.position))
            if session.persons:
                session.screen.say(f"{session.name(seat)} agrees.")

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
        session, match = self._session, self._session.match
        assert match.marking is not None
        mark, agreed = read_mark(match.state, line), any(match.marking.accepted)
        session.apply(Request.mark(seat, mark.what, mark.cell, now_ms(), mark.on))
        on = bool(match.events[-1].data["on"])
        session.screen.say(mark_sentence(match.game, seat, Mark(mark.what, mark.cell, on), agreed))
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
            if session.screen.confirm(RESIGN):
                session.apply(Request.resign(seat, now_ms()))
        elif name == "board":
            self.show()
        elif name == "save":
            session.save(rest)
        elif name == "rules":
            session.face.answer(rules(match.game, session.screen.width))
        elif name == "help":
            session.face.answer(help_lines(match.game, session.screen.width, agreeing=True))
        else:
            raise Left

    def show(self) -> None:
        match = self._session.match
        assert match.marking is not None and match.count is not None
        show_count(self._session.screen, match.state, match.marking, match.count)


def show_count(screen: Screen, state: State, marking: Marking, sheet: ScoreSheet) -> None:
    """The board with the marks, and the count."""
    if screen.draws:
        screen.say()
        for text in draw.board(state, screen, marking):
            screen.say(text)
    for line in state.game.table.count_words(state, marking.dead, sheet, plain=screen.plain):
        screen.say(line)
    screen.say("Play has stopped. Type a point to change its mark, accept to agree, resume to play on.")


class Mark(NamedTuple):
    what: str
    cell: int
    on: bool | None


def mark_sentence(game: Game, seat: int, mark: Mark, agreed: bool) -> str:
    """What a change of the marks did; `agreed` says whether somebody had agreed to those before it."""
    becomes = {"dead": ("alive", "dead"), "neutral": ("not neutral", "neutral")}[mark.what][bool(mark.on)]
    said = f"{game.seats[seat]} marks {game.look.cell_name(mark.cell)} as {becomes}"
    return f"{said}: both have to agree again." if agreed else f"{said}."


def read_mark(state: State, line: str) -> Mark:
    """The mark that a person wrote: a point, perhaps with a word before it; raises NotationError."""
    game = state.game
    word, _, point = line.lower().partition(" ")
    if word not in _ON:
        word, point = "", line
    cell = game.table.read_cell(read_move(game, point))
    what = "dead" if state.cells()[cell] and word != "neutral" else "neutral"
    return Mark(what, cell, _ON.get(word))
