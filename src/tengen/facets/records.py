"""`Records`: as what a game can be written down, and what SGF and GTP must know of it.

Every game has the JSON record and is played over GTP by programs that know our `tengen-game`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from tengen.game import Game, OptionValue, State


@dataclass(slots=True)
class SgfStart:
    """What the root of an SGF tree says of where a game begins; cells and codes are the game's."""

    size: int
    texts: Mapping[str, str]  # its properties, each on one line
    setup: dict[int, int] = field(default_factory=dict)
    to_move: int | None = None
    first: int | None = None  # who makes the first move
    moves: Sequence[str] = ()  # the first ones


@dataclass(frozen=True, slots=True)
class KataQuestion:
    """What a program that speaks KataGo's analysis protocol is asked about a position."""

    asked: Mapping[str, object]
    less: float = 0.0  # what the first seat's lead is less than the program says, since it knows no such komi


class Records:
    formats: ClassVar[tuple[str, ...]] = ("json",)
    sgf_number: ClassVar[str] = ""  # SGF's GM; a game without one is named in a property of our own
    sgf_scored: ClassVar[bool] = False  # whether whoever has more points wins, so that a margin says it all
    gtp: ClassVar[bool] = False  # whether programs play it that know nothing but GTP
    gtp_rules: ClassVar[Mapping[str, Mapping[str, OptionValue]]] = {}  # options by the name of a rule set
    fresh: ClassVar[Mapping[str, OptionValue]] = {}  # what GTP's clear_board sets back

    def __init__(self, game: Game) -> None:
        self.game = game

    @classmethod
    def from_sgf(cls, kind: type[Game], start: SgfStart) -> Game:
        """The game that the root of a file with its number describes; what that says leaves `start`."""
        raise NotImplementedError(f"{kind.title} has no number in SGF.")

    def sgf_alternatives(self) -> Sequence[Game]:
        """The same game by other rules that a file may have meant, the stated ones first."""
        return (self.game,)

    def sgf_texts(self, info: Mapping[str, str], handicap: int) -> dict[str, str]:
        """Root properties that say how the game is played; `info` has what `sgf_stated` found."""
        return {}

    def sgf_stated(
        self, texts: Mapping[str, str], setup: Mapping[int, int], to_move: int | None
    ) -> dict[str, str]:
        """What the root of a file said or left out of how the game is played, beyond the options."""
        return {}

    def sgf_stones(self, setup: Mapping[int, int], to_move: int | None) -> tuple[int, Sequence[int]]:
        """How many handicap stones there are (SGF's HA), and those that the rules place by themselves."""
        return 0, ()

    @property
    def sgf_mark(self) -> int | None:
        """A cell that SGF cannot show the piece of, and that is marked instead."""
        return None

    kata: ClassVar[bool] = False  # whether KataGo's analysis protocol is about it

    def kata_question(self, state: State, *, whole: bool = True) -> KataQuestion:
        """What KataGo is asked about that state; with not `whole` without how it came about."""
        raise NotImplementedError(f"{self.game.title} is not a game of KataGo's.")

    def kata_action(self, word: str) -> int:
        """The action of a move in one of its answers; raises ValueError."""
        raise NotImplementedError(f"{self.game.title} is not a game of KataGo's.")

    def gtp_commands(self, state: State, known: Collection[str]) -> list[str]:
        """What a program that knows those commands is told to set up the start of that game."""
        raise NotImplementedError(f"{self.game.title} is not the game that GTP is about.")
