"""The brains on this machine: names, the champion, ratings, and what comes in and goes out."""

from __future__ import annotations

import json
import multiprocessing
import threading
from dataclasses import replace
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

import tengen
from tengen.brains.file import BrainError, read_info, stamp
from tengen.brains.store import RATINGS_FILE, SHIPPED, BrainStore, Rating, load
from tests.brains.make import info_for, tiny_brain, tiny_model, tiny_q_brain

KINGDOM = tengen.game("great-kingdom", size=5)
LARGER = tengen.game("great-kingdom", size=6, neutral=False)
NAME = "great-kingdom"


@pytest.fixture
def store(tmp_path: Path) -> BrainStore:
    return BrainStore(tmp_path / "brains", shipped=tmp_path / "shipped")


def add(store: BrainStore, seed: int, game: tengen.Game = KINGDOM, elo: float | None = None) -> str:
    """Imports a brain that is newer the larger its seed is."""
    stored = store.import_(tiny_brain(game, seed, games=seed, created=f"2026-03-01T12:00:{seed:02}Z"))
    if elo is not None:
        store.set_rating(game.name, stored.name, Rating(elo, 10, elo - 50, elo + 50))
    return stored.name


def ship(store: BrainStore, game: tengen.Game = KINGDOM, elo: float | None = None) -> None:
    data = tiny_brain(game, 50)
    folder = store.root.parent / "shipped"
    folder.mkdir(exist_ok=True)
    (folder / f"{game.name}.onnx").write_bytes(data)
    if elo is not None:
        digest = store.entry(game.name, "default").digest
        rating = {"rating": elo, "games": 500, "low": elo - 10, "high": elo + 10}
        (folder / RATINGS_FILE).write_text(json.dumps({digest: rating}))


def test_an_empty_store(store: BrainStore) -> None:
    assert store.list(NAME) == [] and store.latest(NAME) == "default"
    for word in ("latest", "default"):
        with pytest.raises(BrainError, match="No brain for great-kingdom comes with tengen yet"):
            store.find(NAME, word)
    with pytest.raises(BrainError, match="has been measured yet"):
        store.find(NAME, "best")
    with pytest.raises(BrainError, match="There is no brain 'x' for great-kingdom"):
        store.find(NAME, "x")
    with pytest.raises(tengen.InvalidOption, match="no game 'chess'"):
        store.list("chess")
    assert not store.root.exists()


def test_the_users_data_folder_is_the_default(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_, **__: tmp_path)
    assert BrainStore().folder("go") == tmp_path / "brains" / "go"


def test_names(store: BrainStore, tmp_path: Path) -> None:
    name = add(store, 3)
    path = store.folder(NAME) / f"{name}.onnx"
    for word in (name, f"{name}.onnx", str(path), path):
        brain = store.find(NAME, word)
        assert brain.info.games == 3 and brain.path == path
    outside = tmp_path / "outside.onnx"
    outside.write_bytes(tiny_brain(KINGDOM, 9))
    assert store.find(NAME, outside).name == "outside"
    for word in (outside, "../great-kingdom/" + name, f"{path}", "..", "", ".hidden"):
        with pytest.raises(BrainError, match="There is no brain"):
            store.find(NAME, word, paths=False)
    with pytest.raises(BrainError, match="Cannot read"):
        store.find(NAME, tmp_path / "missing.onnx")
    with pytest.raises(BrainError, match="plays great-kingdom, not go"):
        store.find("go", outside)


def test_latest(store: BrainStore, tmp_path: Path) -> None:
    ship(store)
    first, second = add(store, 1), add(store, 2)
    assert store.find(NAME, "latest").info.games == 120
    assert store.set_latest(NAME, first).name == first
    assert store.latest(NAME) == first and store.find(NAME, "latest").name == first
    store.set_latest(NAME, second)
    assert store.find(NAME, "latest").name == second
    store.remove(NAME, "latest")
    assert store.latest(NAME) == "default" and [one.name for one in store.list(NAME)] == ["default", first]
    store.set_latest(NAME, first)
    store.set_latest(NAME, "default")
    assert store.latest(NAME) == "default"
    outside = tmp_path / "outside.onnx"
    outside.write_bytes(tiny_brain(KINGDOM, 4, games=4))
    imported = store.set_latest(NAME, outside)
    outside.unlink()
    assert store.find(NAME, "latest").info.games == 4 and imported.path.parent == store.folder(NAME)
    (store.folder(NAME) / "latest").write_text("../../secret\n")
    assert store.latest(NAME) == "default"


