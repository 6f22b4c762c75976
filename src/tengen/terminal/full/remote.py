"""A match on a server, shown full screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tengen.records import Node, RecordError
from tengen.terminal.full.stage import Stage


@dataclass
class RemoteShow:
    stage: Stage
    stay: Callable[[], None]  # in that match and in those that follow it

    def play(self) -> None:
        self.stay()

    def again(self, node: Node) -> None:
        raise AssertionError("a match on a server is played on as it stands")

    def why(self) -> None:
        raise AssertionError("who stays in a match is asked there")

    def offers(self) -> dict[str, str]:
        return {}

    def opened(self, path: Path) -> RemoteShow:
        raise RecordError("Leave the match first: tengen play --open opens a file.")

    def stop(self) -> None:
        pass
