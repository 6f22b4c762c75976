"""Great Kingdom, naively. Letters: "." empty, "B" Blue (seat 0), "O" Orange (seat 1), "N" the neutral castle.

Action = cell, size * size = pass. Territory is worked out from the board each time it is asked for (GK 5).
"""

from copy import copy
from typing import Self

from .grid import Chain, chains, empty_regions, neighbours

PRESETS: dict[str, tuple[bool, int | None]] = {  # may one enter the enemy's territory; castles a side
    "rulebook": (True, None),
    "published": (False, 40),
}


class GreatKingdom:
    def __init__(
        self,
        *,
        rules: str = "rulebook",
        size: int = 9,
        neutral: bool = True,
        lead: int = 3,
        suicide: str = "loses",
        enter_own_territory: bool = True,
        cells: str | None = None,
        to_move: int = 0,
        **preset: int | bool | None,
    ) -> None:
        enter_enemy_territory, castles = PRESETS[rules]
        self.size = size
        self.lead = lead
        self.suicide = suicide
        self.enter_own_territory = enter_own_territory
        self.enter_enemy_territory = preset.pop("enter_enemy_territory", enter_enemy_territory)
        self.castles = preset.pop("castles", castles)
        assert not preset, preset
        start = "." * size**2
        if neutral:
            middle = size**2 // 2
            start = start[:middle] + "N" + start[middle + 1 :]
        self.board = cells or start
        self.to_move = to_move
        self.passes = 0
        self.outcome: tuple[int | None, str, tuple[float, float] | None] | None = None
        self._chains: dict[int, Chain] | None = None

    @property
    def over(self) -> bool:
        return self.outcome is not None

    def chains(self) -> dict[int, Chain]:
        if self._chains is None:
            self._chains = chains(self.board, self.size, "BO")
        return self._chains

    def territory(self) -> list[int]:
        """Per cell 0 nobody, 1 Blue, 2 Orange."""
        result = [0] * self.size**2
        last = self.size - 1
        for cells, borders in empty_regions(self.board, self.size):
            owners = "".join(borders - {"N"})
            rows = {cell // self.size for cell in cells}
            columns = {cell % self.size for cell in cells}
            if len(owners) == 1 and not ({0, last} <= rows and {0, last} <= columns):
                for cell in cells:
                    result[cell] = 1 + "BO".index(owners)
        return result

    def score(self) -> tuple[float, float]:
        territory = self.territory()
        return territory.count(1), territory.count(2)

    def is_suicide(self, cell: int) -> bool:
        """Whether a castle on this empty cell leaves only the mover's own group without a liberty."""
        own, known = "BO"[self.to_move], self.chains()
        for near in neighbours(self.size)[cell]:
            letter = self.board[near]
            if letter == ".":
                return False
            if letter != "N" and (letter == own) == (len(known[near][1]) > 1):
                return False  # an own group with another liberty, or an enemy group that is captured
        return True

    def legal_actions(self) -> list[int]:
        if self.over:
            return []
        pass_action = self.size**2
        if self.castles is not None and self.board.count("BO"[self.to_move]) >= self.castles:
            return [pass_action]
        cells = [cell for cell, letter in enumerate(self.board) if letter == "."]
        if not (self.enter_enemy_territory and self.enter_own_territory):
            territory = self.territory()
            if not self.enter_own_territory:
                cells = [cell for cell in cells if territory[cell] != 1 + self.to_move]
            if not self.enter_enemy_territory:
                cells = [cell for cell in cells if territory[cell] != 2 - self.to_move]
        if self.suicide == "illegal":
            cells = [cell for cell in cells if not self.is_suicide(cell)]
        return [*cells, pass_action]

    def play(self, action: int) -> None:
        mover = self.to_move
        self.to_move = 1 - mover
        if action == self.size**2:
            self.passes += 1
            if self.passes == 2:
                blue, orange = self.score()
                self.outcome = (0 if blue >= orange + self.lead else 1, "territory", (blue, orange))
            return
        self.passes = 0
        self.board = self.board[:action] + "BO"[mover] + self.board[action + 1 :]
        self._chains = None
        dead = {self.board[cell] for cell, (_, liberties) in self.chains().items() if not liberties}
        if "OB"[mover] in dead:
            self.outcome = (mover, "capture", None)
        elif dead:
            self.outcome = (1 - mover, "suicide", None)

    def liberties(self) -> list[int]:
        known = self.chains()
        return [len(known[cell][1]) if cell in known else 0 for cell in range(self.size**2)]

    def copy(self) -> Self:
        return copy(self)
