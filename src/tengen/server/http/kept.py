"""What was found out about positions, kept in the store: by how they came about, whoever asked.

So a study has its analysis again after a reload, and so has everybody else who looks at the same game. The
key of a position follows from that of the one before it, which makes the keys of a whole tree cheap. What is
worth more takes the place of less: KataGo's word before ours, then more visits. Start reading at `Kept`.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import msgspec
from msgspec.structs import replace

from tengen.game import Game
from tengen.server.errors import Refusal
from tengen.server.games import make_game
from tengen.server.protocol import Analysis, Candidate, Engine, Noun, Place, ReviewedMove, Study
from tengen.server.stamp import now_ms
from tengen.server.store.store import Store

MOST_MOVES = 5  # candidates that are kept of a position, with
LONGEST_LINE = 8  # moves that follow on each
MOST_KEPT = 200_000  # positions, of about a kilobyte
SWEEP_EVERY = 500  # writes, after which the oldest beyond that go


class Aside(Protocol):
    """Computes beside the event loop; `Call.aside` is one."""

    async def __call__(self, compute: Any, *args: Any) -> Any: ...


class Judgement(Noun, frozen=True):
    """What is known of a position, and of the move that led to it."""

    analysis: Analysis | None = None
    review: ReviewedMove | None = None
    visits: int = 0  # that the review was made with

    def serves(self, visits: int, engine: Engine) -> bool:
        """Whether there is a review that whoever asks for so many visits of that engine can do with."""
        if self.review is None or self.visits < visits:
            return False
        return engine == "own" or self.review.by in ("katago", "exact")


def start_key(game: Game, origin: tuple[str, int] | None) -> str:
    return _digest(msgspec.json.encode((game.name, game.options, origin), order="deterministic"))


def next_key(key: str, actions: Sequence[int], resumed: int | None = None) -> str:
    return _digest(msgspec.json.encode((key, list(actions), resumed)))


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]


def place_key(place: Place) -> str:
    """Of the position at the end of a place; raises Refusal."""
    key = start_key(make_game(place.game, place.options), place.origin)
    resumed = dict(place.resumptions)
    for number, actions in enumerate(place.moves):
        if number in resumed:
            key = next_key(key, [], resumed[number])
        key = next_key(key, actions)
    last = resumed.get(len(place.moves))
    return key if last is None else next_key(key, [], last)


def study_keys(study: Study) -> list[str]:
    """Of each node; raises Refusal."""
    keys = [start_key(make_game(study.game, study.options), study.origin)]
    for number, node in enumerate(study.nodes[1:], start=1):
        if node.parent is None or not 0 <= node.parent < number:
            raise Refusal("malformed", f"Node {number} of the study does not follow on one before it.")
        keys.append(next_key(keys[node.parent], node.actions, node.resumed))
    return keys


class Kept:
    """Positions that something is known of. One for each process.

    A study has thousands, so what is done for each of them is done aside.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._writes = 0

    async def known(self, keys: Sequence[str], aside: Aside) -> dict[str, Judgement]:
        found = await self._store.judgements(list(dict.fromkeys(keys)))
        known: dict[str, Judgement] = await aside(_read_all, found) if found else {}
        return known

    async def known_of(self, key: str) -> Judgement:
        """What is known of one position, if that is only that there is nothing."""
        data = (await self._store.judgements([key])).get(key)
        return Judgement() if data is None else _read(data)

    async def keep(
        self,
        key: str,
        *,
        analysis: Analysis | None = None,
        review: ReviewedMove | None = None,
        visits: int = 0,
    ) -> int:
        """Keeps what is worth more than what was known; how many bytes were written."""
        new = old = await self.known_of(key)
        if analysis is not None and is_worth_more(analysis, old.analysis):
            new = replace(new, analysis=shortened(analysis))
        if review is not None:
            new = replace(new, review=_shortened_review(review), visits=visits)
        if new is old:
            return 0
        data = zlib.compress(msgspec.json.encode(new))
        await self._store.keep_judgements([(key, data)], now_ms())
        self._writes += 1
        if self._writes % SWEEP_EVERY == 0:
            await self._store.forget_judgements(MOST_KEPT)
        return len(data)

    async def filled(self, study: Study, aside: Aside) -> Study:
        """The study with what is known of its positions, where it does not say something itself."""
        keys: list[str] = await aside(study_keys, study)
        known = await self.known(keys, aside)
        return await aside(_filled, study, keys, known) if known else study


def _filled(study: Study, keys: Sequence[str], known: Mapping[str, Judgement]) -> Study:
    nodes = []
    for key, node in zip(keys, study.nodes, strict=True):
        if (found := known.get(key)) is not None:
            node = replace(node, analysis=node.analysis or found.analysis, review=node.review or found.review)
        nodes.append(node)
    return replace(study, nodes=nodes)


def _read_all(found: Mapping[str, bytes]) -> dict[str, Judgement]:
    return {key: _read(data) for key, data in found.items()}


def _read(data: bytes) -> Judgement:
    return msgspec.json.decode(zlib.decompress(data), type=Judgement)


def _worth(analysis: Analysis) -> tuple[bool, bool, int]:
    return analysis.by == "exact", analysis.by == "katago", analysis.visits


def is_worth_more(analysis: Analysis, than: Analysis | None) -> bool:
    """One without a move, such as that of a search that has only begun, is worth nothing."""
    return bool(analysis.moves) and (than is None or _worth(analysis) > _worth(than))


def shortened(analysis: Analysis) -> Analysis:
    ownership = analysis.ownership
    return replace(
        analysis,
        moves=[_short_line(move) for move in analysis.moves[:MOST_MOVES]],
        ownership=None if ownership is None else [round(value, 1) for value in ownership],
    )


def _short_line(move: Candidate) -> Candidate:
    return replace(move, line=move.line[:LONGEST_LINE], line_actions=move.line_actions[:LONGEST_LINE])


def _shortened_review(review: ReviewedMove) -> ReviewedMove:
    line, actions = review.line[:LONGEST_LINE], review.line_actions[:LONGEST_LINE]
    return replace(review, line=line, line_actions=actions)
