"""Games that KataGo judges, where there is one and it knows the game: a net learns from a far stronger one.

Its bare policy plays, drawn by chance; in some games the net that learns makes a few of the moves between, so
that it is taught about what it gets itself into. Each position that KataGo sees becomes a sample with what it
says at one visit: policy, chance to win, lead and owners. So a sample needs neither a search nor the end of
its game. Start reading at `KataTeacher.play`.
"""

from __future__ import annotations

import random
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tengen.brains.runtime import Session, open_session
from tengen.game import Game, State
from tengen.kata.engine import KataEngine, shared
from tengen.kata.finding import KataError, usable
from tengen.learn.game_record import Floats, GameRecord, Sample, game_record
from tengen.learn.mixture import variants
from tengen.learn.self_play import Tick, starts
from tengen.learn.settings import GumbelSettings
from tengen.learn.workers import TICK_SECONDS, Work

TABLES = 16  # games at once, so that KataGo judges in batches
CARELESS = 0.02  # of all actions are any legal one, so that mistakes and their punishment are seen
OWN_GAMES = 0.6  # of the games have moves of the net that learns...
OWN_MOVES = 4  # ...at most so many after each position that is judged
LATE = 0.6  # the temperature of what is drawn after `noise_actions`; 1 before


class Judgement(NamedTuple):
    """What KataGo says of a position, from the mover's side."""

    policy: Floats  # by action
    value: float  # -1 to 1
    lead: float  # points over cells
    ownership: Floats  # by cell


class KataTeacher:
    """Where the first games of a run come from; in place of `SelfPlay`, and in the same form."""

    def __init__(self, game: Game, settings: GumbelSettings, seed: int) -> None:
        """Raises KataError where nobody can teach."""
        program = usable()
        if program is None or not game.records.kata:
            raise KataError(
                f"KataGo does not know {game.title}: set kata_games to 0."
                if program is not None
                else "These games are to be judged by KataGo, and there is none (docs/katago.md)."
            )
        self.net_name = Path(program.model).name.partition(".")[0] or "KataGo"
        self._engine = shared(program)
        self._settings = settings
        self._variants = variants(game, settings)
        self._seeds = random.Random(seed)
        self._live: list[int] = []

    def play(self, net: bytes, *, games: int, tick: Tick | None = None) -> list[GameRecord]:
        """At least so many games, or what there is when `tick` says False; raises KataError."""
        work: Work[GameRecord] = Work(lambda found: len(found) >= games)
        session = open_session(net)
        self._engine.wait_ready(lambda: tick is not None and not tick([], 0))
        dice = [random.Random(self._seeds.getrandbits(64)) for _ in range(min(TABLES, games))]
        return work.gather(
            [partial(self._work, work, session, rng) for rng in dice],
            None if tick is None else lambda count: tick(self._live, count),
        )

    def _work(self, work: Work[GameRecord], session: Session, rng: random.Random) -> None:
        while not work.ended.is_set():
            record = self._game(work, session, rng)
            if record is not None:
                work.add([record])

    def _game(self, work: Work[GameRecord], session: Session, rng: random.Random) -> GameRecord | None:
        """One game, or None when somebody wants the end before it comes."""
        s = self._settings
        (variant,) = rng.choices(self._variants, [one.share for one in self._variants])
        state = rng.choice(starts(variant.game, s))
        opening, own = rng.randint(0, s.opening_actions), rng.random() < OWN_GAMES
        samples: list[Sample] = []
        said: list[Judgement] = []
        while state.outcome is None and len(state.actions) < s.max_actions:
            if len(state.actions) < opening or rng.random() < CARELESS:
                state = state.play(rng.choice(state.legal_actions()))
                continue
            found = judge(self._engine, state, work)
            if found is None:
                return None
            samples.append(
                Sample(state.encode(), found.policy, state.to_move, found.value, len(state.actions))
            )
            said.append(found)
            state = state.play(
                _drawn(found.policy, 1.0 if len(state.actions) < s.noise_actions else LATE, rng)
            )
            for _ in range(rng.randint(1, OWN_MOVES) if own else 0):
                if state.outcome is None:
                    state = state.play(_drawn(_policy_of(session, state), LATE, rng))
            if variant is self._variants[0]:
                self._live = list(state.actions)
        return _as_judged(game_record(state, samples), said)


def judge(engine: KataEngine, state: State, work: Work[Any] | None = None) -> Judgement | None:
    """What KataGo says of a state at one visit; None when the work was stopped. Raises KataError."""
    told = state.game.records.kata_question(state)
    asked = {**told.asked, "maxVisits": 1, "includePolicy": True, "includeOwnership": True}
    query = engine.ask(asked)
    while not query.over:
        if work is not None and work.stopped.is_set():
            engine.end(query)
            return None
        engine.wait(query, lambda: False, TICK_SECONDS)
    if query.error or query.latest is None:
        raise KataError(query.error or "KataGo gave no answer.")
    answer, sign = query.latest, 1.0 if state.to_move == 0 else -1.0
    root = answer["rootInfo"]
    policy: Floats = np.zeros(state.game.action_count, np.float32)
    legal = state.legal_actions()
    policy[legal] = np.maximum(np.array(answer["policy"], np.float32)[legal], 0)
    if policy.sum() <= 0:  # all that it would play is against our rules
        policy[legal] = 1
    return Judgement(
        policy / policy.sum(),
        sign * (2 * min(1.0, max(0.0, float(root["winrate"]))) - 1),
        sign * (float(root["scoreLead"]) - told.less) / (state.game.width * state.game.height),
        sign * np.array(answer["ownership"], np.float32),
    )


def _policy_of(session: Session, state: State) -> Floats:
    """The bare policy of the net that learns."""
    (logits,) = session.run(["policy"], {"planes": state.encode()[None]})
    policy: Floats = np.zeros(state.game.action_count, np.float32)
    legal = state.legal_actions()
    policy[legal] = np.exp(logits[0][legal] - logits[0][legal].max())
    policy /= policy.sum()
    return policy


def _drawn(policy: Floats, temperature: float, rng: random.Random) -> int:
    weights: NDArray[np.float64] = policy.astype(np.float64) ** (1 / temperature)
    return rng.choices(range(len(weights)), weights.tolist())[0]


def _as_judged(record: GameRecord, said: list[Judgement]) -> GameRecord:
    """The record with what was said of each position in place of how the game ended."""
    if not said:
        return record
    values = np.array([one.value for one in said], np.float32)
    return GameRecord(
        record.actions,
        record.winner,
        record.reason,
        record.score,
        record.planes,
        record.policy,
        value=values,
        root_value=values,
        reply=record.reply,
        soon=record.soon,
        lead=np.array([one.lead for one in said], np.float32),
        ownership=np.array([one.ownership for one in said], np.float16),
    )
