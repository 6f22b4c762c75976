"""Logs: a line an event, as JSON for machines or as text for people, to stderr.

Code logs with `logging.getLogger("tengen.…")` and gives what belongs to the event in `extra={"data": {…}}`.
The id of the request that is being answered is added by itself. Secrets are never given to a log, and of an
address on the web only the path is. What does not print is escaped in either form.
"""

from __future__ import annotations

import json
import logging
import sys
import time
from contextvars import ContextVar
from typing import Any, Literal, TextIO

LogForm = Literal["json", "text"]
QUIET_S = 10.0  # between two times that a library says the same
MOST_WORDS = 1000  # that are remembered
request_id: ContextVar[str] = ContextVar("request_id", default="")


class _Form(logging.Formatter):
    def data(self, record: logging.LogRecord) -> dict[str, Any]:
        found = dict(getattr(record, "data", None) or {})
        if request := request_id.get():
            found.setdefault("request", request)
        return found


class JsonForm(_Form):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": _timestamp(record.created),
            "level": record.levelname.lower(),
            "from": record.name,
            "message": record.getMessage(),
            **self.data(record),
        }
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str).replace("\x7f", "\\u007f")


class TextForm(_Form):
    def format(self, record: logging.LogRecord) -> str:
        words = [_timestamp(record.created), f"{record.levelname.lower():7}", record.getMessage()]
        words += [f"{name}={value}" for name, value in self.data(record).items()]
        lines = [" ".join(words)]
        if record.exc_info:
            lines += self.formatException(record.exc_info).split("\n")
        return "\n".join(map(_shown, lines))


def _shown(text: str) -> str:
    """The text without what a terminal would obey or not show."""
    if text.isprintable():
        return text
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text
    )


def _timestamp(seconds: float) -> str:
    whole, thousandths = divmod(int(seconds * 1000), 1000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{thousandths:03}Z"


class Seldom(logging.Filter):
    """Lets the same words of a library through once in a while: strangers can make it repeat them."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.WARNING or record.name.startswith("tengen"):
            return True
        words = str(record.msg)
        if record.created - self._said.get(words, -QUIET_S) < QUIET_S:
            return False
        if len(self._said) < MOST_WORDS:
            self._said[words] = record.created
        return True


def set_up(form: LogForm = "text", level: int = logging.INFO, stream: TextIO | None = None) -> None:
    """Sends all logs there in that form. uvicorn's own lines are kept from warnings on."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonForm() if form == "json" else TextForm())
    handler.addFilter(Seldom())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("tengen").setLevel(level)
