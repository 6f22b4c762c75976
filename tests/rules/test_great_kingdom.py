"""Great Kingdom's rules in diagrams: docs/rules/great-kingdom.md, cited as "GK 5".

Positions are rows top to bottom, numbers are empty cells. `MOVES` and `COUNTS` are the table that both
presets have to fulfil, its rows numbered; what follows them shows single options and what is refused.
"""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import tengen

EMPTY = "9/9/9/9/4N4/9/9/9/9"
PRESETS = ("rulebook", "published")
BLUE, ORANGE = 0, 1
WALL_ON_C = "/".join(["2B6"] * 4 + ["2B1N4"] + ["2B6"] * 3 + ["2B5O"])


def at(text: str, to_move: int = BLUE, **options: Any) -> Any:
    return tengen.game("great-kingdom", **options).position(text, to_move)


def begin(**options: Any) -> Any:
    return tengen.game("great-kingdom", **options).start()


def play(state: Any, *moves: str) -> Any:
    for move in moves:
        (action,) = state.game.parse(state, move)
        state = state.play(action)
    return state


def swapped(text: str) -> str:
    return text.translate(str.maketrans("BO", "OB"))


# name, position, mover, move, then what each preset makes of it: (winner, reason), None when play goes on,
# "illegal" when it refuses the move.
MOVES: list[tuple[str, str, int, str, Any, Any]] = [
    ("1. GK 3a: captured in the corner", "OB7/9/9/9/4N4/9/9/9/8O", 0, "A8", (0, "capture"), (0, "capture")),
    ("2. GK 3a: two castles", "2BOOB3/3B5/9/9/4N4/9/9/9/9", 0, "E8", (0, "capture"), (0, "capture")),
    ("3. GK 2: neutral is a wall", "9/9/9/3B5/2BON4/9/9/9/9", 0, "D4", (0, "capture"), (0, "capture")),
    ("4. GK 3a: a bent group", "1B7/BOB6/2O6/9/4N4/9/9/9/9", 0, "B7", (0, "capture"), (0, "capture")),
    ("5. GK 3c: a liberty is left", "9/2B6/1BO6/9/4N4/9/9/9/9", 0, "C6", None, None),
    ("6. GK 3b, 7: suicide in the corner", "1O7/O8/9/9/4N4/9/9/9/9", 0, "A9", (1, "suicide"), "illegal"),
    ("7. GK 3b: suicide of two", "OBO6/O1O6/1O7/9/4N4/9/9/9/9", 0, "B8", (1, "suicide"), (1, "suicide")),
    ("8. GK 3a: double KO", "6BO1/6BOB/7BO/9/4N4/9/9/9/9", 0, "J9", (0, "capture"), (0, "capture")),
    (
        "9. GK 3a: Orange's double KO",
        swapped("6BO1/6BOB/7BO/9/4N4/9/9/9/9"),
        1,
        "J9",
        (1, "capture"),
        (1, "capture"),
    ),
    ("10. GK 3a, 7: capture in an eye", "1OB6/OOB6/BB7/9/4N4/9/9/9/9", 0, "A9", (0, "capture"), "illegal"),
    ("11. GK 7: into one's own territory", "1B7/B8/9/9/4N4/9/9/9/8O", 0, "A9", None, None),
]


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("text", "mover", "move", "rulebook", "published"), [pytest.param(*row[1:], id=row[0]) for row in MOVES]
)
def test_what_a_placement_does(
    rules: str, text: str, mover: int, move: str, rulebook: Any, published: Any
) -> None:
    expected = rulebook if rules == "rulebook" else published
    state = at(text, mover, rules=rules)
    if expected == "illegal":
        with pytest.raises(tengen.IllegalAction, match="opponent's territory"):
            play(state, move)
        return
    after = play(state, move)
    assert after.to_move == 1 - mover
    if expected is None:
        assert after.outcome is None
        assert after.legal_actions()
    else:
        assert after.outcome == (*expected, None)
        assert after.legal_actions() == []


