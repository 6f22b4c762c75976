"""What a line means that a person types during a match on a server. Start reading at `Orders.take`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from tengen.game import IllegalAction, NotationError
from tengen.line import whole_moves
from tengen.records import Player, Record, Result, save_any
from tengen.terminal import advice, saving
from tengen.terminal.agreement import read_mark, show_count
from tengen.terminal.commands import RESIGN, help_lines, meant, read_command, read_move
from tengen.terminal.rules import rules
from tengen.terminal.screen import Left
from tengen.terminal.telling import called

if TYPE_CHECKING:
    from tengen.remote import Table
    from tengen.terminal.online import Online


class Orders:
    def __init__(self, online: Online) -> None:
        self._online = online

    @property
    def _table(self) -> Table:
        return self._online.table

    def _answer(self, *lines: str) -> None:
        self._online.answer(*lines)

    def take(self, line: str) -> None:
        if not line:
            return
        agreeing = self._online.joined and self._table.now.phase == "agreement"
        command = read_command(line, agreeing=agreeing, online=True)
        if not self._online.joined:
            if command is not None and command.name == "quit":
                raise Left
            self._online.screen.say("Still connecting.")
        elif command is not None and command.name in _ANYBODY:
            _ANYBODY[command.name](self, command.rest)
        elif not self._table.you:
            self._answer("You are only watching.")
        elif not self._table.started:
            self._answer("Nobody has joined yet.")
        elif command is not None:
            _PLAYERS[command.name](self)
        else:
            self._move_or_mark(line, agreeing)

    def _move_or_mark(self, line: str, agreeing: bool) -> None:
        try:
            if agreeing:
                mark = read_mark(self._table.state, line)
                self._online.ask("mark", what=mark.what, cell=mark.cell, on=mark.on)
            elif self._table.now.phase == "over":
                self._answer("The game is over: type why, rematch or quit.")
            else:
                self._move(line)
        except NotationError as error:
            command = meant(line, agreeing=agreeing, online=True)
            known = f"{line!r} is no command; did you mean {command}?"
            self._answer(known if command else f"{error} Type help for the commands.")
        except IllegalAction as error:
            self._answer(str(error))

    def _move(self, line: str) -> None:
        table = self._table
        if not self._online.my_turn():
            self._answer(f"It is the turn of {table.game.seats[table.now.view.to_move]}.")
            return
        self._online.pending, actions = advice.read_turn(
            table.state, self._online.pending, read_move(table.game, line)
        )
        state = self._online.state()
        if not advice.means_to(state, actions, self._online.screen):
            return
        actions = [*self._online.pending, *actions]
        whole = [action for step in whole_moves(table.state, actions) for action in step.actions]
        self._online.pending = actions[len(whole) :]
        if whole:
            self._online.ask("move", actions=whole, position=table.now.position)
        else:
            self._answer(table.game.table.begun_words(self._online.state()))

    # Commands for everybody

    def _hint(self, rest: str) -> None:
        if not self._online.may_ask_machine():
            self._answer("There are no hints in games against other people.")
        elif self._table.now.phase == "playing":
            self._answer(advice.hint(self._online.state(), self._online.screen))
        else:
            self._answer("Play has stopped.")

    def _moves(self, rest: str) -> None:
        self._answer(*self._table.game.table.legal_words(self._online.state()))

    def _score(self, rest: str) -> None:
        self._answer(*self._table.game.table.standing_words(self._online.state()))

    def _board(self, rest: str) -> None:
        now, marking = self._table.now, self._table.marking
        if now.phase == "agreement" and marking is not None and now.count is not None:
            show_count(self._online.screen, self._table.state, marking, now.count)
        else:
            self._online.face.board(self._online.state())

    def _clock(self, rest: str) -> None:
        if self._table.now.clocks is None:
            self._answer("There is no clock in this match.")
        else:
            self._online.tell_clocks()

    def _where(self, rest: str) -> None:
        self._online.tell_link()

    def _save(self, rest: str) -> None:
        if not rest:
            self._answer("To write the game to a file: save FILE, such as save game.sgf.")
        elif said := saving.write_asked(rest, self._online.screen, self._write):
            self._answer(said)

    def _write(self, path: Path) -> None:
        seats, outcome = self._table.info.seats, self._table.outcome
        players = [
            Player(called(one), kind="machine" if one.kind == "machine" else "person") for one in seats
        ]
        result = None if outcome is None else Result.of(outcome)
        save_any(Record.from_state(self._table.state, players=(players[0], players[1]), result=result), path)

    def _rules(self, rest: str) -> None:
        self._answer(*rules(self._table.game, self._online.screen.width))

    def _why(self, rest: str) -> None:
        outcome = self._table.outcome
        if outcome is None:
            self._answer("The game is not over.")
        else:
            self._answer(advice.why(self._table.state, outcome, self._online.screen))

    def _help(self, rest: str) -> None:
        agreeing = self._table.now.phase == "agreement"
        self._answer(*help_lines(self._table.game, self._online.screen.width, agreeing=agreeing, online=True))

    def _quit(self, rest: str) -> None:
        raise Left

    # Commands for those who play

    def _pass(self) -> None:
        if self._table.game.table.passes:
            self._move_or_mark("pass", agreeing=False)
        else:
            self._answer(f"There is no passing in {self._table.game.title}.")

    def _undo(self) -> None:
        if self._online.pending:
            self._online.pending = []
            self._answer("That move is forgotten.")
        else:
            self._online.ask("offer", what="takeback")

    def _draw(self) -> None:
        self._online.ask("offer", what="draw")

    def _pause(self) -> None:
        if self._table.now.paused:
            self._online.ask("unpause")
        else:
            self._online.ask("offer", what="pause")

    def _rematch(self) -> None:
        self._online.ask("offer", what="rematch")

    def _accept(self) -> None:
        now = self._table.now
        if now.offer is not None and now.offer.seat != self._online.seat():
            self._online.ask("answer", what=now.offer.what, accept=True)
        elif now.phase == "agreement":
            self._online.ask("accept", position=now.position)
        else:
            self._answer("There is nothing to accept.")

    def _decline(self) -> None:
        offer = self._table.now.offer
        if offer is not None and offer.seat != self._online.seat():
            self._online.ask("answer", what=offer.what, accept=False)
        else:
            self._answer("There is nothing to decline.")

    def _resume(self) -> None:
        self._online.ask("resume")

    def _resign(self) -> None:
        if self._online.screen.confirm(RESIGN):
            self._online.ask("resign")

    def _claim(self) -> None:
        self._online.ask("claim")


_ANYBODY: dict[str, Callable[[Orders, str], None]] = {
    "hint": Orders._hint,
    "moves": Orders._moves,
    "score": Orders._score,
    "board": Orders._board,
    "clock": Orders._clock,
    "link": Orders._where,
    "save": Orders._save,
    "rules": Orders._rules,
    "why": Orders._why,
    "help": Orders._help,
    "quit": Orders._quit,
}
_PLAYERS: dict[str, Callable[[Orders], None]] = {
    "pass": Orders._pass,
    "undo": Orders._undo,
    "draw": Orders._draw,
    "pause": Orders._pause,
    "rematch": Orders._rematch,
    "accept": Orders._accept,
    "decline": Orders._decline,
    "resume": Orders._resume,
    "resign": Orders._resign,
    "claim": Orders._claim,
}
