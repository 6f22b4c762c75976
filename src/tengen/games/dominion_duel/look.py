"""Dominion Duel's row: claims and locks."""

from __future__ import annotations

from tengen.facets.look import Look, Piece


class DominionDuelLook(Look):
    colours = ("#8a5a2b", "#2f7d5b")
    sizes = {"n": (9, 15, 21)}
    hand = "place"
    pieces = (Piece("X", "claim of Player 1", 0), Piece("O", "claim of Player 2", 1), Piece("#", "locked"))
