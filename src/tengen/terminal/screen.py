"""Where text goes and where lines come from, with what the terminal at the other end can do.

Colours follow Rich's rules: none when output is no terminal, when TERM is dumb or when NO_COLOR is set. Lines
that come from a pipe are echoed after the prompt, so that the output reads like the conversation on a screen.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

LOCK = "\N{LOCK}"
CLEAR = "\r\x1b[K"  # the line under way
_YES, _NO = ("y", "yes"), ("n", "no", "")


class Left(Exception):
    """The person has left the game."""


class Screen:
    """`plain` is for screen readers: no colours, nothing beyond ASCII, boards in words."""

    def __init__(self, *, plain: bool = False) -> None:
        for stream in (sys.stdin, sys.stdout):
            with contextlib.suppress(AttributeError, ValueError):
                stream.reconfigure(errors="replace")  # type: ignore[union-attr]
        self.plain = plain
        self._line_under_way = False  # somebody is typing, and what is said next takes the line away
        self.unicode = not plain and _can_show(LOCK)
        self.typed = sys.stdin.isatty()  # lines come from a person, not from a pipe
        self._console = Console(
            highlight=False, markup=False, emoji=False, color_system=None if plain else "auto"
        )
        self._edits = self.typed and _edits_lines()

    @property
    def colour(self) -> bool:
        return self._console.color_system is not None and not self._console.no_color

    @property
    def live(self) -> bool:
        """Whether lines can be rewritten: a person watches."""
        return not self.plain and self._console.is_terminal and not self._console.is_dumb_terminal

    @property
    def width(self) -> int:
        return shutil.get_terminal_size().columns

    def say(self, line: str | Text = "") -> None:
        """A sentence is broken between words on a terminal; a row of a board never is."""
        if self._line_under_way:
            self._line_under_way = False
            print(CLEAR, end="", flush=True)
        self._console.print(line, soft_wrap=isinstance(line, Text) or not self._console.is_terminal)

    def warn(self, sentence: str) -> None:
        """A message that is not part of the game."""
        sys.stdout.flush()
        print(sentence, file=sys.stderr, flush=True)

    def read(self, prompt: str) -> str:
        """The next line; raises Left at the end of input."""
        if self.typed:
            try:
                return input(prompt)
            except EOFError:
                print()
                raise Left from None
            except KeyboardInterrupt:
                print()
                raise
        print(prompt, end="", flush=True)
        line = _next_line()
        print(line.rstrip("\r\n"), flush=True)
        if not line:
            raise Left
        return line.rstrip("\r\n")

    def confirm(self, question: str) -> bool:
        """Yes or no, no unless it is said."""
        while True:
            answer = self.read(f"{question} [y/N] ").strip().lower()
            if answer in _YES:
                return True
            if answer in _NO:
                return False
            self.say("Please answer yes or no.")

    @contextlib.contextmanager
    def keeping_keys(self) -> Iterator[None]:
        """Ctrl-D between two prompts waits for the next one, as all else does that is typed there.

        To the terminal it would be the end of a line that nobody reads, and readline would not see it. In the
        end the terminal is as it was, even if a line is still being read.
        """
        settings = _terminal_settings() if self.typed else None
        if settings is None:
            yield
            return
        import termios

        first, characters = settings[:-1], settings[-1]
        if self._edits:
            none = bytes([os.fpathconf(sys.stdin.fileno(), "PC_VDISABLE")])
            keeping = [none if at == termios.VEOF else one for at, one in enumerate(characters)]
            _set_terminal([*first, keeping])
        try:
            yield
        finally:
            _set_terminal([*first, characters])

    @contextlib.contextmanager
    def interrupting(self) -> Iterator[Callable[[], bool]]:
        """While somebody types; the function tells whether anything was said, and the line is gone."""
        self._line_under_way = True
        said = False
        try:
            yield lambda: said
        finally:
            said, self._line_under_way = not self._line_under_way, False

    @contextlib.contextmanager
    def thinking(self, who: str) -> Iterator[None]:
        """Says that somebody thinks, for as long as it takes."""
        if not self.live:
            yield
            return
        print(f"{who} is thinking...", end="", flush=True)
        try:
            yield
        finally:
            print(CLEAR, end="", flush=True)


def _edits_lines() -> bool:
    """Whether input() has line editing; importing readline gives it to it."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return False
    return True


def _terminal_settings() -> list[Any] | None:
    try:
        import termios
    except ImportError:  # not on Windows
        return None
    try:
        return termios.tcgetattr(sys.stdin.fileno())
    except termios.error:
        return None


def _set_terminal(settings: list[Any]) -> None:
    import termios

    with contextlib.suppress(termios.error):
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, settings)


def _next_line() -> str:
    """Of a pipe. Past the buffer, whose lock a thread that still waits would hold when the program ends."""
    raw = getattr(getattr(sys.stdin, "buffer", None), "raw", None)
    if raw is None:
        return sys.stdin.readline()
    line: bytes = raw.readline()
    return line.decode(sys.stdin.encoding, errors="replace")


def now_ms() -> int:
    """The time that events are stamped with."""
    return time.time_ns() // 1_000_000


def _can_show(text: str) -> bool:
    if os.environ.get("LC_ALL") in ("C", "POSIX") or os.environ.get("TERM") == "linux":
        return False  # Python writes UTF-8 even there
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
