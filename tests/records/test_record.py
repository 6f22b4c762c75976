"""The JSON record: round trips of all games, and one clear sentence for everything that is wrong."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tengen
from tengen.records import Move, Player, Record, RecordError, Result, load_any, load_tree, save_any
from tests.contract.cases import Case
from tests.records.samples import BUILT_IN, random_state


@pytest.mark.parametrize("case", BUILT_IN, ids=str)
def test_round_trip(case: Case) -> None:
    for seed in range(3):
        state = random_state(case, seed)
        record = Record.from_state(state)
        again = Record.from_json(record.to_json())
        assert again == record
        assert again.final() == state
        assert again.final().actions == state.actions
        assert again.final().outcome == state.outcome
        assert len(list(again.states())) == len(record.moves) + 1


def test_everything_that_a_match_knows_comes_back(tmp_path: Path) -> None:
    game = tengen.game("go", size=9, handicap=2)
    state = game.start()
    for word in ("E5", "pass", "pass"):
        state = state.play(game.parse(state, word)[0])
    state = state.resume(0).play(0)
    record = Record.from_state(
        state,
        players=(Player("Ann 😀", "3d", "person"), Player("黒", kind="level")),
        result=Result(1, "resign"),
        notes={0: Move("", 59.5, "tengen!", {"win_rate": 0.5, "pv": ["E5", "C3"]}), 4: Move("", 0.0)},
        started="2026-11-15T20:00:00Z",
        finished="2026-11-15T20:30:00Z",
        comment="two\nlines",
        info={"event": "club"},
        events=({"type": "offer", "seat": 0},),
    )
    assert [move.text for move in record.moves] == ["E5", "pass", "pass", "resume Black", "A9"]
    path = tmp_path / "game.json"
    record.save(path)
    assert Record.load(path) == record == load_any(path) == load_any(str(path)) == load_any(path.read_text())
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]
    assert record.final().to_move == 1


def test_a_position_is_the_origin() -> None:
    state = tengen.game("great-kingdom").position("OB7/9/9/9/4N4/9/9/9/8O").play(9)
    record = Record.from_state(state)
    assert record.origin == ("OB7/9/9/9/4N4/9/9/9/8O", 0)
    assert Record.from_json(record.to_json()).result == Result(0, "capture")


def test_kelasu_has_an_entry_a_turn() -> None:
    case = next(case for case in BUILT_IN if case.name == "kelasu")
    records = [Record.from_state(random_state(case, seed)) for seed in range(6)]
    assert any(";" in move.text for record in records for move in record.moves)
    for record in records:
        movers = [state.to_move for state in record.states()][:-1]
        assert all(a != b for a, b in itertools.pairwise(movers))


def test_a_failed_save_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    good = Record.from_state(tengen.game("go").start())
    good.save(path)
    bad = Record("go", good.options, (Move("D4", analysis={"x": float("nan")}),))
    with pytest.raises(RecordError, match="JSON cannot"):
        bad.save(path)
    assert Record.load(path) == good
    with pytest.raises(RecordError, match="Cannot write"):
        good.save(tmp_path / "no" / "such" / "place.json")
    with pytest.raises(RecordError, match=r"Cannot read .*nothing.json: No such file"):
        Record.load(tmp_path / "nothing.json")
    assert [file.name for file in tmp_path.iterdir()] == ["game.json"]


GOOD: dict[str, Any] = {
    "format": "tengen-record",
    "version": 1,
    "game": "go",
    "options": {"size": 9},
    "moves": [],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "not a record of ours"),
        ({"version": 2}, "version 2 and this program reads up to 1"),
        ({"version": True}, "version is missing"),
        ({"version": None}, "version is missing"),
        ({"colour": 1}, "unknown field 'colour'"),
        ({"game": "chess"}, "no game 'chess'"),
        ({"game": 7}, "game must be text"),
        ({"options": {"size": 99}}, "size must be"),
        ({"options": {"komi": 10**400}}, "cannot be set up"),
        ({"options": {"size": [9]}}, "'size' must be a single value"),
        ({"options": {"self": 9}}, "cannot be set up"),
        ({"options": []}, "Options must be a JSON object"),
        ({"moves": ["D4", "Z9"]}, "Move 2, 'Z9': Z9 is not on the board"),
        ({"moves": ["D4", "D4"]}, "Move 2, 'D4': There is already a stone"),
        ({"moves": ["hello" * 20]}, "Move 1, 'hellohello.*…'"),
        ({"moves": ["resume Black"]}, "Move 1, 'resume Black'"),
        ({"moves": ["pass", "pass", "resume Nobody"]}, "Move 3, 'resume Nobody': nobody here"),
        ({"moves": [7]}, "Move 1 must be a JSON object"),
        ({"moves": [{"move": "D4", "clock_s": "x"}]}, "Move 1, clock_s, must be a finite number"),
        ({"moves": [{"move": "D4", "clock_s": 10**400}]}, "Move 1, clock_s, must be a finite number"),
        ({"moves": [{"move": "D4", "extra": 1}]}, "Move 1 has an unknown field 'extra'"),
        ({"moves": ["pass"] * 100_001}, "100000 are the most"),
        ({"players": [{}]}, "1 players and not two"),
        ({"players": [{"name": 3}, {}]}, "Player 0, name, must be text"),
        ({"players": [{"age": 3}, {}]}, "Player 0 has an unknown field 'age'"),
        (
            {"origin": {"position": "9/9", "to_move": 0}},
            "starts from cannot be used: The position has 2 rows",
        ),
        ({"origin": {"position": "9/9", "to_move": 7}}, "to_move must be 0 or 1"),
        ({"result": {"winner": 2, "reason": "time"}}, "winner must be 0, 1 or null"),
        ({"result": {"winner": 0, "reason": "Because!"}}, "reason must be a word"),
        ({"result": {"winner": 0, "reason": "score", "score": [1]}}, "score must be two numbers"),
        ({"info": {"event": 3}}, "Info, 'event', must be text"),
        ({"events": [3]}, "An event must be a JSON object"),
    ],
)
def test_what_is_wrong_is_said(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message) as caught:
        Record.from_json(json.dumps(GOOD | change))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("[]", "must be a JSON object"),
        ("{", "in line 1"),
        ("[" * 100_000, "nested too deeply|not JSON"),
        ('{"version": ' + "9" * 10_000 + "}", "too long"),
        ('{"version": NaN}', "NaN"),
        (b"\xff\xfe{", "not UTF-8"),
        (" " * (17 * 2**20), "larger than 16 MB"),
    ],
)
def test_text_that_is_no_record(text: str | bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        Record.from_json(text)


def test_a_result_that_the_board_contradicts() -> None:
    record = Record.from_state(tengen.game("great-kingdom").position("OB7/9/9/9/4N4/9/9/9/8O").play(9))
    text = record.to_json().replace('"winner": 0', '"winner": 1')
    with pytest.raises(RecordError, match="wrong winner"):
        Record.from_json(text)


def test_replaying_has_a_limit() -> None:
    moves = [str(number) for number in range(1, 60_000, 3)]
    data = GOOD | {"game": "dominion-duel", "options": {"n": 1_000_000}, "moves": moves}
    with pytest.raises(RecordError, match="too many for a board"):
        Record.from_json(json.dumps(data))


def test_half_a_surrogate_pair_survives() -> None:
    record = Record.from_json(json.dumps(GOOD | {"comment": "\ud800"}))
    assert Record.from_json(record.to_json().encode()) == record


def test_only_json_holds_kelasu(tmp_path: Path) -> None:
    game = tengen.game("kelasu")
    start = game.start()
    record = Record.from_state(
        start.play(start.legal_actions()[0]), notes={0: Move("", comment="hm")}, comment="x"
    )
    with pytest.raises(RecordError, match="Kelasu has no SGF: save the game as a JSON record"):
        save_any(record, tmp_path / "game.sgf")
    assert list(tmp_path.iterdir()) == []
    save_any(record, tmp_path / "game.json")
    assert load_tree(tmp_path / "game.json").record() == record


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from([0, 1, "D4"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
FIELDS = ["format", "version", "game", "options", "players", "origin", "moves", "result", "info", "events"]


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS[2:]), json_values, max_size=4))
def test_garbage_fields_raise_nothing_else(fields: dict[str, Any]) -> None:
    try:
        record = Record.from_json(json.dumps(GOOD | fields))
    except RecordError as error:
        assert str(error).endswith(".")
    else:
        assert Record.from_json(record.to_json()) == record


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60) | st.binary(max_size=60))
def test_garbage_text_raises_nothing_else(text: str | bytes) -> None:
    with pytest.raises(RecordError):
        Record.from_json(text)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=60))
def test_garbage_of_any_format(data: bytes) -> None:
    for text in (data, b"{" + data, b"(;" + data):
        with contextlib.suppress(RecordError):
            load_any(text)


PAGE = Path(__file__).parents[2] / "docs" / "records.md"


def test_the_examples_of_the_page_hold() -> None:
    """Its Python runs, and its JSON is what we write."""
    text, namespace = PAGE.read_text(encoding="utf-8"), dict[str, Any]()
    blocks = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert {kind for kind, _ in blocks} == {"python", "json"}
    for kind, block in blocks:
        if kind == "json":
            assert Record.from_json(block).to_json() == block
        else:
            exec(block, namespace)
