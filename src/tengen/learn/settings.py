"""The settings of Gumbel AlphaZero, with the reason for each value, and what each game starts from.

No PyTorch here, so that forms and the command line can show them. Start reading at `GumbelSettings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from tengen.games import game_class

BEGINS = "games"  # of a stage: how many games the run has when it begins


@dataclass(frozen=True, slots=True)
class GumbelSettings:
    """All numbers of a training run. A run may go on with other ones later, but for the net's size."""

    # The net. 4 blocks of 32 channels see 9x9 whole and run at some 17,000 positions a second and core as
    # int8; 6 x 64 is stronger in the end and 3 to 4 times slower.
    blocks: int = 4
    channels: int = 32

    # Self-play. Most moves get a fast search that only moves the game on, some a full one that becomes a
    # sample: more games give more outcomes to learn values from, more search gives better policies.
    full_simulations: int = 128  # other programs found samples of 128 much better than fewer
    fast_simulations: int = 16  # enough to see a capture; the tactics of the search see the rest
    full_share: float = 0.25  # 0.25 * 128 + 0.75 * 16 is 44 simulations a move
    considered: int = 16  # moves at the root that sequential halving starts from; the paper's value
    visit_offset: float = 50.0  # the paper's weight of values against the policy...
    value_scale: float = 1.0  # ...for win rates from 0 to 1
    opening_actions: int = 4  # up to so many first actions come from the bare policy, so that games differ
    noise_actions: int = 12  # then the noise on the root falls, since one careless move decides a game
    late_noise: float = 0.3
    max_actions: int = 400  # games that are still going then are draws
    surprise_share: float = 0.0  # of samples dealt out by how far the search moved the net's policy
    komi_steps: tuple[float, ...] = ()  # of Go: one of these is added to the komi of each game
    mixture: tuple[Mapping[str, Any], ...] = ()  # games that one net learns together (`mixture.py`)
    pool_games: int = 96  # at once in each thread: the batch of the net; more gains nothing
    threads: int = 2  # of self-play and of matches; training takes its part of them while games go on

    # A run that starts from nothing may begin with games of the search without a net (`teacher.py`), where a
    # net that knows nothing would long play nonsense.
    teacher_games: int = 0
    teacher_visits: int = 300  # of its search a move
    # Or with games that KataGo judges (`kata_teacher.py`), where the user has it and it knows the game.
    kata_games: int = 0

    # An iteration is some games, and meanwhile training on those of the one before, in a single thread:
    # several would spin, waiting for each other, when the machine has other work. Short ones keep samples
    # fresh.
    games_per_iteration: int = 300
    ratio: float = 4.0  # trained samples for each new one; more fits the past better and plays worse
    batch: int = 256
    learning_rate: float = 2e-3  # AdamW with batch normalisation takes it from the first step...
    final_rate: float = 1e-4  # ...and falls along a cosine to this...
    rate_samples: int = 12_000_000  # ...after so many trained samples, or with the run's limit if sooner
    warm_up: int = 50_000  # trained samples over which the rate rises from nothing
    weight_decay: float = 1e-4  # AdamW's own, on weights and not on biases
    clip: float = 1.0  # the longest gradient; stops the rare batch that would undo many others
    average_samples: int = 60_000  # the averaged weights, which play, remember about so many trained samples

    # Losses. The policy has the most to say; the others share what they learn with it.
    value_weight: float = 1.0
    lead_weight: float = 0.25
    ownership_weight: float = 0.5  # tells why a game was won, cell by cell
    reply_weight: float = 0.0  # of foreseeing the answer to the action made; KataGo has 0.15
    soon_weight: float = 0.0  # of foreseeing the value some actions later, which is less noisy than the end
    value_mix: float = 0.25  # share of the search's value in the target: less noise than the outcome alone

    # The window of samples that training draws from grows like a power of all samples (KataGo): early ones
    # are bad and should go soon.
    window_first: int = 20_000
    window_power: float = 0.75
    window_growth: float = 0.4
    window_most: int = 300_000  # about 3.5 kB each on 9x9
    window_ready: int = 2_000  # no training before there are so many

    # Matches. The net that leaves self-play is judged by several earlier ones, in both colours.
    gate_iterations: int = 10
    gate_games: int = 80  # against the champion, and half as many against each earlier one
    gate_earlier: int = 3
    gate_score: float = 0.52  # over all those games; a little above even, so that luck alone seldom passes
    gate_simulations: int = 32
    champions: int = 8  # earlier champions that are kept, spread over the run
    eval_iterations: int = 20
    eval_games: int = 20  # against each fixed opponent
    eval_simulations: int = 64
    opponents: tuple[str, ...] = ("random", "mcts:200", "mcts:1000")
    seed: int = 1

    # Stages of a long run: each says with `games` how many games the run has when it begins, and which
    # settings change then; the size of the net cannot.
    stages: tuple[Mapping[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def settings_for(game: str, given: Mapping[str, Any] | None = None) -> GumbelSettings:
    """The game's settings with the given ones in place of the defaults; raises ValueError with a sentence."""
    return _changed(GumbelSettings(**game_class(game).learning_kind.settings), given or {})


def _changed(settings: GumbelSettings, given: Mapping[str, Any]) -> GumbelSettings:
    known = {field.name: type(getattr(settings, field.name)) for field in fields(settings)}
    changes: dict[str, Any] = {}
    for name, value in given.items():
        if name not in known:
            raise ValueError(f"Training has no setting {name!r}; it has {', '.join(known)}.")
        changes[name] = _checked(name, value, known[name])
    return replace(settings, **changes)


def stage_at(settings: GumbelSettings, games: int) -> GumbelSettings:
    """The settings of a run that has so many games: its own, changed by the stages begun."""
    changes: dict[str, Any] = {}
    for stage in settings.stages:
        if games >= stage[BEGINS]:
            changes |= {name: value for name, value in stage.items() if name != BEGINS}
    return _changed(settings, changes)


def all_stages(settings: GumbelSettings) -> list[GumbelSettings]:
    """The settings of each stage, the beginning first; raises ValueError with a sentence."""
    begins: list[Any] = [stage.get(BEGINS) for stage in settings.stages]
    if any(type(games) is not int or games < 1 for games in begins) or begins != sorted(begins):
        raise ValueError("Each of the stages needs `games`, whole numbers from 1 on that rise.")
    found = [settings, *(stage_at(settings, games) for games in begins)]
    if any((one.blocks, one.channels) != (settings.blocks, settings.channels) for one in found):
        raise ValueError("The size of the net cannot change from stage to stage.")
    return found


def _checked(name: str, value: Any, kind: type) -> Any:
    if kind is tuple and isinstance(value, list | tuple):
        wanted = {"opponents": str, "mixture": dict, "stages": dict}.get(name, int | float)
        if all(isinstance(item, wanted) for item in value):
            return tuple(value)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind is float and number and 0 <= value < float("inf"):
        return float(value)
    if kind is int and number and int(value) == value and value >= 0:
        return int(value)
    words = {int: "a whole number of at least 0", float: "a number of at least 0"}
    lists = {"komi_steps": "numbers", "mixture": "options", "stages": "settings"}
    words[tuple] = f"a list of {lists.get(name, 'players')}"
    raise ValueError(f"The setting {name} must be {words[kind]}, not {value!r}.")
