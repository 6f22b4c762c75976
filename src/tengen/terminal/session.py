"""One sitting: the loop that asks persons, lets machines think, and puts what they want into a `Match`.

All that happens goes through the match, which is kept on disk after every event. Half-entered moves
live in `pending` until they are whole. Start reading at `Session.run`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from tengen.facets.conversation import Conversation
from tengen.game import IllegalAction, NotationError, State
from tengen.line import whole_moves
from tengen.match import Event, Match, MatchError, Request
from tengen.players import manners
from tengen.players.player import Player
from tengen.records import RecordError
from tengen.terminal import advice, saving
from tengen.terminal.agreement import Agreement
from tengen.terminal.commands import RESIGN, help_lines, meant, read_command, read_move
from tengen.terminal.rules import rules
from tengen.terminal.screen import Left, Screen, now_ms

WATCH_SECONDS = 0.5  # between the moves of two machines, for people to follow


@dataclass
class Session:
    match: Match
    players: tuple[Player | None, Player | None]  # None for a person
    seats: tuple[str, str]  # the words that they were asked for with
    screen: Screen
    face: Conversation
    path: Path  # where the unfinished game is kept
    pending: list[int] = field(default_factory=list)  # the actions of a move that is not whole
    _fresh: bool = True  # the position has not been shown since it changed
    _cannot_keep: bool = False

    def run(self, *, going_on: bool = False) -> None:
        """Plays until the game is over; raises Left when the person goes."""
        self.face.opening(self.match, going_on=going_on)
        agreement = Agreement(self)
        while self.match.phase != "over":
            if self.match.phase == "agreement":
                agreement.run()
            elif self.match.offer is not None:
                self._answer_draw()
            elif (player := self.players[self.match.state.to_move]) is not None:
                self._machine(player)
            else:
                self._person()
        self.face.over(self.match)
        saving.discard(self.path)

    @property
    def state(self) -> State:
        """With what is pending."""
        state = self.match.state
        for action in self.pending:
            state = state.play(action)
        return state

    @property
    def persons(self) -> list[int]:
        return [seat for seat in (0, 1) if self.players[seat] is None]

    def apply(self, request: Request) -> Event:
        return self.keep(self.match.apply(request))

    def keep(self, event: Event) -> Event:
        """Stores the log after this event."""
        self._fresh = True
        try:
            saving.keep(self.path, self.match, self.seats)
        except RecordError as error:
            if not self._cannot_keep:
                self.screen.warn(f"{error} The game cannot be resumed if you leave it.")
            self._cannot_keep = True
        return event

    # Machines

    def _machine(self, player: Player) -> None:
        state, seat = self.match.state, self.match.state.to_move
        started = time.monotonic()
        with self.screen.thinking(self.name(seat)):
            actions = manners.move(player, state)
        if actions is None:
            self.apply(Request.resign(seat, now_ms()))
            return
        if not self.persons and self.screen.live:
            time.sleep(max(0.0, WATCH_SECONDS - (time.monotonic() - started)))
        self.play(seat, actions)
        if not self.persons and self.match.phase == "playing":
            self.face.watched(self.match.state)

    def name(self, seat: int) -> str:
        """A seat with the machine that has it."""
        seats, occupant = self.match.game.seats, self.match.setup.seats[seat]
        return f"{seats[seat]} ({occupant.name})" if occupant.name else seats[seat]

    # Persons

    def _person(self) -> None:
        """One line of the person whose turn it is."""
        seat = self.match.state.to_move
        if self._fresh:
            self.face.turn(self.state)
            self._fresh = False
        else:
            self.face.again()
        line = self.screen.read(self.face.prompt(seat)).strip()
        if not line:
            return
        if command := read_command(line):
            _COMMANDS[command.name](self, seat, command.rest)
        else:
            self._move(seat, line)

    def _move(self, seat: int, line: str) -> None:
        game = self.match.game
        try:
            self.pending, actions = advice.read_turn(self.match.state, self.pending, read_move(game, line))
            if not advice.means_to(self.state, actions, self.screen):
                return
            self.play(seat, [*self.pending, *actions])
        except (NotationError, IllegalAction, MatchError) as error:
            self.refuse(line, error)

    def refuse(self, line: str, error: Exception, *, agreeing: bool = False) -> None:
        if not isinstance(error, NotationError):
            self.face.answer([str(error)])
        elif command := meant(line, agreeing=agreeing):
            self.face.answer([f"{line!r} is no command; did you mean {command}?"])
        else:
            self.face.answer([f"{error} Type help for the commands."])

    def play(self, seat: int, actions: Sequence[int]) -> None:
        """Plays the whole moves among these actions of a turn and keeps what is left of them as pending."""
        whole = [step.actions for step in whole_moves(self.match.state, actions)]
        done = sum(map(len, whole))
        for move in whole:
            before = self.match.state
            event = self.apply(Request.move(seat, move, now_ms()))
            self.face.moved(before, self.match.state, seat, event.data["text"])
        self.pending = list(actions[done:])
        if self.pending:
            if whole:
                self.face.turn(self.match.state)
            self._fresh = False
            self.face.answer([self.match.game.table.begun_words(self.state)])

    # Commands

    def _pass(self, seat: int, rest: str) -> None:
        if self.match.game.table.passes:
            self._move(seat, "pass")
        else:
            self.face.answer([f"There is no passing in {self.match.game.title}."])

    def _undo(self, seat: int, rest: str) -> None:
        if self.pending:
            self.pending = []
            self._fresh = True
            return
        mover = self._last_person()
        if mover is None or not self.match.can_take_back(mover):
            self.face.answer(["There is no move of yours to take back."])
            return
        line = self.match.line
        keep: int = self.apply(Request.offer(mover, "takeback", now_ms())).data["keep"]
        turn = takewhile(lambda event: event.kind == "move" and event.seat == mover, line[keep:])
        made = [action for event in turn for action in event.data["actions"]]
        moves = [step.actions for step in whole_moves(self.match.state, made)]
        if len(moves) > 1:
            self.apply(Request.move(mover, [a for move in moves[:-1] for a in move], now_ms()))
        self.face.answer([f"{self.match.game.seats[self.match.state.to_move]} moves again."])

    def _last_person(self) -> int | None:
        """The person who moved last."""
        movers = (event.seat for event in reversed(self.match.line) if event.kind == "move")
        return next((seat for seat in movers if seat in self.persons), None)

    def _hint(self, seat: int, rest: str) -> None:
        self.face.answer([advice.hint(self.state, self.screen)])

    def _moves(self, seat: int, rest: str) -> None:
        self.face.answer(self.match.game.table.legal_words(self.state))

    def _score(self, seat: int, rest: str) -> None:
        self.face.answer(self.match.game.table.standing_words(self.state))

    def _board(self, seat: int, rest: str) -> None:
        self.face.board(self.state)

    def _draw(self, seat: int, rest: str) -> None:
        try:
            self.apply(Request.offer(seat, "draw", now_ms()))
        except MatchError as error:
            self.face.answer([str(error)])

    def _answer_draw(self) -> None:
        offer = self.match.offer
        assert offer is not None
        other = 1 - offer.seat
        player = self.players[other]
        if player is None:
            seats = self.match.game.seats
            accept = self.screen.confirm(f"{seats[offer.seat]} offers a draw. {seats[other]}, do you accept?")
        else:
            accept = self._machine_accepts(player, other)
        self.apply(Request.answer(other, "draw", accept, now_ms()))
        if not accept:
            self._fresh = False
            self.face.answer([f"{self.name(other)} declines the draw."])

    def _machine_accepts(self, player: Player, seat: int) -> bool:
        with self.screen.thinking(self.name(seat)):
            return manners.answers_draw(player, self.match.state, seat)

    def _resign(self, seat: int, rest: str) -> None:
        if not self.screen.confirm(RESIGN):
            return
        self.apply(Request.resign(seat, now_ms()))

    def _save(self, seat: int, rest: str) -> None:
        self.save(rest)

    def save(self, name: str) -> None:
        if not name:
            kept = (
                "The game is kept; tengen play --resume goes on with it."
                if self.match.events
                else "Nothing yet."
            )
            self.face.answer([kept, "To write it to a file: save FILE, such as save game.sgf."])
            return
        said = saving.write_asked(name, self.screen, lambda path: saving.write_record(self.match, path))
        if said is not None:
            self.face.answer([said])

    def _rules(self, seat: int, rest: str) -> None:
        self.face.answer(rules(self.match.game, self.screen.width))

    def _help(self, seat: int, rest: str) -> None:
        self.face.answer(help_lines(self.match.game))

    def _quit(self, seat: int, rest: str) -> None:
        raise Left


_COMMANDS: dict[str, Callable[[Session, int, str], None]] = {
    "pass": Session._pass,
    "undo": Session._undo,
    "hint": Session._hint,
    "moves": Session._moves,
    "score": Session._score,
    "board": Session._board,
    "draw": Session._draw,
    "resign": Session._resign,
    "save": Session._save,
    "rules": Session._rules,
    "help": Session._help,
    "quit": Session._quit,
}
