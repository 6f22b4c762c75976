"""Games that the teacher's bare policy plays, with what it says of every position, in files to learn from.

    python -m tools.go_lesson.judge TEACHER.onnx FOLDER [--files 9] [--wild 0.5] [--fights 0.3] [--shares 9=4]

All games are counted by area: our nets are shown territory as area with another komi. Boards, komi, handicap,
first moves at random, warmth and carelessness differ from game to game, so that the net that learns sees weak
play and its punishment too. Wild games are those whose like good players never meet: tangles of stones half
at random, and games that one side spoils from the first move to the last. Fights (problems.py) are some moves
of boards on which a group lives or dies. A file has the samples of whole games on one board. Start reading at
`Table`.
"""

from __future__ import annotations

import argparse
import contextlib
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

import tengen
from tengen.brains.runtime import open_session
from tengen.game import State
from tengen.learn.game_record import final_owner
from tools.go_lesson.problems import problem

Floats = NDArray[np.float32]
Sample = dict[str, NDArray[np.float16]]
FAIR = {7: 9.0, 9: 7.0, 11: 6.5, 13: 6.5, 15: 6.5, 17: 6.5, 19: 7.0}  # komi under which both win as often
SHARES = {
    9: 40.0,
    13: 22.0,
    19: 28.0,
    7: 3.0,
    11: 5.0,
    15: 1.0,
    17: 1.0,
}  # of the work, which goes with the cells
FILE_SAMPLES = 1024
REMEMBERED = 5  # moves that the teacher is told of
POINTS = 20.0  # its unit of points
LEAD = 2  # of its outputs on the score

# Planes of Go (cpp/games/go/go.hpp).
OWN, OTHER, LIBERTIES, LADDERS, CATCHING, KO, KOMI = 0, 1, (2, 5), (8, 9), 10, 11, 15


class Said:
    """What the teacher says of some positions."""

    def __init__(self, found: Sequence[Floats]) -> None:
        self.policy, value, score, self.ownership = found
        chances = np.exp(value - value.max(1, keepdims=True))
        chances /= chances.sum(1, keepdims=True)
        self.value: Floats = chances[:, 0] - chances[:, 1]
        self.lead: Floats = score[:, LEAD] * POINTS


class Teacher:
    def __init__(self, net: bytes) -> None:
        self._session = open_session(net)

    def judge(self, question: Mapping[str, Floats]) -> Said:
        return Said(self._session.run(["policy", "value", "score", "ownership"], dict(question)))


