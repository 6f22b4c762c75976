"""A game on this machine, shown full screen."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tengen.players.player import Stoppable
from tengen.records import Node
from tengen.terminal import menu, saving
from tengen.terminal.full.stage import Stage
from tengen.terminal.session import Session

MOST_OFFERED = 30  # files of the working directory
FORMATS = (".sgf", ".json")


@dataclass
class LocalShow:
    session: Session
    stage: Stage
    open_file: Callable[[Path], Session]
    going_on: bool

    @staticmethod
    def of(session: Session, open_file: Callable[[Path], Session], *, going_on: bool) -> LocalShow:
        """The session takes a stage in place of its screen."""
        stage = Stage(session.screen)
        session.screen, session.face = stage, stage.face()
        stage.follow(session)
        return LocalShow(session, stage, open_file, going_on)

    def play(self) -> None:
        self.session.run(going_on=self.going_on)

    def again(self, node: Node) -> None:
        self.session.go_to(node)
        self.session.run(going_on=True)

    def why(self) -> None:
        self.session.say_why()

    def offers(self) -> dict[str, str]:
        kept = [path for path in saving.unfinished()[: menu.MOST_KEPT] if path != self.session.path]
        files: list[Path] = []
        with contextlib.suppress(OSError):  # a folder that may not be read
            files = sorted(path for path in Path().iterdir() if path.suffix.lower() in FORMATS)
        named: dict[str, str] = {}
        for path in kept:
            words, number = menu.kept_words(path), 1
            while (unlike := f"{words} ({number})" if number > 1 else words) in named:
                number += 1
            named[unlike] = str(path)
        return named | {path.name: str(path) for path in files[:MOST_OFFERED]}

    def opened(self, path: Path) -> LocalShow:
        return LocalShow.of(self.open_file(path), self.open_file, going_on=True)

    def stop(self) -> None:
        for player in self.session.players:
            if isinstance(player, Stoppable):
                player.stop()
