"""The load bench, small: real processes, real sockets, and a check that nothing is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.server_load import Wanted, measure
from benchmarks.serving import ledger
from benchmarks.serving.games import scripts

SMALL = Wanted(matches=20, rate=60, seconds=2.5, warm_s=0.5, first_matches=2)


def test_one_process(tmp_path: Path, sqlite_url: str) -> None:
    found = measure(SMALL, tmp_path, sqlite_url)
    assert found["faults"] == []
    assert found["acknowledged"] == found["stored"] > 0.5 * SMALL.rate * SMALL.seconds
    assert found["p99_ms"] < 5000 and found["kb_a_match"] < 1000, "of the right order, on any machine"


def test_two_processes_on_one_database(tmp_path: Path, postgres_url: str) -> None:
    found = measure(replace(SMALL, processes=2), tmp_path, postgres_url)
    assert found["faults"] == [] and found["acknowledged"] == found["stored"] > 0


def test_scripts_are_long_enough() -> None:
    assert min(map(len, scripts())) >= 70


@pytest.mark.parametrize(
    ("numbers", "ids", "fault"),
    [
        ([1, 2], {"a": [1], "b": [2]}, None),
        ([1], {"a": [1]}, "b was acknowledged as 2 and is stored as []"),
        ([1, 2], {"a": [2], "b": [1]}, "a was acknowledged as 1 and is stored as [2]"),
        ([1, 2, 3], {"a": [1], "b": [2, 3]}, "b was acknowledged as 2 and is stored as [2, 3]"),
        ([1, 3], {"a": [1], "b": [2]}, "the numbers are [1, 3]"),
    ],
)
def test_the_check_finds_faults(numbers: list[int], ids: dict[str, list[int]], fault: str | None) -> None:
    told = ledger.Ledger()
    assert told.add("m", "a", 1) is None and told.add("m", "b", 2) is None and told.add("m", "a", 1) is None
    assert told.add("m", "a", 9) == "m: a was event 1, then 9."
    found = ledger.faults(told, {"m": ledger.Stored(numbers, ids, "", None)})
    assert (fault in " ".join(found)) if fault else found == []
