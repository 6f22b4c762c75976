"""What the full screen asks of a game, be it played here (`local`) or on a server (`remote`)."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from tengen.records import Node
from tengen.terminal.full.stage import Stage


class Show(Protocol):
    """A game to be played before a stage."""

    stage: Stage

    def play(self) -> None: ...
    def again(self, node: Node) -> None:
        """Plays on from a position of a game that is over."""
        ...

    def why(self) -> None:
        """Says why a game that is over was lost."""
        ...

    def offers(self) -> dict[str, str]:
        """What can be opened here: a path by the words that describe it."""
        ...

    def opened(self, path: Path) -> Show:
        """What is played next; raises ValueError, OSError or PlayerError."""
        ...

    def stop(self) -> None:
        """Ends the thinking of machines."""
        ...
