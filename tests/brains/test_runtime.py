"""What brains run on."""

from __future__ import annotations

import pytest

from tengen.brains.runtime import providers


@pytest.mark.parametrize(
    ("known", "wanted"),
    [
        (["AzureExecutionProvider", "CPUExecutionProvider"], ["CPUExecutionProvider"]),
        (
            ["TensorrtExecutionProvider", "CUDAExecutionProvider", "CPUExecutionProvider"],
            ["CUDAExecutionProvider", "CPUExecutionProvider"],
        ),
    ],
    ids=["plain build", "build for graphics cards"],
)
def test_a_graphics_card_is_taken_where_it_is_known_and_never_somebody_elses_server(
    known: list[str], wanted: list[str]
) -> None:
    assert providers(known) == wanted
