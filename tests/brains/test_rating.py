"""Ratings out of arena games."""

from __future__ import annotations

from pathlib import Path

import pytest

import tengen
from tengen import rating
from tengen.arena import GameResult, Standings
from tengen.brains.file import BrainError, read_brain
from tengen.brains.net import Brain
from tengen.brains.store import BrainStore
from tengen.players import make_player
from tengen.rating import Examiner, fit, ladder
from tests.brains.make import tiny_brain, tiny_q_brain

KINGDOM = tengen.game("great-kingdom", size=5)


def standings(won: int, lost: int, drawn: int = 0) -> Standings:
    scores = [1.0] * won + [0.0] * lost + [0.5] * drawn
    return Standings([GameResult(i, i % 2, score, "territory", 9) for i, score in enumerate(scores)])


@pytest.fixture
def store(tmp_path: Path) -> BrainStore:
    return BrainStore(tmp_path / "brains", shipped=tmp_path / "none")


def brain(folder: Path, data: bytes) -> Brain:
    path = folder / "one@two.onnx"
    path.write_bytes(data)
    return read_brain(path)


def test_a_single_pairing_gives_the_usual_elo() -> None:
    found = fit({("a", "zero"): standings(750, 250)}, "zero")
    elo, half = found["a"]
    usual, low, high = standings(750, 250).elo()
    assert elo == pytest.approx(usual, abs=2) and half == pytest.approx((high - low) / 2, rel=0.05)
    assert found["zero"] == (0.0, 0.0)
    drawn = fit({("a", "zero"): standings(0, 0, drawn=10)}, "zero")["a"]
    assert drawn[0] == pytest.approx(0)


def test_ratings_add_up_along_the_ladder() -> None:
    found = fit(
        {
            ("a", "strong"): standings(500, 500),
            ("strong", "middle"): standings(640, 360),
            ("middle", "zero"): standings(640, 360),
        },
        "zero",
    )
    assert found["a"][0] == pytest.approx(200, abs=8) and found["middle"][0] == pytest.approx(100, abs=4)
    assert found["a"][1] > found["strong"][1] > found["middle"][1]


def test_a_clean_sweep_is_finite_and_uncertain() -> None:
    few, many = (fit({("a", "zero"): standings(n, 0)}, "zero")["a"] for n in (10, 200))
    assert 200 < few[0] < many[0] < 2000 and few[1] > 300
    lost = fit({("a", "zero"): standings(0, 10)}, "zero")["a"]
    assert lost == pytest.approx((-few[0], few[1]))


def test_losing_to_the_strong_says_little_about_the_weak() -> None:
    among = {("middle", "weak"): standings(100, 0), ("strong", "middle"): standings(100, 0)}
    weak_only = fit({("a", "weak"): standings(50, 50)} | among, "middle")["a"][0]
    lost = {("a", "middle"): standings(0, 100), ("a", "strong"): standings(0, 100)}
    assert fit({("a", "weak"): standings(50, 50)} | lost | among, "middle")["a"][0] < weak_only + 1


@pytest.mark.parametrize("name", tengen.games())
def test_every_opponent_on_a_ladder_exists(name: str) -> None:
    game = tengen.game(name)
    assert rating.ZERO in ladder(game) and ladder(game)[0] == "random"
    for opponent in ladder(game):
        make_player(opponent, game).close()


def test_rate_plays_everyone_and_goes_on_where_it_was(
    store: BrainStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating, "ladder", lambda game: ("random", "level:1", "mcts:1000"))
    one = brain(tmp_path, tiny_q_brain(KINGDOM))
    told: list[tuple[str, int, int]] = []

    def stop_in_the_middle(title: str, done: int, total: int) -> None:
        told.append((title, done, total))
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Examiner(store, games=4, workers=1, progress=stop_in_the_middle).rate(one)
    assert told[0] == ("one@two against random", 0, 20)
    kept = {path: path.read_text().splitlines() for path in store.root.rglob("games.jsonl")}
    assert sum(len(lines) for lines in kept.values()) == 5

    told.clear()
    measured = Examiner(store, games=4, workers=1, progress=lambda *now: told.append(now)).rate(one)
    assert told[-1] == ("mcts:1000 against level:1", 20, 20)
    assert [now[1] for now in told] == sorted(now[1] for now in told)
    after = {path: path.read_text().splitlines() for path in store.root.rglob("games.jsonl")}
    assert all(after[path][: len(lines)] == lines for path, lines in kept.items())
    assert sum(len(lines) for lines in after.values()) == 20
    assert list(measured.against) == ["random", "level:1", "mcts:1000"] and measured.zero == "mcts:1000"
    assert measured.rating.games == 12
    assert measured.rating.low < measured.rating.rating < measured.rating.high
    assert measured.rating.rating < -100  # an untrained net
    assert Examiner(store, games=4, workers=1).rate(one) == measured


def test_another_net_in_the_same_file_is_another_match(
    store: BrainStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rating, "ladder", lambda game: ("random",))
    for seed in (1, 2):
        Examiner(store, games=2, workers=1).rate(brain(tmp_path, tiny_q_brain(KINGDOM, seed)))
    assert len(list(store.root.rglob("games.jsonl"))) == 2


def test_compare(store: BrainStore, tmp_path: Path) -> None:
    searching = brain(tmp_path, tiny_brain(KINGDOM))
    other = store.import_(tiny_q_brain(KINGDOM))
    blind = store.find(KINGDOM, other.name)
    found = Examiner(store, games=4, simulations=8, workers=1).compare(searching, blind)
    assert found.games == 4 and found.by_seat(0)[1] == 2
    large = read_brain(store.import_(tiny_brain(tengen.game("great-kingdom", size=7))).path)
    with pytest.raises(BrainError, match="on 7×7, not on 5×5"):
        Examiner(store).compare(searching, large)
