"""Which machines a client may put into a seat.

A client never names a command or a file: a program is asked for by the name that the operator gave it, and
a brain by its name among the brains of the game.
"""

from __future__ import annotations

from collections.abc import Mapping

from tengen.analysis import why_no_katago
from tengen.brains.store import LATEST
from tengen.facets.machines import forms
from tengen.game import Game, InvalidOption
from tengen.kata import usable
from tengen.search.levels import level_of
from tengen.server.errors import Refusal
from tengen.server.lab.brains import champion, seated

MOST_VISITS = 20_000
MOST_SIMULATIONS = 10_000  # of a brain, whose search is slower


def seat_name(text: str, game: Game, programs: Mapping[str, str]) -> str:
    """What a machine that a client asks for is called; raises Refusal for one that may not sit here.

    A brain is read from its file: call it from a thread.
    """
    kind, _, rest = text.partition(":")
    if kind == "level" and rest.isascii() and rest.isdigit() and len(rest) <= 2:
        try:
            found = level_of(game, int(rest))
        except InvalidOption as error:
            raise Refusal.of(error) from None
        return f"Level {found.number}, {found.name}"
    if kind == "mcts" and rest.isascii() and rest.isdigit() and len(rest) <= len(str(MOST_VISITS)):
        if not 1 <= int(rest) <= MOST_VISITS:
            raise Refusal("malformed", f"A search has from 1 to {MOST_VISITS} visits.")
        return f"Search, {int(rest)} visits"
    if text == "random":
        return "Random moves"
    if kind == "brain":
        return _brain_name(rest, game)
    if kind == "katago":
        return _katago_name(rest, game)
    if kind == "program" and rest in programs:
        return rest
    raise Refusal(
        "malformed",
        f"A machine is one of {forms(here=False)}.",
    )


def is_katago(text: str) -> bool:
    return text.partition(":")[0] == "katago"


def _katago_name(visits: str, game: Game) -> str:
    if not game.records.kata or usable() is None:
        raise Refusal("malformed", why_no_katago(game))
    if not visits:
        return "KataGo"
    if not (visits.isascii() and visits.isdigit() and 1 <= int(visits[:9]) <= MOST_VISITS):
        raise Refusal("malformed", f"KataGo has from 1 to {MOST_VISITS} visits.")
    return f"KataGo, {int(visits)} visits"


def _brain_name(text: str, game: Game) -> str:
    name, at, simulations = text.partition("@")
    if at and not (simulations.isascii() and simulations.isdigit() and len(simulations) <= 5):
        raise Refusal("malformed", "A brain is asked for as brain:NAME or brain:NAME@SIMULATIONS.")
    if at and not 1 <= int(simulations) <= MOST_SIMULATIONS:
        raise Refusal("malformed", f"A brain has from 1 to {MOST_SIMULATIONS} simulations.")
    try:
        seated(game, name)
    except InvalidOption as error:
        raise Refusal.of(error) from None
    return f"Neural net {name}" + (f", {int(simulations)} simulations" if at else "")


def lasting(text: str, game: Game) -> str:
    """The same machine by a name that means the same tomorrow: brain:latest is the champion of today."""
    kind, _, rest = text.partition(":")
    name, at, simulations = rest.partition("@")
    return f"brain:{champion(game)}{at}{simulations}" if (kind, name) == ("brain", LATEST) else text


def player_text(text: str, game: Game, programs: Mapping[str, str]) -> str:
    """What `make_player` is asked for; raises InvalidOption for what is no longer there."""
    kind, _, rest = text.partition(":")
    if kind == "brain":
        seated(game, rest.partition("@")[0])
    if kind != "program":
        return text
    if rest not in programs:
        raise InvalidOption(f"This server no longer has the program {rest!r}.")
    return f"gtp:{programs[rest]}"


def first_guess_s(text: str) -> float:
    """How long a move of that machine takes, roughly, before one has been timed."""
    kind, _, rest = text.partition(":")
    if kind == "level":
        return 0.02 * float(1 << int(rest))
    if kind == "mcts":
        return int(rest) / 5000
    return 0.0 if kind == "random" else 1.0
