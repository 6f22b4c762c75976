"""Training runs as the protocol tells them, and what a person may do to one.

A run is a folder and a process of its own (`tengen.learn.runs`), so nothing is kept here: whoever asks gets
what the files say. One run works at a time, whoever started it, since training takes all that the processor
has. Raises Refusal. Start reading at `start` and `report`.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import PurePath
from typing import Any

from tengen.game import OptionValue
from tengen.games import game_class, game_classes
from tengen.learn.dqn_settings import dqn_settings
from tengen.learn.runs import Run, RunError, Status, require_torch, runs
from tengen.server import protocol as p
from tengen.server.errors import Refusal
from tengen.server.games import make_game, outcome, view_of
from tengen.server.lab import brains
from tengen.settings import SettingsError, load

SHOWN = 20  # runs in the list, the newest
MOST_MINUTES = 7 * 24 * 60.0

_starting = threading.Lock()  # two people who press the button at the same moment


def lab() -> p.Lab:
    found = runs()[:SHOWN]
    return p.Lab(missing(), _kinds(), [_info(run, run.status()) for run in found])


def _kinds() -> dict[str, list[str]]:
    """The algorithms that learn each game."""
    return {name: list(kind.learning_kind.algorithms) for name, kind in game_classes().items()}


def missing() -> str:
    """Why nothing can be trained here; empty where it can."""
    try:
        require_torch()
    except RunError as error:
        return str(error)
    return ""


def start(wish: p.NewRun) -> p.RunReport:
    """Makes a run and starts it; what is wrong with the wish is said before anything is made."""
    minutes, options = _minutes(wish.minutes), _options(wish)
    with _starting:
        _check_free()
        try:
            settings = asdict(dqn_settings(load())) if _algorithm(wish) == "dqn" else {}
            run = Run.create(wish.kind, wish.game, options, settings, brains=wish.brains, minutes=minutes)
            return _report(run.start())
        except (RunError, SettingsError) as error:
            raise Refusal("not-now", str(error)) from None


def _algorithm(wish: p.NewRun) -> str:
    return brains.algorithm(wish.game, wish.brains[0]) if wish.kind == "duel" else wish.kind


def _options(wish: p.NewRun) -> Mapping[str, OptionValue]:
    """How the game of a run is played: as its brains know it, as one wishes, or as it can be learned."""
    if wish.kind == "duel":
        return _agreed(wish, brains.rivals(wish.game, wish.brains))
    if wish.kind not in _kinds().get(wish.game, ()):
        raise Refusal("malformed", "That game cannot be trained that way.")
    if wish.kind == "gumbel" and len(wish.brains) == 1:
        return _agreed(wish, brains.teachable(wish.game, wish.brains[0]))
    if wish.brains:
        raise Refusal("malformed", "That way to train goes on from no brains.")
    return make_game(wish.game, {**game_class(wish.game).learning_kind.options, **wish.options}).options


def _agreed(wish: p.NewRun, learned: Mapping[str, OptionValue]) -> Mapping[str, OptionValue]:
    """What the brains have learned, if nothing else was asked for."""
    if wish.options and make_game(wish.game, wish.options).options != learned:
        raise Refusal("malformed", "That brain has learned another board or other rules.")
    return learned


def report(name: str, after: int = 0) -> p.RunReport:
    return _report(_open(name), after)


def control(name: str, wish: p.RunWish) -> p.RunReport:
    """What a person wants of a run. The process hears of it within a second, so the report may be older."""
    run = _open(name)
    try:
        if wish.wish == "pause":
            run.pause()
        elif wish.wish == "stop":
            run.stop()
        elif wish.wish == "save":
            run.save_brain()
        elif run.running:
            run.resume()
        else:
            with _starting:
                _check_free()
                run = run.start(minutes=None if wish.minutes is None else _minutes(wish.minutes))
    except RunError as error:
        raise Refusal("not-now", str(error)) from None
    return _report(run)


def remove(name: str) -> None:
    try:
        _open(name).remove()
    except RunError as error:
        raise Refusal("not-now", str(error)) from None


def _open(name: str) -> Run:
    try:
        return Run.open(name)
    except RunError:
        raise Refusal("unknown", "There is no such training run, or it cannot be read.") from None


def _minutes(minutes: float) -> float:
    if not 0 < minutes <= MOST_MINUTES:
        raise Refusal("malformed", f"A run takes more than 0 and at most {MOST_MINUTES:.0f} minutes.")
    return minutes


def _check_free() -> None:
    if why := missing():
        raise Refusal("not-now", why)
    if busy := next((run for run in runs() if run.running), None):
        raise Refusal("not-now", f"The training run {busy.name} is at work: stop it first.")


# Telling


def _report(run: Run, after: int = 0) -> p.RunReport:
    status, points = run.status(), run.progress()
    first = after if after <= len(points) else 0
    return p.RunReport(_info(run, status), first, [_point(one) for one in points[first:]], _live(run, status))


def _info(run: Run, status: Status) -> p.RunInfo:
    return p.RunInfo(
        name=run.name,
        kind=run.kind,
        game=run.game_name,
        options=dict(run.options),
        brains=[PurePath(name).name.removesuffix(".onnx") for name in run.brains],
        created=run.created,
        state=status.state,
        message=status.message,
        games=status.games,
        loss=_number(status.loss),
        games_per_s=_number(status.games_per_s) or _average(status),
        elapsed_s=status.elapsed_s,
        left_s=_number(status.left_s),
        brain=status.brain,
    )


def _average(status: Status) -> float | None:
    """The speed so far, for the time before the first report."""
    return status.games / status.elapsed_s if status.games and status.elapsed_s >= 1 else None


def _point(line: Mapping[str, Any]) -> p.RunPoint:
    rates = line.get("win_rates") or {}
    return p.RunPoint(
        t_s=float(line.get("t_s", 0.0)),
        games=int(line.get("games", 0)),
        loss=_number(line.get("loss")),
        elo=_number(line.get("elo")),
        win_rates={str(name): float(rate) for name, rate in rates.items()},
    )


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _live(run: Run, status: Status) -> p.LiveGame | None:
    """The board of the game under way, as far as its actions make sense."""
    if not status.alive or status.live is None:
        return None
    try:
        state = run.game.start()
        for action in status.live["actions"]:
            state = state.play(action)
        first, second = status.live["names"]
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return p.LiveGame((str(first), str(second)), len(state.actions), view_of(state), outcome(state.outcome))
