"""Self-play: games that follow the rules, samples that fit them, and calls that end when they should."""

from __future__ import annotations

import time

import numpy as np
import pytest
import torch

import tengen
from tengen.learn.export import export_net
from tengen.learn.game_record import GameRecord
from tengen.learn.net import Net, shape_for
from tengen.learn.self_play import SelfPlay, play
from tengen.learn.settings import GumbelSettings, settings_for

SMALL = {"pool_games": 8, "full_simulations": 8, "fast_simulations": 4, "full_share": 0.5, "threads": 1}


def settings(**changes: float) -> GumbelSettings:
    return settings_for("great-kingdom", SMALL | changes)


def new_net(game: tengen.Game) -> bytes:
    torch.manual_seed(1)
    return export_net(Net(shape_for(game, 1, 8)).eval(), outputs=("policy", "value"))


@pytest.fixture(scope="module")
def game() -> tengen.Game:
    return tengen.game("great-kingdom", size=5)


@pytest.fixture(scope="module")
def records(game: tengen.Game) -> list[GameRecord]:
    return play(new_net(game), game, settings(), 3, games=40)


def test_games_follow_the_rules(game: tengen.Game, records: list[GameRecord]) -> None:
    assert len(records) >= 40
    for record in records:
        state = game.start()
        for action in record.actions:
            state = state.play(action)
        assert state.outcome is not None
        assert (state.outcome.winner, state.outcome.reason) == (record.winner, record.reason)
        assert state.outcome.score == record.score


def test_samples_are_positions_of_the_game(game: tengen.Game, records: list[GameRecord]) -> None:
    assert sum(len(record.value) for record in records) > 40
    for record in records:
        positions, movers = [], []
        state = game.start()
        for action in record.actions:
            positions.append(state)
            movers.append(state.to_move)
            state = state.play(action)
        at = 0
        for row, planes in enumerate(record.planes):
            while not np.array_equal(positions[at].encode().astype(np.float16), planes):
                at += 1
            legal = positions[at].legal_actions()
            policy = record.policy[row].astype(np.float32)
            assert policy.sum() == pytest.approx(1, abs=0.01)
            assert policy[legal].sum() == pytest.approx(policy.sum())
            assert record.value[row] == (1 if record.winner == movers[at] else -1)
            assert -1 <= record.root_value[row] <= 1
            assert record.reply[row] == (*record.actions, -1)[at + 1]
            assert -1 <= record.soon[row] <= 1
            if at + 1 == len(record.actions):
                assert record.soon[row] == record.value[row]
            if record.score is None:
                assert np.isnan(record.lead[row])
                assert np.isnan(record.ownership[row]).all()
            else:
                lead = (record.score[0] - record.score[1]) / 25 * (1 if movers[at] == 0 else -1)
                assert record.lead[row] == pytest.approx(lead)
                assert set(np.unique(record.ownership[row])) <= {-1, 0, 1}


def test_what_surprised_the_net_comes_more_often(game: tengen.Game) -> None:
    """As many samples as without, but positions where the search moved the policy far come several times."""
    net = new_net(game)
    dealt = play(net, game, settings(surprise_share=1.0, full_share=1.0), 3, games=60)
    plain = play(net, game, settings(full_share=1.0), 3, games=60)
    certain: dict[int, list[float]] = {}  # the largest part of a policy, by how often the position comes
    for record in dealt:
        for planes in np.unique(record.planes, axis=0):
            rows = [row for row, other in enumerate(record.planes) if np.array_equal(planes, other)]
            certain.setdefault(min(2, len(rows)), []).append(float(record.policy[rows[0]].max()))
    assert np.mean(certain[2]) > np.mean(certain[1]) + 0.05, (
        "a new net is near even, so what is sure surprises it"
    )
    rate = [sum(len(r.value) for r in some) / sum(len(r.actions) for r in some) for some in (dealt, plain)]
    assert rate[0] == pytest.approx(rate[1], rel=0.2)


def test_the_same_seed_gives_the_same_games(game: tengen.Game) -> None:
    net = new_net(game)
    first, again, other = (play(net, game, settings(), seed, games=10) for seed in (5, 5, 6))
    assert [record.actions for record in first] == [record.actions for record in again]
    assert [record.actions for record in first] != [record.actions for record in other]


def test_games_go_on_from_call_to_call(game: tengen.Game) -> None:
    """Otherwise long games would never end, and only short ones be learned from."""
    net = new_net(game)
    going_on = SelfPlay(game, settings(), 7)
    parts = [record.actions for _ in range(10) for record in going_on.play(net, games=2)]
    whole = SelfPlay(game, settings(), 7).play(net, games=len(parts))
    assert parts == [record.actions for record in whole][: len(parts)]


def test_a_tick_ends_it(game: tengen.Game) -> None:
    seen: list[tuple[list[int], int]] = []

    def tick(live: list[int], count: int) -> bool:
        seen.append((live, count))
        return len(seen) < 3

    begun = time.monotonic()
    SelfPlay(game, settings(threads=2), 1).play(new_net(game), games=10**9, tick=tick)
    assert time.monotonic() - begun < 30
    assert len(seen) == 3


def test_an_error_in_a_thread_is_told(game: tengen.Game) -> None:
    wrong = new_net(tengen.game("great-kingdom", size=7))
    with pytest.raises(Exception, match="dimension"):
        SelfPlay(game, settings(), 1).play(wrong, games=1)


def test_games_of_go_begin_with_different_komi() -> None:
    game = tengen.game("go", size=5, scoring="area", komi=7.5)
    changes = settings_for("go", SMALL | {"komi_steps": [-3.0, 2.0], "max_actions": 60})
    records = play(new_net(game), game, changes, 3, games=20)
    komis = {round(abs(float(planes[15, 0, 0])) * 5, 1) for record in records for planes in record.planes}
    assert komis == {4.5, 9.5}
    counted = [record.score for record in records if record.score is not None]
    assert {round((score[1] - 0.5) % 1, 1) for score in counted} == {0.0}


def test_the_net_sees_territory_as_area_with_another_komi() -> None:
    """So that one net plays both; what was placed is what the two counts differ by."""
    area = tengen.game("go", size=5, scoring="area", komi=7.5).start()
    territory = tengen.game("go", size=5, scoring="territory", komi=7.5).start()
    assert (area.encode() == territory.encode()).all()
    one_more = [state.play(12).encode() for state in (area, territory)]
    assert one_more[0][15, 0, 0] * 5 == pytest.approx(7.5)
    assert one_more[1][15, 0, 0] * 5 == pytest.approx(8.5)
    assert (one_more[0][:15] == one_more[1][:15]).all()
