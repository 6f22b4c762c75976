"""A position as KataGo's analysis engine is asked about it: rules, komi, stones and moves.

KataGo takes half points of komi within bounds; what ours has beyond that is taken off the lead that it says.
Two passes would bring it into another phase of the game, so of those before a resumption one is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tengen.facets.records import KataQuestion
from tengen.game import resumptions_of

if TYPE_CHECKING:
    from tengen._core import Go9, Go19
    from tengen.games.go.rules import Go

MOST_KOMI = 150.0
KO = {"simple": "SIMPLE", "superko": "POSITIONAL", "situational": "SITUATIONAL"}


def rules(game: Go) -> dict[str, Any]:
    """Ours in KataGo's words."""
    area = game.options["scoring"] == "area"
    return {
        "ko": KO[str(game.options["ko"])],
        "scoring": "AREA" if area else "TERRITORY",
        "tax": "NONE" if area else "SEKI",
        "suicide": game.all_options["suicide"],
        "hasButton": False,
        "whiteHandicapBonus": "0",  # komi tells it
        "friendlyPassOk": game.table.agreement,  # where nobody agrees on dead stones they must be taken
    }


def question(game: Go, state: Go9 | Go19, *, whole: bool) -> KataQuestion:
    """How the position came about, or with not `whole` the stones alone, for a history that it refuses."""
    origin = state.origin
    start = state if not whole else game.start() if origin is None else game.position(*origin)
    stones = [["BW"[code - 1], game.look.cell_name(cell)] for cell, code in enumerate(start.cells()) if code]
    komi = game.komi
    if not whole and game.options["scoring"] == "territory":
        taken = state.prisoners
        komi += taken[1] - taken[0]  # as if the stones that Black has taken were fewer points for White
    told = max(-MOST_KOMI, min(MOST_KOMI, round(2 * komi) / 2))
    asked = {
        "boardXSize": game.width,
        "boardYSize": game.height,
        "rules": rules(game),
        "komi": told,
        "initialStones": stones,
        "initialPlayer": "BW"[start.to_move],
        "moves": _moves(game, state) if whole else [],
    }
    return KataQuestion(asked, komi - told)


def _moves(game: Go, state: Go9 | Go19) -> list[list[str]]:
    resumed = dict(resumptions_of(state))
    passing = game.table.pass_action
    at = game.start() if state.origin is None else game.position(*state.origin)
    moves: list[list[str]] = []
    for number, action in enumerate(state.actions, start=1):
        name = "pass" if action == passing else game.look.cell_name(action)
        moves.append(["BW"[at.to_move], name])
        at = at.play(action)
        if number in resumed:
            at = at.resume(resumed[number])
            moves.pop()
    return moves
