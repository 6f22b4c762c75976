"""What is fixed before the first event: the game, who sits where, the clock, when it starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from tengen.game import Game, InvalidOption, State
from tengen.games import game as make_game
from tengen.match.clock import Clock, NoClock

Kind = Literal["person", "machine"]


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who sits in a seat. Persons with the same `id`, if it is not empty, are one and the same."""

    name: str = ""
    kind: Kind = "person"
    id: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ("person", "machine"):
            raise InvalidOption(f"A seat is taken by a 'person' or a 'machine', not by {self.kind!r}.")
        if not (isinstance(self.name, str) and isinstance(self.id, str)):
            raise InvalidOption("The name and the id of a player are texts.")


@dataclass(frozen=True, slots=True)
class Setup:
    """The first mover's clock runs from `started_ms`, on whatever scale the time stamps of the events have.

    `origin` is None for the start of the game or the arguments of `Game.position`. `agreement` says whether
    a game that may end in an agreement does; None, as in matches of before, unless two machines play (GO 16).
    """

    game: Game
    seats: tuple[Occupant, Occupant] = (Occupant(), Occupant())
    clock: Clock = field(default_factory=NoClock)
    started_ms: int = 0
    origin: tuple[str, int] | None = None
    agreement: bool | None = None

    def __post_init__(self) -> None:
        if not (self.agreement is None or isinstance(self.agreement, bool)):
            raise InvalidOption(f"agreement must be True, False or None, not {self.agreement!r}.")
        if type(self.started_ms) is not int or self.started_ms < 0:
            raise InvalidOption(f"started_ms must be a whole number from 0 on, not {self.started_ms!r}.")

    @property
    def hot_seat(self) -> bool:
        """One person plays both sides."""
        one, other = self.seats
        return one.kind == other.kind == "person" and bool(one.id) and one.id == other.id

    @property
    def has_machine(self) -> bool:
        one, other = self.seats
        return one.kind == "machine" or other.kind == "machine"

    @property
    def machines_only(self) -> bool:
        one, other = self.seats
        return one.kind == other.kind == "machine"

    def grants_at_once(self, seat: int) -> bool:
        """Takebacks and rematches that this seat asks for need nobody's answer."""
        return self.hot_seat or self.seats[1 - seat].kind == "machine"

    @property
    def agrees_on_dead(self) -> bool:
        if not self.game.table.agreement:
            return False
        if self.agreement is not None:
            return self.agreement
        return any(occupant.kind == "person" for occupant in self.seats)

    def first_state(self) -> State:
        return self.game.start() if self.origin is None else self.game.position(*self.origin)

    def rematch(self, started_ms: int) -> Setup:
        """The same contest with the seats swapped."""
        return replace(self, seats=(self.seats[1], self.seats[0]), started_ms=started_ms)

    def to_json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "options": dict(self.game.options),
            "seats": [{"name": one.name, "kind": one.kind, "id": one.id} for one in self.seats],
            "clock": self.clock.to_json(),
            "started_ms": self.started_ms,
            "origin": None if self.origin is None else list(self.origin),
            "agreement": self.agreement,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Setup:
        """The setup that `to_json` wrote; raises InvalidOption for anything else."""
        try:
            first, second = (Occupant(**occupant) for occupant in data["seats"])
            origin = data["origin"]
            return Setup(
                game=make_game(data["game"], **data["options"]),
                seats=(first, second),
                clock=Clock.from_json(data["clock"]),
                started_ms=data["started_ms"],
                origin=None if origin is None else (origin[0], origin[1]),
                agreement=data["agreement"],
            )
        except InvalidOption:
            raise
        except (KeyError, TypeError, ValueError, IndexError):
            raise InvalidOption("That is not the setup of a match.") from None
