"""Learns what Kelasu's search sees in a position: cpp/games/kelasu/weights.hpp, from games against itself.

    python tools/kelasu_tune.py play games.jsonl --games 4000 --seed 1   # adds to that file
    python tools/kelasu_tune.py fit games.jsonl                         # writes the header; then build anew

A line is a game: its winner, its actions, and for each whole move the win rate that a search of a thousand
positions gave the mover, or null in the random opening. The fit is a logistic regression of how games ended,
and to a smaller part of those win rates, on where pieces stand and on what `KelasuEval::features` counts. One
game in ten is held back to test it. `fit` needs the extra `train`.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import re
from pathlib import Path
from typing import TypedDict, cast

import numpy as np

import tengen
from tengen import _core
from tengen.game import State
from tengen.search.mcts import Search

HEADER = Path(__file__).parent.parent / "cpp" / "games" / "kelasu" / "weights.hpp"
VISITS = 1000  # of a search in self-play
LONGEST = 1500  # whole moves of a game
RESULT_SHARE = 0.7  # of the target; the rest is the search's win rate
SCALE = 500  # points of the evaluation that make the odds e to 1
FINE = 256  # parts of a point that weights of features are told in
EPOCHS, BATCH, RATE = 10, 2048, 0.015
# Before anything is learned; what is seldom seen stays near it. Blank to stone.
FIRST_GUESS = (100, 330, 520, 520, 750, 1500, 450)
TAKINGS = 3  # the first features are in points
GAME = tengen.game("kelasu")

Example = tuple[bytes, list[int], float, float, bool]


class Played(TypedDict):
    seed: int
    winner: int | None
    actions: list[int]
    wins: list[float | None]


def play(seed: int, visits: int) -> Played:
    """A game after a random opening. In two games of three some moves are random later too."""
    rng = random.Random(seed)
    state: State = GAME.start()
    search = Search(state, seed=seed)
    opening, careless = rng.randint(2, 15), rng.choice((0.0, 0.06, 0.12))
    actions: list[int] = []
    wins: list[float | None] = []

    def make(action: int) -> None:
        nonlocal state
        actions.append(action)
        state = state.play(action)
        if state.outcome is None:
            search.play(action)

    while state.outcome is None and len(wins) < LONGEST:
        searched = len(wins) >= opening
        blind = not searched or rng.random() < careless
        begun = False
        while state.outcome is None and (not begun or GAME.mid_move(state)):
            if searched and not (begun and blind):
                search.run(visits=visits, stop_when_clear=True)
                report = search.report()
            if not begun:
                wins.append(round(report.win, 4) if searched else None)
            make(rng.choice(state.legal_actions()) if blind else report.actions[0].action)
            begun = True
    winner = None if state.outcome is None else state.outcome.winner
    return {"seed": seed, "winner": winner, "actions": actions, "wins": wins}


def examples(line: str) -> list[Example]:
    """Of a game: the mover's view of the board, features, how it ended for the mover, win rate, held back."""
    told: Played = json.loads(line)
    state: State = GAME.start()
    found: list[Example] = []
    wins = iter(told["wins"])
    for action in told["actions"]:
        win = None if GAME.mid_move(state) else next(wins)
        if win is not None and win < 1:  # what wins at hand is known without
            mover = state.to_move
            result = 0.5 if told["winner"] is None else float(told["winner"] == mover)
            held_back = told["seed"] % 10 == 0
            found.append(
                (mover_view(state), _core.kelasu_features(cast(_core.Kelasu, state)), result, win, held_back)
            )
        state = state.play(action)
    return found


def mover_view(state: State) -> bytes:
    """Cells with the mover's back rank on top, its pieces 1 to 7 and the opponent's 8 to 14."""
    cells = state.cells()
    if state.to_move == 0:
        return cells
    turned = b"".join(cells[row * 10 : row * 10 + 10] for row in range(9, -1, -1))
    return bytes(code - 7 if code > 7 else code + 7 if code else 0 for code in turned)


