"""What is said of a command line that cannot be read: one plain sentence, and the command that tells more.

Typer and the libraries below it explain themselves in several lines, and in words for programmers. `REASONS`
has ours; what they say beyond that is passed on as it is.
"""

from __future__ import annotations

import re
from typing import Protocol

VALUE = r"Invalid value for '?([^':]+)'?: "
REASONS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (
            VALUE + r"(?:Input should be a valid integer|.* is not a valid int).*",
            r"\1 must be a whole number",
        ),
        (VALUE + r"(?:Input should be a valid number|.* is not a valid float).*", r"\1 must be a number"),
        (VALUE + r"Input should be greater than or equal to (\S+)", r"\1 must be at least \2"),
        (VALUE + r"Input should be less than or equal to (\S+)", r"\1 must be at most \2"),
        (VALUE + r"(.*)", r"\1: \2"),
        (r"Missing (argument|option) '?([^'.]+)'?\..*", r"The \1 \2 is missing"),
        (r"No such option: (\S+) \(Possible options: (.*)\)", r"There is no \1 (perhaps \2)"),
        (r"No such option:? (\S+)", r"There is no \1"),
        (r"No such command '([^']+)'\. Did you mean '?([^'?]+)'?\?", r"There is no command \1 (perhaps \2)"),
        (r"No such command '([^']+)'", r"There is no command \1"),
        (r"Got unexpected extra arguments?(?:\(s\))? \((.*)\)", r"There is no place for \1"),
        (r"Option '([^']+)' requires an argument", r"\1 needs a value"),
        (r"Option '([^']+)' does not take a value", r"\1 takes no value"),
    )
)


class Refusal(Protocol):
    """What Typer raises for such a line; older versions have it from Click."""

    exit_code: int

    def format_message(self) -> str: ...


def sentence(refusal: Refusal) -> str:
    """Why the line was refused."""
    said = " ".join(refusal.format_message().split()).rstrip(".")
    for pattern, words in REASONS:
        if found := pattern.fullmatch(said) or pattern.fullmatch(said + "."):
            said = found.expand(words).rstrip(".")
            break
    context = getattr(refusal, "ctx", None)
    return f"{said}; see {context.command_path} -h." if context is not None else f"{said}."
