"""GTP 2, the protocol between programs that play: its words, and a controller that runs one.

`GtpProgram` drives GNU Go, Pachi, KataGo or our own `GtpEngine` (tengen.records.gtp_engine). Whatever a
program does wrong (hangs, dies, floods, answers nonsense) ends in `GtpError` with one sentence, and with the
program and its children killed. Start reading at `GtpProgram`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import threading
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import NamedTuple, Self

from tengen.facets.points import cell_name, read_cell
from tengen.game import Game, State
from tengen.line import RESUME
from tengen.records import _gtp_process
from tengen.records.record import option_words, shorten, turns

GAMES_DIRECTORIES = ("/usr/games", "/usr/local/games")  # where Debian puts GNU Go, often not in PATH
_QUIT_S = 1.0
_ANSWER = re.compile(r"([=?])(\d*)[ \t]*")
_SCORE = re.compile(r"([BW])\+(\d+(?:\.\d+)?)", re.IGNORECASE)
_CONTROLS = {code: None for code in [*range(32), 127] if chr(code) not in "\t\n"} | {ord("\t"): " "}


class GtpError(Exception):
    """The program cannot be used any more, or refused (`GtpRefusalError`); one sentence for a person."""


class GtpRefusalError(GtpError):
    """The program answered with an error; it goes on."""


class Answer(NamedTuple):
    ok: bool
    id: int | None
    text: str


def clean(text: str) -> str:
    """Without control characters but line ends; tabs become spaces, as the protocol says."""
    return text.translate(_CONTROLS)


def parse_answer(text: str) -> Answer | None:
    """One answer without its final empty line; None when it is none."""
    text = clean(text)
    found = _ANSWER.match(text)
    if found is None or len(found[2]) > 9:
        return None
    return Answer(found[1] == "=", int(found[2]) if found[2] else None, text[found.end() :].strip())


def parse_colour(text: str, game: Game | None = None) -> int | None:
    """The seat for b, black, w or white, or for a seat's name in that game; None when it is none of them."""
    word = text.lower()
    if word in ("b", "black"):
        return 0
    if word in ("w", "white"):
        return 1
    if game is not None:
        names = [name.lower().replace(" ", "") for name in game.seats]
        return names.index(word) if word in names else None
    return None


def format_colour(seat: int) -> str:
    return "bw"[seat]


def parse_vertex(text: str, size: int) -> int | None:
    """The cell of a vertex, None for pass; raises ValueError for anything else."""
    return None if text.strip().lower() == "pass" else read_cell(text, size)


def format_vertex(cell: int | None, size: int) -> str:
    return "pass" if cell is None else cell_name(cell, size)


def parse_score(text: str) -> float | None:
    """Black's lead by an answer to final_score, None when it says nothing."""
    word = text.strip()
    if word in ("0", "0.0") or word.lower() in ("draw", "jigo"):
        return 0.0
    found = _SCORE.match(word)
    if found is None:
        return None
    return float(found[2]) * (1 if found[1].upper() == "B" else -1)


def find_program(name: str) -> str | None:
    """Where a program is: in PATH or where systems keep games."""
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), *GAMES_DIRECTORIES])
    return shutil.which(name, path=path)


