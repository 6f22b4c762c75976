"""One sitting: the loop that asks persons, lets machines think, and puts what they want into a `Match`.

All that happens goes through the match, which is kept on disk after every event. Half-entered moves
live in `pending` until they are whole. Start reading at `Session.run`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import takewhile
from pathlib import Path

from tengen.facets.conversation import Conversation
from tengen.game import IllegalAction, NotationError, State
from tengen.line import whole_moves
from tengen.match import Event, Match, MatchError, Request, TimeUp
from tengen.players import manners
from tengen.players.player import Player
from tengen.records import Node, RecordError
from tengen.terminal import advice, saving, times
from tengen.terminal.agreement import Agreement
from tengen.terminal.commands import RESIGN, WHY, help_lines, meant, read_command, read_move
from tengen.terminal.face import BoardFace
from tengen.terminal.picture import Picture
from tengen.terminal.rules import rules
from tengen.terminal.screen import Elsewhere, Left, Screen, TimeOver, now_ms
from tengen.terminal.variations import Made, Tried, steps_to

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
    tried: Tried | None = None  # what was made of the game before, variations included
    notice: str = ""  # what is said once, when it begins

    def __post_init__(self) -> None:
        self.all_tried = self.tried or Tried.since(self.match.setup.first_state())
        self.all_tried.follow(_made(self.match))

    def run(self, *, going_on: bool = False) -> None:
        """Plays until the game is over; raises Left when the person goes."""
        if going_on:
            self._start_clocks()
        self.face.opening(self.match, going_on=going_on)
        if self.notice:
            self.face.answer([self.notice])
            self.notice = ""
        while self.match.phase != "over":
            try:
                self._next()
            except (TimeOver, TimeUp):
                if (event := self.match.tick(now_ms())) is not None:
                    self.keep(event)
            except Elsewhere as elsewhere:
                self.go_to(elsewhere.node)
        self.face.over(self.match)
        saving.discard(self.path)

    def why(self) -> None:
        """Asks a person who has lost, and sits at the keyboard, whether to hear why.

        Not one who lost on time: that is why, and the line that was waited for is still being read. And not
        after a conversation of the game's own, which ends as it says.
        """
        outcome = self.match.outcome
        lost = outcome is not None and outcome.winner is not None and 1 - outcome.winner in self.persons
        on_time = outcome is not None and outcome.reason == "time"
        usual = isinstance(self.face, BoardFace)
        if usual and lost and not on_time and self.screen.typed and self.screen.confirm(WHY):
            self.say_why()

    def say_why(self) -> None:
        """Says of a game that is over where it was lost."""
        assert self.match.outcome is not None
        self.face.answer([advice.why(self.match.state, self.match.outcome, self.screen)])

    def _next(self) -> None:
        """Whatever comes next: a move, an answer or the agreement."""
        if self.match.phase == "agreement":
            Agreement(self).run()
        elif self.match.offer is not None:
            self._answer_draw()
        elif (player := self.players[self.match.state.to_move]) is not None:
            self._machine(player)
        else:
            self._person()

    def picture(self) -> Picture:
        match, table = self.match, self.match.game.table
        sheet = match.count if match.phase == "agreement" else None
        if sheet is not None and match.marking is not None:
            words = table.count_words(match.state, match.marking.dead, sheet, plain=False)
        else:
            words = table.status_words(self.state) or table.standing_words(self.state)
        you = "you" if len(self.persons) == 1 else ""
        players = [one.name or you for one in match.setup.seats]
        return Picture(
            game=match.game,
            players=(players[0], players[1]),
            whole=match.state,
            state=self.state,
            phase=match.phase,
            marking=match.marking,
            words=tuple(words),
            ended="" if match.outcome is None else table.outcome_words(match.outcome),
            tried=self.all_tried,
            clocks=partial(_clock_words, match.copy()),
            helps=True,
            tries=not self._timed,
        )

    @property
    def _timed(self) -> bool:
        return self.match.clocks(now_ms())[0].left_ms is not None

    def stop_clocks(self) -> None:
        """When the game is left."""
        if self._timed and self.match.running is not None and self.match.events:
            self.keep(self.match.suspend(now_ms()))

    def _start_clocks(self) -> None:
        """They have stood since the game was left, or since its last move where nobody could stop them."""
        match = self.match
        if self._timed and match.phase == "playing":
            if not match.suspended:
                match.suspend(match.events[-1].at_ms if match.events else now_ms())
            self.keep(match.proceed(now_ms()))

    def go_to(self, node: Node) -> None:
        """Plays on from that position of the tree, as if its moves had been made."""
        match = Match(replace(self.match.setup, started_ms=now_ms()))
        try:
            for step in steps_to(node):
                assert step.seat is not None and step.move is not None
                if match.phase == "agreement":
                    match.apply(Request.resume(1 - step.seat, now_ms()))
                match.apply(Request.move(step.seat, step.move, now_ms()))
        except (NotationError, IllegalAction, MatchError) as error:
            self.face.answer([str(error)])
            return
        self.match, self.pending = match, []
        self._keep()

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
        self._keep()
        return event

    def _keep(self) -> None:
        self._fresh = True
        self.all_tried.follow(_made(self.match))
        try:
            saving.keep(self.path, self.match, self.seats, self.all_tried)
        except RecordError as error:
            if not self._cannot_keep:
                self.screen.warn(f"{error} The game cannot be resumed if you leave it.")
            self._cannot_keep = True

    # Machines

    def _machine(self, player: Player) -> None:
        state, seat = self.match.state, self.match.state.to_move
        started = time.monotonic()
        most_s = manners.move_seconds(self.match, now_ms(), math.inf) if self._timed else None
        with self.screen.thinking(self.name(seat)):
            actions = manners.move(player, state, most_s)
        if actions is None:
            self.apply(Request.resign(seat, now_ms()))
            return
        if not self.persons and self.screen.watched:
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
        line = self._read(seat).strip()
        if not line:
            return
        if command := read_command(line):
            _COMMANDS[command.name](self, seat, command.rest)
        else:
            self._move(seat, line)

    def _read(self, seat: int) -> str:
        prompt, flag_at_ms = self.face.prompt(seat), self.match.flag_at_ms
        if flag_at_ms is None:
            return self.screen.read(prompt)
        if not self.screen.watched:
            self.screen.say(_clock_sentence(self.match))
            return self.screen.read_until(lambda: prompt, flag_at_ms)
        return self.screen.read_until(
            lambda: times.before_prompt(self.match.clocks(now_ms())) + prompt, flag_at_ms
        )

    def _move(self, seat: int, line: str) -> None:
        game = self.match.game
        try:
            self.pending, actions = advice.read_turn(self.match.state, self.pending, read_move(game, line))
            if not advice.means_to(self.state, actions, self.screen):
                return
            self.play(seat, [*self.pending, *actions])
        except TimeUp:
            raise
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
        if whole:
            self.pending = []
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
        said = saving.write_asked(name, self.screen, self.write)
        if said is not None:
            self.face.answer([said])

    def write(self, path: Path) -> None:
        """The game to a file, with its variations where the format has them."""
        saving.write_record(self.match, path, self.all_tried)

    def _rules(self, seat: int, rest: str) -> None:
        self.face.answer(rules(self.match.game, self.screen.width))

    def _help(self, seat: int, rest: str) -> None:
        self.face.answer(help_lines(self.match.game, self.screen.width))

    def _quit(self, seat: int, rest: str) -> None:
        raise Left


def _made(match: Match) -> list[Made]:
    return [
        (event.seat, event.data["text"]) if event.kind == "move" else (None, "resume") for event in match.line
    ]


def _clock_sentence(match: Match) -> str:
    return times.sentence(match.game.seats, match.clocks(now_ms()))


def _clock_words(match: Match) -> tuple[str, str] | None:
    """What both clocks show now."""
    first, second = match.clocks(now_ms())
    return None if first.left_ms is None else (times.reading(first), times.reading(second))


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
