"""The machines that can have a seat, and the texts that ask for them: one list for help and errors.

`tengen.players.make_player` makes them.
"""

from __future__ import annotations

from typing import NamedTuple


class MachineKind(NamedTuple):
    word: str  # before the colon
    forms: tuple[str, ...]  # what may be asked for
    help: str
    served: bool = True  # whether a client may ask a server for it


MACHINES = (
    MachineKind("level", ("level:N",), "a level of the game; the number alone will do"),
    MachineKind(
        "mcts", ("mcts:VISITS", "mcts:SECONDSs"), "our search, with so many visits or seconds a move"
    ),
    MachineKind("flat", ("flat:PLAYOUTS",), "Monte Carlo without a tree", served=False),
    MachineKind("random", ("random",), "random legal moves"),
    MachineKind(
        "brain",
        ("brain:NAME", "brain:NAME@SIMULATIONS", "brain:NAME@SECONDSs"),
        "a brain, such as brain:latest",
    ),
    MachineKind(
        "katago",
        ("katago", "katago:VISITS", "katago:SECONDSs"),
        "KataGo, where there is one and it knows the game",
    ),
    MachineKind("gtp", ("gtp:COMMAND",), 'a program, such as "gtp:gnugo --mode gtp"', served=False),
    MachineKind("program", ("program:NAME",), "a program of the server that one plays on"),
)


def forms(*, here: bool) -> str:
    """All forms in one line, of machines for this computer or for a client of a server."""
    kinds = [one for one in MACHINES if (one.word != "program" if here else one.served)]
    found = [one.forms[0] for one in kinds] if not here else [form for one in kinds for form in one.forms]
    return f"{', '.join(found[:-1])} or {found[-1]}"
