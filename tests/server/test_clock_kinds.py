"""Clocks on the wire are those of a match: the same kinds with the same settings."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import get_args

import msgspec

from tengen.match import clock as match_clock
from tengen.server import protocol as p


def test_every_clock_has_the_settings_of_its_kind() -> None:
    told = {kind.__struct_config__.tag: kind for kind in get_args(p.Clock)}
    assert set(told) == set(match_clock.CLOCKS)
    for kind, clock in match_clock.CLOCKS.items():
        own = {field.name: field.default for field in fields(clock)}  # type: ignore[arg-type]
        wire = {field.name: field for field in msgspec.structs.fields(told[kind])}
        assert list(own) == list(wire)
        assert [name for name, field in wire.items() if not field.required] == [
            name for name, default in own.items() if default is not MISSING
        ]