# name, position, B, O, winner; counted after both have passed (GK 4), Blue first.
COUNTS = [
    ("12. GK 6: nobody has any", EMPTY, 0, 0, ORANGE),
    ("14. GK 6: two ahead is not enough", "2B6/BB7/9/9/4N4/9/9/9/8O", 2, 0, ORANGE),
    ("15. GK 6: three ahead is", "3B5/BBB6/9/9/4N4/9/9/9/8O", 3, 0, BLUE),
    ("16. GK 6: 4 to 2", "4B4/BBBB5/9/9/4N4/9/9/7OO/6O2", 4, 2, ORANGE),
    ("16. GK 6: 5 to 2", "5B3/BBBBB4/9/9/4N4/9/9/7OO/6O2", 5, 2, BLUE),
    ("17. GK 5a: a ring around the neutral castle", "9/9/4B4/3B1B3/2B1N1B2/3B1B3/4B4/9/8O", 4, 0, BLUE),
    ("18. GK 5b: three edges are fine", WALL_ON_C, 18, 0, BLUE),
    ("19. GK 5b: four edges are not", "6BO1/7BO/8B/9/4N4/9/9/9/9", 0, 1, ORANGE),
    ("20. GK 5a: invaded", "O2B5/BBB6/9/9/4N4/9/9/9/9", 0, 0, ORANGE),
    ("21. GK 5b: all but an edge", "BBBBBBBBB/9/9/9/4N4/9/9/9/9", 71, 0, BLUE),
]


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("text", "blue", "orange", "winner"), [pytest.param(*row[1:], id=row[0]) for row in COUNTS]
)
def test_counting(rules: str, text: str, blue: int, orange: int, winner: int) -> None:
    state = at(text, rules=rules)
    assert state.score() == (blue, orange)
    assert (state.territory().count(1), state.territory().count(2)) == (blue, orange)
    once = play(state, "pass")
    assert once.outcome is None
    over = play(once, "pass")
    assert over.outcome == (winner, "territory", (blue, orange))
    assert over.legal_actions() == []


@pytest.mark.parametrize("rules", PRESETS)
def test_own_territory_shrinks_when_entered(rules: str) -> None:
    """11. GK 5, 7: the score before and after."""
    state = at("1B7/B8/9/9/4N4/9/9/9/8O", rules=rules)
    assert state.score() == (1, 0)
    assert play(state, "A9").score() == (0, 0)


@pytest.mark.parametrize("rules", PRESETS)
def test_a_placement_starts_the_count_of_passes_anew(rules: str) -> None:
    """13. GK 4."""
    state = play(at(EMPTY, rules=rules), "pass", "A9", "pass")
    assert state.outcome is None
    assert play(state, "pass").outcome == (ORANGE, "territory", (0, 0))


@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize(
    ("history", "action", "why"),
    [
        pytest.param((), 40, "neutral castle", id="GK 2: the neutral cell"),
        pytest.param(("D4",), 48, "already", id="GK 1: an occupied cell"),
        pytest.param((), -1, "no such cell", id="GK 11: below the actions"),
        pytest.param((), 82, "no such cell", id="GK 11: above the actions"),
        pytest.param((), 10**30, "no such cell", id="GK 11: far above the actions"),
        pytest.param(("pass", "pass"), 0, "over", id="GK 4: a cell after the end"),
        pytest.param(("pass", "pass"), 81, "over", id="GK 4: a pass after the end"),
        pytest.param(("A8", "A9", "B9"), 20, "over", id="GK 4: after a capture"),
    ],
)
def test_refused_actions_change_nothing(rules: str, history: tuple[str, ...], action: int, why: str) -> None:
    """22. The neutral cell, an occupied cell, anything after the end."""
    state = play(begin(rules=rules), *history)
    before = (
        pickle.dumps(state),
        state.cells(),
        hash(state),
        state.to_move,
        state.outcome,
        state.legal_actions(),
    )
    with pytest.raises(tengen.IllegalAction) as refusal:
        state.play(action)
    assert why in str(refusal.value)
    assert str(refusal.value).endswith(".")
    assert action not in state.legal_actions()
    after = (
        pickle.dumps(state),
        state.cells(),
        hash(state),
        state.to_move,
        state.outcome,
        state.legal_actions(),
    )
    assert after == before


# Single options.


