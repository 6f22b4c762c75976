"""What the differential tests play: options, first positions and styles of play, all drawn from a seed.

Uniformly random play ends most games before anything rare comes up, so a style leans towards what is rare:
captures and ko fights in Go, careful play up to the passes in Great Kingdom, merges, conversions, recalls and
shuffling to and fro in Kelasu. Every plan ends for sure: passes become likelier as a game of Go goes on, the
other games end by themselves.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.reference import REFERENCES, DominionDuel, Go, GreatKingdom, Kelasu, Reference

from . import kelasu_positions

Choose = Callable[[random.Random, Any, int], int]  # (rng, reference, actions so far) -> action


@dataclass(frozen=True)
class Plan:
    game: str
    options: dict[str, Any]
    choose: Choose
    cells: str | None = None  # None for the start
    to_move: int = 0

    def reference(self) -> Reference:
        if self.cells is None:
            return REFERENCES[self.game](**self.options)
        return REFERENCES[self.game](**self.options, cells=self.cells, to_move=self.to_move)

    def __str__(self) -> str:
        begin = f"{self.cells}, {self.to_move} to move" if self.cells else "start"
        return f"{self.game} {self.options} from {begin}, style {self.choose.__name__}"


def make_plan(game: str, seed: int) -> Plan:
    return _MAKERS[game](random.Random(f"{game} {seed} plan"), seed)


def some(rng: random.Random, reference: Reference, played: int) -> int:
    return rng.choice(reference.legal_actions())


def midgame(rng: random.Random, plan: Plan, most: int) -> Plan:
    """The same plan begun from a position some random moves into the game, without its history."""
    state = plan.reference()
    for _ in range(rng.randrange(most)):
        before = state.copy()
        state.play(some(rng, state, 0))
        if state.over:
            state = before
            break
    return Plan(plan.game, plan.options, plan.choose, state.board, state.to_move)


# Go


def stops_in_time(play: Choose) -> Choose:
    """Passes at random, and more and more once there has been time to fill the board a few times."""

    def choose(rng: random.Random, state: Go, played: int) -> int:
        area = state.size**2
        if rng.random() < (0.01 if played < max(60, 3 * area) else 0.4):
            return area
        return play(rng, state, played)

    choose.__name__ = play.__name__
    return choose


def never_pass(rng: random.Random, state: Go, played: int) -> int:
    return rng.choice(state.legal_actions()[:-1] or [state.size**2])


def capture_often(rng: random.Random, state: Go, played: int) -> int:
    """Takes stones when it can, most of the time, and single stones (ko) first."""
    if rng.random() < 0.8:
        takes = [(len(state.captured(cell)), cell) for cell in state.legal_actions()[:-1]]
        takes = [take for take in takes if take[0]]
        if takes:
            return min(takes)[1] if rng.random() < 0.6 else rng.choice(takes)[1]
    return never_pass(rng, state, played)


def come_back(rng: random.Random, state: Go, played: int) -> int:
    """Prefers boards that have been there before, which is how cycles close."""
    cells = state.legal_actions()[:-1]
    known = [cell for cell in cells if state.after(cell) in state.boards]
    return rng.choice(known) if known else capture_often(rng, state, played)


def keep_eyes(rng: random.Random, state: Go, played: int) -> int:
    """Does not fill a point whose neighbours are all its own, so that the board comes to rest."""
    own, legal = "XO"[state.to_move], state.legal_actions()
    for cell in rng.sample(legal, min(8, len(legal))):
        if cell < state.size**2 and any(state.board[near] != own for near in adjacent(cell, state.size)):
            return cell
    return state.size**2


def adjacent(cell: int, size: int) -> list[int]:
    row, column = divmod(cell, size)
    steps = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [r * size + c for r, c in steps if 0 <= r < size and 0 <= c < size]


GO_STYLES: tuple[Choose, ...] = (some, never_pass, capture_often, capture_often, come_back, keep_eyes)


def go_plan(rng: random.Random, seed: int) -> Plan:
    size = rng.choice((2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9))
    if seed % 200 == 0:
        size = (13, 19, 10)[seed // 200 % 3]
    options: dict[str, Any] = {
        "size": size,
        "ko": rng.choice(("simple", "simple", "superko", "situational")),
        "scoring": rng.choice(("territory", "area")),
        "suicide": rng.random() < 0.3,
    }
    if rng.random() < 0.4:
        options["komi"] = rng.choice((0.0, 0.5, 1.0, 5.5, 7.0, -3.5))
    handicaps = 0 if size < 7 else 9 if size % 2 and size >= 9 else 4
    if handicaps and rng.random() < 0.4:
        options["handicap"] = rng.randint(2, handicaps)
        options["bonus"] = rng.choice(("zero", "less_one", "full"))
    plan = Plan("go", options, stops_in_time(rng.choice(GO_STYLES)))
    if "handicap" not in options and rng.random() < 0.2:
        return midgame(rng, plan, 2 * size * size)
    return plan


# Great Kingdom


def careful(rng: random.Random, state: GreatKingdom, played: int) -> int:
    """Looks for a move that leaves none of its castles to be taken and no territory filled; else passes."""
    legal, territory = state.legal_actions(), state.territory()
    for cell in rng.sample(legal, min(12, len(legal))):
        if cell == state.size**2 or (territory[cell] and rng.random() < 0.95):
            continue
        after = state.copy()
        after.play(cell)
        if after.over:
            if rng.random() < 0.02:
                return cell
            continue
        own = "BO"[state.to_move]
        if all(len(liberties) > 1 for at, (_, liberties) in after.chains().items() if after.board[at] == own):
            return cell
    return state.size**2


def sometimes_careful(rng: random.Random, state: GreatKingdom, played: int) -> int:
    return (careful if rng.random() < 0.9 else some)(rng, state, played)


def great_kingdom_plan(rng: random.Random, seed: int) -> Plan:
    size = rng.choice((3, 3, 4, 5, 5, 6, 7, 7, 8, 9))
    if seed % 100 == 0:
        size = (11, 13, 19, 12)[seed // 100 % 4]
    options: dict[str, Any] = {"size": size}
    if size % 2 == 0 or rng.random() < 0.15:
        options["neutral"] = False
    singles: dict[str, tuple[Any, ...]] = {
        "rules": ("rulebook", "published", "published"),
        "lead": (-2, 0, 1, 3, 5),
        "suicide": ("loses", "illegal"),
        "enter_enemy_territory": (True, False),
        "enter_own_territory": (True, False),
        "castles": (None, 1, 3, size, 40),
    }
    for name, values in singles.items():
        if rng.random() < 0.3:
            options[name] = rng.choice(values)
    plan = Plan("great-kingdom", options, rng.choice((some, careful, careful, sometimes_careful)))
    return midgame(rng, plan, size * size) if rng.random() < 0.2 else plan


# Kelasu


def seeks(chance: float, wanted: Callable[[Kelasu, int], float], name: str) -> Choose:
    """With that chance takes the action that is wanted most, by lot among equals; else any."""

    def choose(rng: random.Random, state: Kelasu, played: int) -> int:
        legal = state.legal_actions()
        if len(legal) == 1 or rng.random() >= chance:
            return rng.choice(legal)
        marks = [wanted(state, action) for action in legal]
        best = max(marks)
        return rng.choice([action for action, mark in zip(legal, marks, strict=True) if mark == best])

    choose.__name__ = name
    return choose


def hits(state: Kelasu, action: int) -> float:
    """Captures and conversions; recalls among the rest."""
    if state.picked:
        return (action < 100 and state.cells[action] != ".") + 0.5 * (abs(action - state.picked[0]) == 90)
    return action < 100 and any(
        state.cells[target] != "." or abs(target - action) == 90 for target in state.targets(action)
    )


def merges(state: Kelasu, action: int) -> float:
    """Merges, the larger the better."""
    return action if 100 <= action < 106 else 0


def waits(state: Kelasu, action: int) -> float:
    """Nothing that resets the quiet count."""
    if state.picked:
        return state.cells[action] == "."
    return action < 100 and state.cells[action] not in "Bb"


def returns(state: Kelasu, action: int) -> float:
    """Boards that have been there before."""
    if action == 106 or not state.picked:
        return 0
    after = state.copy()
    after.play(action)
    return after.seen[after.board, after.to_move]


def gathers(state: Kelasu, action: int) -> float:
    """Moves to the victory tiles, from elsewhere."""
    centre = abs(action // 10 - 4.5) + abs(action % 10 - 4.5)
    return -centre if state.picked else centre > 1


KELASU_STYLES: dict[str, tuple[Choose, ...]] = {
    "hunt": (some, seeks(0.7, hits, "hits"), seeks(0.95, hits, "hits")),
    "merge": (seeks(0.3, merges, "merges"), seeks(0.7, merges, "merges"), seeks(0.5, hits, "hits")),
    "wait": (seeks(1.0, waits, "waits"),),
    "return": (seeks(0.8, returns, "returns"),),
    "gather": (seeks(0.7, gathers, "gathers"),),
}


def kelasu_plan(rng: random.Random, seed: int) -> Plan:
    options = {"may_end_turn_early": True} if rng.random() < 0.3 else {}
    if seed % 20 == 0:
        return Plan("kelasu", options, rng.choice((some, *KELASU_STYLES["hunt"], *KELASU_STYLES["merge"])))
    while True:
        style, cells = kelasu_positions.draw(rng)
        plan = Plan("kelasu", options, rng.choice(KELASU_STYLES[style]), cells, rng.randrange(2))
        if plan.reference().legal_actions():
            return plan


# Dominion Duel


def dominion_duel_plan(rng: random.Random, seed: int) -> Plan:
    n = rng.choice((rng.randint(1, 12), rng.randint(1, 80)))
    plan = Plan("dominion-duel", {"n": n}, some)
    assert isinstance(plan.reference(), DominionDuel)
    return midgame(rng, plan, n) if rng.random() < 0.2 else plan


_MAKERS: dict[str, Callable[[random.Random, int], Plan]] = {
    "go": go_plan,
    "great-kingdom": great_kingdom_plan,
    "kelasu": kelasu_plan,
    "dominion-duel": dominion_duel_plan,
}
