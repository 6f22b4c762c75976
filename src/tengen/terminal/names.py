"""What machines are called where people read it, as in the browser: `brain:latest@64` is a neural net."""

from __future__ import annotations

_NAMELESS = ("latest", "default")  # whichever is the champion, and the one that comes with tengen


def machine_name(text: str, otherwise: str = "") -> str:
    """The name for the text that asks for a machine; `otherwise`, or the text, where it has no other.

    A net is told by its name unless that says nothing, and by its budget only where one was asked for.
    """
    word, _, rest = text.strip().partition(":")
    if word == "brain" and rest:
        name, _, budget = rest.partition("@")
        called = "Neural net" if name in _NAMELESS else f"Neural net {name}"
        if not budget:
            return called
        spent = f"{budget[:-1]} s a move" if budget.endswith("s") else f"{budget} simulations"
        return f"{called}, {spent}"
    if otherwise:
        return otherwise
    level = rest if word == "level" else word if not rest else ""
    return f"level {level}" if level.isdecimal() else text