@pytest.mark.parametrize(
    ("text", "move"),
    [
        pytest.param("1O7/O8/9/9/4N4/9/9/9/9", "A9", id="one castle"),
        pytest.param("OBO6/O1O6/1O7/9/4N4/9/9/9/9", "B8", id="two castles"),
    ],
)
def test_suicide_can_be_illegal(text: str, move: str) -> None:
    """GK 3b."""
    with pytest.raises(tengen.IllegalAction, match="no liberties"):
        play(at(text, suicide="illegal"), move)
    state = at(text)
    (action,) = state.game.parse(state, move)
    assert state.would_lose(action)
    assert not at(text, suicide="illegal").would_lose(action)


def test_a_double_ko_is_no_suicide() -> None:
    """GK 3a comes before 3b, also where suicide is illegal."""
    text = "6BO1/6BOB/7BO/9/4N4/9/9/9/9"
    state = at(text, suicide="illegal")
    assert not state.would_lose(8)
    over = play(state, "J9")
    assert over.outcome == (BLUE, "capture", None)
    names = [tengen.game("great-kingdom").format(at(EMPTY), [cell]) for cell in over.captured]
    assert names == ["H9", "J9", "H8", "J8"]  # neither side's castles there have a liberty


@pytest.mark.parametrize(
    ("text", "mover", "move", "options", "legal"),
    [
        pytest.param("1B7/B8/9/9/4N4/9/9/9/8O", 0, "A9", {"enter_own_territory": False}, False, id="own"),
        pytest.param(
            "1B7/B8/9/9/4N4/9/9/9/8O", 1, "A9", {"enter_own_territory": False}, True, id="own, by the other"
        ),
        pytest.param("1B7/B8/9/9/4N4/9/9/9/8O", 1, "A9", {"enter_enemy_territory": False}, False, id="enemy"),
        pytest.param(
            "1B7/B8/9/9/4N4/9/9/9/8O", 1, "J9", {"enter_enemy_territory": False}, True, id="nobody's"
        ),
        pytest.param(
            "2B6/BB7/9/9/4N4/9/9/9/8O", 1, "A9", {"rules": "published"}, False, id="published, room of two"
        ),
        pytest.param(
            "OB7/1B7/B8/9/4N4/9/9/9/8O",
            1,
            "A8",
            {"rules": "published"},
            True,
            id="published, invaded already",
        ),
        pytest.param(WALL_ON_C, 1, "A5", {"rules": "published"}, False, id="published, a third of the board"),
        pytest.param(
            WALL_ON_C, 1, "A5", {"rules": "published", "enter_enemy_territory": True}, True, id="given wins"
        ),
        pytest.param(
            "BBBBBBBBB/9/9/9/4N4/9/9/9/9",
            1,
            "E1",
            {"rules": "published"},
            False,
            id="published, all the board",
        ),
        pytest.param(
            "4B4/9/9/9/4N4/9/9/9/9", 1, "E1", {"rules": "published"}, True, id="published, four edges"
        ),
    ],
)
def test_territory_bans(text: str, mover: int, move: str, options: dict[str, Any], legal: bool) -> None:
    """GK 7 and GK 9."""
    state = at(text, mover, **options)
    if legal:
        play(state, move)
    else:
        with pytest.raises(tengen.IllegalAction, match="territory"):
            play(state, move)


def test_a_side_without_castles_can_only_pass() -> None:
    """GK 8."""
    state = begin(castles=2)
    assert state.castles_left == (2, 2)
    state = play(state, "A1", "J9", "A2")
    assert state.castles_left == (0, 1)
    state = play(state, "J8")
    assert state.legal_actions() == [81]
    with pytest.raises(tengen.IllegalAction, match="no castles left"):
        play(state, "E1")
    assert play(state, "pass", "pass").outcome == (ORANGE, "territory", (0, 0))
    assert begin().castles_left is None
    assert begin(rules="published").castles_left == (40, 40)
    assert begin(rules="published", castles=None).castles_left is None


@pytest.mark.parametrize(("lead", "winner"), [(2, BLUE), (3, ORANGE), (0, BLUE), (-400, BLUE), (400, ORANGE)])
def test_lead(lead: int, winner: int) -> None:
    """GK 6."""
    over = play(at("2B6/BB7/9/9/4N4/9/9/9/8O", lead=lead), "pass", "pass")
    assert over.outcome == (winner, "territory", (2, 0))


def test_a_tie_needs_a_lead_of_nothing() -> None:
    """GK 6."""
    assert play(at(EMPTY, lead=0), "pass", "pass").outcome.winner == BLUE
    assert play(at(EMPTY, lead=1), "pass", "pass").outcome.winner == ORANGE


