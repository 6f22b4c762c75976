"""The process that `crew` starts: a `Mind` that serves requests from standard input until that is closed."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import traceback
from typing import Any

from tengen.players import PlayerError
from tengen.server.matches.crew import Broken, read, write
from tengen.server.matches.minds import Mind

_MEANT = (PlayerError, TypeError)  # errors that mean something to who asked


def main() -> None:
    niceness, most_players = int(sys.argv[1]), int(sys.argv[2])
    if hasattr(os, "nice"):
        os.nice(niceness)
    source = os.fdopen(os.dup(0), "rb")
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game or a net prints is for the log
    mind, writing = Mind(most_players), threading.Lock()

    def answer(number: int, what: str, arguments: tuple[Any, ...]) -> None:
        error: Exception | None = None
        value: object = None
        try:
            value = getattr(mind, what)(*arguments)
        except (PlayerError, ValueError, TypeError) as known:
            error = type(known)(str(known)) if type(known) in _MEANT else PlayerError(str(known))
        except BaseException:
            error = Broken(traceback.format_exc())
        with writing, contextlib.suppress(OSError):
            write(target, (number, error, value))

    with contextlib.suppress(EOFError):
        while True:
            number, what, arguments = read(source)
            threading.Thread(target=answer, args=(number, what, arguments), daemon=True).start()
    mind.close()
    os._exit(0)


if __name__ == "__main__":
    main()
