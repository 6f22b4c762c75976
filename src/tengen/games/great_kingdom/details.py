"""`View.details` of Great Kingdom, for clients of any language: web/src/protocol.ts is made from it."""

from __future__ import annotations

from typing import TypedDict


class GreatKingdomDetails(TypedDict):
    """`View.details` of Great Kingdom."""

    territory: list[int]  # by cell: 0 nobody's, 1 Blue's, 2 Orange's
    liberties: list[int]  # by cell, of the group on it
    suicide: list[int]  # where a castle would lose at once, so that a client can ask first
    passes: int  # in a row
    lead: int  # how far Blue must be ahead
    castles_left: tuple[int, int] | None  # None without a limit