def test_even_boards_have_no_neutral_castle() -> None:
    """GK 1, 9."""
    game = tengen.game("great-kingdom", size=4, neutral=False)
    state = game.start()
    assert state.cells() == bytes(16)
    assert game.action_count == 17 and state.legal_actions() == list(range(17))
    state = game.position("1B2/B3/4/3O")
    assert play(state, "pass", "pass").outcome == (ORANGE, "territory", (1, 0))
    assert play(game.position("OB2/4/4/4"), "A3").outcome == (BLUE, "capture", None)


@pytest.mark.parametrize("size", [3, 5, 7, 9, 11, 19])
def test_odd_boards(size: int) -> None:
    """GK 1: the neutral castle in the centre, and a capture in the last corner."""
    game = tengen.game("great-kingdom", size=size)
    state = game.start()
    middle = size * size // 2
    assert state.cells() == bytes(middle) + b"\3" + bytes(middle)
    assert middle not in state.legal_actions() and len(state.legal_actions()) == size * size
    last = game.format(state, [size * size - 1])
    beside, above = game.format(state, [size * size - 2]), game.format(state, [size * size - 1 - size])
    assert play(state, beside, last, above).outcome == (BLUE, "capture", None)


# What front ends and searches read.


def test_liberties_territory_and_cells() -> None:
    """GK 2, 5: read off one position cell by cell."""
    state = at("1B1/BNO/3", size=3, rules="rulebook")
    assert state.cells() == bytes([0, 1, 0, 1, 3, 2, 0, 0, 0])
    assert list(state.liberties()) == [0, 2, 0, 2, 0, 2, 0, 0, 0]
    assert state.territory() == bytes([1, 0, 0, 0, 0, 0, 0, 0, 0])


def test_equal_positions() -> None:
    """GK 15: how a position came about does not matter; the passes in a row, the mover and the options do."""
    start = begin()
    one, other = play(start, "A1", "J9", "C3", "G7"), play(start, "C3", "G7", "A1", "J9")
    assert one == other and hash(one) == hash(other)
    assert play(start, "pass") != at(EMPTY, ORANGE)
    assert play(start, "A1", "pass") != play(start, "A1")
    assert at(EMPTY) == start and hash(at(EMPTY)) == hash(start)
    assert at(EMPTY, lead=2) != start


@pytest.mark.parametrize("written", ["D4", "d4", " d4 ", "D 4", "\td4\n"])
def test_forgiving_notation(written: str) -> None:
    """GK 12."""
    state = begin()
    assert state.game.parse(state, written) == [48]
    assert state.game.format(state, [48]) == "D4"


@pytest.mark.parametrize("written", ["pass", "PASS", " Pass "])
def test_pass_notation(written: str) -> None:
    """GK 12."""
    state = begin()
    assert state.game.parse(state, written) == [81]
    assert state.game.format(state, [81]) == "pass"


@pytest.mark.parametrize("written", ["", "D", "4", "4D", "I5", "D4 E5", "D-4", "D4.0", "D４", "passe"])
def test_unreadable_notation(written: str) -> None:
    state = begin()
    with pytest.raises(tengen.NotationError):
        state.game.parse(state, written)


@pytest.mark.parametrize("written", ["K1", "A10", "A0", "T19", "E5"])
def test_readable_but_not_allowed(written: str) -> None:
    state = begin()
    with pytest.raises(tengen.IllegalAction):
        state.game.parse(state, written)


def test_text() -> None:
    state = play(at("4B4/BBBB5/9/9/4N4/9/9/7OO/6O2", rules="published"), "D4")
    assert [line.rstrip() for line in state.game.text(state).splitlines()] == [
        "   A B C D E F G H J",
        " 9 b b b b B . . . . 9",
        " 8 B B B B . . . . . 8",
        " 7 . . . . . . . . . 7",
        " 6 . . . . . . . . . 6",
        " 5 . . . . N . . . . 5",
        " 4 . . .(B). . . . . 4",
        " 3 . . . . . . . . . 3",
        " 2 . . . . . . . O O 2",
        " 1 . . . . . . O o o 1",
        "   A B C D E F G H J",
        "Territory: Blue 4, Orange 2. Blue wins from 3 ahead.",
        "Castles left: Blue 34, Orange 37.",
    ]