def fit(files: list[Path]) -> str:
    """The header that the games teach."""
    import torch
    from torch.nn.functional import binary_cross_entropy_with_logits as loss_of

    torch.manual_seed(1)
    lines = [line for file in files for line in file.read_text().splitlines()]
    told = [example for line in lines for example in examples(line)]
    cells = torch.tensor(np.array([np.frombuffer(t[0], np.uint8) for t in told], np.int64))
    counts = torch.tensor(np.array([t[1] for t in told], np.float32))
    result = torch.tensor([t[2] for t in told])
    target = RESULT_SHARE * result + (1 - RESULT_SHARE) * torch.tensor([t[3] for t in told])
    held_back = torch.tensor([t[4] for t in told])
    size = torch.ones(counts.shape[1])
    size[:TAKINGS] = SCALE
    counts /= size

    first = torch.tensor(FIRST_GUESS) / SCALE
    base = first.clone().requires_grad_()
    row, file, cell = (
        torch.zeros(shape, requires_grad=True) for shape in ((7, 10, 1), (7, 1, 5), (7, 10, 5))
    )
    weights = torch.zeros(counts.shape[1], requires_grad=True)
    constant = torch.zeros(1, requires_grad=True)
    other_side = torch.arange(100).reshape(10, 10).flip(0).reshape(-1)
    offsets = torch.arange(100) * 15

    def places() -> torch.Tensor:
        return base[:, None, None] + row + file + cell

    def values(chosen: torch.Tensor) -> torch.Tensor:
        half = places()
        board = torch.cat([half, half.flip(2)], 2).reshape(7, 100)
        by_code = torch.cat([torch.zeros(1, 100), board, -board[:, other_side]]).t().reshape(-1)
        return by_code[cells[chosen] + offsets].sum(1) + counts[chosen] @ weights + constant

    def strangeness() -> torch.Tensor:
        rare = 2e-4 * ((base - first) ** 2).sum() + 1e-4 * ((row**2).sum() + (file**2).sum())
        return rare + 5e-4 * (cell**2).sum() + 1e-5 * (weights**2).sum()

    learned = torch.nonzero(~held_back)[:, 0]
    steps = len(learned) // BATCH
    optimiser = torch.optim.Adam([base, row, file, cell, weights, constant], lr=RATE)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=EPOCHS * steps + 1)
    for _ in range(EPOCHS):
        shuffled = learned[torch.randperm(len(learned))]
        for step in range(steps):
            chosen = shuffled[step * BATCH : (step + 1) * BATCH]
            loss = loss_of(values(chosen), target[chosen]) + strangeness()
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
    with torch.no_grad():
        tested = loss_of(values(torch.nonzero(held_back)[:, 0]), result[held_back]).item()
        table = (places() * SCALE).round().int().tolist()
        fine = (weights / size * SCALE * FINE).round().int().tolist()
        shift = int((constant * SCALE * FINE).round())
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]
    origin = (
        f"{len(lines):,} games with {len(told):,} positions (SHA-256 of the games {digest}...),\n"
        f"// log loss of the results of games held back {tested:.4f}"
    )
    print(origin)
    return header(origin, shift, fine, table)


def header(origin: str, shift: int, fine: list[int], table: list[list[list[int]]]) -> str:
    pieces = ("blank", "warrior", "runner", "diplomat", "champion", "general", "stone")
    blocks = []
    for name, rows in zip(pieces, table, strict=True):
        inner = "\n".join("      {" + ", ".join(str(worth) for worth in row) + "}," for row in rows)
        blocks.append(f"    {{  // {name}\n{inner}\n    }},")
    return f"""\
// Generated by tools/kelasu_tune.py: what Kelasu's search has learned to see in a position. From
// {origin}.
#pragma once

#include <array>

namespace tengen {{

// clang-format off
inline constexpr int kKelasuFine = {FINE};  // parts of a point in the next two
inline constexpr int kKelasuConstant = {shift};
inline constexpr std::array<int, {len(fine)}> kKelasuWeights = {{  // of KelasuFeatures
    {", ".join(map(str, fine))}}};

// What a piece is worth by rank, from its owner's back rank on, and by file, from the edge to the middle.
inline constexpr int kKelasuPlaces[7][10][5] = {{
{chr(10).join(blocks)}
}};
// clang-format on

}}  // namespace tengen
"""


def read_header(text: str) -> tuple[int, list[int], list[list[list[int]]]]:
    """The constant, the weights of features and the worth of places that a header holds."""
    code = re.sub("//.*", "", text)
    constant, weights, places = (
        [int(number) for number in re.findall(r"-?\d+", code.partition(f"{name} = ")[2].partition(";")[0])]
        for name in ("kKelasuConstant", "kKelasuWeights", "kKelasuPlaces[7][10][5]")
    )
    table = np.array(places).reshape(7, 10, 5).tolist()
    return constant[0], weights, table


def main() -> None:
    parser = argparse.ArgumentParser(description="Learns Kelasu's evaluation from games against itself.")
    does = parser.add_subparsers(dest="does", required=True)
    playing = does.add_parser("play")
    playing.add_argument("file", type=Path)
    playing.add_argument("--games", type=int, default=1000)
    playing.add_argument("--seed", type=int, default=1, help="of the first game; the others follow")
    playing.add_argument("--visits", type=int, default=VISITS)
    fitting = does.add_parser("fit")
    fitting.add_argument("file", type=Path, nargs="+")
    arguments = parser.parse_args()
    if arguments.does == "fit":
        HEADER.write_text(fit(arguments.file))
        return
    with arguments.file.open("a") as out:
        for seed in range(arguments.seed, arguments.seed + arguments.games):
            out.write(json.dumps(play(seed, arguments.visits)) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
