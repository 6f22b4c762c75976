"""A GTP 2 engine: what Sabaki, GoGui, twogtp and other controllers start and talk to.

It has no search of its own: the moves, the analysis and the judgement of dead stones come from functions that
it is given. The game that GTP is about is the first; `tengen-game` changes to another, whose moves are then
written in its own notation. The commands are the methods named in `GtpEngine._commands`; each returns the
text of the answer or raises `CommandError`. Start reading at `GtpEngine.run`.
"""

from __future__ import annotations

import contextlib
import json
import re
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TextIO

from tengen.game import (
    Game,
    IllegalAction,
    InvalidOption,
    Resumed,
    State,
    cells_to_text,
    resumptions_of,
    steps,
)
from tengen.games import game_classes
from tengen.records._gtp_analyse import (
    Analyser,
    Analysis,
    Estimate,
    InfoFormat,
    MoveInfo,
    Stream,
    chains,
    format_kata,
    format_lz,
    move_text,
    parse_request,
)
from tengen.records._gtp_cleanup import taking_move
from tengen.records._gtp_clock import Clock
from tengen.records._gtp_words import (
    CommandError,
    number,
    path_of,
    read_kata_rules,
    read_kgs_time,
    read_position,
    whole,
    write_kata_rules,
)
from tengen.records.gtp import clean, parse_colour
from tengen.records.load import load_any, save_any
from tengen.records.record import Record, RecordError, game_from_words
from tengen.records.sgf import write_sgf
from tengen.records.tree import give_turn, play_as

__all__ = ["Analyser", "Analysis", "Chooser", "Estimate", "Estimator", "GtpEngine", "MoveInfo"]

_EMPTY_LINES = re.compile(r"\n(?:\s*\n)+")  # an empty line ends an answer
ANALYSE_MOVE_S = 5.0  # for genmove_analyze without a clock


# The move for a state within so many seconds (None: as the engine likes); None to resign.
Chooser = Callable[[State, float | None], Sequence[int] | None]
Estimator = Callable[[State], Estimate]


def _usual_game() -> Game:
    """The game that GTP is about, as it is usually played."""
    return next(kind() for kind in game_classes().values() if kind.records_kind.gtp)


