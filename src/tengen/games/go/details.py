"""`View.details` of Go, for clients of any language: web/src/protocol.ts is made from it."""

from __future__ import annotations

from typing import TypedDict


class GoDetails(TypedDict):
    """`View.details` of Go."""

    liberties: list[int]  # by cell, of the chain on it
    ko: int | None  # the cell that may not be retaken
    prisoners: tuple[int, int]  # stones captured by each seat
