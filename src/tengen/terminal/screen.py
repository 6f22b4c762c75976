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
from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

LOCK = "\N{LOCK}"
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
        self.unicode = not plain and _can_show(LOCK)
        self._typed = sys.stdin.isatty()
        self._console = Console(
            highlight=False, markup=False, emoji=False, color_system=None if plain else "auto"
        )
        if self._typed:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - gives input() its line editing

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
        self._console.print(line, soft_wrap=isinstance(line, Text) or not self._console.is_terminal)

    def warn(self, sentence: str) -> None:
        """A message that is not part of the game."""
        sys.stdout.flush()
        print(sentence, file=sys.stderr, flush=True)

    def read(self, prompt: str) -> str:
        """The next line; raises Left at the end of input."""
        if self._typed:
            try:
                return input(prompt)
            except EOFError:
                print()
                raise Left from None
            except KeyboardInterrupt:
                print()
                raise
        print(prompt, end="", flush=True)
        line = sys.stdin.readline()
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
    def thinking(self, who: str) -> Iterator[None]:
        """Says that somebody thinks, for as long as it takes."""
        if not self.live:
            yield
            return
        print(f"{who} is thinking...", end="", flush=True)
        try:
            yield
        finally:
            print("\r\x1b[K", end="", flush=True)


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
