"""How a net learns Kelasu. A move is several actions, so a first game has about a thousand of them, most with
few choices: few simulations each and few samples of each game, or the window would hold a handful of games.
Random games teach nothing, so alpha-beta teaches first.
"""

from __future__ import annotations

from tengen.facets.learning import Learning
from tengen.games.kelasu.pieces import CELLS


class KelasuLearning(Learning):
    bounds = (0.0, CELLS / 8)  # energy: a stone on every cell
    teacher = "alpha-beta"
    settings = {
        "teacher_games": 800,
        "teacher_visits": 1000,  # level 5, two games a second
        "channels": 48,
        "full_simulations": 48,
        "fast_simulations": 8,
        "full_share": 0.08,
        "considered": 12,
        "noise_actions": 40,
        "max_actions": 1200,
        "games_per_iteration": 40,
        "window_most": 200_000,
        "opponents": ("random", "mcts:200"),
    }