class Table:
    """One game after another on a board of one size, a share of them wild, and a share of them fights."""

    def __init__(self, size: int, rng: random.Random, wild: float = 0.0, fights: float = 0.0) -> None:
        self.size, self.rng, self.wild, self.fights = size, rng, wild, fights
        self.cells = size * size
        self._new_game()

    def _new_game(self) -> None:
        rng, size = self.rng, self.size
        komi = FAIR[size] + (rng.choice((0, 0, 0.5, -0.5)) if rng.random() < 0.5 else rng.gauss(0, size / 2))
        if rng.random() < 0.08:
            komi += rng.gauss(0, size)
        options: dict[str, int | float | str] = {"size": size, "scoring": "area", "komi": round(komi * 2) / 2}
        if size >= 9 and rng.random() < 0.06:
            options["handicap"] = rng.choice((2, 2, 3, 4, 5, 6) if size > 9 else (2, 2, 3))
            options["komi"] = rng.choice((0.5, 5.5, round(rng.uniform(0, 40)) + 0.5))
        self.moves: list[int] = []  # the newest first, -1 a pass
        self.ladders: list[Floats] = []  # on the boards before, likewise
        self.samples: list[Sample] = []
        self.most = int(2.2 * self.cells) + 20  # moves
        self.hangs = False  # on its fight, once the teacher has said what komi is fair
        if self.fights and rng.random() < self.fights:
            self._set_up_fight(options)
            return
        self.state: State = tengen.game("go", **options).start()
        self.warmth = rng.choice((1.0, 1.0, 1.3)), rng.choice((0.3, 0.6, 0.6, 0.9))  # at first, and later
        if rng.random() < 0.12:  # a weak player's game
            self.warmth = 1.6, 1.6
        self.careless = (rng.choice((0, 0, 0.01, 0.03, 0.08)),) * 2  # by seat: how often any move will do,
        self.sobers = 4 * self.cells  # and from which move on none is made so
        if self.wild and rng.random() < self.wild:
            self._grow_wild()
        elif rng.random() < 0.25:
            for _ in range(rng.randint(1, max(2, self.cells // rng.choice((8, 16, 30))))):
                self._play(rng.choice(self._stones() or [self.cells]))

    def _set_up_fight(self, options: dict[str, int | float | str]) -> None:
        """Some moves of a fight. Most get the komi with which the game hangs on it, once the teacher has
        looked. It knows no komi as large as half a board, so the rest of the board is about even then.
        """
        rng = self.rng
        self.hangs = rng.random() < 0.75
        options.pop("handicap", None)
        while True:
            found = problem(self.size, rng)
            if self.hangs and abs(found.lead) > self.size:
                continue
            if self.hangs:
                options["komi"] = round(found.lead) + 0.5
            with contextlib.suppress(tengen.InvalidPosition):
                self.state = tengen.game("go", **options).position(found.diagram, to_move=found.to_move)
                break
        self.most = rng.randint(4, 12 if self.size < 13 else 30)
        self.warmth = (rng.choice((0.6, 1.0)),) * 2
        self.careless, self.sobers = (rng.choice((0.0, 0.05, 0.15)),) * 2, self.most

    def _balance(self, lead: float) -> None:
        """Takes the mover's lead, or most of it, away by komi."""
        self.hangs = False
        state = self.state
        komi = float(cast(float, state.game.options["komi"])) + (lead if state.to_move == 0 else -lead)
        komi = round(2 * (komi + self.rng.gauss(0, 2))) / 2
        if abs(komi) > 2.5 * self.size:
            self._new_game()
            return
        game = tengen.game("go", **state.game.options | {"komi": komi})
        self.state = game.position(state.game.diagram(state), to_move=state.to_move)

    def _grow_wild(self) -> None:
        rng = self.rng
        if rng.random() < 0.6:
            self.careless = (rng.uniform(0.2, 0.8),) * 2
            self.sobers = rng.randint(self.cells // 8, self.cells * 3 // 4)
        else:
            spoils = rng.uniform(0.1, 0.5)
            self.careless = (spoils, 0.0) if rng.random() < 0.5 else (0.0, spoils)

    def _stones(self) -> list[int]:
        return [action for action in self.state.legal_actions() if action != self.cells]

    def _play(self, action: int) -> None:
        self.state = self.state.play(action)
        self.moves = [action if action < self.cells else -1, *self.moves][:REMEMBERED]

    def question(self) -> tuple[Floats, Floats]:
        """The position in KataGo's words: planes, and numbers for the whole board."""
        size, own = self.size, self.state.encode()
        self.planes = own
        x, g = np.zeros((22, size, size), np.float32), np.zeros(19, np.float32)
        x[0], x[1], x[2] = 1, own[OWN], own[OTHER]
        for count in range(3):
            x[3 + count] = own[LIBERTIES[0] + count] + own[LIBERTIES[1] + count]
        x[6] = own[KO]
        for age, cell in enumerate(self.moves):
            if cell < 0:
                g[age] = 1
            else:
                x[9 + age].flat[cell] = 1
        self.ladders = [own[LADDERS[0]] + own[LADDERS[1]], *self.ladders][:3]
        for age in range(3):
            x[14 + age] = self.ladders[min(age, len(self.ladders) - 1)]
        x[17] = own[CATCHING]
        owner = final_owner(self.state).reshape(size, size) * (1 if self.state.to_move == 0 else -1)
        x[18], x[19] = owner > 0, owner < 0
        komi = float(own[KOMI, 0, 0]) * size
        g[5] = komi / POINTS
        g[14] = bool(self.moves) and self.moves[0] < 0  # a pass would end the game
        g[18] = _parity(komi, self.cells)
        return x, g

    def answer(self, said: Said, row: int) -> list[Sample]:
        """Keeps what was said and makes a move; returns the samples of a game that has ended, or none.

        What is said first of a game that is to hang on a fight is only heard.
        """
        if self.hangs:
            self._balance(float(said.lead[row]))
            return []
        rng, legal = self.rng, np.array(self.state.legal_actions())
        logits = said.policy[row][legal]
        policy = np.zeros(self.cells + 1, np.float64)
        policy[legal] = np.exp(logits - logits.max())
        policy /= policy.sum()
        value, made = float(said.value[row]), len(self.state.actions)
        self.samples.append(
            {
                "planes": self.planes.astype(np.float16),
                "policy": policy.astype(np.float16),
                "value": np.array(value, np.float16),
                "lead": np.array(said.lead[row] / self.cells, np.float16),
                "ownership": said.ownership[row].astype(np.float16),
                "first": np.array(not self.samples, np.float16),
            }
        )
        self._play(self.drawn(policy, made))
        decided = abs(value) > 0.985 and made > self.cells / 4 and rng.random() < 0.04
        if self.state.outcome is None and made + 1 < self.most and not decided:
            return []
        ended = self.samples
        self._new_game()
        return ended

    def drawn(self, policy: NDArray[np.float64], made: int) -> int:
        """The action that is made, mostly by the policy."""
        careless = self.careless[self.state.to_move] if made < self.sobers else 0.0
        if self.rng.random() < careless and (stones := self._stones()):
            return self.rng.choice(stones)
        warmth = self.warmth[made >= self.cells // 8]
        weights = policy.copy()
        if warmth > 1:
            weights[weights < 0.0005] = 0  # even weak players mean something
        return self.rng.choices(range(len(weights)), (weights ** (1 / warmth)).tolist())[0]


def _parity(komi: float, cells: int) -> float:
    """How far komi is from one that draws, as a wave: an area is even or odd with the board."""
    even = cells % 2 == 0
    floor = np.floor(komi / 2) * 2 if even else np.floor((komi - 1) / 2) * 2 + 1
    above = float(np.clip(komi - floor, 0, 2))
    return above if above < 0.5 else 1 - above if above < 1.5 else above - 2


def question_of(tables: Sequence[Table]) -> dict[str, Floats]:
    """One question for the teacher about all those games, which have boards of one size."""
    asked = [table.question() for table in tables]
    side = (tables[0].size - 14) / 10
    return {
        "spatial": np.stack([x for x, _ in asked]),
        "globals": np.stack([g for _, g in asked]),
        "side": np.array([side], np.float32),
        "side_squared": np.array([side * side - 0.1], np.float32),
    }


def first_questions(teacher: Teacher, rng: random.Random) -> list[dict[str, Floats]]:
    """Some positions of games on three boards, to calibrate on."""
    found = []
    for size, tables, moves in ((9, 24, 40), (13, 12, 60), (19, 12, 60)):
        games = [Table(size, rng) for _ in range(tables)]
        for made in range(moves):
            question = question_of(games)
            said = teacher.judge(question)
            for row, game in enumerate(games):
                game.answer(said, row)
            if made % 8 == 3:
                found.append(question)
    return found


def play(
    teacher: Teacher,
    folder: Path,
    *,
    files: int,
    seed: int,
    shares: Mapping[int, float],
    wild: float = 0.0,
    fights: float = 0.0,
) -> None:
    """Games until the folder has so many files of that seed; those that are there already count."""
    folder.mkdir(parents=True, exist_ok=True)
    written = len(list(folder.glob(f"*-{seed}-*.npz")))
    rng = random.Random(f"{seed} {written}")
    tables = {
        size: [Table(size, rng, wild, fights) for _ in range(24 if size < 13 else 16)] for size in shares
    }
    spent = dict.fromkeys(shares, 0.0)
    ready: dict[int, list[Sample]] = {size: [] for size in shares}
    while written < files:
        size = min(shares, key=lambda one: spent[one] / shares[one])
        said = teacher.judge(question_of(tables[size]))
        for row, table in enumerate(tables[size]):
            ready[size] += table.answer(said, row)
        spent[size] += len(tables[size]) * size * size
        if len(ready[size]) >= FILE_SAMPLES:
            _write(folder / f"{size:02d}-{seed}-{written:05d}.npz", ready[size])
            written, ready[size] = written + 1, []


def _write(path: Path, samples: list[Sample]) -> None:
    half = path.with_suffix(".part")
    with half.open("wb") as file:
        arrays: dict[str, Any] = {name: np.stack([one[name] for one in samples]) for name in samples[0]}
        np.savez_compressed(file, **arrays)
    half.rename(path)
    print(f"{path}: {len(samples)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description="Positions of Go with what a teacher says of them.")
    parser.add_argument("teacher", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=200, help=f"of some {FILE_SAMPLES} positions")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wild", type=float, default=0.0, help="the share of games that are wild")
    parser.add_argument("--fights", type=float, default=0.0, help="the share that are fights for life")
    parser.add_argument("--shares", nargs="*", default=[], help="of the work, SIZE=SHARE")
    given = parser.parse_args()
    shares = {int(size): float(share) for size, share in (one.split("=") for one in given.shares)} or SHARES
    teacher = Teacher(given.teacher.read_bytes())
    play(
        teacher,
        given.folder,
        files=given.files,
        seed=given.seed,
        shares=shares,
        wild=given.wild,
        fights=given.fights,
    )


if __name__ == "__main__":
    main()
