"""One game as a PettingZoo AEC environment; `env` makes one the way PettingZoo's classic ones are made.

Agents are named after the seats, with the seat's number: black_0 and white_1, blue_0 and orange_1. One acts
as long as it is to move, which may be several steps in a row: a step is one action.

An observation is a dict of `observation`, the planes [height, width, channel] of `State.encode`, and
`action_mask`, 1 for each legal action. The planes always show the position from the side of the mover; an
agent that is not to move gets the same ones (they say who moves) and a mask of zeros. Once the game is over
or truncated nothing is masked, so that a softmax over the last observation has something to divide by.

The winner gets 1, the loser -1, a draw 0, all at the end. `infos` then holds `winner` (an agent or None),
`reason` and `score` of the outcome. Nothing here is random, so `reset` has no use for its seed.
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from tengen.envs.picture import picture
from tengen.game import Game, OptionValue, State
from tengen.games import game as game_of

MaskIn = Literal["observation", "info"]
Observation = dict[str, NDArray[Any]] | NDArray[np.float32]

RENDER_MODES = ("human", "ansi", "rgb_array")


def env(
    game: str | Game,
    *,
    render_mode: str | None = None,
    mask_in: MaskIn = "observation",
    max_actions: int | None = None,
    **options: OptionValue,
) -> AECEnv:
    """The environment of a game, guarded: an illegal action ends the game and costs its agent 1.

    The game is one of the registry with its options, or a `Game`.
    """
    bare = raw_env(game, render_mode=render_mode, mask_in=mask_in, max_actions=max_actions, **options)
    judged = wrappers.TerminateIllegalWrapper(bare, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(judged))


def raw_env(
    game: str | Game,
    *,
    render_mode: str | None = None,
    mask_in: MaskIn = "observation",
    max_actions: int | None = None,
    **options: OptionValue,
) -> GameEnv:
    """The environment without guards: an illegal action raises IllegalAction and changes nothing."""
    if isinstance(game, Game) and options:
        raise ValueError("Options go with the name of a game; a Game has its own.")
    fixed = game if isinstance(game, Game) else game_of(game, **options)
    return GameEnv(fixed, render_mode=render_mode, mask_in=mask_in, max_actions=max_actions)


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """One game after another, from `reset` to the end; `board` is the state.

    With `mask_in="info"` an observation is the planes alone and the mask stands in `infos`, which PettingZoo
    allows as well. Of dicts its `api_test` warns, twice, unless the environment is on its own list of names,
    as PettingZoo's Go is. A game of `max_actions` that has not ended is truncated, without a reward for
    anybody. The render mode `ansi` gives the board as text, `human` prints it, `rgb_array` gives a picture.
    """

    board: State
    agent_selection: str
    infos: dict[str, dict[str, Any]]
    _cumulative_rewards: dict[str, int]

    def __init__(
        self,
        game: Game,
        *,
        render_mode: str | None = None,
        mask_in: MaskIn = "observation",
        max_actions: int | None = None,
    ) -> None:
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode must be one of {', '.join(RENDER_MODES)}, not {render_mode!r}.")
        if mask_in not in ("observation", "info"):
            raise ValueError(f"mask_in must be 'observation' or 'info', not {mask_in!r}.")
        if max_actions is not None and max_actions < 1:
            raise ValueError("max_actions must be at least 1.")
        self.game = game
        self.render_mode = render_mode
        self.mask_in = mask_in
        self.max_actions = max_actions
        self.metadata = {
            "name": f"tengen_{game.name.replace('-', '_')}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        self.possible_agents = _agent_names(game)
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.action_count) for agent in self.possible_agents}
        self._begin()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin()
        self._show()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.board = self.board.play(action)  # type: ignore[arg-type]  # None is a TypeError, as it should be
        self._cumulative_rewards[agent] = 0
        self.agent_selection = self.possible_agents[self.board.to_move]
        self._look()
        self._accumulate_rewards()
        self._show()

    def observe(self, agent: str) -> Observation:
        planes = np.ascontiguousarray(self.board.encode().transpose(1, 2, 0))
        if self.mask_in == "info":
            return planes
        return {"observation": planes, "action_mask": self._mask(agent)}

    def render(self) -> str | NDArray[np.uint8] | None:
        if self.render_mode == "rgb_array":
            return picture(self.game, self.board)
        if self.render_mode == "ansi":
            return self.game.text(self.board)
        if self.render_mode == "human":
            print(self.game.text(self.board), flush=True)
        else:
            gymnasium.logger.warn("This environment was made without a render_mode: there is nothing to see.")
        return None

    def close(self) -> None:
        """There is nothing to close."""

    def _begin(self) -> None:
        self.board = self.game.start()
        self.agents = list(self.possible_agents)
        self.agent_selection = self.agents[self.board.to_move]
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self._look()

    def _look(self) -> None:
        """Sets what follows from the board alone: rewards, ends and infos."""
        outcome = self.board.outcome
        late = self.max_actions is not None and len(self.board.actions) >= self.max_actions
        self._done = late or outcome is not None
        self.rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, outcome is not None)
        self.truncations = dict.fromkeys(self.agents, late and outcome is None)
        self.infos = {agent: {} for agent in self.agents}
        if outcome is not None:
            winner = None if outcome.winner is None else self.possible_agents[outcome.winner]
            for agent in self.agents:
                self.rewards[agent] = 0 if winner is None else 1 if agent == winner else -1
                self.infos[agent] |= {"winner": winner, "reason": outcome.reason, "score": outcome.score}
        if self.mask_in == "info":
            for agent in self.agents:
                self.infos[agent]["action_mask"] = self._mask(agent)

    def _mask(self, agent: str) -> NDArray[np.int8]:
        if self._done:
            return np.ones(self.game.action_count, np.int8)
        mask = np.zeros(self.game.action_count, np.int8)
        if agent == self.possible_agents[self.board.to_move]:
            mask[self.board.legal_actions()] = 1
        return mask

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _observation_space(self) -> spaces.Space[Any]:
        channels, height, width = self.game.start().encode().shape
        low, high = self.game.learning.bounds
        planes = spaces.Box(low, high, (height, width, channels), np.float32)
        if self.mask_in == "info":
            return planes
        mask = spaces.Box(0, 1, (self.game.action_count,), np.int8)
        return spaces.Dict({"observation": planes, "action_mask": mask})


def _agent_names(game: Game) -> list[str]:
    """A word and the seat, as PettingZoo wants them: Black is black_0, Player 2 is player_1."""
    return [f"{name.split()[0].lower()}_{seat}" for seat, name in enumerate(game.seats)]
