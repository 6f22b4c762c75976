"""The compiled rules and search. Generated from the bindings by `make stubs`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    SupportsIndex,
    overload
)

import numpy
import numpy.typing
from numpy.typing import NDArray

from tengen.game import Game, Outcome, View


class IllegalAction(ValueError):
    pass

class InvalidOption(ValueError):
    pass

class InvalidPosition(ValueError):
    pass

class Batch:
    """Many games of one kind; see tengen.batch.Batch."""

    @property
    def planes(self) -> tuple[int, int, int]: ...

    def step(self, actions: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu', writable=False)], rewards: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')], ended: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')]) -> None: ...

    def reset(self, chosen: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def sample(self, out: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]) -> None: ...

    def sample_by_logits(self, logits: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.int64], dict(order='C', device='cpu')]) -> None: ...

    def legal(self, out: Annotated[NDArray[numpy.bool_], dict(order='C', device='cpu')]) -> None: ...

    def encode(self, out: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu')]) -> None: ...

    def to_move(self, out: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')]) -> None: ...

    def winner(self, out: Annotated[NDArray[numpy.int8], dict(order='C', device='cpu')]) -> None: ...

    def lengths(self, out: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')]) -> None: ...

    def state(self, game: int) -> object: ...

class SearchSettings:
    """How the tree is searched; see cpp/search/heuristics.hpp."""

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def amaf_visits(self) -> float: ...

    @amaf_visits.setter
    def amaf_visits(self, arg: float, /) -> None: ...

    @property
    def first_play_loss(self) -> float: ...

    @first_play_loss.setter
    def first_play_loss(self, arg: float, /) -> None: ...

    @property
    def lead_share(self) -> float: ...

    @lead_share.setter
    def lead_share(self, arg: float, /) -> None: ...

    @property
    def expand_visits(self) -> int: ...

    @expand_visits.setter
    def expand_visits(self, arg: int, /) -> None: ...

    @property
    def light_playouts(self) -> bool: ...

    @light_playouts.setter
    def light_playouts(self, arg: bool, /) -> None: ...

class Dice:
    """Random numbers, the same in every home of the core."""

    def __init__(self, seed: int) -> None: ...

    def bits(self) -> int:
        """64 of them."""

    def below(self, bound: int) -> int: ...

    def share(self) -> float:
        """From 0, below 1."""

def pick(moves: Sequence[tuple[int, float, bool, bool]], blur: float, dice: Dice) -> int:
    """
    Which move a level makes: moves are (visits, win, is a proven win, is a proven loss), best first.
    """

class SearchedMove:
    """A move of the root; win and score from the side of its mover."""

    @property
    def action(self) -> int: ...

    @property
    def visits(self) -> int: ...

    @property
    def win(self) -> float: ...

    @property
    def score(self) -> float: ...

    @property
    def winner(self) -> int:
        """0, 1 or -1 (a draw) when proven, else -2."""

    @property
    def line(self) -> list[int]: ...

    @property
    def prior(self) -> float:
        """Its share of what was thought of the moves before any visit."""

class SearchReport:
    """What a search has found so far."""

    @property
    def visits(self) -> int: ...

    @property
    def win(self) -> float: ...

    @property
    def score(self) -> float: ...

    @property
    def winner(self) -> int: ...

    @property
    def moves(self) -> list[SearchedMove]: ...

    @property
    def owner(self) -> list[float]: ...

class NetSearchSettings:
    """See cpp/search/net_search.hpp."""

    def __init__(self) -> None: ...

    @property
    def gumbel(self) -> bool: ...

    @gumbel.setter
    def gumbel(self, arg: bool, /) -> None: ...

    @property
    def considered(self) -> int: ...

    @considered.setter
    def considered(self, arg: int, /) -> None: ...

    @property
    def visit_offset(self) -> float: ...

    @visit_offset.setter
    def visit_offset(self, arg: float, /) -> None: ...

    @property
    def value_scale(self) -> float: ...

    @value_scale.setter
    def value_scale(self, arg: float, /) -> None: ...

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def first_play_loss(self) -> float: ...

    @first_play_loss.setter
    def first_play_loss(self, arg: float, /) -> None: ...

    @property
    def playout_share(self) -> float | None: ...

    @playout_share.setter
    def playout_share(self, arg: float | None, /) -> None: ...

    @property
    def lead_share(self) -> float | None: ...

    @lead_share.setter
    def lead_share(self, arg: float | None, /) -> None: ...

class SelfPlaySettings:
    """See cpp/search/self_play.hpp."""

    def __init__(self) -> None: ...

    @property
    def games(self) -> int: ...

    @games.setter
    def games(self, arg: int, /) -> None: ...

    @property
    def full_simulations(self) -> int: ...

    @full_simulations.setter
    def full_simulations(self, arg: int, /) -> None: ...

    @property
    def fast_simulations(self) -> int: ...

    @fast_simulations.setter
    def fast_simulations(self, arg: int, /) -> None: ...

    @property
    def full_share(self) -> float: ...

    @full_share.setter
    def full_share(self, arg: float, /) -> None: ...

    @property
    def considered(self) -> int: ...

    @considered.setter
    def considered(self, arg: int, /) -> None: ...

    @property
    def visit_offset(self) -> float: ...

    @visit_offset.setter
    def visit_offset(self, arg: float, /) -> None: ...

    @property
    def value_scale(self) -> float: ...

    @value_scale.setter
    def value_scale(self, arg: float, /) -> None: ...

    @property
    def opening_actions(self) -> int: ...

    @opening_actions.setter
    def opening_actions(self, arg: int, /) -> None: ...

    @property
    def noise_actions(self) -> int: ...

    @noise_actions.setter
    def noise_actions(self, arg: int, /) -> None: ...

    @property
    def late_noise(self) -> float: ...

    @late_noise.setter
    def late_noise(self, arg: float, /) -> None: ...

    @property
    def max_actions(self) -> int: ...

    @max_actions.setter
    def max_actions(self, arg: int, /) -> None: ...

    @property
    def surprise_share(self) -> float: ...

    @surprise_share.setter
    def surprise_share(self, arg: float, /) -> None: ...

class SelfPlayedGame:
    """A game that ended, and the positions to learn from; see SelfPlay."""

    @property
    def actions(self) -> list[int]: ...

    @property
    def winner(self) -> int: ...

    @property
    def reason(self) -> str: ...

    @property
    def score(self) -> tuple[float, float] | None: ...

    @property
    def planes(self) -> numpy.typing.NDArray[numpy.float32]: ...

    @property
    def policy(self) -> numpy.typing.NDArray[numpy.float32]: ...

    @property
    def value(self) -> numpy.typing.NDArray[numpy.float32]: ...

    @property
    def root_value(self) -> numpy.typing.NDArray[numpy.float32]: ...

    @property
    def reply(self) -> numpy.typing.NDArray[numpy.float32]: ...

    @property
    def soon(self) -> numpy.typing.NDArray[numpy.float32]: ...

    @property
    def lead(self) -> numpy.typing.NDArray[numpy.float32]: ...

    @property
    def ownership(self) -> numpy.typing.NDArray[numpy.float32]: ...

def diagram(cells: Sequence[int], letters: str, width: int) -> str:
    """
    The rows from the top, joined by `/`, with numbers for runs of empty cells.
    """

def read_diagram(text: str, letters: str, width: int, height: int) -> bytes:
    """The cells of a board in text; raises NotationError."""

def point_name(cell: int, width: int, height: int) -> str:
    """A point as people say it: D4."""

def read_point(text: str, width: int, height: int) -> int:
    """
    The cell of that name; raises NotationError, and IllegalAction for one beside the board.
    """

class GreatKingdomRules:
    def __init__(self, options: Mapping[str, object]) -> None: ...

class GreatKingdom7:
    """A position of Great Kingdom."""

    @staticmethod
    def start(game: object, rules: GreatKingdomRules) -> GreatKingdom7: ...

    @staticmethod
    def from_cells(game: object, rules: object, cells: bytes, to_move: SupportsIndex, origin: object) -> GreatKingdom7: ...

    @property
    def game(self) -> Game: ...

    @property
    def to_move(self) -> int: ...

    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def actions(self) -> tuple[int, ...]: ...

    @property
    def last_action(self) -> int | None:
        """Of `actions`, which takes longer the more there are."""

    @property
    def resumptions(self) -> tuple[tuple[int, int], ...]:
        """
        Where play was resumed: how many actions came before, and the seat to move then.
        """

    @property
    def origin(self) -> tuple[str, int] | None: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: SupportsIndex, /) -> GreatKingdom7: ...

    def play_all(self, actions: Iterable[SupportsIndex], /) -> GreatKingdom7:
        """The state after all of those actions."""

    def resume(self, seat: int, /) -> GreatKingdom7:
        """
        Back to play after a stop that the rules allow to end, with that seat to move.
        """

    def why_illegal(self, action: SupportsIndex, /) -> str | None:
        """
        The sentence of the IllegalAction that play would raise, None when the action is legal.
        """

    def view(self) -> View:
        """What a client needs to draw and explain the position."""

    def view_json(self) -> bytes:
        """The same as JSON."""

    def parse(self, text: str) -> list[int]:
        """
        The actions that a person wrote; raises NotationError and IllegalAction.
        """

    def format(self, actions: Iterable[SupportsIndex]) -> str:
        """Those actions as people write them."""

    @property
    def mid_move(self) -> bool:
        """
        Whether the last action has begun a move that the next one goes on with.
        """

    letters: Final[str] = ...
    """A letter for each code of a cell, the empty cell's first."""

    @staticmethod
    def trained_for(rules: GreatKingdomRules, learned: GreatKingdomRules) -> bool:
        """
        Whether a brain that learned by the one rules plays as well by the others.
        """

    def encode(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def cells(self) -> bytes: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def score(self) -> tuple[float, float]:
        """The territory of both as it stands."""

    def territory(self) -> bytes:
        """The owner of each cell: 0 nobody, 1 Blue, 2 Orange."""

    def liberties(self) -> list[int]:
        """The liberties of the group on each cell, 0 where there is none."""

    def would_lose(self, action: SupportsIndex, /) -> bool:
        """A placement that is suicide."""

    @property
    def passes(self) -> int:
        """Passes in a row just made."""

    @property
    def captured(self) -> tuple[int, ...]:
        """The castles without liberties that ended the game."""

    @property
    def castles_left(self) -> tuple[int, int] | None:
        """None without a limit."""

@overload
def playouts(state: GreatKingdom7, count: int, seed: int) -> list[int]: ...

@overload
def playouts(state: GreatKingdom9, count: int, seed: int) -> list[int]: ...

@overload
def playouts(state: GreatKingdom19, count: int, seed: int) -> list[int]: ...

@overload
def playouts(state: Go9, count: int, seed: int) -> list[int]: ...

@overload
def playouts(state: Go19, count: int, seed: int) -> list[int]: ...

@overload
def playouts(state: Kelasu, count: int, seed: int) -> list[int]: ...

@overload
def playouts(state: ShortDominionDuel, count: int, seed: int) -> list[int]: ...

@overload
def playouts(state: LongDominionDuel, count: int, seed: int) -> list[int]: ...

@overload
def playouts(state: object, count: int, seed: int) -> list[int]: ...

@overload
def new_batch(start: GreatKingdom7, count: int, seed: int, auto_reset: bool, threads: int) -> Batch: ...

@overload
def new_batch(start: GreatKingdom9, count: int, seed: int, auto_reset: bool, threads: int) -> Batch: ...

@overload
def new_batch(start: GreatKingdom19, count: int, seed: int, auto_reset: bool, threads: int) -> Batch: ...

@overload
def new_batch(start: Go9, count: int, seed: int, auto_reset: bool, threads: int) -> Batch: ...

@overload
def new_batch(start: Go19, count: int, seed: int, auto_reset: bool, threads: int) -> Batch: ...

@overload
def new_batch(start: Kelasu, count: int, seed: int, auto_reset: bool, threads: int) -> Batch: ...

@overload
def new_batch(start: ShortDominionDuel, count: int, seed: int, auto_reset: bool, threads: int) -> Batch: ...

@overload
def new_batch(start: LongDominionDuel, count: int, seed: int, auto_reset: bool, threads: int) -> Batch: ...

@overload
def new_batch(start: object, count: int, seed: int, auto_reset: bool, threads: int) -> Batch:
    """So many games from that state."""

class GreatKingdom7Search:
    """A search tree; see tengen.search.Search."""

    def run(self, visits: int, ms: int, threads: int, stop_when_clear: bool) -> None: ...

    def stop(self) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def report(self) -> SearchReport: ...

@overload
def search_settings(state: GreatKingdom7) -> SearchSettings: ...

@overload
def search_settings(state: GreatKingdom9) -> SearchSettings: ...

@overload
def search_settings(state: GreatKingdom19) -> SearchSettings: ...

@overload
def search_settings(state: Go9) -> SearchSettings: ...

@overload
def search_settings(state: Go19) -> SearchSettings: ...

@overload
def search_settings(state: Kelasu) -> SearchSettings: ...

@overload
def search_settings(state: ShortDominionDuel) -> SearchSettings: ...

@overload
def search_settings(state: LongDominionDuel) -> SearchSettings: ...

@overload
def search_settings(state: object) -> SearchSettings:
    """The settings that suit the state's game."""

@overload
def new_search(state: GreatKingdom7, settings: SearchSettings, seed: int) -> GreatKingdom7Search: ...

@overload
def new_search(state: GreatKingdom9, settings: SearchSettings, seed: int) -> GreatKingdom9Search: ...

@overload
def new_search(state: GreatKingdom19, settings: SearchSettings, seed: int) -> GreatKingdom19Search: ...

@overload
def new_search(state: Go9, settings: SearchSettings, seed: int) -> Go9Search: ...

@overload
def new_search(state: Go19, settings: SearchSettings, seed: int) -> Go19Search: ...

@overload
def new_search(state: Kelasu, settings: SearchSettings, seed: int) -> KelasuSearch: ...

@overload
def new_search(state: ShortDominionDuel, settings: SearchSettings, seed: int) -> ShortDominionDuelSearch: ...

@overload
def new_search(state: LongDominionDuel, settings: SearchSettings, seed: int) -> LongDominionDuelSearch: ...

@overload
def new_search(state: object, settings: SearchSettings, seed: int) -> Any:
    """The search class that fits the state."""

@overload
def flat_monte_carlo(state: GreatKingdom7, playouts: int, seed: int) -> int: ...

@overload
def flat_monte_carlo(state: GreatKingdom9, playouts: int, seed: int) -> int: ...

@overload
def flat_monte_carlo(state: GreatKingdom19, playouts: int, seed: int) -> int: ...

@overload
def flat_monte_carlo(state: Go9, playouts: int, seed: int) -> int: ...

@overload
def flat_monte_carlo(state: Go19, playouts: int, seed: int) -> int: ...

@overload
def flat_monte_carlo(state: Kelasu, playouts: int, seed: int) -> int: ...

@overload
def flat_monte_carlo(state: ShortDominionDuel, playouts: int, seed: int) -> int: ...

@overload
def flat_monte_carlo(state: LongDominionDuel, playouts: int, seed: int) -> int: ...

@overload
def flat_monte_carlo(state: object, playouts: int, seed: int) -> int:
    """See tengen.players.machine.FlatPlayer."""

class GreatKingdom7NetSearch:
    """A search with a net; see tengen.brains.search."""

    def begin(self, simulations: int, noise: float) -> None: ...

    @property
    def finished(self) -> bool: ...

    @property
    def is_clear(self) -> bool: ...

    def collect(self, most: int, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], lead: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def improved_policy(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def report(self) -> SearchReport: ...

@overload
def new_net_search(state: GreatKingdom7, settings: NetSearchSettings, seed: int) -> GreatKingdom7NetSearch: ...

@overload
def new_net_search(state: GreatKingdom9, settings: NetSearchSettings, seed: int) -> GreatKingdom9NetSearch: ...

@overload
def new_net_search(state: GreatKingdom19, settings: NetSearchSettings, seed: int) -> GreatKingdom19NetSearch: ...

@overload
def new_net_search(state: Go9, settings: NetSearchSettings, seed: int) -> Go9NetSearch: ...

@overload
def new_net_search(state: Go19, settings: NetSearchSettings, seed: int) -> Go19NetSearch: ...

@overload
def new_net_search(state: Kelasu, settings: NetSearchSettings, seed: int) -> KelasuNetSearch: ...

@overload
def new_net_search(state: ShortDominionDuel, settings: NetSearchSettings, seed: int) -> ShortDominionDuelNetSearch: ...

@overload
def new_net_search(state: LongDominionDuel, settings: NetSearchSettings, seed: int) -> LongDominionDuelNetSearch: ...

@overload
def new_net_search(state: object, settings: NetSearchSettings, seed: int) -> Any:
    """The search class that fits the state."""

@overload
def final_owner(state: GreatKingdom7) -> list[int]: ...

@overload
def final_owner(state: GreatKingdom9) -> list[int]: ...

@overload
def final_owner(state: GreatKingdom19) -> list[int]: ...

@overload
def final_owner(state: Go9) -> list[int]: ...

@overload
def final_owner(state: Go19) -> list[int]: ...

@overload
def final_owner(state: Kelasu) -> list[int]: ...

@overload
def final_owner(state: ShortDominionDuel) -> list[int]: ...

@overload
def final_owner(state: LongDominionDuel) -> list[int]: ...

@overload
def final_owner(state: object) -> list[int]:
    """
    Who owns each cell of a game that was counted: 1 seat 0, -1 seat 1; empty where that means nothing.
    """

class GreatKingdom7SelfPlay:
    """Many games at once; see tengen.learn.self_play."""

    @property
    def capacity(self) -> int: ...

    def collect(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def take(self) -> list[SelfPlayedGame]: ...

    def live(self) -> list[int]: ...

@overload
def new_self_play(states: Sequence[GreatKingdom7], settings: SelfPlaySettings, seed: int) -> GreatKingdom7SelfPlay: ...

@overload
def new_self_play(states: Sequence[GreatKingdom9], settings: SelfPlaySettings, seed: int) -> GreatKingdom9SelfPlay: ...

@overload
def new_self_play(states: Sequence[GreatKingdom19], settings: SelfPlaySettings, seed: int) -> GreatKingdom19SelfPlay: ...

@overload
def new_self_play(states: Sequence[Go9], settings: SelfPlaySettings, seed: int) -> Go9SelfPlay: ...

@overload
def new_self_play(states: Sequence[Go19], settings: SelfPlaySettings, seed: int) -> Go19SelfPlay: ...

@overload
def new_self_play(states: Sequence[Kelasu], settings: SelfPlaySettings, seed: int) -> KelasuSelfPlay: ...

@overload
def new_self_play(states: Sequence[ShortDominionDuel], settings: SelfPlaySettings, seed: int) -> ShortDominionDuelSelfPlay: ...

@overload
def new_self_play(states: Sequence[LongDominionDuel], settings: SelfPlaySettings, seed: int) -> LongDominionDuelSelfPlay: ...

@overload
def new_self_play(states: Sequence[object], settings: SelfPlaySettings, seed: int) -> Any:
    """The class that fits the states that games begin at."""

class GreatKingdom9:
    """A position of Great Kingdom."""

    @staticmethod
    def start(game: object, rules: GreatKingdomRules) -> GreatKingdom9: ...

    @staticmethod
    def from_cells(game: object, rules: object, cells: bytes, to_move: SupportsIndex, origin: object) -> GreatKingdom9: ...

    @property
    def game(self) -> Game: ...

    @property
    def to_move(self) -> int: ...

    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def actions(self) -> tuple[int, ...]: ...

    @property
    def last_action(self) -> int | None:
        """Of `actions`, which takes longer the more there are."""

    @property
    def resumptions(self) -> tuple[tuple[int, int], ...]:
        """
        Where play was resumed: how many actions came before, and the seat to move then.
        """

    @property
    def origin(self) -> tuple[str, int] | None: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: SupportsIndex, /) -> GreatKingdom9: ...

    def play_all(self, actions: Iterable[SupportsIndex], /) -> GreatKingdom9:
        """The state after all of those actions."""

    def resume(self, seat: int, /) -> GreatKingdom9:
        """
        Back to play after a stop that the rules allow to end, with that seat to move.
        """

    def why_illegal(self, action: SupportsIndex, /) -> str | None:
        """
        The sentence of the IllegalAction that play would raise, None when the action is legal.
        """

    def view(self) -> View:
        """What a client needs to draw and explain the position."""

    def view_json(self) -> bytes:
        """The same as JSON."""

    def parse(self, text: str) -> list[int]:
        """
        The actions that a person wrote; raises NotationError and IllegalAction.
        """

    def format(self, actions: Iterable[SupportsIndex]) -> str:
        """Those actions as people write them."""

    @property
    def mid_move(self) -> bool:
        """
        Whether the last action has begun a move that the next one goes on with.
        """

    letters: Final[str] = ...
    """A letter for each code of a cell, the empty cell's first."""

    @staticmethod
    def trained_for(rules: GreatKingdomRules, learned: GreatKingdomRules) -> bool:
        """
        Whether a brain that learned by the one rules plays as well by the others.
        """

    def encode(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def cells(self) -> bytes: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def score(self) -> tuple[float, float]:
        """The territory of both as it stands."""

    def territory(self) -> bytes:
        """The owner of each cell: 0 nobody, 1 Blue, 2 Orange."""

    def liberties(self) -> list[int]:
        """The liberties of the group on each cell, 0 where there is none."""

    def would_lose(self, action: SupportsIndex, /) -> bool:
        """A placement that is suicide."""

    @property
    def passes(self) -> int:
        """Passes in a row just made."""

    @property
    def captured(self) -> tuple[int, ...]:
        """The castles without liberties that ended the game."""

    @property
    def castles_left(self) -> tuple[int, int] | None:
        """None without a limit."""

class GreatKingdom9Search:
    """A search tree; see tengen.search.Search."""

    def run(self, visits: int, ms: int, threads: int, stop_when_clear: bool) -> None: ...

    def stop(self) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def report(self) -> SearchReport: ...

class GreatKingdom9NetSearch:
    """A search with a net; see tengen.brains.search."""

    def begin(self, simulations: int, noise: float) -> None: ...

    @property
    def finished(self) -> bool: ...

    @property
    def is_clear(self) -> bool: ...

    def collect(self, most: int, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], lead: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def improved_policy(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def report(self) -> SearchReport: ...

class GreatKingdom9SelfPlay:
    """Many games at once; see tengen.learn.self_play."""

    @property
    def capacity(self) -> int: ...

    def collect(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def take(self) -> list[SelfPlayedGame]: ...

    def live(self) -> list[int]: ...

class GreatKingdom19:
    """A position of Great Kingdom."""

    @staticmethod
    def start(game: object, rules: GreatKingdomRules) -> GreatKingdom19: ...

    @staticmethod
    def from_cells(game: object, rules: object, cells: bytes, to_move: SupportsIndex, origin: object) -> GreatKingdom19: ...

    @property
    def game(self) -> Game: ...

    @property
    def to_move(self) -> int: ...

    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def actions(self) -> tuple[int, ...]: ...

    @property
    def last_action(self) -> int | None:
        """Of `actions`, which takes longer the more there are."""

    @property
    def resumptions(self) -> tuple[tuple[int, int], ...]:
        """
        Where play was resumed: how many actions came before, and the seat to move then.
        """

    @property
    def origin(self) -> tuple[str, int] | None: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: SupportsIndex, /) -> GreatKingdom19: ...

    def play_all(self, actions: Iterable[SupportsIndex], /) -> GreatKingdom19:
        """The state after all of those actions."""

    def resume(self, seat: int, /) -> GreatKingdom19:
        """
        Back to play after a stop that the rules allow to end, with that seat to move.
        """

    def why_illegal(self, action: SupportsIndex, /) -> str | None:
        """
        The sentence of the IllegalAction that play would raise, None when the action is legal.
        """

    def view(self) -> View:
        """What a client needs to draw and explain the position."""

    def view_json(self) -> bytes:
        """The same as JSON."""

    def parse(self, text: str) -> list[int]:
        """
        The actions that a person wrote; raises NotationError and IllegalAction.
        """

    def format(self, actions: Iterable[SupportsIndex]) -> str:
        """Those actions as people write them."""

    @property
    def mid_move(self) -> bool:
        """
        Whether the last action has begun a move that the next one goes on with.
        """

    letters: Final[str] = ...
    """A letter for each code of a cell, the empty cell's first."""

    @staticmethod
    def trained_for(rules: GreatKingdomRules, learned: GreatKingdomRules) -> bool:
        """
        Whether a brain that learned by the one rules plays as well by the others.
        """

    def encode(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def cells(self) -> bytes: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def score(self) -> tuple[float, float]:
        """The territory of both as it stands."""

    def territory(self) -> bytes:
        """The owner of each cell: 0 nobody, 1 Blue, 2 Orange."""

    def liberties(self) -> list[int]:
        """The liberties of the group on each cell, 0 where there is none."""

    def would_lose(self, action: SupportsIndex, /) -> bool:
        """A placement that is suicide."""

    @property
    def passes(self) -> int:
        """Passes in a row just made."""

    @property
    def captured(self) -> tuple[int, ...]:
        """The castles without liberties that ended the game."""

    @property
    def castles_left(self) -> tuple[int, int] | None:
        """None without a limit."""

class GreatKingdom19Search:
    """A search tree; see tengen.search.Search."""

    def run(self, visits: int, ms: int, threads: int, stop_when_clear: bool) -> None: ...

    def stop(self) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def report(self) -> SearchReport: ...

class GreatKingdom19NetSearch:
    """A search with a net; see tengen.brains.search."""

    def begin(self, simulations: int, noise: float) -> None: ...

    @property
    def finished(self) -> bool: ...

    @property
    def is_clear(self) -> bool: ...

    def collect(self, most: int, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], lead: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def improved_policy(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def report(self) -> SearchReport: ...

class GreatKingdom19SelfPlay:
    """Many games at once; see tengen.learn.self_play."""

    @property
    def capacity(self) -> int: ...

    def collect(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def take(self) -> list[SelfPlayedGame]: ...

    def live(self) -> list[int]: ...

class GreatKingdomSolver:
    """Exact play from one position; see tengen.search.solve."""

    def __init__(self, state: GreatKingdom7, memory_mb: int) -> None: ...

    def attempt(self, lead: int, progress: Callable[[int, int], object] | None = None) -> bool:
        """Whether Blue can force a capture or at least that lead."""

    def line(self, held: int, denied: int, progress: Callable[[int, int], object] | None = None) -> list[int]:
        """Play in which Blue holds the one lead and Orange denies the other."""

    @property
    def nodes(self) -> int: ...

class GoRules:
    def __init__(self, options: Mapping[str, object]) -> None: ...

class GoScore:
    """A score sheet; pairs are Black's and White's."""

    @property
    def points(self) -> tuple[float, float]:
        """The result, komi included."""

    @property
    def territory(self) -> tuple[int, int]: ...

    @property
    def stones(self) -> tuple[int, int]:
        """Living stones."""

    @property
    def lost(self) -> tuple[int, int]:
        """Own stones captured in play."""

    @property
    def dead(self) -> tuple[int, int]:
        """Own stones dead on the board."""

    @property
    def owner(self) -> bytes: ...

class Go9:
    """A position of Go."""

    @staticmethod
    def start(game: object, rules: GoRules) -> Go9: ...

    @staticmethod
    def from_cells(game: object, rules: object, cells: bytes, to_move: SupportsIndex, origin: object) -> Go9: ...

    @property
    def game(self) -> Game: ...

    @property
    def to_move(self) -> int: ...

    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def actions(self) -> tuple[int, ...]: ...

    @property
    def last_action(self) -> int | None:
        """Of `actions`, which takes longer the more there are."""

    @property
    def resumptions(self) -> tuple[tuple[int, int], ...]:
        """
        Where play was resumed: how many actions came before, and the seat to move then.
        """

    @property
    def origin(self) -> tuple[str, int] | None: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: SupportsIndex, /) -> Go9: ...

    def play_all(self, actions: Iterable[SupportsIndex], /) -> Go9:
        """The state after all of those actions."""

    def resume(self, seat: int, /) -> Go9:
        """
        Back to play after a stop that the rules allow to end, with that seat to move.
        """

    def why_illegal(self, action: SupportsIndex, /) -> str | None:
        """
        The sentence of the IllegalAction that play would raise, None when the action is legal.
        """

    def view(self) -> View:
        """What a client needs to draw and explain the position."""

    def view_json(self) -> bytes:
        """The same as JSON."""

    def parse(self, text: str) -> list[int]:
        """
        The actions that a person wrote; raises NotationError and IllegalAction.
        """

    def format(self, actions: Iterable[SupportsIndex]) -> str:
        """Those actions as people write them."""

    @property
    def mid_move(self) -> bool:
        """
        Whether the last action has begun a move that the next one goes on with.
        """

    letters: Final[str] = ...
    """A letter for each code of a cell, the empty cell's first."""

    @staticmethod
    def trained_for(rules: GoRules, learned: GoRules) -> bool:
        """
        Whether a brain that learned by the one rules plays as well by the others.
        """

    def encode(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def cells(self) -> bytes: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    @property
    def ko(self) -> int | None:
        """The point that may not be retaken now."""

    @property
    def prisoners(self) -> tuple[int, int]:
        """Stones captured by each seat."""

    @property
    def passes(self) -> int:
        """Passes in a row just made."""

    @property
    def captured(self) -> tuple[int, ...]:
        """The cells that the last move captured."""

    def liberties(self) -> list[int]:
        """The liberties of the chain on each cell, 0 where there is none."""

    def count(self, dead: Sequence[int] = [], neutral: Sequence[int] = []) -> GoScore:
        """
        The whole score sheet; see GoScore. `dead` names a stone of each dead chain, `neutral` points of seki.
        """

    def score(self, dead: Sequence[int] = (), neutral: Sequence[int] = ()) -> tuple[float, float]: ...

class Go9Search:
    """A search tree; see tengen.search.Search."""

    def run(self, visits: int, ms: int, threads: int, stop_when_clear: bool) -> None: ...

    def stop(self) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def report(self) -> SearchReport: ...

class Go9NetSearch:
    """A search with a net; see tengen.brains.search."""

    def begin(self, simulations: int, noise: float) -> None: ...

    @property
    def finished(self) -> bool: ...

    @property
    def is_clear(self) -> bool: ...

    def collect(self, most: int, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], lead: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def improved_policy(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def report(self) -> SearchReport: ...

class Go9SelfPlay:
    """Many games at once; see tengen.learn.self_play."""

    @property
    def capacity(self) -> int: ...

    def collect(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def take(self) -> list[SelfPlayedGame]: ...

    def live(self) -> list[int]: ...

class Go19:
    """A position of Go."""

    @staticmethod
    def start(game: object, rules: GoRules) -> Go19: ...

    @staticmethod
    def from_cells(game: object, rules: object, cells: bytes, to_move: SupportsIndex, origin: object) -> Go19: ...

    @property
    def game(self) -> Game: ...

    @property
    def to_move(self) -> int: ...

    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def actions(self) -> tuple[int, ...]: ...

    @property
    def last_action(self) -> int | None:
        """Of `actions`, which takes longer the more there are."""

    @property
    def resumptions(self) -> tuple[tuple[int, int], ...]:
        """
        Where play was resumed: how many actions came before, and the seat to move then.
        """

    @property
    def origin(self) -> tuple[str, int] | None: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: SupportsIndex, /) -> Go19: ...

    def play_all(self, actions: Iterable[SupportsIndex], /) -> Go19:
        """The state after all of those actions."""

    def resume(self, seat: int, /) -> Go19:
        """
        Back to play after a stop that the rules allow to end, with that seat to move.
        """

    def why_illegal(self, action: SupportsIndex, /) -> str | None:
        """
        The sentence of the IllegalAction that play would raise, None when the action is legal.
        """

    def view(self) -> View:
        """What a client needs to draw and explain the position."""

    def view_json(self) -> bytes:
        """The same as JSON."""

    def parse(self, text: str) -> list[int]:
        """
        The actions that a person wrote; raises NotationError and IllegalAction.
        """

    def format(self, actions: Iterable[SupportsIndex]) -> str:
        """Those actions as people write them."""

    @property
    def mid_move(self) -> bool:
        """
        Whether the last action has begun a move that the next one goes on with.
        """

    letters: Final[str] = ...
    """A letter for each code of a cell, the empty cell's first."""

    @staticmethod
    def trained_for(rules: GoRules, learned: GoRules) -> bool:
        """
        Whether a brain that learned by the one rules plays as well by the others.
        """

    def encode(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def cells(self) -> bytes: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    @property
    def ko(self) -> int | None:
        """The point that may not be retaken now."""

    @property
    def prisoners(self) -> tuple[int, int]:
        """Stones captured by each seat."""

    @property
    def passes(self) -> int:
        """Passes in a row just made."""

    @property
    def captured(self) -> tuple[int, ...]:
        """The cells that the last move captured."""

    def liberties(self) -> list[int]:
        """The liberties of the chain on each cell, 0 where there is none."""

    def count(self, dead: Sequence[int] = [], neutral: Sequence[int] = []) -> GoScore:
        """
        The whole score sheet; see GoScore. `dead` names a stone of each dead chain, `neutral` points of seki.
        """

    def score(self, dead: Sequence[int] = (), neutral: Sequence[int] = ()) -> tuple[float, float]: ...

class Go19Search:
    """A search tree; see tengen.search.Search."""

    def run(self, visits: int, ms: int, threads: int, stop_when_clear: bool) -> None: ...

    def stop(self) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def report(self) -> SearchReport: ...

class Go19NetSearch:
    """A search with a net; see tengen.brains.search."""

    def begin(self, simulations: int, noise: float) -> None: ...

    @property
    def finished(self) -> bool: ...

    @property
    def is_clear(self) -> bool: ...

    def collect(self, most: int, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], lead: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def improved_policy(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def report(self) -> SearchReport: ...

class Go19SelfPlay:
    """Many games at once; see tengen.learn.self_play."""

    @property
    def capacity(self) -> int: ...

    def collect(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def take(self) -> list[SelfPlayedGame]: ...

    def live(self) -> list[int]: ...

class GoEnding:
    """How a game that may be over stands; see tengen.games.go.estimate."""

    @property
    def dead(self) -> list[int]: ...

    @property
    def seki(self) -> list[int]: ...

    @property
    def neutral(self) -> list[int]: ...

    @property
    def owner(self) -> list[float]: ...

    @property
    def wasted(self) -> bytes: ...

    @property
    def lead(self) -> float: ...

    @property
    def settled(self) -> bool: ...

def go_judged(empty: int, win: float, lead: float, sharp: float, points: float) -> tuple[float, float]:
    """See tengen.games.go.judgement."""

def go_scale(side: int, by_net: bool) -> tuple[float, float]: ...

GO_MOST_WIN: float = 0.99

GO_SUGGESTION: tuple[int, ...] = (600, 600, 40)

@overload
def go_ending(state: Go9, playouts: int, visits: int, readings: int, seed: int) -> GoEnding: ...

@overload
def go_ending(state: Go19, playouts: int, visits: int, readings: int, seed: int) -> GoEnding: ...

SOLVER_LARGEST_SIDE: int = 7

class GoSolver:
    """Exact play from one position; see tengen.search.solve."""

    def __init__(self, state: Go9, memory_mb: int) -> None: ...

    def attempt(self, seat: int, need: int, progress: Callable[[int, int], object] | None = None) -> bool | None:
        """
        Whether the seat can force an area that much larger; None when neither could be shown.
        """

    def line(self, seat: int, lead: int, progress: Callable[[int, int], object] | None = None) -> list[int]:
        """
        Play of the seat that forces that lead, until what is left needs no search.
        """

    @property
    def nodes(self) -> int: ...

class KelasuRules:
    def __init__(self, options: Mapping[str, object]) -> None: ...

KELASU_COSTS: tuple[int, ...] = (2, 4, 4, 5, 10, 21)

KELASU_VICTORY_TILES: tuple[int, ...] = (44, 45, 54, 55)

def kelasu_move_length(first: int) -> int: ...

def kelasu_move_kind(cells: bytes, start: int, to: int) -> Literal['move', 'capture', 'convert', 'recall']: ...

def kelasu_features(state: Kelasu) -> list[int]:
    """What the search counts in a position beside where the pieces stand."""

class Kelasu:
    """A position of Kelasu, maybe in the midst of a staged move."""

    @staticmethod
    def start(game: object, rules: KelasuRules) -> Kelasu: ...

    @staticmethod
    def from_cells(game: object, rules: object, cells: bytes, to_move: SupportsIndex, origin: object) -> Kelasu: ...

    @property
    def game(self) -> Game: ...

    @property
    def to_move(self) -> int: ...

    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def actions(self) -> tuple[int, ...]: ...

    @property
    def last_action(self) -> int | None:
        """Of `actions`, which takes longer the more there are."""

    @property
    def resumptions(self) -> tuple[tuple[int, int], ...]:
        """
        Where play was resumed: how many actions came before, and the seat to move then.
        """

    @property
    def origin(self) -> tuple[str, int] | None: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: SupportsIndex, /) -> Kelasu: ...

    def play_all(self, actions: Iterable[SupportsIndex], /) -> Kelasu:
        """The state after all of those actions."""

    def resume(self, seat: int, /) -> Kelasu:
        """
        Back to play after a stop that the rules allow to end, with that seat to move.
        """

    def why_illegal(self, action: SupportsIndex, /) -> str | None:
        """
        The sentence of the IllegalAction that play would raise, None when the action is legal.
        """

    def view(self) -> View:
        """What a client needs to draw and explain the position."""

    def view_json(self) -> bytes:
        """The same as JSON."""

    def parse(self, text: str) -> list[int]:
        """
        The actions that a person wrote; raises NotationError and IllegalAction.
        """

    def format(self, actions: Iterable[SupportsIndex]) -> str:
        """Those actions as people write them."""

    @property
    def mid_move(self) -> bool:
        """
        Whether the last action has begun a move that the next one goes on with.
        """

    letters: Final[str] = ...
    """A letter for each code of a cell, the empty cell's first."""

    @staticmethod
    def trained_for(rules: KelasuRules, learned: KelasuRules) -> bool:
        """
        Whether a brain that learned by the one rules plays as well by the others.
        """

    def encode(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def cells(self) -> bytes: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    @property
    def energy(self) -> int:
        """What is left of it this turn."""

    @property
    def quiet_rounds(self) -> int: ...

    @property
    def stage(self) -> str:
        """
        What the next action chooses: choose, move, merge-target or merge-cells.
        """

    @property
    def selected_from(self) -> int | None:
        """The cell of the piece that is to move."""

    @property
    def merge_kind(self) -> int | None:
        """0 to 5 for W R D C G S."""

    @property
    def merge_target(self) -> int | None: ...

    @property
    def selected(self) -> list[int]:
        """The cells of the merge so far."""

    @property
    def stages(self) -> list[int]:
        """The actions of the move that has begun and is not complete."""

    @property
    def last_move(self) -> tuple[int, ...]:
        """The cells of the last whole move or merge, of a move `from, to`."""

    @property
    def captured(self) -> tuple[int, ...]:
        """The cell where the last move took a piece, or none."""

    @property
    def moved(self) -> list[int]:
        """Pieces that have moved this turn."""

    def movable(self) -> list[int]:
        """The pieces that may move now."""

    def targets(self, cell: int) -> list[int]:
        """Where the piece on that cell goes, moved or not."""

    def merge_targets(self, kind: int) -> list[int]:
        """The cells where a merge into that kind may stand."""

class KelasuSearch:
    """A search tree; see tengen.search.Search."""

    def run(self, visits: int, ms: int, threads: int, stop_when_clear: bool) -> None: ...

    def stop(self) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def report(self) -> SearchReport: ...

class KelasuNetSearch:
    """A search with a net; see tengen.brains.search."""

    def begin(self, simulations: int, noise: float) -> None: ...

    @property
    def finished(self) -> bool: ...

    @property
    def is_clear(self) -> bool: ...

    def collect(self, most: int, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], lead: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def improved_policy(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def report(self) -> SearchReport: ...

class KelasuSelfPlay:
    """Many games at once; see tengen.learn.self_play."""

    @property
    def capacity(self) -> int: ...

    def collect(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def take(self) -> list[SelfPlayedGame]: ...

    def live(self) -> list[int]: ...

class DominionDuelRules:
    def __init__(self, options: Mapping[str, object]) -> None: ...

    largest: Final[int] = ...
    """(arg: object, /) -> int"""

def dominion_duel_grundy(run: int) -> int: ...

class ShortDominionDuel:
    """A position of Dominion Duel."""

    @staticmethod
    def start(game: object, rules: DominionDuelRules) -> ShortDominionDuel: ...

    @staticmethod
    def from_cells(game: object, rules: object, cells: bytes, to_move: SupportsIndex, origin: object) -> ShortDominionDuel: ...

    @property
    def game(self) -> Game: ...

    @property
    def to_move(self) -> int: ...

    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def actions(self) -> tuple[int, ...]: ...

    @property
    def last_action(self) -> int | None:
        """Of `actions`, which takes longer the more there are."""

    @property
    def resumptions(self) -> tuple[tuple[int, int], ...]:
        """
        Where play was resumed: how many actions came before, and the seat to move then.
        """

    @property
    def origin(self) -> tuple[str, int] | None: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: SupportsIndex, /) -> ShortDominionDuel: ...

    def play_all(self, actions: Iterable[SupportsIndex], /) -> ShortDominionDuel:
        """The state after all of those actions."""

    def resume(self, seat: int, /) -> ShortDominionDuel:
        """
        Back to play after a stop that the rules allow to end, with that seat to move.
        """

    def why_illegal(self, action: SupportsIndex, /) -> str | None:
        """
        The sentence of the IllegalAction that play would raise, None when the action is legal.
        """

    def view(self) -> View:
        """What a client needs to draw and explain the position."""

    def view_json(self) -> bytes:
        """The same as JSON."""

    def parse(self, text: str) -> list[int]:
        """
        The actions that a person wrote; raises NotationError and IllegalAction.
        """

    def format(self, actions: Iterable[SupportsIndex]) -> str:
        """Those actions as people write them."""

    @property
    def mid_move(self) -> bool:
        """
        Whether the last action has begun a move that the next one goes on with.
        """

    letters: Final[str] = ...
    """A letter for each code of a cell, the empty cell's first."""

    @staticmethod
    def trained_for(rules: DominionDuelRules, learned: DominionDuelRules) -> bool:
        """
        Whether a brain that learned by the one rules plays as well by the others.
        """

    def encode(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def cells(self) -> bytes: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def score(self) -> tuple[float, float]: ...

    def outcomes(self) -> dict[int, int | None]:
        """
        For each legal action the winner (None for a draw) when both play on without a mistake.
        """

class ShortDominionDuelSearch:
    """A search tree; see tengen.search.Search."""

    def run(self, visits: int, ms: int, threads: int, stop_when_clear: bool) -> None: ...

    def stop(self) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def report(self) -> SearchReport: ...

class ShortDominionDuelNetSearch:
    """A search with a net; see tengen.brains.search."""

    def begin(self, simulations: int, noise: float) -> None: ...

    @property
    def finished(self) -> bool: ...

    @property
    def is_clear(self) -> bool: ...

    def collect(self, most: int, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], lead: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def improved_policy(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def report(self) -> SearchReport: ...

class ShortDominionDuelSelfPlay:
    """Many games at once; see tengen.learn.self_play."""

    @property
    def capacity(self) -> int: ...

    def collect(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def take(self) -> list[SelfPlayedGame]: ...

    def live(self) -> list[int]: ...

class LongDominionDuel:
    """A position of Dominion Duel."""

    @staticmethod
    def start(game: object, rules: DominionDuelRules) -> LongDominionDuel: ...

    @staticmethod
    def from_cells(game: object, rules: object, cells: bytes, to_move: SupportsIndex, origin: object) -> LongDominionDuel: ...

    @property
    def game(self) -> Game: ...

    @property
    def to_move(self) -> int: ...

    @property
    def outcome(self) -> Outcome | None: ...

    @property
    def actions(self) -> tuple[int, ...]: ...

    @property
    def last_action(self) -> int | None:
        """Of `actions`, which takes longer the more there are."""

    @property
    def resumptions(self) -> tuple[tuple[int, int], ...]:
        """
        Where play was resumed: how many actions came before, and the seat to move then.
        """

    @property
    def origin(self) -> tuple[str, int] | None: ...

    def legal_actions(self) -> list[int]: ...

    def play(self, action: SupportsIndex, /) -> LongDominionDuel: ...

    def play_all(self, actions: Iterable[SupportsIndex], /) -> LongDominionDuel:
        """The state after all of those actions."""

    def resume(self, seat: int, /) -> LongDominionDuel:
        """
        Back to play after a stop that the rules allow to end, with that seat to move.
        """

    def why_illegal(self, action: SupportsIndex, /) -> str | None:
        """
        The sentence of the IllegalAction that play would raise, None when the action is legal.
        """

    def view(self) -> View:
        """What a client needs to draw and explain the position."""

    def view_json(self) -> bytes:
        """The same as JSON."""

    def parse(self, text: str) -> list[int]:
        """
        The actions that a person wrote; raises NotationError and IllegalAction.
        """

    def format(self, actions: Iterable[SupportsIndex]) -> str:
        """Those actions as people write them."""

    @property
    def mid_move(self) -> bool:
        """
        Whether the last action has begun a move that the next one goes on with.
        """

    letters: Final[str] = ...
    """A letter for each code of a cell, the empty cell's first."""

    @staticmethod
    def trained_for(rules: DominionDuelRules, learned: DominionDuelRules) -> bool:
        """
        Whether a brain that learned by the one rules plays as well by the others.
        """

    def encode(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def cells(self) -> bytes: ...

    def __eq__(self, other: object, /) -> bool: ...

    def __hash__(self) -> int: ...

    def __repr__(self) -> str: ...

    def __reduce__(self) -> tuple[Any, ...]: ...

    def score(self) -> tuple[float, float]: ...

    def outcomes(self) -> dict[int, int | None]:
        """
        For each legal action the winner (None for a draw) when both play on without a mistake.
        """

class LongDominionDuelSearch:
    """A search tree; see tengen.search.Search."""

    def run(self, visits: int, ms: int, threads: int, stop_when_clear: bool) -> None: ...

    def stop(self) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def report(self) -> SearchReport: ...

class LongDominionDuelNetSearch:
    """A search with a net; see tengen.brains.search."""

    def begin(self, simulations: int, noise: float) -> None: ...

    @property
    def finished(self) -> bool: ...

    @property
    def is_clear(self) -> bool: ...

    def collect(self, most: int, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], lead: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def improved_policy(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def report(self) -> SearchReport: ...

class LongDominionDuelSelfPlay:
    """Many games at once; see tengen.learn.self_play."""

    @property
    def capacity(self) -> int: ...

    def collect(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def take(self) -> list[SelfPlayedGame]: ...

    def live(self) -> list[int]: ...

class NotSolvable(ValueError):
    pass

class PythonSearch:
    """A search tree; see tengen.search.Search."""

    def run(self, visits: int, ms: int, threads: int, stop_when_clear: bool) -> None: ...

    def stop(self) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def report(self) -> SearchReport: ...

class PythonNetSearch:
    """A search with a net; see tengen.brains.search."""

    def begin(self, simulations: int, noise: float) -> None: ...

    @property
    def finished(self) -> bool: ...

    @property
    def is_clear(self) -> bool: ...

    def collect(self, most: int, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], lead: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)] | None) -> None: ...

    def advance(self, action: SupportsIndex, /) -> None: ...

    def improved_policy(self) -> numpy.typing.NDArray[numpy.float32]: ...

    def report(self) -> SearchReport: ...

class PythonSelfPlay:
    """Many games at once; see tengen.learn.self_play."""

    @property
    def capacity(self) -> int: ...

    def collect(self, planes: Annotated[NDArray[numpy.float32], dict(shape=(None, None, None, None), order='C', device='cpu')]) -> int: ...

    def supply(self, policy: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]) -> None: ...

    def take(self) -> list[SelfPlayedGame]: ...

    def live(self) -> list[int]: ...

def solve_plainly(state: object, most_positions: int, progress: Callable[[int, int], object] | None = None) -> tuple[int, list[int], int]:
    """
    Exact play by the rules alone: the winner (-1 a draw), a line that keeps it, positions looked at.
    """
