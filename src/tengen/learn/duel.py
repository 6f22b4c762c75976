"""Brain vs. Brain: two brains play each other, both learn from it, and in the end a match decides.

What all duels have in common is in `duel_base.py`: rounds, the last matches, the champion's way to `latest`.
How two brains play and learn depends on how they were trained: `duel_gumbel.py` and `duel_dqn.py`. The run's
folder keeps the two as they came (`contender-a.onnx`, `contender-b.onnx`), so that they may go or change
where they came from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tengen.brains.file import read_brain, store_file
from tengen.brains.net import Brain
from tengen.brains.store import BrainStore
from tengen.learn.contenders import check_algorithms
from tengen.learn.duel_base import LETTERS, Duel, copy_path
from tengen.learn.duel_dqn import DqnDuel
from tengen.learn.duel_gumbel import GumbelDuel

if TYPE_CHECKING:
    from tengen.learn.runs import Reporter, Run


def train(run: Run, reporter: Reporter) -> None:
    """Plays and learns until the reporter says stop; raises ValueError with a sentence."""
    duel = open_duel(run, reporter)
    duel.run()
    duel.decide()


def open_duel(run: Run, reporter: Reporter, store: BrainStore | None = None) -> Duel[Any]:
    """The duel of that run, as far as it has got. Brains are in the user's own store unless one is given."""
    if len(run.brains) != 2:
        raise ValueError(f"A duel is between two brains, and this run names {len(run.brains)}.")
    store = store or BrainStore()
    a, b = (_own_copy(run, letter, name, store) for letter, name in zip(LETTERS, run.brains, strict=True))
    check_algorithms(a, b)
    kind = DqnDuel if a.info.algorithm == "dqn" else GumbelDuel
    return kind(run, reporter, store, (a, b))


def _own_copy(run: Run, letter: str, name: str, store: BrainStore) -> Brain:
    """The brain from the run's folder, where it is put first; called as its description says."""
    path = copy_path(run.folder, letter)
    if not path.exists():
        store_file(path, store.find(run.game, name).data)
    brain = read_brain(path)
    brain.check_fits(run.game)
    return Brain(brain.data, brain.info, brain.game)
