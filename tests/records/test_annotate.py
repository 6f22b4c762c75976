"""Analyses in SGF files: what they take the place of, and what of other people's stays."""

from __future__ import annotations

from tengen.analysis import Analysis, Candidate, ReviewedMove
from tengen.records import read_sgf, write_sgf
from tengen.records.annotate import annotate


def found(win: float, visits: int, *moves: str, lead: float = 2.5) -> Analysis:
    candidates = tuple(Candidate(move, (0,), visits, win, None, None, (move,)) for move in moves)
    return Analysis(0, visits, win, lead, None, candidates, None, by="katago")


def test_an_analysis_takes_the_place_of_the_one_before_it() -> None:
    tree = read_sgf("(;SZ[9]C[My words.]LB[aa:1][ee:x]GB[2]TR[bb];B[dd]C[Nice]BM[1])")
    for number in (6, 80):
        root, first = tree.main_line()
        annotate(tree, root, found(0.5, number, "E5", "C3"), None)
        tree = read_sgf(write_sgf(tree))
    root = tree.root
    assert root.comment == "My words.\nBlack 50%, Black leads by 2.5 (KataGo, 80 visits)."
    assert root.properties["LB"] == ("ee:A", "cg:B", "aa:1") and root.properties["TR"] == ("bb",)
    assert root.properties["DM"] == ("1",) and "GB" not in root.properties
    assert first.comment == "Nice" and first.properties["BM"] == ("1",), "nothing is known of it"


def test_nobody_leads_by_nothing() -> None:
    tree = read_sgf("(;SZ[9])")
    for lead in (-0.04, 0.04):
        annotate(tree, tree.root, found(0.5, 6, "E5", lead=lead), None)
        assert tree.root.comment == "Black 50%, nobody leads (KataGo, 6 visits)."
        assert tree.root.properties["V"] == ("0.0",)


def test_a_mistake_is_noted_once() -> None:
    tree = read_sgf("(;SZ[9];B[dd]DO[])")
    for _ in range(2):
        move = ReviewedMove(1, 0, "D6", 0.9, 0.2, None, "E5", ("E5",), "blunder", by="katago")
        annotate(tree, tree.main_line()[1], None, move)
        tree = read_sgf(write_sgf(tree))
    node = tree.main_line()[1]
    assert node.comment == "Blunder: E5 was better, 70% given away."
    assert node.properties["BM"] == ("2",) and "DO" not in node.properties
    assert [child.move for child in tree.root.children] == ["D6", "E5"]