def test_a_champion_is_latest_only_on_boards_that_it_plays(store: BrainStore) -> None:
    """A brain that was trained on a small board does not end playing against the net on all others."""
    ship(store, LARGER)
    small = add(store, 1)
    store.set_latest(NAME, small)
    assert store.latest(NAME) == store.latest(KINGDOM) == store.find(KINGDOM, "latest").name == small
    assert store.latest(LARGER) == "default" and store.entry(LARGER, "latest").shipped
    store.find(LARGER, "latest").check_fits(LARGER)
    with pytest.raises(BrainError, match="on 5×5, not on 6×6"):
        store.find(LARGER, small)
    (store.folder(NAME) / f"{small}.onnx").write_bytes(b"no brain")
    with pytest.raises(BrainError, match="is not an ONNX file"):
        store.find(LARGER, "latest")


def test_best_is_measured_and_never_the_lowest_loss(store: BrainStore) -> None:
    ship(store)
    low_loss = store.import_(tiny_brain(KINGDOM, 5, loss=0.0, rating=9999.0)).name
    weak, strong = add(store, 1, elo=-20), add(store, 2, elo=140)
    assert store.find(NAME, "best").name == strong
    assert [one.name for one in store.list(NAME)][:2] == [strong, weak]
    assert store.list(NAME)[2].rating is None
    store.set_rating(NAME, weak, Rating(300, 40, 200, 400))
    assert store.find(NAME, "best").name == weak
    store.remove(NAME, weak)
    assert store.find(NAME, "best").name == strong and low_loss in [one.name for one in store.list(NAME)]


def test_the_shipped_brain_brings_its_rating(store: BrainStore) -> None:
    ship(store, elo=200)
    own = add(store, 1, elo=100)
    best = store.entry(NAME, "best")
    assert best.shipped and best.name == "default" and best.rating == Rating(200, 500, 190, 210)
    store.set_rating(NAME, "default", Rating(50, 20, 0, 100))
    assert store.entry(NAME, "best").name == own
    with pytest.raises(BrainError, match="cannot be removed"):
        store.remove(NAME, "default")


def test_every_brain_that_ships_has_been_measured(tmp_path: Path) -> None:
    store = BrainStore(tmp_path)
    found = [one for name in tengen.games() for one in store.list(name) if one.shipped]
    assert {one.path for one in found} == set(SHIPPED.glob("*.onnx"))
    assert [one.name for one in found if one.rating is None] == [], "tools/rate_shipped.py measures them"


def test_a_game_has_only_brains_that_fit_its_board(store: BrainStore) -> None:
    small, large = add(store, 1, elo=10), add(store, 2, LARGER, elo=500)
    assert store.find(NAME, "best").name == large
    assert store.find(KINGDOM, "best").name == small
    assert [one.name for one in store.list(LARGER)] == [large]
    assert store.find(tengen.game(NAME, size=5, lead=0), small).name == small
    with pytest.raises(BrainError, match="plays great-kingdom on 6×6, not on 5×5"):
        store.find(KINGDOM, large)


def test_import_refuses_and_writes_nothing(store: BrainStore, tmp_path: Path) -> None:
    for data in (b"", tiny_brain(KINGDOM)[:-9], tiny_model(KINGDOM).SerializeToString()):
        (tmp_path / "bad.onnx").write_bytes(data)
        for source in (data, tmp_path / "bad.onnx"):
            with pytest.raises(BrainError):
                store.import_(source)
    unfit = stamp(tiny_model(LARGER).SerializeToString(), info_for(KINGDOM))
    with pytest.raises(BrainError, match="6×6 and should be"):
        store.import_(unfit)
    assert not store.root.exists()


def test_import_twice_is_import_once(store: BrainStore) -> None:
    data = tiny_brain(KINGDOM, 1)
    first, again = store.import_(data), store.import_(data)
    other = store.import_(tiny_brain(KINGDOM, 2))
    assert first == again and other.path != first.path and other.name == f"{first.name}_2"
    assert len(store.list(NAME)) == 2