def test_view() -> None:
    state = play(at("1O7/O8/9/9/4N4/9/9/9/9", ORANGE), "J1")
    view = state.game.view(state)
    assert (view.width, view.height, view.to_move, view.last, view.captured) == (9, 9, BLUE, (80,), ())
    assert view.cells == tuple(".O......." + "O........" + "." * 22 + "N" + "." * 39 + "O")
    assert view.score == (0, 1)
    assert view.details["suicide"] == [0]
    assert view.details["territory"] == [2] + [0] * 80
    assert view.details["liberties"][1] == 3
    assert (view.details["passes"], view.details["lead"], view.details["castles_left"]) == (0, 3, None)
    over = play(state, "A9")
    assert over.game.view(over).captured == (0,)


# Bad input.


@pytest.mark.parametrize(
    ("text", "options"),
    [
        pytest.param("OB7/B8/9/9/4N4/9/9/9/9", {}, id="GK 13: a castle without liberties"),
        pytest.param("9/9/3B5/2BOB4/3BN4/9/9/9/9", {}, id="GK 13: one in the middle"),
        pytest.param("OOB6/BB7/9/9/4N4/9/9/9/9", {}, id="GK 13: a group without liberties"),
        pytest.param("9/9/9/9/9/9/9/9/9", {}, id="GK 13: no neutral castle"),
        pytest.param("9/9/9/9/4B4/9/9/9/9", {}, id="GK 13: a castle in the centre"),
        pytest.param("N8/9/9/9/4N4/9/9/9/9", {}, id="GK 13: two neutral castles"),
        pytest.param("9/9/9/9/3N5/9/9/9/9", {}, id="GK 13: neutral castle beside the centre"),
        pytest.param(EMPTY, {"neutral": False}, id="GK 13: a neutral castle where there is none"),
        pytest.param("BBB6/9/9/9/4N4/9/9/9/9", {"castles": 2}, id="GK 8: more castles than Blue has"),
        pytest.param("OOO6/9/9/9/4N4/9/9/9/9", {"castles": 2}, id="GK 8: more castles than Orange has"),
    ],
)
def test_invalid_positions(text: str, options: dict[str, Any]) -> None:
    with pytest.raises(tengen.InvalidPosition, match=r"^[A-Z].*\.$"):
        at(text, **options)


@pytest.mark.parametrize("to_move", [-1, 2])
def test_invalid_movers(to_move: int) -> None:
    with pytest.raises(tengen.InvalidPosition):
        at(EMPTY, to_move)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9/9/9/9/4N4/9/9/9",
        "9/9/9/9/4N4/9/9/9/8",
        "9/9/9/9/4N4/9/9/9/91",
        "9/9/9/9/4N4/9/9/9/8X",
        "9/9/9/9/4N4/9/9/9/8b",
    ],
)
def test_unreadable_positions(text: str) -> None:
    with pytest.raises(tengen.NotationError):
        at(text)


@pytest.mark.parametrize(
    "options",
    [
        {"size": 2},
        {"size": 20},
        {"size": 8},
        {"size": 9.0},
        {"size": "9"},
        {"size": True},
        {"size": None},
        {"neutral": 1},
        {"lead": 401},
        {"lead": -401},
        {"lead": 2.5},
        {"suicide": "wins"},
        {"castles": 0},
        {"castles": -1},
        {"castles": 10**30},
        {"rules": "house"},
        {"rules": 3},
        {"komi": 6.5},
    ],
    ids=str,
)
def test_invalid_options(options: dict[str, Any]) -> None:
    """GK 9. The message names the option."""
    with pytest.raises(tengen.InvalidOption, match=next(iter(options))):
        tengen.game("great-kingdom", **options)


def test_presets_give_defaults() -> None:
    """GK 9."""
    rulebook, published = tengen.game("great-kingdom"), tengen.game("great-kingdom", rules="published")
    assert rulebook.options == {
        "rules": "rulebook",
        "size": 9,
        "neutral": True,
        "lead": 3,
        "suicide": "loses",
        "enter_enemy_territory": True,
        "enter_own_territory": True,
        "castles": None,
    }
    changed = {"rules": "published", "enter_enemy_territory": False, "castles": 40}
    assert published.options == rulebook.options | changed
