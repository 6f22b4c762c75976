"""KataGo as a teacher: samples that say what it said, a run that learns from it, a sentence without one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tengen
from tengen.brains.store import BrainStore
from tengen.kata.engine import shared
from tengen.kata.finding import KataError, usable
from tengen.learn.export import export_net
from tengen.learn.gumbel import Trainer
from tengen.learn.kata_teacher import KataTeacher, judge
from tengen.learn.net import Net, shape_for
from tengen.learn.settings import settings_for
from tests.kata.conftest import Fake
from tests.learn.test_gumbel import TINY, Listener

GAME = tengen.game("go", size=5, scoring="area", komi=4.5)
SETTINGS: dict[str, Any] = {"komi_steps": [], "opening_actions": 0, "max_actions": 30}


def net() -> bytes:
    return export_net(Net(shape_for(GAME, 1, 8)).eval())


def test_a_judgement_is_from_the_movers_side(fake: Fake) -> None:
    program = usable()
    assert program is not None
    first = GAME.start()
    black, white = (judge(shared(program), state) for state in (first, first.play(12)))
    assert black is not None and white is not None
    # The fake is sure of Black's half point, and gives the first row to Black and the others to White.
    assert (black.value, white.value) == pytest.approx((0.8, -0.8))
    assert (black.lead, white.lead) == pytest.approx((0.5 / 25, -0.5 / 25))
    assert black.ownership.tolist() == [1.0] * 5 + [-1.0] * 20
    assert (white.ownership == -black.ownership).all()
    # Its policy is 1/2, 1/4 and 1/8 for the first free points, which are made to sum to 1.
    assert black.policy[:4].tolist() == pytest.approx([4 / 7, 2 / 7, 1 / 7, 0])
    assert fake.asked()[0]["maxVisits"] == 1


def test_every_position_that_it_judged_is_a_sample(fake: Fake) -> None:
    records = KataTeacher(GAME, settings_for("go", SETTINGS), 1).play(net(), games=3)
    assert len(records) >= 3 and sum(len(record.value) for record in records) > 10
    for record in records:
        positions = [GAME.start()]
        for action in record.actions:
            positions.append(positions[-1].play(action))
        at = 0
        for row, planes in enumerate(record.planes):
            while not np.array_equal(positions[at].encode().astype(np.float16), planes):
                at += 1
            sign = 1 if positions[at].to_move == 0 else -1
            assert record.value[row] == record.root_value[row] == pytest.approx(0.8 * sign)
            assert record.lead[row] == pytest.approx(sign * 0.5 / 25)
            assert record.ownership[row][0] == sign
            legal = positions[at].legal_actions()
            assert record.policy[row][legal].sum(dtype=np.float32) == pytest.approx(1, abs=0.01)


def test_a_run_is_taught_and_then_goes_on_alone(fake: Fake, tmp_path: Path) -> None:
    changes = TINY | SETTINGS | {"kata_games": 20, "gate_iterations": 100, "eval_iterations": 100}
    store = BrainStore(tmp_path / "brains")
    trainer = Trainer(tmp_path / "run", GAME, settings_for("go", changes), Listener(), store=store)
    trainer.iterate()
    assert fake.asked() and len(trainer.replay) > 0
    while trainer.at.games < 20:
        trainer.iterate()
    judged = len(fake.asked())
    trainer.iterate()
    assert len(fake.asked()) == judged
    name = trainer.save()
    assert store.find(GAME, name).info.title == "taught by KataGo's net"


def test_without_katago_a_sentence_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENGEN_KATAGO", "off")
    with pytest.raises(KataError, match="there is none"):
        KataTeacher(GAME, settings_for("go", SETTINGS), 1)


def test_a_game_that_katago_does_not_know_is_named(fake: Fake) -> None:
    with pytest.raises(KataError, match="does not know Kelasu"):
        KataTeacher(tengen.game("kelasu"), settings_for("kelasu"), 1)