class GtpProgram:
    """A running program; a context manager that leaves no process behind.

    `command` is a list, or a string split like a shell would (there is never a shell). Calls wait at most
    `timeout_s` for each answer. `close` may be called from another thread and ends a call under way.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        timeout_s: float = 30.0,
        start_timeout_s: float = 30.0,
        cwd: str | os.PathLike[str] | None = None,
        env: Mapping[str, str] | None = None,
    ) -> None:
        args = _split(command)
        self.timeout_s = timeout_s
        self.label = os.path.basename(args[0])  # noqa: PTH119
        self._received = bytearray()
        self._number = 0
        self._lock = threading.Lock()
        self._closed = False
        self._board: tuple[Game, tuple[str, int] | None] | None = None  # what `sync` has set up
        self._played: list[tuple[int, str]] = []  # and played since
        try:
            self._process = _gtp_process.Process([find_program(args[0]) or args[0], *args[1:]], cwd, env)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise GtpError(f"Cannot start {shorten(args[0])!r}: {reason}.") from None
        try:
            self._shake_hands(start_timeout_s)
        except BaseException:
            self.kill()
            raise

    def _shake_hands(self, timeout_s: float) -> None:
        version = self.command("protocol_version", timeout_s=timeout_s)
        if version.split(".")[0] != "2":
            raise self._fail(f"speaks version {shorten(version)!r} of GTP and not 2")
        self.commands = frozenset(self.command("list_commands").split())
        self.name = self._optional("name") or self.label
        self.version = self._optional("version")

    def _optional(self, command: str) -> str:
        try:
            return self.command(command)
        except GtpRefusalError:
            return ""

    def command(self, line: str, *, timeout_s: float | None = None) -> str:
        """The text of the answer; GtpRefusalError when it is an error, GtpError when the program failed."""
        line = line.strip()
        if not line or clean(line) != line or "\n" in line or "#" in line:
            raise ValueError(f"{line!r} is not one GTP command.")
        timeout_s = self.timeout_s if timeout_s is None else timeout_s
        with self._lock:
            try:
                answer = self._ask(line, timeout_s)
            except _gtp_process.ExpiredError:
                raise self._fail(f"did not answer {shorten(line)!r} within {timeout_s:g} seconds") from None
            except _gtp_process.FloodError:
                raise self._fail(f"wrote far too much in answer to {shorten(line)!r}") from None
            except _gtp_process.EndedError:
                if self._closed:
                    raise GtpError(f"{self.label} was stopped.") from None
                raise self._fail(f"ended instead of answering {shorten(line)!r}") from None
            except BaseException:  # Ctrl-C: nobody knows where the conversation is
                self.kill()
                raise
        if not answer.ok:
            raise GtpRefusalError(
                f"{self.label} refused {shorten(line)!r}: {shorten(answer.text, 200) or 'no reason'}."
            )
        return answer.text

    def _ask(self, line: str, timeout_s: float) -> Answer:
        if self._closed:
            raise _gtp_process.EndedError
        if self._received.strip():
            raise self._fail(f"wrote {self._said()} without being asked")
        self._received.clear()
        self._number += 1
        data = f"{self._number} {line}\n".encode()
        self._process.exchange(data, self._received, self._complete, timeout_s)
        text, _, rest = self._text().partition("\n\n")
        answer = parse_answer(text)
        if answer is None or answer.id != self._number:
            raise self._fail(f"answered {shorten(line)!r} with nonsense, {self._said()}")
        self._received[:] = rest.encode()
        return answer

    def _text(self) -> str:
        return self._received.decode("utf-8", "replace").replace("\r", "").lstrip("\n ")

    def _complete(self) -> bool:
        """An answer ends with an empty line; what does not begin like one is not waited for."""
        text = self._text()
        return "\n\n" in text or ("\n" in text and text[0] not in "=?")

    def _said(self) -> str:
        return repr(shorten(clean(self._text()).strip().split("\n")[0]))

    def _fail(self, what: str) -> GtpError:
        """Kills the program and gives the error that says why."""
        words = shorten(clean(self._process.last_words()), 200).rstrip(".")
        self.kill()
        return GtpError(f"{self.label} {what}{f'; it said: {words}' if words else ''}.")

    # What a program is told

    def boardsize(self, size: int) -> None:
        self.command(f"boardsize {size}")

    def clear_board(self) -> None:
        self.command("clear_board")

    def komi(self, komi: float) -> None:
        self.command(f"komi {komi:g}")

    def play(self, seat: int, move: str) -> None:
        self.command(f"play {format_colour(seat)} {move}")

    def genmove(self, seat: int, *, timeout_s: float | None = None) -> str:
        """The move as the program wrote it, `pass` or `resign`; whether it is one is not checked."""
        text = self.command(f"genmove {format_colour(seat)}", timeout_s=timeout_s)
        return text.lower() if text.lower() in ("pass", "resign") else text

    def undo(self) -> None:
        self.command("undo")

    def time_settings(self, main_s: float, byo_yomi_s: float = 0, byo_yomi_stones: int = 0) -> None:
        self.command(f"time_settings {main_s:.0f} {byo_yomi_s:.0f} {byo_yomi_stones}")

    def time_left(self, seat: int, left_s: float, stones: int = 0) -> None:
        if "time_left" in self.commands:
            self.command(f"time_left {format_colour(seat)} {max(left_s, 0):.0f} {stones}")

    def final_score(self, *, timeout_s: float | None = None) -> float | None:
        """Black's lead by the program's own count, None when it does not say."""
        return parse_score(self.command("final_score", timeout_s=timeout_s))

    # The same in terms of states

    def choose(self, state: State, *, timeout_s: float | None = None) -> list[int] | None:
        """The program's move in that state, None when it resigns. A move against the rules is a failure."""
        self.sync(state)
        seat, game = state.to_move, state.game
        text = self.genmove(seat, timeout_s=timeout_s)
        if text == "resign":
            return None
        try:
            actions = game.parse(state, text)
            self._played.append((seat, game.format(state, actions)))
        except ValueError as error:
            raise self._fail(
                f"made the move {shorten(text)!r}, which cannot be played: {str(error).rstrip('.')}"
            ) from None
        return actions

    def sync(self, state: State) -> None:
        """Brings the program to that state, by as few commands as it takes.

        The game that GTP is about needs nothing special; others need a program that knows `tengen-game`.
        """
        wanted = _plays(state)
        board = (state.game, state.origin)
        known = len(self._played)
        if self._board == board and wanted == self._played[: len(wanted)] and "undo" in self.commands:
            for _ in range(known - len(wanted)):
                self.undo()
                self._played.pop()
        if self._board != board or wanted[: len(self._played)] != self._played:
            self._board, self._played = None, []
            self._set_up(state)
            self._board = board
        for seat, move in wanted[len(self._played) :]:
            self.play(seat, move.replace(" ", ""))
            self._played.append((seat, move))

    def _set_up(self, state: State) -> None:
        game, origin = state.game, state.origin
        if "tengen-game" in self.commands:
            self.command(" ".join(["tengen-game", game.name, *option_words(game)]))
            if origin is not None:
                self.command(f"tengen-position {origin[0]} {format_colour(origin[1])}")
            return
        if not game.records.gtp:
            raise GtpError(f"{self.label} does not play {game.title}.")
        for command in game.records.gtp_commands(state, self.commands):
            self.command(command)

    # The end

    def close(self) -> None:
        """Asks the program to quit, then makes sure that it and its children are gone."""
        if not self._closed and self._lock.acquire(blocking=False):
            try:
                self._ask("quit", _QUIT_S)
                self._process.wait(_QUIT_S)
            except (GtpError, _gtp_process.ExpiredError, _gtp_process.EndedError, _gtp_process.FloodError):
                pass
            finally:
                self._lock.release()
                self.kill()
        else:
            self.kill()

    def kill(self) -> None:
        self._closed = True
        self._process.end()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def running(self) -> bool:
        return not self._closed and self._process.running

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.kill()


def _split(command: str | Sequence[str]) -> list[str]:
    try:
        args = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise GtpError(f"The command {shorten(str(command))!r} cannot be read: {error}.") from None
    if not args or not args[0]:
        raise GtpError("There is no command to start a program with.")
    return args


def _plays(state: State) -> list[tuple[int, str]]:
    """The turns that led to a state as `play` commands; play resumed after passes needs none."""
    return [(seat, text) for seat, text in turns(state) if not text.startswith(RESUME)]
