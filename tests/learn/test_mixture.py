"""One net for several boards and rules: what it is trained on, its file, and a run from start to brain."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import tengen
from tengen.brains.file import read_brain, stamp
from tengen.brains.info import BrainError, BrainInfo
from tengen.brains.runtime import open_session
from tengen.brains.search import BrainSearch
from tengen.brains.store import BrainStore
from tengen.learn.export import export_net, load_net
from tengen.learn.gumbel import Trainer
from tengen.learn.mixture import split, variants
from tengen.learn.net import Net, shape_for
from tengen.learn.self_play import play
from tengen.learn.settings import settings_for
from tengen.learn.window import Window
from tests.learn.positions import random_planes
from tests.learn.test_gumbel import TINY, Listener

MIXTURE = [{"size": 5, "share": 3}, {"size": 5, "rules": "published"}, {"size": 7}]
SETTINGS = settings_for("great-kingdom", TINY | {"mixture": MIXTURE})
SMALL, LARGE = tengen.game("great-kingdom", size=5), tengen.game("great-kingdom", size=7)


def net_for_any_board() -> Net:
    torch.manual_seed(1)
    return Net(shape_for(SMALL, 2, 8, any_board=True))


def brain_bytes(net: Net, mixture: tuple[dict[str, object], ...]) -> bytes:
    info = BrainInfo("great-kingdom", SMALL.options, "gumbel", 1, 0.5, mixture=mixture)  # type: ignore[arg-type]
    return stamp(export_net(net.eval()), info)


def test_the_games_of_a_mixture() -> None:
    found = variants(SMALL, SETTINGS)
    published = tengen.game("great-kingdom", size=5, rules="published")
    assert [(one.game, one.share) for one in found] == [(SMALL, 3), (published, 1), (LARGE, 1)]
    assert [one.game for one in variants(SMALL, settings_for("great-kingdom", TINY))] == [SMALL]
    with pytest.raises(ValueError, match="share"):
        variants(SMALL, settings_for("great-kingdom", {"mixture": [{"share": 0}]}))
    with pytest.raises(ValueError, match="mixture must be a list of options"):
        settings_for("great-kingdom", {"mixture": ["size=5"]})
    assert split(16, [3, 1, 1]) == [10, 3, 3]
    assert split(2, [9, 1, 1]) == [1, 1, 1]


def test_boards_of_a_batch_are_normalised_together() -> None:
    """A batch in two parts of the same size is the whole batch."""
    net = net_for_any_board().train()
    planes = torch.from_numpy(random_planes(SMALL, 12))
    whole = net(planes)
    parts = net.boards([planes[:5], planes[5:]])
    torch.testing.assert_close(torch.cat([part.policy for part in parts]), whole.policy)
    torch.testing.assert_close(torch.cat([part.value for part in parts]), whole.value)


def test_a_file_for_any_board_says_what_torch_says() -> None:
    net = net_for_any_board().eval()
    data = export_net(net)
    for game in (SMALL, LARGE):
        planes = random_planes(game, 6)
        policy, value = open_session(data).run(["policy", "value"], {"planes": planes})
        with torch.no_grad():
            expected = net(torch.from_numpy(planes))
        np.testing.assert_allclose(policy, expected.policy.numpy(), atol=1e-4)
        np.testing.assert_allclose(value, torch.tanh(expected.value).numpy(), atol=1e-4)
    assert load_net(data).shape == net.shape


def test_a_brain_for_any_board_fits_them_all() -> None:
    brain = read_brain(brain_bytes(net_for_any_board(), ({"size": 5}, {"size": 7, "rules": "published"})))
    assert brain.learned == [SMALL, tengen.game("great-kingdom", size=7, rules="published")]
    brain.check_fits(tengen.game("great-kingdom", size=19))
    with pytest.raises(BrainError, match="plays great-kingdom, not go"):
        brain.check_fits(tengen.game("go", size=9))
    search = BrainSearch(LARGE.start(), brain)
    search.run(visits=20)
    assert search.report().actions[0].visits > 0


def test_a_brain_must_say_truly_whether_it_takes_any_board() -> None:
    with pytest.raises(BrainError, match="its input is N×19×N×N and should be N×19×5×5"):
        read_brain(brain_bytes(net_for_any_board(), ()))
    fixed = Net(shape_for(SMALL, 1, 8))
    with pytest.raises(BrainError, match="should be N×19×N×N"):
        read_brain(brain_bytes(fixed, ({"size": 5},)))
    with pytest.raises(BrainError, match="cannot be set up"):
        read_brain(brain_bytes(net_for_any_board(), ({"size": 99},)))


def test_the_window_draws_from_every_board_and_comes_back(tmp_path: Path) -> None:
    found = variants(SMALL, SETTINGS)
    games = play(export_net(net_for_any_board().eval()), SMALL, SETTINGS, 1, games=40)
    window = Window(tmp_path, found, SETTINGS)
    added = window.add(games)
    assert added == len(window) == sum(window.counts.values())
    assert set(window.counts) == {"5x5", "7x7"}
    assert all(window.counts.values())
    batches = window.draw(np.random.default_rng(1), 500, added)
    assert sum(len(batch["value"]) for batch in batches) == 500
    shares = {batch["planes"].shape[2]: len(batch["value"]) / 500 for batch in batches}
    assert shares[5] == pytest.approx(window.counts["5x5"] / added, abs=0.1)
    again = Window(tmp_path, found, SETTINGS)
    again.read(window.counts)
    assert again.counts == window.counts
    assert [planes.shape[2] for planes in again.newest(20)] == [5, 7]


def test_a_run_learns_a_mixture(tmp_path: Path) -> None:
    store = BrainStore(tmp_path / "brains", shipped=tmp_path / "nothing")
    listener = Listener(reports=2)
    trainer = Trainer(tmp_path, SMALL, SETTINGS, listener, store=store)
    trainer.run()
    assert trainer.learner.trained > 0
    trainer.save()
    brain = store.find(LARGE, listener.names[0])
    assert brain.learned == [one.game for one in trainer.variants]
    again = Trainer(tmp_path, SMALL, SETTINGS, Listener(reports=0), store=store)
    assert again.replay.counts == trainer.replay.counts


def test_a_brain_for_one_board_learns_others(tmp_path: Path) -> None:
    torch.manual_seed(1)
    start = export_net(Net(shape_for(SMALL, 1, 8)).eval())
    trainer = Trainer(tmp_path, SMALL, SETTINGS, Listener(reports=2), start=start)
    trainer.run()
    assert trainer.learner.trained > 0
    assert trainer.learner.net.shape == shape_for(SMALL, 1, 8, any_board=True)
