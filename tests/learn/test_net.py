"""The net and the learner: shapes, symmetries, losses, and that a batch can be learned by heart."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

import tengen
from tengen.learn.learner import Learner, Symmetries, best_device, losses
from tengen.learn.net import Net, Output, shape_for
from tengen.learn.settings import GumbelSettings, settings_for
from tests.learn.positions import random_planes, random_states

GAMES = {
    "great-kingdom": {"size": 5},
    "go": {"size": 5},
    "kelasu": {},
    "dominion-duel": {},
}


@pytest.fixture(autouse=True)
def _same_numbers() -> None:
    torch.manual_seed(1)


def batch_for(game: tengen.Game, count: int) -> dict[str, np.ndarray]:
    """Positions with a random best action each, a random winner and a random board in the end."""
    rng = np.random.default_rng(1)
    cells = game.width * game.height
    best = rng.integers(game.action_count, size=count)
    return {
        "planes": random_planes(game, count).astype(np.float16),
        "policy": np.eye(game.action_count, dtype=np.float16)[best],
        "value": rng.choice([-1, 1], count).astype(np.float32),
        "root_value": np.zeros(count, np.float32),
        "reply": rng.integers(-1, game.action_count, count).astype(np.float32),
        "soon": rng.choice([-1, 1, np.nan], count).astype(np.float32),
        "lead": rng.uniform(-0.5, 0.5, count).astype(np.float32),
        "ownership": rng.choice([-1, 0, 1], (count, cells)).astype(np.float16),
    }


@pytest.mark.parametrize("name", GAMES)
def test_outputs_have_the_shapes_of_the_game(name: str) -> None:
    game = tengen.game(name, **GAMES[name])
    net = Net(shape_for(game, 2, 8)).eval()
    found = net(torch.from_numpy(random_planes(game, 3)))
    assert found.policy.shape == (3, game.action_count)
    assert found.value.shape == (3,)
    counted = name in ("go", "great-kingdom")
    assert (found.lead is not None) == counted
    assert (found.ownership is not None) == counted
    if counted:
        assert found.ownership.shape == (3, game.width * game.height)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("larger", [lambda net: net.deepened(4), lambda net: net.widened(20)])
def test_a_larger_net_says_the_same_and_learns_with_all_of_it(
    name: str, larger: Callable[[Net], Net]
) -> None:
    game = tengen.game(name, **GAMES[name])
    planes = torch.from_numpy(random_planes(game, 3))
    net = Net(shape_for(game, 2, 8))
    for parameter in net.parameters():  # no part is silent, as in a new net some are
        torch.nn.init.normal_(parameter, std=0.1)
    grown = larger(net.eval()).eval()
    for before, after in zip(net(planes), grown(planes), strict=True):
        assert (before is None) == (after is None)
        if before is not None and after is not None:
            torch.testing.assert_close(before, after)
    learner = Learner([game], GumbelSettings(), grown)
    old = [parameter.clone() for parameter in grown.blocks.parameters()]
    for _ in range(3):
        learner.step([batch_for(game, 16)])
    assert all((a != b).any() for a, b in zip(old, grown.blocks.parameters(), strict=True))


@pytest.mark.parametrize("name", GAMES)
def test_turned_batches_are_the_turned_positions(name: str) -> None:
    game = tengen.game(name, **GAMES[name])
    symmetries = Symmetries(game)
    assert symmetries.count == game.symmetries
    states = random_states(game, 40, seed=3)[::8]
    for k in range(game.symmetries):
        planes = np.stack([state.encode() for state in states])
        policy = np.zeros((len(states), game.action_count), np.float32)
        for row, state in enumerate(states):
            policy[row, state.legal_actions()] = 1
        batch = {"planes": torch.from_numpy(planes), "policy": torch.from_numpy(policy)}
        turned = symmetries.turn(batch, torch.full((len(states),), k))
        for row, state in enumerate(states):
            expected = game.transform(state, k)
            np.testing.assert_array_equal(turned["planes"][row].numpy(), expected.encode())
            assert np.flatnonzero(turned["policy"][row].numpy()).tolist() == expected.legal_actions()


def test_ownership_turns_with_the_board() -> None:
    game = tengen.game("great-kingdom", size=5)
    symmetries = Symmetries(game)
    for k in range(game.symmetries):
        cells = torch.arange(25.0)[None]
        batch = {
            "planes": torch.zeros(1, 1, 5, 5),
            "policy": torch.zeros(1, game.action_count),
            "ownership": cells,
        }
        turned = symmetries.turn(batch, torch.tensor([k]))["ownership"][0]
        to = game.action_map(k)
        assert [turned[to[cell]] for cell in range(25)] == list(range(25))


def test_a_batch_can_be_learned_by_heart() -> None:
    game = tengen.game("great-kingdom", size=5)
    settings = settings_for(
        "great-kingdom",
        {"warm_up": 0, "learning_rate": 1e-2, "value_mix": 0.0, "reply_weight": 1.0, "soon_weight": 1.0},
    )
    net = Net(shape_for(game, 2, 16))
    learner = Learner([game], settings, net)
    learner.symmetries[5, 5].count = 1  # the random answers are not symmetric
    batch = batch_for(game, 16)
    least = dict.fromkeys(("policy", "value", "ownership", "reply", "soon"), 0.1) | {"lead": 0.02}
    last = learner.step([batch])
    assert last["policy"] > 3
    for _ in range(240):  # 56 to 82 steps with twelve seeds; at this rate losses still jump afterwards
        if all(last[name] < loss for name, loss in least.items()):
            return
        last = learner.step([batch])
    pytest.fail(f"it still loses {last}")


def test_replies_turn_with_the_board() -> None:
    game = tengen.game("great-kingdom", size=5)
    symmetries = Symmetries(game)
    replies = torch.tensor([-1.0, *range(game.action_count)])
    count = len(replies)
    batch = {
        "planes": torch.zeros(count, 1, 5, 5),
        "policy": torch.zeros(count, game.action_count),
        "reply": replies,
    }
    for k in range(game.symmetries):
        turned = symmetries.turn(batch, torch.full((count,), k))["reply"]
        assert turned.tolist() == [-1, *game.action_map(k)]


def test_replies_that_are_no_cells_or_were_not_made_teach_nothing() -> None:
    reply = torch.zeros(3, 4, requires_grad=True)
    found = Output(torch.zeros(3, 5), torch.zeros(3), None, None, reply, None)
    batch = {
        "policy": torch.eye(5)[:3],
        "value": torch.ones(3),
        "root_value": torch.zeros(3),
        "reply": torch.tensor([2.0, 4.0, -1.0]),
    }
    (slope,) = torch.autograd.grad(losses(found, batch, 0.0)["reply"], [reply])
    assert slope[0, 2] < 0
    assert slope[1:].tolist() == [[0.0] * 4] * 2


def test_what_was_not_counted_teaches_nothing() -> None:
    found = Output(
        policy=torch.zeros(2, 3),
        value=torch.zeros(2),
        lead=torch.tensor([0.3, 0.1], requires_grad=True),
        ownership=torch.tensor([[0.3, 1.0], [0.2, -1.0]], requires_grad=True),
    )
    batch = {
        "policy": torch.eye(3)[:2],
        "value": torch.ones(2),
        "root_value": torch.zeros(2),
        "lead": torch.tensor([float("nan"), 0.5]),
        "ownership": torch.tensor([[float("nan")] * 2, [1.0, 0.0]]),
    }
    parts = losses(found, batch, 0.0)
    assert found.lead is not None
    assert found.ownership is not None
    lead, ownership = torch.autograd.grad(parts["lead"] + parts["ownership"], [found.lead, found.ownership])
    assert lead[0] == 0
    assert lead[1] < 0
    assert ownership[0].tolist() == [0, 0]
    assert ownership[1, 0] < 0
    only_nan = batch | {"lead": torch.full((2,), float("nan")), "ownership": torch.full((2, 2), float("nan"))}
    assert float(losses(found, only_nan, 0.0)["lead"].detach()) == 0


def test_the_value_is_a_mixture_of_outcome_and_search() -> None:
    game = tengen.game("dominion-duel")
    found = Output(torch.zeros(1, game.action_count), torch.tensor([0.7]), None, None)
    batch = {"policy": torch.ones(1, game.action_count), "value": torch.ones(1), "root_value": -torch.ones(1)}
    chance = torch.sigmoid(torch.tensor(1.4))
    for mix, target in ((0.0, 1.0), (1.0, 0.0), (0.5, 0.5)):
        expected = -(target * chance.log() + (1 - target) * (1 - chance).log())
        assert float(losses(found, batch, mix)["value"]) == pytest.approx(float(expected), rel=1e-5)


def test_the_rate_rises_and_falls() -> None:
    game = tengen.game("dominion-duel")
    settings = settings_for("dominion-duel", {"warm_up": 1000, "rate_samples": 10_000, "batch": 100})
    learner = Learner([game], settings)
    rates = []
    for trained in (0, 500, 1000, 5000, 10_000, 20_000):
        learner.trained = trained
        rates.append(learner.rate())
    assert rates[0] < rates[1] < rates[2]
    assert rates[2] > rates[3] > rates[4]
    assert rates[4] == rates[5] == pytest.approx(settings.final_rate)
    learner.trained, learner.limit_used = 1000, 0.7
    assert settings.final_rate < learner.rate() < rates[2]
    learner.limit_used = 1.0
    assert learner.rate() == pytest.approx(settings.final_rate), "with the end of the run"


def test_the_average_follows_the_net() -> None:
    game = tengen.game("dominion-duel")
    learner = Learner([game], settings_for("dominion-duel", {"average_samples": 100_000, "warm_up": 0}))
    batch = batch_for(game, 32)
    batch = {name: batch[name] for name in ("planes", "policy", "value", "root_value")}
    for _ in range(30):
        learner.step([batch])
    own, mean = learner.net.value.weight, learner.average.value.weight
    start = Learner([game], learner.settings).net.value.weight
    assert not torch.equal(own, mean)
    assert torch.norm(own - mean) < torch.norm(own - start)
    seen = learner.average.stem.norm.running_mean
    assert seen is not None
    assert seen.abs().sum() > 0


def test_a_loss_that_explodes_is_told() -> None:
    game = tengen.game("dominion-duel")
    learner = Learner([game], settings_for("dominion-duel"))
    batch = batch_for(game, 4)
    batch["value"][:] = np.nan
    with pytest.raises(ValueError, match="not a number"):
        learner.step([{name: batch[name] for name in ("planes", "policy", "value", "root_value")}])


def test_settings_are_checked() -> None:
    assert settings_for("great-kingdom") == GumbelSettings()
    assert settings_for("kelasu", {"blocks": 6.0}).blocks == 6
    assert settings_for("go", {"opponents": ["random"]}).opponents == ("random",)
    assert settings_for("go", {"komi_steps": [-1, 0.5]}).komi_steps == (-1, 0.5)
    for wrong in ({"nonsense": 1}, {"blocks": "four"}, {"ratio": -1}, {"full_share": float("nan")}):
        with pytest.raises(ValueError, match=next(iter(wrong))):
            settings_for("go", wrong)


@pytest.mark.parametrize("name", GAMES)
def test_all_that_a_step_touches_is_on_the_learners_device(name: str) -> None:
    """`meta` holds no numbers, and PyTorch refuses to mix it with the processor, as it would a card."""
    game = tengen.game(name, **GAMES[name])
    learner = Learner([game], settings_for(name, {"blocks": 2, "channels": 8}), device="meta")
    found = learner.losses([batch_for(game, 4)])
    torch.stack(list(found.values())).sum().backward()  # type: ignore[no-untyped-call]
    assert {loss.device.type for loss in found.values()} == {"meta"}
    assert all(p.grad is None or p.grad.device.type == "meta" for p in learner.net.parameters())


def test_a_learner_takes_the_graphics_card_that_pytorch_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert best_device() == ("cuda" if torch.cuda.is_available() else "cpu")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert best_device() == "cuda"
