"""A program that speaks GTP in a seat: GNU Go, Pachi, KataGo, or our own `tengen gtp`."""

from __future__ import annotations

from tengen.game import State
from tengen.players.player import PlayerError
from tengen.records.gtp import GtpError, GtpProgram

PATIENCE_S = 60.0


class ProgramPlayer:
    """Gives the program the clock's time and a minute more to answer, then calls it hung."""

    def __init__(self, command: str) -> None:
        try:
            self._program = GtpProgram(command)
        except GtpError as error:
            raise PlayerError(str(error)) from None
        self.name = self._program.name or command
        self.version = self._program.version

    def choose(self, state: State, seconds: float | None = None) -> list[int] | None:
        try:
            return self._program.choose(state, timeout_s=PATIENCE_S + (seconds or 0))
        except GtpError as error:
            raise PlayerError(str(error)) from None

    def final_lead(self, state: State) -> float | None:
        """What the program thinks of a finished game: the first seat's lead, None when it does not say."""
        try:
            self._program.sync(state)
            return self._program.final_score()
        except GtpError:
            return None

    def stop(self) -> None:
        """From another thread: the program is killed, and `choose` ends with PlayerError."""
        self._program.kill()

    def close(self) -> None:
        self._program.close()
