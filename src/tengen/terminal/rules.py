"""The rules in short, as the terminal tells them. The whole of them is docs/rules/ in the source."""

from __future__ import annotations

import textwrap

from tengen.game import Game

WIDEST = 100  # columns that are still easy to read
_ENDS = (".", ":", ";", ".)")


def rules(game: Game, width: int = 80) -> list[str]:
    """Paragraphs and tables, broken to that width."""
    options = ", ".join(f"{name} {_value(value)}" for name, value in game.options.items())
    lines = [*game.table.rule_lines, *([f"Options here: {options}."] if options else [])]
    return [row for paragraph in _joined(lines) for row in _broken(paragraph, min(width, WIDEST))]


def _joined(lines: list[str]) -> list[str]:
    """Lines that go on in the next one are made one; a line that is set in stands alone."""
    joined: list[str] = []
    for line in lines:
        if (
            joined
            and not line.startswith(" ")
            and not joined[-1].startswith(" ")
            and not joined[-1].endswith(_ENDS)
        ):
            joined[-1] += f" {line}"
        else:
            joined.append(line)
    return joined


def _broken(paragraph: str, width: int) -> list[str]:
    indent = "" if not paragraph.startswith(" ") else "    "
    return textwrap.wrap(paragraph, max(width, 20), subsequent_indent=indent, break_long_words=False) or [""]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
