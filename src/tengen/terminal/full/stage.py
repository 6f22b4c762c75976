"""The `Screen` that a game is played before when it is shown full screen: sentences go up, orders come down.

The thread that plays calls the methods of `Screen`, which post messages to the app, each with a picture of
the game as it is then. The app calls `give`, `go` and `leave`. Start reading at `Stage.read`.
"""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rich.text import Text
from textual.app import App
from textual.message import Message

from tengen.facets.conversation import Contest, Conversation
from tengen.game import State
from tengen.records import Node
from tengen.terminal.picture import Picture, Source
from tengen.terminal.screen import Elsewhere, Left, Screen, TimeOver, now_ms


class Said(Message):
    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__()


class Shown(Message):
    """The game as it is; `asks` whom, where a person is to do something."""

    def __init__(self, picture: Picture | None, asks: str | None = None) -> None:
        self.picture, self.asks = picture, asks
        super().__init__()


class Thinks(Message):
    """Somebody has begun to think, or nobody does any more."""

    def __init__(self, who: str = "") -> None:
        self.who = who
        super().__init__()


class Asked(Message):
    """A question with yes or no; None is the answer of whoever leaves."""

    def __init__(self, question: str, answer: queue.Queue[bool | None]) -> None:
        self.question, self.answer = question, answer
        super().__init__()


@dataclass(frozen=True)
class _Leaving:
    pass


class Stage(Screen):
    """`screen` is the one that the terminal had: while the app runs, nothing can be asked of it."""

    def __init__(self, screen: Screen) -> None:
        self.plain, self.typed, self.unicode = False, True, screen.unicode
        self._colour = screen.colour
        self._app: App[None] | None = None
        self._source: Source | None = None
        self._orders: queue.Queue[str | Node | _Leaving] = queue.Queue()
        self._answers: list[queue.Queue[bool | None]] = []  # of questions that wait
        self._left = False
        self._last_words: list[str] = []

    # What the app does

    def attach(self, app: App[None]) -> None:
        self._app = app

    def close(self) -> None:
        """The app has ended: what was said to whoever left is said below it."""
        self._app = None
        for sentence in self._last_words:
            self.warn(sentence)

    def give(self, order: str) -> None:
        self._orders.put(order)

    def go(self, node: Node) -> None:
        self._orders.put(node)

    def leave(self) -> None:
        """Whoever waits for an order or an answer hears that the person has left."""
        self._left = True
        self._orders.put(_Leaving())
        for answer in self._answers:
            answer.put(None)

    # What the game does

    @property
    def colour(self) -> bool:
        return self._colour

    @property
    def live(self) -> bool:
        return False

    @property
    def draws(self) -> bool:
        return False

    @property
    def watched(self) -> bool:
        return True

    def face(self) -> Conversation:
        return _Face(self)

    def follow(self, source: Source) -> None:
        self._source = source

    def changed(self) -> None:
        self.show()

    def say(self, line: str | Text = "") -> None:
        if text := str(line).strip("\n"):
            self._post(Said(text))
        self.show()

    def warn(self, sentence: str) -> None:
        if self._app is None:
            super().warn(sentence)
        elif self._left:
            self._last_words.append(sentence)
        else:
            self.say(sentence)

    def show(self, asks: str | None = None) -> None:
        picture = None if self._source is None else self._source.picture()
        self._post(Shown(picture, asks))

    def read(self, prompt: str) -> str:
        self.show(prompt)
        return self._next(None)

    def read_aside(self, prompt: str) -> str:
        self._post(Shown(None, prompt))
        return self._next(None)

    def read_until(self, prompt: Callable[[], str], flag_at_ms: int) -> str:
        self.show(prompt())
        try:
            return self._next(max(0.0, (flag_at_ms - now_ms()) / 1000))
        except queue.Empty:
            raise TimeOver from None

    def _next(self, timeout: float | None) -> str:
        order = self._orders.get(timeout=timeout)
        if isinstance(order, Node):
            raise Elsewhere(order)
        if isinstance(order, _Leaving):
            self._orders.put(order)  # for whoever asks next
            raise Left
        return order

    def rewrite(self, prompt: str) -> None:
        pass

    def confirm(self, question: str) -> bool:
        answer: queue.Queue[bool | None] = queue.Queue()
        self._answers.append(answer)
        self.show()
        if self._left or not self._post(Asked(question, answer)):
            raise Left
        found = answer.get()
        self._answers.remove(answer)
        if found is None:
            raise Left
        return found

    @contextlib.contextmanager
    def keeping_keys(self) -> Iterator[None]:
        yield

    @contextlib.contextmanager
    def thinking(self, who: str) -> Iterator[None]:
        self.show()
        self._post(Thinks(who))
        try:
            yield
        finally:
            self._post(Thinks())

    def _post(self, message: Message) -> bool:
        with contextlib.suppress(RuntimeError):  # the app has just ended
            return self._app is not None and self._app.post_message(message)
        return False


class _Face:
    """The board is always there, so only what happened needs to be said."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def opening(self, match: Contest, *, going_on: bool) -> None:
        made = f" {match.game.table.made_words(len(match.line))}." if going_on else ""
        self._stage.say(f"{match.game.title}.{made} Press ? for help.")

    def turn(self, state: State) -> None:
        self._stage.show()

    def prompt(self, seat: int) -> str:
        return f"{seat}"

    def again(self) -> None:
        pass

    def board(self, state: State) -> None:
        self._stage.show()

    def answer(self, lines: list[str]) -> None:
        for line in lines:
            self._stage.say(line)

    def moved(self, before: State, after: State, seat: int, text: str) -> None:
        self._stage.say(before.game.table.move_words(before, after, seat, text))

    def watched(self, state: State) -> None:
        self._stage.show()

    def over(self, match: Contest) -> None:
        assert match.outcome is not None
        self._stage.say(match.game.table.outcome_words(match.outcome))
