"""Where text goes and where lines come from, with what the terminal at the other end can do.

Colours follow Rich's rules: none when output is no terminal, when TERM is dumb or when NO_COLOR is set. Lines
that come from a pipe are echoed after the prompt, so that the output reads like the conversation on a screen.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from tengen.facets.conversation import Conversation
    from tengen.records import Node
    from tengen.terminal.picture import Source

LOCK = "\N{LOCK}"
CLEAR = "\r\x1b[K"  # the line under way
TICK_S = 1.0  # between two looks at a clock
_PUT_ASIDE, _TAKE_UP = "\x1b7", "\x1b8"  # where the cursor is
_YES, _NO = ("y", "yes"), ("n", "no", "")


class Left(Exception):
    """The person has left the game."""


class TimeOver(Exception):
    """A flag fell before anything was typed."""


class Elsewhere(Exception):
    """The person wants to play on from another position of the tree."""

    def __init__(self, node: Node) -> None:
        self.node = node


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
    def draws(self) -> bool:
        """Whether boards are written among the sentences."""
        return not self.plain

    @property
    def watched(self) -> bool:
        """Whether a person looks on, who wants to follow what machines do."""
        return self.live

    def face(self) -> Conversation | None:
        """A conversation of its own, in place of the game's."""
        return None

    def follow(self, source: Source) -> None:
        """From now on this is what a screen that shows everything at once shows."""

    def changed(self) -> None:
        """What is followed is no longer as it was when something was last said."""

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

    def read_aside(self, prompt: str) -> str:
        """As `read`, in a thread that has no part in the game."""
        return self.read(prompt)

    def read_until(self, prompt: Callable[[], str], flag_at_ms: int) -> str:
        """The next line, with a prompt that is written anew each second; raises TimeOver after that time."""
        shown, over = prompt(), False

        def tick(*_: object) -> None:
            nonlocal over
            if over:
                return
            if now_ms() >= flag_at_ms:
                over = True
                if self.typed:
                    print()
                raise TimeOver
            self.rewrite(prompt().rjust(len(shown)))

        with _ticking(tick):
            return self.read(shown)

    def rewrite(self, prompt: str) -> None:
        """A prompt of the same length in place of the one that waits, where the terminal allows."""
        if self.live and self.typed and len(prompt) + len(typed_so_far()) < self.width:
            with contextlib.suppress(RuntimeError):  # in the middle of another print
                print(f"{_PUT_ASIDE}\r{prompt}{_TAKE_UP}", end="", flush=True)

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


@contextlib.contextmanager
def _ticking(tick: Callable[..., None]) -> Iterator[None]:
    """Calls it each second while the main thread waits, by the system's timer: what it raises ends the wait.

    A thread would be left behind in `input` when a flag falls, and take the next line. Without such a timer
    (Windows) a fallen flag is seen with the next line.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, tick)
    signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def typed_so_far() -> str:
    """What stands after the prompt."""
    try:
        import readline
    except ImportError:
        return ""
    return readline.get_line_buffer()


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
