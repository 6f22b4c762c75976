"""The environments: PettingZoo's own tests, and what those do not ask: rewards, masks, turns, refusals."""

from __future__ import annotations

import copy
import importlib
import pickle
import random
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

import tengen
from tengen import IllegalAction, InvalidOption
from tengen.envs import GameEnv, env, raw_env
from tengen.envs.aec import MaskIn
from tengen.envs.picture import SEATS, TILE, picture
from tengen.game import OptionValue
from tests.contract.tic_tac_toe import TicTacToe

with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore"
    )  # PettingZoo's tests import environments of an interface that it deprecates
    from pettingzoo.test import api_test, render_test, seed_test

Options = dict[str, OptionValue]

GAMES: list[tuple[str, Options]] = [
    ("go", {"size": 9}),
    ("go", {"size": 5, "ko": "superko", "scoring": "area", "komi": -3.5}),
    ("go", {"size": 9, "handicap": 4}),
    ("great-kingdom", {}),
    ("great-kingdom", {"size": 5, "rules": "published", "lead": -20}),
    ("kelasu", {}),
    ("kelasu", {"may_end_turn_early": True}),
    ("dominion-duel", {}),
    ("dominion-duel", {"n": 70}),
]
each_game = pytest.mark.parametrize(("name", "options"), GAMES, ids=str)

API_TEST = importlib.import_module("pettingzoo.test.api_test")
ABOUT_DICTS = {
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
}


