"""What each trick of training is worth: short runs of equal processor time that differ in one thing.

    python -m tools.learning_study                                # all of TRICKS, then the chart
    python -m tools.learning_study --only "no symmetries"         # that one, beside what is known
    python -m tools.learning_study --minutes 4 --seeds 1 2 3

Each run learns Great Kingdom on 7x7 under the published rules from nothing, with one thread and a seed of its
own. Its net is kept after each quarter of the time, and the four then play `mcts:60` and the net with all
tricks at the same age. Processor time counts, so that other work on the machine changes little; no two runs
are the same. Adds each run to docs/results/great-kingdom-tricks.json, unless that is of other settings, and
draws docs/images/great-kingdom-tricks.svg of all of them.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import tengen
from tengen.learn.gumbel import Trainer
from tengen.learn.settings import settings_for
from tengen.learn.versus import NetSide, PlayerSide, Tally, versus
from tools.ratings import MARGIN, card, text

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "docs" / "results" / "great-kingdom-tricks.json"
IMAGE = ROOT / "docs" / "images" / "great-kingdom-tricks.svg"
GAME = tengen.game("great-kingdom", rules="published", size=7)
ANCHOR = "mcts:60"
SIMULATIONS = 32  # a move, of the nets in matches
QUARTERS = 4  # of a run, after each of which its net is kept
NEVER = 1_000_000
BASE: Mapping[str, Any] = {
    "blocks": 4,
    "channels": 24,
    "threads": 1,
    "pool_games": 64,
    "games_per_iteration": 60,
    "full_simulations": 64,
    "full_share": 0.4,
    "ratio": 8.0,
    "warm_up": 5_000,
    "window_first": 5_000,
    "window_ready": 500,
    "average_samples": 10_000,
    "gate_iterations": NEVER,
    "eval_iterations": NEVER,
}
WITH_ALL = "all of today's"
TRICKS: Mapping[str, Mapping[str, Any]] = {
    WITH_ALL: {},
    "no ownership, no lead": {"ownership_weight": 0.0, "lead_weight": 0.0},
    "replies, and values soon": {"reply_weight": 0.15, "soon_weight": 0.15},
    "no symmetries": {"symmetries": False},
    "every search full": {"full_share": 1.0, "full_simulations": 36},  # as many simulations a move
    "outcomes alone": {"value_mix": 0.0},
    "no averaging": {"average_samples": 0},
    "no random openings": {"opening_actions": 0},
    "samples by surprise": {"surprise_share": 0.5},
    "trained half as much": {"ratio": 4.0},
    "trained twice as much": {"ratio": 16.0},
    "a teacher at first": {"teacher_games": 120, "teacher_visits": 100},
    "full, and trained twice": {"full_share": 1.0, "full_simulations": 36, "ratio": 16.0},
}


class Watch:
    """Tells the trainer of processor time alone, and calls `at` after each part of it."""

    def __init__(self, seconds: float, at: Callable[[], None]) -> None:
        self.seconds, self.at, self.parts = seconds, at, 0
        self.begun: float | None = None  # when the trainer first asked

    @property
    def time_used(self) -> float:
        if self.begun is None:
            self.begun = time.process_time()
        return min(1.0, (time.process_time() - self.begun) / self.seconds)

    def wish(self) -> str:
        return "run" if self.time_used < 1 else "stop"

    def proceed(self, save: Callable[[], object] | None = None) -> bool:
        while self.parts < QUARTERS and self.time_used >= (self.parts + 1) / QUARTERS:
            self.parts += 1
            self.at()
        return self.wish() == "run"

    def may_learn(self) -> bool:
        return False  # the time is over when the games are

    def games_left(self, done: int) -> int:
        return sys.maxsize

    def save_wanted(self) -> bool:
        return False

    def count(self, *, games: int, loss: float | None = None) -> None: ...
    def live(self, actions: Sequence[int], names: Sequence[str]) -> None: ...
    def report(self, **news: object) -> None: ...
    def state(self, state: Literal["running"], message: str | None = None) -> None: ...
    def saved(self, brain: str) -> None: ...
    def resumed(self, games: int) -> None: ...


def trained(changes: Mapping[str, Any], seconds: float, seed: int) -> tuple[list[bytes], dict[str, Any]]:
    """The nets after each part of the time, and what the run came to."""
    wanted = {name: value for name, value in changes.items() if name != "symmetries"}
    settings = settings_for(GAME.name, {**BASE, **wanted, "seed": seed})
    nets: list[bytes] = []
    with tempfile.TemporaryDirectory() as folder:
        watch = Watch(seconds, lambda: nets.append(trainer.playing_net()))
        trainer = Trainer(Path(folder), GAME, settings, watch)
        if not changes.get("symmetries", True):
            for symmetries in trainer.learner.symmetries.values():
                symmetries.count = 1
        trainer.run()
    return nets, {
        "games": trainer.at.games,
        "samples": trainer.replay.total,
        "trained": trainer.learner.trained,
        "loss": trainer.at.loss,
    }


def match(net: bytes, other: NetSide | PlayerSide, games: int, seed: int) -> dict[str, float]:
    tally: Tally = versus(
        GAME, NetSide(net, SIMULATIONS), other, games, seed=seed, threads=1, max_actions=200
    )
    return {"games": tally.games, "points": tally.points}


def study(names: Sequence[str], minutes: float, seeds: Sequence[int], games: int) -> None:
    kept: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    settings = {"base": BASE, "minutes": minutes, "anchor": ANCHOR, "simulations": SIMULATIONS}
    if kept.get("settings") != json.loads(json.dumps(settings)):
        kept = {"settings": settings, "runs": []}
    for seed in seeds:
        all_of_them: list[bytes] = []
        for name in [WITH_ALL, *(name for name in names if name != WITH_ALL)]:
            nets, came_to = trained(TRICKS[name], 60 * minutes, seed)
            all_of_them = nets if name == WITH_ALL else all_of_them
            row: dict[str, Any] = {"name": name, "seed": seed, "changes": TRICKS[name], **came_to}
            row["against_anchor"] = [match(net, PlayerSide(ANCHOR), games, seed) for net in nets]
            if name != WITH_ALL:
                pairs = zip(nets, all_of_them, strict=True)
                row["against_all"] = [match(a, NetSide(b, SIMULATIONS), games, seed) for a, b in pairs]
            kept["runs"].append(row)
            RESULTS.write_text(json.dumps(kept, indent=1) + "\n")
            print(json.dumps(row), flush=True)


@dataclass(frozen=True)
class Curve:
    title: str
    points: list[tuple[float, float]]  # the second from 0 to 100
    strong: bool = False


def curves(title: str, found: Sequence[Curve], unit: str) -> str:
    """Curves from 0 to 100 over one axis, each with its name where it ends."""
    left, right, top, bottom, height = 56, 540, 60, 400, 450
    most = max(x for curve in found for x, _ in curve.points)

    def place(x: float, y: float) -> tuple[float, float]:
        return left + (right - left) * x / most, bottom - (bottom - top) * y / 100

    parts = [text(MARGIN, MARGIN + 8, title)]
    for tick in range(0, 101, 20):
        y = place(0, tick)[1]
        parts.append(f'<line class="grid" x1="{left}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        parts.append(text(left - 8, y + 4, str(tick), "faint", "end"))
    for x in sorted({x for curve in found for x, _ in curve.points}):
        parts.append(text(place(x, 0)[0], bottom + 18, f"{x:g}", "faint", "middle"))
    parts.append(text(right, bottom + 36, unit, "faint", "end"))
    names = _apart([(place(*curve.points[-1])[1], curve) for curve in found])
    for y, curve in names:
        kind, width = ("brain", 3) if curve.strong else ("other", 1.5)
        path = " ".join(f"{x:.1f},{at:.1f}" for x, at in (place(*point) for point in curve.points))
        parts.append(
            f'<polyline class="{kind} curve" style="fill: none" stroke-width="{width}" points="{path}"/>'
        )
        end = place(*curve.points[-1])[1]
        parts.append(f'<line class="grid" x1="{right}" y1="{end:.1f}" x2="{right + 14}" y2="{y:.1f}"/>')
        parts.append(text(right + 18, y + 4, f"{curve.points[-1][1]:.0f}  {curve.title}"))
    return card(title, height, parts)


def _apart(wanted: list[tuple[float, Curve]], line: float = 17) -> list[tuple[float, Curve]]:
    """The same heights, moved so far that names do not cover each other."""
    placed: list[tuple[float, Curve]] = []
    for y, curve in sorted(wanted, key=lambda pair: pair[0]):
        placed.append((max(y, placed[-1][0] + line) if placed else y, curve))
    return placed


def draw() -> None:
    """The chart: the score of each trick against the anchor, by processor time, over all seeds."""
    kept = json.loads(RESULTS.read_text())
    minutes = kept["settings"]["minutes"]
    times = [round(60 * minutes * (part + 1) / QUARTERS) for part in range(QUARTERS)]
    found = []
    for name in TRICKS:
        runs = [run["against_anchor"] for run in kept["runs"] if run["name"] == name]
        if not runs:
            continue
        points = [sum(run[part]["points"] for run in runs) for part in range(QUARTERS)]
        games = [sum(run[part]["games"] for run in runs) for part in range(QUARTERS)]
        scores = [100 * won / played for won, played in zip(points, games, strict=True)]
        found.append(Curve(name, list(zip(times, scores, strict=True)), strong=name == WITH_ALL))
    title = f"Score in % against {ANCHOR}, by seconds of one core"
    IMAGE.write_text(curves(title, found, "seconds"))


def main() -> None:
    parser = argparse.ArgumentParser(description="What each trick of training is worth.")
    parser.add_argument("--minutes", type=float, default=0.75, help="of processor time, a run")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--games", type=int, default=40, help="of each match, both colours")
    parser.add_argument("--only", nargs="+", choices=list(TRICKS), default=list(TRICKS))
    given = parser.parse_args()
    study(given.only, given.minutes, given.seeds, given.games)
    draw()


if __name__ == "__main__":
    main()
