"""The error that reading raises; those of the rules are the compiled module's."""

from __future__ import annotations


class NotationError(ValueError):
    """The text cannot be read as a move or a position, whatever the rules say."""
