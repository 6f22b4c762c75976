"""Search over all games: trees, levels, exact solutions, playouts."""

from tengen.search.levels import Level, level, levels
from tengen.search.mcts import Report, Search, SearchedAction
from tengen.search.playouts import Tally, playouts
from tengen.search.solve import Solution, solve

__all__ = [
    "Level",
    "Report",
    "Search",
    "SearchedAction",
    "Solution",
    "Tally",
    "level",
    "levels",
    "playouts",
    "solve",
]
