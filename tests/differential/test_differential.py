"""The engine against the reference: 1,250 whole games of each game, in chunks that can run side by side.

The seeds are fixed, so a chunk always plays the same games and must see the same variety of endings.
"""

import pytest

from .harness import GAMES, play_many

CHUNK = 125
CHUNKS = 10

# Endings that every chunk comes to.
ENDINGS = {
    "great-kingdom": {"capture", "suicide", "territory"},
    "go": {"score", "repetition"},
    "kelasu": {"victory-tiles", "no-stones", "no-pieces", "stalemate", "repetition", "quiet"},
    "dominion-duel": {"claims"},
}


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("game", GAMES)
def test_engine_and_reference_agree(game: str, chunk: int) -> None:
    endings = play_many(game, range(chunk * CHUNK, (chunk + 1) * CHUNK))
    assert set(endings) == ENDINGS[game]