def play_out(environment: Any, seed: int = 0) -> tuple[dict[str, float], list[str]]:
    """A random game to its very end: what each agent was paid in all, and who was asked in which order."""
    rng = random.Random(seed)
    environment.reset()
    paid = dict.fromkeys(environment.possible_agents, 0.0)
    asked = []
    for agent in environment.agent_iter():
        observation, reward, terminated, truncated, _ = environment.last()
        paid[agent] += reward
        asked.append(agent)
        done = terminated or truncated
        environment.step(None if done else rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return paid, asked


@each_game
def test_it_passes_the_api_test_without_a_warning(name: str, options: Options) -> None:
    api_test(env(tengen.game(name, **options), mask_in="info"), num_cycles=400)


def known(monkeypatch: pytest.MonkeyPatch, environment: Any) -> Any:
    """PettingZoo warns of every dict unless the environment is on its lists of names, as its own Go is."""
    for names in ("env_obs_dicts", "env_obs_space"):
        monkeypatch.setattr(API_TEST, names, [*getattr(API_TEST, names), str(environment.unwrapped)])
    return environment


@each_game
def test_it_passes_as_pettingzoos_own_games_with_dicts_do(
    name: str, options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    api_test(known(monkeypatch, env(tengen.game(name, **options))), num_cycles=400)


def test_a_truncated_game_passes_it_too(monkeypatch: pytest.MonkeyPatch) -> None:
    api_test(known(monkeypatch, env("kelasu", max_actions=9)), num_cycles=20)


def test_without_a_place_on_those_lists_only_dicts_are_warned_of() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(env("go", size=5), num_cycles=20)
    assert {str(warning.message) for warning in caught} == ABOUT_DICTS


@pytest.mark.parametrize("mask_in", ["observation", "info"])
@each_game
def test_it_passes_the_seed_and_render_tests(
    name: str, options: Options, mask_in: MaskIn, capsys: pytest.CaptureFixture[str]
) -> None:
    seed_test(lambda: env(tengen.game(name, **options), mask_in=mask_in), num_cycles=60)
    if mask_in == "observation":
        render_test(lambda render_mode: env(tengen.game(name, **options), render_mode=render_mode))


@each_game
def test_an_observation_is_the_planes_and_the_legal_actions(name: str, options: Options) -> None:
    environment = raw_env(tengen.game(name, **options))
    rng = random.Random(1)
    for _ in range(60):
        state = environment.board
        if state.outcome is not None:
            break
        mover, other = (environment.possible_agents[seat] for seat in (state.to_move, 1 - state.to_move))
        assert environment.agent_selection == mover
        seen = environment.observe(mover)
        assert isinstance(seen, dict) and environment.observation_space(mover).contains(seen)
        assert (seen["observation"] == np.moveaxis(state.encode(), 0, -1)).all()
        assert np.flatnonzero(seen["action_mask"]).tolist() == state.legal_actions()
        unseen = environment.observe(other)
        assert isinstance(unseen, dict) and not unseen["action_mask"].any()
        assert (unseen["observation"] == seen["observation"]).all()
        environment.step(rng.choice(state.legal_actions()))


def test_agents_are_named_after_the_seats() -> None:
    names = {name: raw_env(name).possible_agents for name in tengen.games()}
    assert names == {
        "great-kingdom": ["blue_0", "orange_1"],
        "go": ["black_0", "white_1"],
        "kelasu": ["blue_0", "red_1"],
        "dominion-duel": ["player_0", "player_1"],
    }
    assert raw_env("go", handicap=2).agent_selection == "white_1"


def test_an_agent_of_kelasu_acts_until_its_turn_is_over() -> None:
    environment = raw_env("kelasu")
    rng = random.Random(2)
    asked = []
    for _ in range(40):
        asked.append(environment.agent_selection)
        assert environment.agent_selection == environment.possible_agents[environment.board.to_move]
        environment.step(rng.choice(environment.board.legal_actions()))
    assert "blue_0" in asked[:2] and asked[0] == asked[1]  # a move alone is two actions
    assert set(asked) == {"blue_0", "red_1"}


@each_game
def test_the_winner_is_paid_once_and_the_loser_pays(name: str, options: Options) -> None:
    results = set()
    for seed in range(6 if name != "kelasu" else 1):
        environment = env(tengen.game(name, **options))
        paid, asked = play_out(environment, seed)
        outcome = environment.unwrapped.board.outcome
        assert outcome is not None
        assert sorted(asked[-2:]) == sorted(environment.possible_agents)  # both hear how it ended
        assert not environment.agents
        wanted = [0, 0] if outcome.winner is None else [1 - 2 * outcome.winner, 2 * outcome.winner - 1]
        assert [paid[agent] for agent in environment.possible_agents] == wanted
        results.add(outcome.winner)
    assert len(results) > 1 or name == "kelasu"


def test_the_end_is_told_and_masks_nothing() -> None:
    environment = raw_env("dominion-duel", n=3)
    environment.step(1)
    assert environment.terminations == {"player_0": True, "player_1": True}
    assert environment.rewards == {"player_0": 1, "player_1": -1}
    told = {"winner": "player_0", "reason": "claims", "score": (1.0, 0.0)}
    assert environment.infos == {"player_0": told, "player_1": told}
    for agent in environment.agents:
        seen = environment.observe(agent)
        assert isinstance(seen, dict) and seen["action_mask"].all()
    environment.reset()
    assert environment.board == environment.game.start() and environment.infos == {
        "player_0": {},
        "player_1": {},
    }
    draw = raw_env("dominion-duel", n=3)
    draw.step(0)
    draw.step(2)
    assert draw.infos["player_1"]["winner"] is None and draw.rewards == {"player_0": 0, "player_1": 0}


def test_an_illegal_action_loses_or_raises() -> None:
    bare = raw_env("go", size=5)
    bare.step(7)
    before = bare.board
    with pytest.raises(IllegalAction, match="already a stone"):
        bare.step(7)
    assert bare.board is before and bare.agent_selection == "white_1"
    guarded = env("go", size=5)
    guarded.reset()
    guarded.step(7)
    guarded.last()
    guarded.step(7)
    assert guarded.terminations == {"black_0": True, "white_1": True}
    assert guarded.rewards == {"black_0": 0, "white_1": -1}
    with pytest.raises(AssertionError, match="action space"):
        guarded.reset()
        guarded.step(26)


def test_a_long_game_is_truncated() -> None:
    environment = env("kelasu", max_actions=7)
    paid, asked = play_out(environment)
    assert len(asked) == 7 + 2 and set(paid.values()) == {0.0}
    bare = raw_env("dominion-duel", n=3, max_actions=1)
    bare.step(1)  # which also ends it
    assert bare.terminations["player_0"] and not bare.truncations["player_0"]


@pytest.mark.parametrize(
    ("name", "options"), [("go", {"size": 2, "komi": 400}), ("great-kingdom", {"lead": -400})]
)
def test_the_space_holds_what_options_make_of_the_planes(name: str, options: Options) -> None:
    environment = raw_env(tengen.game(name, **options))
    for _ in range(3):
        agent = environment.agent_selection
        assert environment.observation_space(agent).contains(environment.observe(agent))
        environment.step(environment.board.legal_actions()[0])


@each_game
def test_it_can_be_copied_and_pickled_in_the_midst_of_a_game(name: str, options: Options) -> None:
    environment = env(tengen.game(name, **options))
    environment.reset()
    for _ in range(3):
        environment.step(environment.unwrapped.board.legal_actions()[0])
    for again in (copy.deepcopy(environment), pickle.loads(pickle.dumps(environment))):
        assert again.unwrapped.board == environment.unwrapped.board
        again.step(again.unwrapped.board.legal_actions()[-1])
        assert len(environment.unwrapped.board.actions) == 3


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    text = raw_env("go", size=5, render_mode="ansi")
    text.step(12)
    assert text.render() == text.game.text(text.board)
    printed = env("go", size=5, render_mode="human")
    printed.reset()
    capsys.readouterr()
    printed.step(12)
    assert capsys.readouterr().out == f"{text.render()}\n"
    unseen = raw_env("go", size=5)
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert unseen.render() is None


def test_a_picture_shows_the_pieces() -> None:
    game = tengen.game("great-kingdom", size=5)
    image = picture(game, game.position("B3O/5/2N2/5/5"))
    assert image.shape == (5 * TILE, 5 * TILE, 3) and image.dtype == np.uint8
    middle = TILE // 2
    assert tuple(image[middle, middle]) == SEATS["Blue"]
    assert tuple(image[middle, 4 * TILE + middle]) == SEATS["Orange"]
    kelasu = tengen.game("kelasu")
    image = picture(kelasu, kelasu.start())
    assert image.shape == (10 * TILE, 10 * TILE, 3)
    assert {SEATS["Blue"], SEATS["Red"], (255, 255, 255)} <= {
        tuple(pixel) for row in image for pixel in row.tolist()
    }


def test_a_game_written_in_python_is_an_environment_too() -> None:
    environment = GameEnv(TicTacToe())
    paid, _ = play_out(environment)
    assert sum(paid.values()) == 0


def test_what_it_refuses() -> None:
    with pytest.raises(ValueError, match="render_mode must be one of human, ansi, rgb_array, not 'window'"):
        env("go", render_mode="window")
    with pytest.raises(ValueError, match="mask_in"):
        env("go", mask_in="nowhere")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="max_actions"):
        env("go", max_actions=0)
    with pytest.raises(InvalidOption, match="size"):
        env("go", size=1)
    with pytest.raises(InvalidOption, match="no game"):
        env("chess")
    with pytest.raises(ValueError, match="Options go with the name"):
        env(tengen.game("go"), size=9)


def test_without_pettingzoo_one_sentence_says_what_to_install() -> None:
    program = "import sys; sys.modules['pettingzoo'] = None; import tengen.envs"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode == 1
    last = ran.stderr.strip().splitlines()[-1]
    assert last == "ImportError: The environments need PettingZoo: pip install 'tengen[envs]'."
    assert ran.stderr.count("Traceback") == 1
