"""Lines that a person types while other things happen: read in a thread, put into an inbox with the rest.

A line is read only after `ask`, and one at a time. What is said in between goes inside `interrupted`, which
takes the prompt and what has been typed so far away and puts both back below.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tengen.terminal.screen import CLEAR, Left, Screen, typed_so_far

_PASTE_OFF = "\x1b[?2004l"  # readline asks the terminal to mark what is pasted


@dataclass(frozen=True, slots=True)
class Line:
    """What was typed; None at the end of input."""

    text: str | None


class Keyboard:
    def __init__(self, screen: Screen, inbox: queue.Queue[Any]) -> None:
        self._screen = screen
        self._inbox = inbox
        self._prompts: queue.Queue[str] = queue.Queue()
        self._prompt: str | None = None  # the one that waits for its line
        threading.Thread(target=self._read, daemon=True).start()

    def ask(self, prompt: str) -> None:
        """Shows the prompt and reads a line; where one is being read already, only the prompt changes."""
        if self._prompt is None:
            self._prompt = prompt
            self._prompts.put(prompt)
        elif prompt != self._prompt:
            same_length = len(prompt) == len(self._prompt)
            self._prompt = prompt
            if same_length:
                self._screen.rewrite(prompt)
            elif self._screen.live:
                print(CLEAR, end="")
                self._show_again()

    @property
    def asking(self) -> bool:
        return self._prompt is not None

    def taken(self) -> None:
        """To be called when a Line was taken from the inbox."""
        self._prompt = None

    @contextlib.contextmanager
    def interrupted(self) -> Iterator[None]:
        """What is said inside stands above the prompt."""
        if self._prompt is None or not self._screen.live:
            yield
            return
        with self._screen.interrupting() as said:
            yield
        if said():
            self._show_again()

    def _show_again(self) -> None:
        print(f"{self._prompt}{typed_so_far()}", end="", flush=True)

    def close(self) -> None:
        """Takes the prompt away if one waits for a line that nobody will take."""
        if self._prompt is not None and self._screen.typed and self._screen.live:
            print(f"{CLEAR}{_PASTE_OFF}", end="", flush=True)

    def _read(self) -> None:
        while True:
            prompt = self._prompts.get()
            try:
                self._inbox.put(Line(self._screen.read_aside(prompt)))
            except (Left, OSError, ValueError):
                self._inbox.put(Line(None))
                return
