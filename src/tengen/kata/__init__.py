"""KataGo for those who have it: found, started, kept running, asked through its JSON analysis engine.

`finding` says where it is, `engine` owns the process, `search` is a tree like our own, grown over there.
Which games it knows, and how a position is told to it, is the games' own (`Records.kata_question`).
"""

from __future__ import annotations

from tengen.kata.engine import KataEngine, KataState, shared
from tengen.kata.finding import KataError, Program, find, usable
from tengen.kata.search import KataSearch, kata_search

__all__ = [
    "KataEngine",
    "KataError",
    "KataSearch",
    "KataState",
    "Program",
    "find",
    "kata_search",
    "shared",
    "usable",
]
