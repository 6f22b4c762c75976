"""Questions over the board: yes or no, one of several, a page to read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from rich.text import Text
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Label, OptionList, Static
from textual.widgets.option_list import Option

Answer = TypeVar("Answer")


class Question(ModalScreen[Answer]):
    """It is answered once: a second key on its way would else answer again and take away what is below."""

    _answered = False

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        if self._answered:
            return AwaitComplete()
        self._answered = True
        return super().dismiss(result)


class YesOrNo(Question[bool]):
    BINDINGS: ClassVar = [
        Binding("y", "answer(True)", "Yes"),
        Binding("n,escape", "answer(False)", "No"),
    ]

    def __init__(self, question: str) -> None:
        self._question = question
        super().__init__()

    def compose(self) -> ComposeResult:
        with Vertical(classes="question"):
            yield Label(self._question)
            with Horizontal():
                yield Button("Yes (y)", id="yes")
                yield Button("No (n)", id="no", variant="primary")

    def on_mount(self) -> None:
        self.query_one("#no", Button).focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, yes: bool) -> None:
        self.dismiss(yes)


class OneOf(Question[str | None]):
    """One of several texts, or none."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss(None)", "Back")]

    def __init__(self, question: str, texts: Sequence[str]) -> None:
        self._question, self._texts = question, texts
        super().__init__()

    def compose(self) -> ComposeResult:
        with Vertical(classes="question"):
            yield Label(self._question)
            yield OptionList(*(Option(Text(text)) for text in self._texts), id="texts")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._texts[event.option_index])


class Page(Question[None]):
    """Lines to read."""

    BINDINGS: ClassVar = [Binding("escape,enter,q,question_mark", "dismiss(None)", "Back")]

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        super().__init__()

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="page"):
            yield Static(Text("\n".join(self._lines)))