class GtpEngine:
    """One conversation. Without `analyse` there is no analysis, without `estimate` no stone is dead, and
    without `gives_up` only the program that chooses moves resigns."""

    def __init__(
        self,
        choose: Chooser,
        *,
        analyse: Analyser | None = None,
        estimate: Estimator | None = None,
        gives_up: Callable[[State], bool] = lambda _: False,
        game: Game | None = None,
        name: str = "tengen",
        version: str = "",
        stdin: Iterable[str] | None = None,
        stdout: TextIO | None = None,
    ) -> None:
        self._choose, self._analyse, self._estimate = choose, analyse, estimate
        self._gives_up = gives_up
        self._name, self._version = name, version
        self._in: Iterable[str] = sys.stdin if stdin is None else stdin
        self._out = sys.stdout if stdout is None else stdout
        self._write_lock = threading.Lock()
        self._clock = Clock()
        self._states: list[State] = [(game or _usual_game()).start()]
        self._analysis: Stream | None = None
        self._stream: Callable[[], None] | None = None  # starts the analysis once its header is written
        self._quit = False
        self._commands = self._command_table()

    @property
    def state(self) -> State:
        return self._states[-1]

    @property
    def game(self) -> Game:
        return self.state.game

    def run(self) -> None:
        """Answers until quit or the end of the input; a new line ends an analysis under way."""
        if hasattr(self._in, "reconfigure"):
            self._in.reconfigure(errors="replace")
        with contextlib.suppress(KeyboardInterrupt, BrokenPipeError):
            try:
                for line in self._in:
                    self._stop_analysis()
                    self.handle(line)
                    if self._quit:
                        break
            finally:
                self._stop_analysis()

    def handle(self, line: str) -> None:
        """Answers one line; comments and empty lines have no answer."""
        words = clean(line).partition("#")[0].split()
        if not words:
            return
        number = ""
        if words[0].isascii() and words[0].isdigit():
            number = words.pop(0)
        try:
            mark, text = "=", self._dispatch(words)
        except CommandError as error:
            mark, text = "?", str(error)
        except (ValueError, ArithmeticError) as error:
            mark, text = "?", str(error).rstrip(".") or "syntax error"
        except Exception as error:  # a fault of the search must not end the conversation
            mark, text = "?", f"internal error: {type(error).__name__}: {error}"
        text = _EMPTY_LINES.sub("\n", clean(text).rstrip())
        stream, self._stream = self._stream, None
        if stream is not None:
            self._write(f"={number}\n")
            stream()
            return
        self._write(f"{mark}{number}{' ' if text else ''}{text}\n\n")

    def _dispatch(self, words: Sequence[str]) -> str:
        command = self._commands.get(words[0]) if words else None
        if command is None:
            raise CommandError("unknown command")
        return command(words[1:])

    def _write(self, text: str) -> None:
        with self._write_lock:
            self._out.write(text)
            self._out.flush()

    def _command_table(self) -> dict[str, Callable[[Sequence[str]], str]]:
        table: dict[str, Callable[[Sequence[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: self._name,
            "version": lambda _: self._version,
            "known_command": lambda words: "true" if words and words[0] in self._commands else "false",
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": self._do_quit,
            "boardsize": self._do_boardsize,
            "rectangular_boardsize": self._do_boardsize,
            "query_boardsize": lambda _: str(self.game.width),
            "clear_board": self._do_clear_board,
            "komi": self._do_komi,
            "get_komi": lambda _: f"{self._own_game().options['komi']:g}",
            "kgs-rules": self._do_rules,
            "kata-get-rules": lambda _: write_kata_rules(self._own_game()),
            "kata-set-rules": self._do_kata_rules,
            "kata-set-rule": self._do_kata_rule,
            "set_position": self._do_set_position,
            "fixed_handicap": self._do_fixed_handicap,
            "place_free_handicap": self._do_place_free_handicap,
            "set_free_handicap": self._do_set_free_handicap,
            "play": self._do_play,
            "genmove": lambda words: self._do_genmove(words, keep=True),
            "reg_genmove": lambda words: self._do_genmove(words, keep=False),
            "kgs-genmove_cleanup": self._do_cleanup,
            "undo": self._do_undo,
            "time_settings": self._do_time_settings,
            "kgs-time_settings": self._do_kgs_time,
            "time_left": self._do_time_left,
            "final_score": self._do_final_score,
            "final_status_list": self._do_final_status_list,
            "loadsgf": self._do_loadsgf,
            "printsgf": self._do_printsgf,
            "showboard": lambda _: "\n" + self.game.text(self.state),
            "tengen-game": self._do_tengen_game,
            "tengen-position": self._do_tengen_position,
        }
        if self._analyse is not None:
            for prefix, written in (("lz", format_lz), ("kata", format_kata)):
                table[f"{prefix}-analyze"] = partial(self._do_analyse, format_info=written)
                table[f"{prefix}-genmove_analyze"] = partial(self._do_analyse_move, format_info=written)
        return table

    # Setting up

    def _do_quit(self, _: Sequence[str]) -> str:
        self._quit = True
        return ""

    def _do_boardsize(self, words: Sequence[str]) -> str:
        """A second number is the height, which has to be the same."""
        size = whole(words, 0)
        if len(words) > 1 and whole(words, 1) != size:
            raise CommandError("unacceptable size")
        if "size" not in self.game.options:
            if self.game.width != size or self.game.height != size:
                raise CommandError("unacceptable size")
            self._restart(self.game)
            return ""
        try:
            changed = type(self.game)(**(self.game.options | {"size": size} | self._no_handicap()))
        except InvalidOption:
            raise CommandError("unacceptable size") from None
        self._restart(changed)
        return ""

    def _do_clear_board(self, _: Sequence[str]) -> str:
        self._restart(type(self.game)(**(self.game.options | self._no_handicap())))
        return ""

    def _no_handicap(self) -> dict[str, Any]:
        return dict(self.game.records.fresh)

    def _restart(self, game: Game, state: State | None = None) -> None:
        self._states = [game.start() if state is None else state]
        self._clock.restart()

    def _do_komi(self, words: Sequence[str]) -> str:
        self._own_game()
        self._change(komi=number(words, 0))
        return ""

    def _do_rules(self, words: Sequence[str]) -> str:
        self._own_game()
        names = self.game.records.gtp_rules
        if not words or words[0].lower() not in names:
            raise CommandError(f"unknown rules; there are {', '.join(names)}")
        self._change(**names[words[0].lower()])
        return ""

    def _do_kata_rules(self, words: Sequence[str]) -> str:
        self._own_game()
        self._change(**read_kata_rules(" ".join(words)))
        return ""

    def _do_kata_rule(self, words: Sequence[str]) -> str:
        """One of them: its name and its value."""
        if len(words) != 2:
            raise CommandError("syntax error")
        known = json.loads(write_kata_rules(self._own_game()))
        name, value = words[0], words[1].lower()
        if name not in known:
            raise CommandError(f"unknown rule; there are {', '.join(known)}")
        known[name] = value == "true" if value in ("true", "false") else words[1]
        if name == "scoring":
            del known["tax"]  # which goes with it
        return self._do_kata_rules([json.dumps(known)])

    def _do_set_position(self, words: Sequence[str]) -> str:
        """Stones as colours and vertices in turn; the history is gone, and who moves next may be either."""
        game = self._own_game()
        self._restart(game, read_position(words, game))
        return ""

    def _change(self, **options: Any) -> None:
        """Plays the same game on under other options."""
        changed = type(self.game)(**(self.game.options | options))
        self._states = [_replayed(changed, state) for state in self._states]

    def _own_game(self) -> Game:
        """The game, if it is one that GTP's own commands are about."""
        if not self.game.records.gtp:
            raise CommandError(f"{self.game.title} has no such thing")
        return self.game

    def _do_fixed_handicap(self, words: Sequence[str]) -> str:
        return self._handicap(whole(words, 0))

    def _do_place_free_handicap(self, words: Sequence[str]) -> str:
        """The usual points; fewer stones than asked for are allowed."""
        count = whole(words, 0)
        if count < 2:
            raise CommandError("invalid number of stones")
        for fewer in range(min(count, 9), 1, -1):
            with contextlib.suppress(CommandError):
                return self._handicap(fewer)
        raise CommandError("board not empty" if any(self.state.cells()) else "invalid number of stones")

    def _handicap(self, count: int) -> str:
        game = self._empty_board()
        if count < 2:
            raise CommandError("invalid number of stones")
        try:
            changed = type(game)(**(game.options | {"handicap": count}))
        except InvalidOption:
            raise CommandError("invalid number of stones") from None
        self._restart(changed)
        stones = [cell for cell, code in enumerate(self.state.cells()) if code]
        return " ".join(game.look.cell_name(cell) for cell in stones)

    def _do_set_free_handicap(self, words: Sequence[str]) -> str:
        game = self._empty_board()
        try:
            stones = {game.table.read_cell(word) for word in words}
        except ValueError:
            raise CommandError("bad vertex list") from None
        if len(stones) != len(words) or not 2 <= len(stones) < game.width * game.height:
            raise CommandError("bad vertex list")
        with contextlib.suppress(InvalidOption):  # on the usual points, where the rules know of them
            usual = type(game)(**(game.options | {"handicap": len(stones)}))
            if {cell for cell, code in enumerate(usual.start().cells()) if code} == stones:
                self._restart(usual)
                return ""
        cells = bytes(cell in stones for cell in range(game.width * game.height))
        self._restart(game, game.position(cells_to_text(cells, game.letters, game.width), 1))
        return ""

    def _empty_board(self) -> Game:
        game = self._own_game()
        if any(self.state.cells()):
            raise CommandError("board not empty")
        return game

    # Moves

    def _do_play(self, words: Sequence[str]) -> str:
        seat = self._seat(words)
        text = " ".join(words[1:]).strip("\"'")
        if not text:
            raise CommandError("syntax error")
        if text.lower() == "pass" and self._turn_of(seat) is None:
            self._states.append(self.state)  # the game is over, and a pass changes nothing
            return ""
        try:
            state = play_as(self.state, seat, text)
        except IllegalAction as error:
            raise CommandError(f"illegal move: {error}".rstrip(".")) from None
        except ValueError as error:
            raise CommandError(f"invalid coordinate: {error}".rstrip(".")) from None
        self._states.append(state)
        return ""

    def _seat(self, words: Sequence[str]) -> int:
        seat = parse_colour(words[0], self.game) if words else None
        if seat is None:
            raise CommandError("invalid color")
        return seat

    def _do_genmove(self, words: Sequence[str], keep: bool) -> str:
        """The move for that seat; one that is not kept answers a question, and questions are not given up.

        Nor is a game that both have ended by passing: it is counted.
        """
        seat = self._seat(words)
        state = self._turn_of(seat, asked=not keep)
        if state is None:
            return "pass"
        began = time.monotonic()
        given_up = keep and self.state.outcome is None and self._gives_up(state)
        actions = None if given_up else self._choose(state, self._budget_s(seat))
        if keep:
            self._clock.spend(seat, time.monotonic() - began)
        return self._made(state, actions, keep)

    def _do_cleanup(self, words: Sequence[str]) -> str:
        """As `genmove`, but takes the opponent's dead stones off before it passes."""
        game, seat = self._own_game(), self._seat(words)
        state = self._turn_of(seat)
        if state is None:
            return "pass"
        taking = taking_move(state, self._estimated(state).dead)
        if taking is not None:
            return self._made(state, [taking], keep=True)
        captured = type(game)(**(game.options | {"dead": "by_scoring"}))  # as if nobody agreed on them
        began = time.monotonic()
        actions = self._choose(_replayed(captured, state), self._budget_s(seat))
        self._clock.spend(seat, time.monotonic() - began)
        return self._made(state, actions, keep=True)

    def _turn_of(self, seat: int, *, asked: bool = False) -> State | None:
        """The state with that seat to move; None when the game is over for good and only a pass is left.

        Before the first move nobody has passed, whoever is asked to begin. Nor has anybody where a question
        is asked out of turn: an opponent who passes says that nothing is left to play for.
        """
        state = self.state
        try:
            if not state.actions and state.to_move != seat and self.game.table.passes:
                return self.game.position(self.game.diagram(state), seat)
            turned = give_turn(state, seat)
            passed = turned is not state and resumptions_of(turned) == resumptions_of(state)
            if asked and passed and self.game.table.agreement:
                return turned.play(turned.actions[-1]).resume(seat)
            return turned
        except IllegalAction as error:
            if self.state.outcome is not None and self.game.table.passes:
                return None
            raise CommandError(str(error).rstrip(".")) from None

    def _made(self, state: State, actions: Sequence[int] | None, keep: bool) -> str:
        if actions is None:
            return "resign"
        text, after = move_text(state, actions), state
        for action in actions:
            after = after.play(action)
        if keep:
            self._states.append(after)
        return text

    def _budget_s(self, seat: int) -> float | None:
        return self._clock.budget_s(seat, max(15, self.state.cells().count(0) // 4))

    def _do_undo(self, _: Sequence[str]) -> str:
        if len(self._states) == 1:
            raise CommandError("cannot undo")
        self._states.pop()
        return ""

    def _do_time_settings(self, words: Sequence[str]) -> str:
        main_s, byo_yomi_s, stones = number(words, 0), number(words, 1), whole(words, 2)
        if min(main_s, byo_yomi_s, stones) < 0:
            raise CommandError("syntax error")
        self._clock.set(main_s, byo_yomi_s, stones)
        return ""

    def _do_kgs_time(self, words: Sequence[str]) -> str:
        self._clock.set(*read_kgs_time(words))
        return ""

    def _do_time_left(self, words: Sequence[str]) -> str:
        self._clock.set_left(self._seat(words), number(words, 1), whole(words, 2))
        return ""

    # Counting

    def _do_final_score(self, _: Sequence[str]) -> str:
        """The count without dead stones where there are such; else the winner, and the points if any."""
        if self.game.records.gtp:
            estimate = self._estimated(self.state)
            score = self.game.table.count(self.state, estimate.dead, estimate.neutral).points
            lead = score[0] - score[1]
            return "0" if lead == 0 else f"{'B' if lead > 0 else 'W'}+{abs(lead):g}"
        outcome = self.state.outcome
        if outcome is None:
            raise CommandError("cannot score")
        winner = "0" if outcome.winner is None else f"{'BW'[outcome.winner]}+"
        return winner if outcome.score is None else f"{winner} {outcome.score[0]:g}-{outcome.score[1]:g}"

    def _estimated(self, state: State) -> Estimate:
        return Estimate() if self._estimate is None else self._estimate(state)

    def _do_final_status_list(self, words: Sequence[str]) -> str:
        """A line a chain."""
        game = self._own_game()
        status = words[0].lower() if words else ""
        if status not in ("alive", "dead", "seki"):
            raise CommandError("syntax error")
        estimate = self._estimated(self.state)
        dead, seki = set(estimate.dead), set(estimate.seki)
        lines = []
        for chain in chains(self.state.cells(), game.width):
            found = "dead" if dead & chain else "seki" if seki & chain else "alive"
            if found == status:
                lines.append(" ".join(game.look.cell_name(cell) for cell in sorted(chain)))
        return "\n".join(lines)

    # Files and games

    def _do_loadsgf(self, words: Sequence[str]) -> str:
        """With a number, the position before that move."""
        if not words:
            raise CommandError("syntax error")
        *name, last = words
        before = max(int(last), 1) if name and last.isascii() and last.isdigit() else None
        try:
            states = list(load_any(path_of(words if before is None else name)).states())
        except RecordError as error:
            raise CommandError(f"cannot load file: {error}".rstrip(".")) from None
        self._states = states[:before]
        self._clock.restart()
        return ""

    def _do_printsgf(self, words: Sequence[str]) -> str:
        record = Record.from_state(self.state)
        if words:
            save_any(record, path_of(words))
            return ""
        return write_sgf(record)

    def _do_tengen_game(self, words: Sequence[str]) -> str:
        """Changes to that game with options written name=value; without arguments tells the game."""
        if words:
            self._restart(game_from_words(words[0], words[1:]))
        return repr(self.game)

    def _do_tengen_position(self, words: Sequence[str]) -> str:
        """Sets up a position text, with the colour to move after it."""
        if not words:
            return f"{self.game.diagram(self.state)} {'bw'[self.state.to_move]}"
        self._restart(self.game, self.game.position(words[0], self._seat(words[1:]) if words[1:] else 0))
        return ""

    # Analysis

    def _do_analyse(self, words: Sequence[str], format_info: InfoFormat) -> str:
        request = parse_request(words, self.game)
        state = self.state if request.seat is None else self._turn_of(request.seat, asked=True)
        if state is None or state.outcome is not None:
            raise CommandError("the game is over")
        assert self._analyse is not None
        stream = Stream(self._analyse, state, request, format_info, self._write)
        self._stream = lambda: self._start_analysis(stream)
        return ""

    def _start_analysis(self, stream: Stream) -> None:
        self._analysis = stream
        stream.start()

    def _stop_analysis(self) -> None:
        """Ends the analysis under way, if any, and its answer."""
        if self._analysis is not None:
            stream, self._analysis = self._analysis, None
            stream.stop()
            self._write("\n")

    def _do_analyse_move(self, words: Sequence[str], format_info: InfoFormat) -> str:
        """Reports while it thinks, then plays the best move: `play D4` is the last line of the answer."""
        request = parse_request(words, self.game)
        seat = self.state.to_move if request.seat is None else request.seat
        state = self._turn_of(seat)
        if state is None:
            self._stream = lambda: self._write("play pass\n\n")
            return ""
        assert self._analyse is not None
        stream = Stream(self._analyse, state, request, format_info, self._write)
        self._stream = lambda: self._write(f"play {self._analysed_move(stream, seat)}\n\n")
        return ""

    def _analysed_move(self, stream: Stream, seat: int) -> str:
        budget_s, began = self._budget_s(seat), time.monotonic()
        stream.run_for(ANALYSE_MOVE_S if budget_s is None else budget_s)
        try:
            text = self._made(stream.state, stream.best() or self._choose(stream.state, 0.1), keep=True)
        except Exception as error:  # the answer has begun, and this is the one thing that it can still say
            print(f"no move was found: {error}", file=sys.stderr)
            text = "resign"
        self._clock.spend(seat, time.monotonic() - began)
        return text


def _replayed(game: Game, state: State) -> State:
    """The same moves in a game with other options; ValueError when they are not legal there."""
    at = game.start() if state.origin is None else game.position(*state.origin)
    for step in steps(state.actions, resumptions_of(state)):
        at = give_turn(at, step.seat) if isinstance(step, Resumed) else at.play(step)
    return at
