"""Play, host, study and train machines for four territory games.

>>> import tengen
>>> game = tengen.game("great-kingdom")
>>> state = game.start()
>>> state = state.play(game.parse(state, "D4")[0])
>>> state.to_move
1
"""

from tengen.analysis import analyse
from tengen.game import (
    Game,
    IllegalAction,
    InvalidOption,
    InvalidPosition,
    NotationError,
    Option,
    OptionValue,
    Outcome,
    State,
    View,
)
from tengen.games import game, games
from tengen.python_game import PythonState

__version__ = "0.1.0"

__all__ = [
    "Game",
    "IllegalAction",
    "InvalidOption",
    "InvalidPosition",
    "NotationError",
    "Option",
    "OptionValue",
    "Outcome",
    "PythonState",
    "State",
    "View",
    "analyse",
    "game",
    "games",
]
