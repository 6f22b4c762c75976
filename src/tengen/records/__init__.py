"""Games on paper and over a pipe: the JSON record, SGF with variations, and GTP in both directions."""

from tengen.records.load import count_games, load_any, load_tree, save_any
from tengen.records.record import MATCH_REASONS, Move, Player, Record, RecordError, Result, turns
from tengen.records.sgf import read_sgf, split_sgf, write_sgf
from tengen.records.tree import GameTree, Node

__all__ = [
    "MATCH_REASONS",
    "GameTree",
    "Move",
    "Node",
    "Player",
    "Record",
    "RecordError",
    "Result",
    "count_games",
    "load_any",
    "load_tree",
    "read_sgf",
    "save_any",
    "split_sgf",
    "turns",
    "write_sgf",
]
