"""The course of a game of Go: handicap, sizes, passes, going on, and what is refused (docs/rules/go.md)."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

import tengen
from tengen.game import restore
from tests.rules.go_diagrams import (
    BLACK,
    COLUMNS,
    INVADED,
    KO,
    KOMI,
    WALLS,
    WHITE,
    at,
    cell,
    cells,
    everything,
    is_sentence,
    play,
)

# Beginning and stopping.

HANDICAPS = {  # the GTP specification's fixed handicap, in its order
    19: "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10",
    17: "D4 O14 D14 O4 D9 O9 J4 J14 J9",
    15: "D4 M12 D12 M4 D8 M8 H4 H12 H8",
    13: "D4 K10 D10 K4 D7 K7 G4 G10 G7",
    11: "C3 J9 C9 J3 C6 J6 F3 F9 F6",
    9: "C3 G7 C7 G3 C5 G5 E3 E7 E5",
    18: "D4 P15 D15 P4",
    14: "D4 L11 D11 L4",
    12: "C3 K10 C10 K3",
    10: "C3 H8 C8 H3",
    8: "C3 F6 C6 F3",
    7: "C3 E5 C5 E3",
}


@pytest.mark.parametrize(
    ("size", "handicap"),
    [(size, count) for size, points in HANDICAPS.items() for count in range(2, len(points.split()) + 1)],
)
def test_handicap(size: int, handicap: int) -> None:
    """GO 3: five and seven take the centre, six and eight do not."""
    state = tengen.game("go", size=size, handicap=handicap).start()
    points = HANDICAPS[size].split()
    chosen = [*points[: handicap - 1], points[-1]] if handicap in (5, 7) else points[:handicap]
    assert {i for i, code in enumerate(state.cells()) if code} == set(cells(state, " ".join(chosen)))
    assert state.cells().count(BLACK + 1) == handicap
    assert state.to_move == WHITE and state.outcome is None
    assert state.game.options["komi"] == 0.5


@pytest.mark.parametrize(
    ("size", "handicap"),
    [(19, 1), (9, 1), (8, 5), (18, 5), (7, 5), (6, 2), (5, 2), (2, 2), (19, 10), (19, -1)],
)
def test_handicaps_that_do_not_exist(size: int, handicap: int) -> None:
    """GO 3."""
    with pytest.raises(tengen.InvalidOption, match="handicap") as refusal:
        tengen.game("go", size=size, handicap=handicap)
    assert is_sentence(refusal.value)


@pytest.mark.parametrize(
    ("options", "komi"),
    [
        ({}, 6.5),
        ({"size": 9}, 6.5),
        ({"scoring": "area"}, 6.5),
        ({"handicap": 0}, 6.5),
        ({"handicap": 4}, 0.5),
        ({"handicap": 4, "komi": 6.5}, 6.5),
        ({"handicap": 4, "komi": 0}, 0),
        ({"komi": 7}, 7),
        ({"komi": -3.5}, -3.5),
    ],
)
def test_komi_by_default(options: dict[str, Any], komi: float) -> None:
    """GO 24. An empty board is worth exactly the komi."""
    game = tengen.game("go", **options)
    assert game.options["komi"] == komi
    empty: Any = game.position("/".join([str(game.width)] * game.height))
    assert empty.score() == (0, komi)


@pytest.mark.parametrize("size", range(2, 20))
def test_sizes(size: int) -> None:
    """GO 1, 25, 26: corners and centre by name and number."""
    game = tengen.game("go", size=size)
    state = game.start()
    last = COLUMNS[size - 1]
    assert game.action_count == size * size + 1
    assert state.to_move == BLACK and state.cells() == bytes(size * size)
    assert state.legal_actions() == list(range(size * size + 1))
    corners = {f"A{size}": 0, f"{last}{size}": size - 1, "A1": size * (size - 1), f"{last}1": size * size - 1}
    for name, number in {**corners, "pass": size * size}.items():
        assert game.parse(state, name) == [number]
        assert game.format(state, [number]) == name


def test_two_passes_end_it() -> None:
    """GO 9."""
    state = play(at(WALLS), "pass")
    assert state.outcome is None and state.passes == 1 and state.to_move == WHITE
    assert play(state, "A1 pass").outcome is None
    over = play(state, "pass")
    assert over.outcome == (WHITE, "score", (5, 10 + KOMI))
    assert over.legal_actions() == [] and over.passes == 2
    assert over.cells() == state.cells()


@pytest.mark.parametrize("seat", [BLACK, WHITE])
def test_going_on(seat: int) -> None:
    """GO 21: nothing is lost but the passes and the ko ban."""
    before = play(at(KO), "D3")
    over = play(before, "pass pass")
    state = over.resume(seat)
    assert over.outcome is not None and over.passes == 2
    assert (state.to_move, state.passes, state.ko, state.outcome) == (seat, 0, None, None)
    assert (state.cells(), state.prisoners, state.liberties()) == (over.cells(), (1, 0), over.liberties())
    assert state.actions == over.actions and state.resumptions == ((3, seat),)
    assert cell(state, "C3") in state.legal_actions()
    again = pickle.loads(pickle.dumps(state))
    assert again == state and everything(again) == everything(state)
    assert play(again, "A1").to_move == 1 - seat


def test_a_resumption_is_replayed_and_turned_with_the_rest() -> None:
    """GO 21: states are unpickled, turned and taken back by their actions and what came between them."""
    state = play(play(at(KO), "D3 pass pass").resume(WHITE), "A1 pass pass").resume(WHITE)
    assert state.resumptions == ((3, WHITE), (6, WHITE)) and all(action >= 0 for action in state.actions)
    turned = state.game.transform(state, 1)
    assert turned.resumptions == state.resumptions and turned.to_move == WHITE
    assert state.game.transform(turned, 1) == state
    earlier = restore(state.game, state.origin, state.actions[:4], state.resumptions)
    assert earlier.resumptions == ((3, WHITE),) and earlier.outcome is None


def test_disagreements_never_force_a_result() -> None:
    """GO 21: three in a row, and the game is counted just as after the first."""
    over = play(at(INVADED), "pass pass")
    for seat in (BLACK, WHITE, WHITE):
        state = over.resume(seat)
        assert state.outcome is None
        over = play(state, "pass pass")
        assert over.outcome == (WHITE, "score", (5, KOMI))
    settled = play(over.resume(WHITE), "E3 pass D4 pass D2 pass pass")
    assert settled.outcome == (WHITE, "score", (5 - 1, 10 - 3 + KOMI))


# Bad input: a named error, one sentence, and nothing has changed.


@pytest.mark.parametrize(
    ("options", "history"),
    [
        pytest.param({}, "", id="in play"),
        pytest.param({"scoring": "area"}, "pass pass", id="area scoring"),
        pytest.param({}, "pass", id="after one pass"),
    ],
)
def test_when_there_is_nothing_to_resume(options: dict[str, Any], history: str) -> None:
    """GO 16, 21."""
    state = play(at(WALLS, **options), history)
    earlier = everything(state)
    with pytest.raises(tengen.IllegalAction) as refusal:
        state.resume(BLACK)
    assert is_sentence(refusal.value) and everything(state) == earlier


@pytest.mark.parametrize("seat", [-1, 2])
def test_nobody_else_can_resume(seat: int) -> None:
    with pytest.raises(tengen.IllegalAction) as refusal:
        play(at(WALLS), "pass pass").resume(seat)
    assert is_sentence(refusal.value)


@pytest.mark.parametrize(
    ("history", "action", "why"),
    [
        pytest.param("", 6, "already", id="GO 2: an occupied point"),
        pytest.param("", -1, "no such", id="GO 26: below the actions"),
        pytest.param("", 26, "no such", id="GO 26: above the actions"),
        pytest.param("", 2**31, "no such", id="GO 26: above 32 bits"),
        pytest.param("", -(10**30), "no such", id="GO 26: far below the actions"),
        pytest.param("pass pass", 0, "over", id="GO 9: a point after the end"),
        pytest.param("pass pass", 25, "over", id="GO 9: a pass after the end"),
        pytest.param("pass pass", 99, "over", id="GO 9: nonsense after the end"),
    ],
)
def test_refused_actions(history: str, action: int, why: str) -> None:
    state = play(at(WALLS), history)
    earlier = everything(state)
    with pytest.raises(tengen.IllegalAction, match=why) as refusal:
        state.play(action)
    assert is_sentence(refusal.value)
    assert everything(state) == earlier
    assert state.why_illegal(action) == str(refusal.value)


@pytest.mark.parametrize("action", ["0", 0.0, None, [0]])
def test_actions_are_whole_numbers(action: Any) -> None:
    with pytest.raises(TypeError):
        at(WALLS).play(action)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("colour", "black"),
        ("size", 1),
        ("size", 20),
        ("size", 9.0),
        ("size", "9"),
        ("size", True),
        ("size", None),
        ("ko", "none"),
        ("ko", True),
        ("scoring", "chinese"),
        ("komi", float("nan")),
        ("komi", float("inf")),
        ("komi", "6.5"),
        ("handicap", 1),
        ("handicap", 2.0),
    ],
)
def test_bad_options(name: str, value: Any) -> None:
    """GO 24."""
    with pytest.raises(tengen.InvalidOption, match=name) as refusal:
        tengen.game("go", **{name: value})
    assert is_sentence(refusal.value)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        pytest.param("OX1/X2/3", tengen.InvalidPosition, id="GO 28: a stone without liberties"),
        pytest.param("OOX/OXX/XX1", tengen.InvalidPosition, id="GO 28: a chain without liberties"),
        pytest.param("XXX/XXX/XXX", tengen.InvalidPosition, id="GO 28: no empty point"),
        pytest.param("3/3", tengen.NotationError, id="too few rows"),
        pytest.param("3/3/3/3", tengen.NotationError, id="too many rows"),
        pytest.param("3/2/3", tengen.NotationError, id="a short row"),
        pytest.param("3/1X2/3", tengen.NotationError, id="a long row"),
        pytest.param("3/1B1/3", tengen.NotationError, id="a letter of another game"),
        pytest.param("3/1x1/3", tengen.NotationError, id="a small letter"),
        pytest.param("3/.../3", tengen.NotationError, id="dots"),
        pytest.param("3/1 X1/3", tengen.NotationError, id="a space"),
        pytest.param("", tengen.NotationError, id="nothing"),
    ],
)
def test_bad_positions(text: str, error: type[Exception]) -> None:
    with pytest.raises(error) as refusal:
        tengen.game("go", size=3).position(text)
    assert is_sentence(refusal.value)


@pytest.mark.parametrize("to_move", [-1, 2])
def test_bad_movers(to_move: int) -> None:
    with pytest.raises(tengen.InvalidPosition) as refusal:
        tengen.game("go", size=3).position("3/3/3", to_move)
    assert is_sentence(refusal.value)


@pytest.mark.parametrize(
    "marks",
    [
        pytest.param({"dead": [0]}, id="GO 17: an empty point is not dead"),
        pytest.param({"dead": [-1]}, id="no such point"),
        pytest.param({"dead": [25]}, id="the pass is no point"),
        pytest.param({"neutral": [1]}, id="GO 22: a stone is not neutral"),
        pytest.param({"neutral": [25]}, id="no such neutral point"),
        pytest.param({"dead": [13], "neutral": [1]}, id="a stone that is not among the dead"),
    ],
)
def test_bad_marks(marks: dict[str, Any]) -> None:
    """GO 15."""
    state = at(INVADED)
    for method in (state.score, state.count):
        with pytest.raises(tengen.InvalidPosition) as refusal:
            method(**marks)
        assert is_sentence(refusal.value)


@pytest.mark.parametrize("written", ["", "D", "4", "I5", "4D", "D4 E5", "D４", "passe"])
def test_unreadable_moves(written: str) -> None:
    """GO 25, 27."""
    game = tengen.game("go")
    with pytest.raises(tengen.NotationError) as refusal:
        game.parse(game.start(), written)
    assert is_sentence(refusal.value)


@pytest.mark.parametrize("written", ["F1", "A6", "A0", "B3"])
def test_readable_moves_that_are_not_allowed(written: str) -> None:
    state = at(WALLS)
    with pytest.raises(tengen.IllegalAction) as refusal:
        state.game.parse(state, written)
    assert is_sentence(refusal.value)


def test_equal_positions() -> None:
    """GO 29: stones, mover, passes, ko ban and options are compared, the way there is not."""
    start = tengen.game("go", size=5).start()
    one, other = play(start, "A1 E5 B2 D4"), play(start, "B2 D4 A1 E5")
    assert one == other and hash(one) == hash(other)
    assert play(start, "A1 pass") != play(start, "A1")
    assert play(start, "pass") != at("..... " * 5, WHITE)
    taken = play(at(KO), "D3")
    assert taken != at("..... ..XO. .X.XO ..XO. .....", WHITE)
    assert at(KO) != at(KO, WHITE)
    assert at(KO) != at(KO, komi=0) and at(KO) != at(KO, ko="superko")


def test_prisoners_are_compared_where_they_count() -> None:
    """GO 29."""
    for scoring, equal in (("territory", False), ("area", True)):
        played = play(at(KO, scoring=scoring), "D3 A1 E1")
        set_up = at("..... ..XO. .X.XO ..XO. O...X", WHITE, scoring=scoring)
        assert (played.prisoners, set_up.prisoners) == ((1, 0), (0, 0))
        assert (played == set_up) is equal and hash(played) == hash(set_up)


def test_view() -> None:
    """GO 7, 12: what a client is told."""
    state = play(at(KO), "D3")
    view = state.game.view(state)
    assert (view.width, view.height, view.to_move) == (5, 5, WHITE)
    assert (view.last, view.captured) == ((13,), (12,))
    assert view.score == state.score()
    assert view.details == {"liberties": state.liberties(), "ko": 12, "prisoners": (1, 0)}
    assert "captured 1, White (O) 0" in state.game.text(state)
