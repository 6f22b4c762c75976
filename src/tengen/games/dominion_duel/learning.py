"""How a net learns Dominion Duel: a row of nine cells, which a tiny net learns in minutes."""

from __future__ import annotations

from tengen.facets.learning import Learning


class DominionDuelLearning(Learning):
    bounds = (0.0, 1.0)
    settings = {
        "blocks": 2,
        "channels": 16,
        "full_simulations": 32,
        "fast_simulations": 8,
        "full_share": 0.5,
        "considered": 8,
        "opening_actions": 2,
        "noise_actions": 4,
        "max_actions": 60,
        "games_per_iteration": 400,
        "rate_samples": 1_000_000,
        "warm_up": 5_000,
        "average_samples": 20_000,
        "window_first": 10_000,
        "window_most": 50_000,
        "window_ready": 500,
        "gate_iterations": 5,
        "eval_iterations": 5,
        "opponents": ("random", "mcts:200"),
    }
