"""What works on this machine, on one screen, with the fix for whatever does not."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
from pathlib import Path
from typing import Literal, NamedTuple

import tengen
from tengen import _core
from tengen.records.gtp import find_program
from tengen.settings import SettingsError, load
from tengen.terminal import saving
from tengen.terminal.screen import LOCK, Screen

SPEED_SECONDS = 0.1  # a board
SLOW = 1000  # tree simulations a second of Great Kingdom; a twentieth of what an old laptop does
PROGRAMS = {"gnugo": "gnugo --mode gtp", "pachi": "pachi", "katago": "katago gtp", "fuego": "fuego"}


class Finding(NamedTuple):
    """`absent` is what this version or this machine does not have and does not need."""

    part: str
    state: Literal["ok", "broken", "absent"]
    words: str
    fix: str = ""


def examine() -> list[Finding]:
    return [
        _core_works(),
        _speed(),
        _terminal(),
        _settings(),
        _store(),
        _programs(),
        Finding("browser client", "absent", "not part of this version: play in the terminal"),
        Finding("server", "absent", "not part of this version"),
        Finding("brains", "absent", "not part of this version: levels and mcts play by search alone"),
        Finding("extras", "absent", "this version has no optional parts to install"),
    ]


def report(found: list[Finding]) -> None:
    python = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
    print(f"tengen {tengen.__version__}, {python}")
    for row in found:
        print(f"{_MARKS[row.state]:7} {row.part:15} {row.words}")
        if row.fix:
            print(f"{'':7} {'':15} fix: {row.fix}")


_MARKS = {"ok": "ok", "broken": "BROKEN", "absent": "-"}


def _core_works() -> Finding:
    """Plays one short game of each kind through the compiled rules."""
    reinstall = "install tengen again: pip install --force-reinstall tengen"
    for name in tengen.games():
        try:
            state = tengen.game(name).start()
            for _ in range(20):
                if state.outcome is None:
                    state = state.play(state.legal_actions()[0])
        except Exception as error:
            return Finding("core", "broken", f"{name} cannot be played: {error}", reinstall)
    return Finding("core", "ok", f"{', '.join(tengen.games())}; {Path(_core.__file__).name}")


def _speed() -> Finding:
    from tengen.search.speed import measure

    try:
        rows = {(row.game, row.board): row for row in measure(SPEED_SECONDS)}
    except Exception as error:
        return Finding("search", "broken", f"the search fails: {error}", "install tengen again")
    shown = (("great-kingdom", "9x9"), ("go", "19x19"), ("kelasu", "10x10"))
    words = ", ".join(f"{game} {board} {rows[game, board].simulations_s:,.0f}" for game, board in shown)
    slow = rows["great-kingdom", "9x9"].simulations_s < SLOW
    fix = "close what else is running; the high levels will take their full 3 seconds a move" if slow else ""
    return Finding("search", "ok", f"simulations/s, one thread: {words}", fix)


def _terminal() -> Finding:
    screen = Screen()
    colours = "colours" if screen.colour else "no colours"
    signs = f"Unicode ({LOCK})" if screen.unicode else "ASCII only"
    if not sys.stdout.isatty():
        return Finding("terminal", "ok", f"output is no terminal; {colours}, {signs}")
    return Finding("terminal", "ok", f"{screen.width} columns, {colours}, {signs}")


def _settings() -> Finding:
    try:
        settings = load()
    except SettingsError as error:
        return Finding("settings", "broken", str(error), "correct the value, or take it out")
    where = sorted(set(settings.origins.values()))
    return Finding(
        "settings", "ok", f"from {', '.join(where)}" if where else "defaults; no config.json found"
    )


def _store() -> Finding:
    folder = saving.folder()
    kept = len(saving.unfinished())
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    try:
        with tempfile.TemporaryFile(dir=existing):
            pass
    except OSError as error:
        variable = "XDG_DATA_HOME" if os.name == "posix" else "LOCALAPPDATA"
        fix = f"make it writable, or set {variable} to a folder that is"
        return Finding("store", "broken", f"{existing}: {error.strerror}", fix)
    return Finding("store", "ok", f"{folder}, {kept} unfinished game{'' if kept == 1 else 's'}")


def _programs() -> Finding:
    found = {name: path for name in PROGRAMS if (path := find_program(name))}
    if not found:
        return Finding("GTP programs", "absent", "none found; for one: apt-get install gnugo")
    first = PROGRAMS[next(iter(found))]
    return Finding(
        "GTP programs", "ok", f'{", ".join(found.values())}; tengen play go --against "gtp:{first}"'
    )