def test_export_carries_the_measured_rating(store: BrainStore, tmp_path: Path) -> None:
    name = add(store, 1, elo=12.34)
    target = store.export(NAME, name, tmp_path / "given.onnx")
    assert read_info(target) == replace(store.entry(NAME, name).info, rating=12.3)
    assert store.entry(NAME, name).info.rating is None
    with pytest.raises(BrainError, match="is there already"):
        store.export(NAME, name, target)
    assert store.export(NAME, name, tmp_path).name == f"{name}.onnx"
    elsewhere = BrainStore(tmp_path / "elsewhere", shipped=tmp_path / "none")
    taken = elsewhere.import_(target)
    assert taken.rating is None and taken.info.rating == 12.3  # a claim is no measurement


def test_damaged_files_are_told_of_and_left_alone(store: BrainStore) -> None:
    name = add(store, 1, elo=5)
    folder = store.folder(NAME)
    (folder / "broken.onnx").write_bytes(b"nothing")
    (folder / ".brain.onnx.12.tmp").write_bytes(b"half")
    (folder / "notes.txt").write_text("mine")
    found, faults = store.scan(NAME)
    assert [one.name for one in found] == [name]
    assert [str(fault) for fault in faults] == ["broken.onnx is not an ONNX file, or was cut off."]
    for text in ("{", "[]", '{"a": 3}', '{"a": {"rating": 1}}'):
        (folder / RATINGS_FILE).write_text(text)
        assert store.find(NAME, name).name == name and store.list(NAME)[0].rating is None
        assert "Cannot read" in str(store.scan(NAME)[1][0])
        with pytest.raises(BrainError, match="mend it"):
            store.set_rating(NAME, name, Rating(1, 2, 0, 3))
        assert (folder / RATINGS_FILE).read_text() == text


def test_ratings_must_be_numbers(store: BrainStore) -> None:
    name = add(store, 1)
    with pytest.raises(BrainError, match="must be a number"):
        store.set_rating(NAME, name, Rating(float("inf"), 2, 0, 3))


def _rate_some(folder: Path, names: list[str]) -> None:
    store = BrainStore(folder, shipped=folder / "none")
    for name in names:
        store.set_rating(NAME, name, Rating(1, 2, 0, 3))


def test_ratings_of_many_processes_and_threads_are_all_kept(store: BrainStore) -> None:
    names = [add(store, seed) for seed in range(12)]
    context = multiprocessing.get_context("spawn")
    workers: list[BaseProcess | threading.Thread] = [
        context.Process(target=_rate_some, args=(store.root, names[:4])),
        context.Process(target=_rate_some, args=(store.root, names[4:8])),
        threading.Thread(target=_rate_some, args=(store.root, names[8:10])),
        threading.Thread(target=_rate_some, args=(store.root, names[10:])),
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(one.rating is not None for one in store.list(NAME))


def test_a_brain_is_loaded_once_until_its_file_changes(store: BrainStore) -> None:
    name = add(store, 1)
    brain = store.find(NAME, name)
    assert store.find(NAME, name) is brain and load(store.folder(NAME) / f"{name}.onnx") is brain
    assert brain.session() is brain.session() and brain.session(2) is not brain.session()
    (store.folder(NAME) / f"{name}.onnx").write_bytes(tiny_brain(KINGDOM, 1, title="changed"))
    assert store.find(NAME, name).info.title == "changed"


def test_what_nobody_measured_stands_below_what_was(tmp_path: Path) -> None:
    """A Q-net of a minute, the newest of all, is the last of the list."""
    game = tengen.game("great-kingdom", size=5)
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    (shipped / "great-kingdom.onnx").write_bytes(tiny_brain(game, 1, created="2026-01-01T00:00:00Z"))
    store = BrainStore(tmp_path / "brains", shipped=shipped)
    trained = store.import_(tiny_brain(game, 2, created="2026-02-01T00:00:00Z")).name
    blind = store.import_(tiny_q_brain(game, 3, created="2026-03-01T00:00:00Z")).name
    measured = store.import_(tiny_q_brain(game, 4, created="2025-03-01T00:00:00Z")).name
    store.set_rating(game, measured, Rating(-300, 40, -400, -200))
    assert [one.name for one in store.list(game)] == [measured, "default", trained, blind]


def test_what_ships_is_called_default_and_stays(tmp_path: Path) -> None:
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    game = tengen.game("great-kingdom", size=5)
    (shipped / "great-kingdom.onnx").write_bytes(tiny_brain(game))
    store = BrainStore(tmp_path / "own", shipped=shipped)
    found = store.shipped(game)
    assert found is not None and found.name == "default" and store.list(game) == [found]
    assert store.shipped("kelasu") is None
    with pytest.raises(BrainError, match="cannot be removed"):
        store.remove(game, "default")
