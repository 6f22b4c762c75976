"""Search over the compiled games: trees, analysis, levels, exact solutions, playouts."""

from tengen.search.analysis import Analysis, Candidate, ReviewedMove, analyse, review
from tengen.search.levels import Level, level, levels
from tengen.search.mcts import Report, Search, SearchedAction
from tengen.search.playouts import Tally, playouts
from tengen.search.solve import Solution, solve

__all__ = [
    "Analysis",
    "Candidate",
    "Level",
    "Report",
    "ReviewedMove",
    "Search",
    "SearchedAction",
    "Solution",
    "Tally",
    "analyse",
    "level",
    "levels",
    "playouts",
    "review",
    "solve",
]
