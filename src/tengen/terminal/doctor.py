"""What works on this machine, on one screen, with the fix for whatever does not. All of it is tried out."""

from __future__ import annotations

import importlib
import os
import platform
import socket
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import Literal, NamedTuple

import tengen
from tengen import _core, extras
from tengen.games import is_built_in
from tengen.records.gtp import find_program
from tengen.settings import SettingsError, load
from tengen.terminal import saving
from tengen.terminal.screen import LOCK, Screen

SPEED_SECONDS = 0.1  # a board
KATAGO_S = 20.0  # that KataGo may take to start
SLOW = 500  # tree simulations a second of the slowest game; a twentieth of what an old laptop does
RESERVED = 50  # descriptors that a server without players has open
FEW_DESCRIPTORS = 4096
ROOM = 1 << 16  # bytes that a game, its variations and the settings take
PROGRAMS = {
    "katago": "katago gtp -model MODEL -config CONFIG",
    "gnugo": "gnugo --mode gtp",
    "pachi": "pachi",
    "fuego": "fuego",
}


class Finding(NamedTuple):
    """`absent` is what this version or this machine does not have and does not need."""

    part: str
    state: Literal["ok", "broken", "absent"]
    words: str
    fix: str = ""


def examine() -> list[Finding]:
    return [
        _core_works(),
        _others_games(),
        _speed(),
        _terminal(),
        _settings(),
        _store(),
        _descriptors(),
        _programs(),
        _katago(),
        _client(),
        _server(),
        _brains(),
        _extra("train", "training", "torch"),
        _extra("cluster", "cluster", "ray"),
        _postgres(),
        _extra("envs", "environments", "pettingzoo"),
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
    """Plays a few moves of each built-in game through the compiled rules."""
    names = [name for name in tengen.games() if is_built_in(name)]
    if wrong := _unplayable(names):
        return Finding(
            "core", "broken", wrong[0], "install tengen again: pip install --force-reinstall tengen"
        )
    return Finding("core", "ok", f"{', '.join(names)}; {Path(_core.__file__).name}")


def _others_games() -> Finding:
    """Games that other packages bring must load and begin."""
    names = [name for name in tengen.games() if not is_built_in(name)]
    if wrong := _unplayable(names):
        return Finding("other games", "broken", "; ".join(wrong), "mend or remove the package that brings it")
    if not names:
        return Finding("other games", "absent", "no package here brings one")
    return Finding("other games", "ok", ", ".join(names))


def _unplayable(names: list[str]) -> list[str]:
    """A sentence for each game that cannot be played."""
    wrong = []
    for name in names:
        try:
            state = tengen.game(name).start()
            for _ in range(20):
                if state.outcome is None:
                    state = state.play(state.legal_actions()[0])
        except Exception as error:  # whatever a stranger's game does
            wrong.append(f"{name} cannot be played: {error}")
    return wrong


def _speed() -> Finding:
    from tengen.search.speed import measure

    try:
        rows = measure(SPEED_SECONDS)
    except Exception as error:
        return Finding("search", "broken", f"the search fails: {error}", "install tengen again")
    first = {row.game: row for row in reversed(rows)}
    words = ", ".join(f"{row.game} {row.simulations_s:,.0f}" for row in reversed(first.values()))
    slow = any(row.simulations_s < SLOW for row in rows)
    fix = "close what else is running; the high levels will take their full time a move" if slow else ""
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
    existing = folder = saving.folder()
    try:
        kept = len(saving.unfinished())
        existing = next(path for path in (folder, *folder.parents) if path.exists())
        with tempfile.TemporaryFile(dir=existing) as file:
            file.write(bytes(ROOM))
    except OSError as error:
        variable = "XDG_DATA_HOME" if os.name == "posix" else "LOCALAPPDATA"
        fix = f"make room and let it be written, or set {variable} to a folder that can be"
        return Finding("store", "broken", f"{existing}: {error.strerror}", fix)
    return Finding("store", "ok", f"{folder}, {kept} unfinished game{'' if kept == 1 else 's'}")


def _descriptors() -> Finding:
    """A server takes one file descriptor a socket."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return Finding("descriptors", "absent", "this system has no limit of them")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return Finding("descriptors", "ok", "without limit")
    words = f"{soft:,} open files, which is enough for {max(0, soft - RESERVED) // 2:,} players"
    few = soft < FEW_DESCRIPTORS and (hard == resource.RLIM_INFINITY or hard > soft)
    return Finding("descriptors", "ok", words, f"ulimit -n {FEW_DESCRIPTORS}" if few else "")


def _programs() -> Finding:
    found = {name: path for name in PROGRAMS if (path := find_program(name))}
    if not found:
        return Finding("GTP programs", "absent", f"no {', '.join(PROGRAMS)}; for one: apt-get install gnugo")
    first = PROGRAMS[next(iter(found))]
    return Finding(
        "GTP programs", "ok", f'{", ".join(found.values())}; tengen play go --against "gtp:{first}"'
    )


def _katago() -> Finding:
    """Starts it, as far as that goes quickly: the first time it may tune for minutes."""
    from tengen.kata import KataEngine, KataError, find
    from tengen.kata.finding import OFF

    try:
        load()
    except SettingsError:
        return Finding("KataGo", "absent", "can be looked for once the settings are right")
    found = find()
    if found is None:
        words = "none in PATH; set AI.KataGo.Command and AI.KataGo.Model (TENGEN_KATAGO, TENGEN_KATAGO_MODEL)"
        if load().katago_command == OFF:
            words = "left alone, as AI.KataGo.Command says"
        return Finding("KataGo", "absent", words)
    fix = "set AI.KataGo.Command, AI.KataGo.Model or AI.KataGo.Config; 'off' leaves KataGo alone"
    if found.problem:
        return Finding("KataGo", "broken", found.problem, fix)
    engine = KataEngine(found)
    begun = time.monotonic()
    try:
        engine.wait_ready(lambda: time.monotonic() - begun > KATAGO_S)
        state, _ = engine.state()
    except KataError as error:
        return Finding("KataGo", "broken", str(error), fix)
    finally:
        engine.close()
    where = f"{' '.join(found.command)} with {Path(found.model).name or 'a net of its own'}"
    if state != "ready":
        words = f"{where}; not ready after {KATAGO_S:.0f} s: the first time it tunes itself for the machine"
        return Finding("KataGo", "ok", words, "let it finish once: tengen analyse FILE --engine katago")
    return Finding("KataGo", "ok", f"{engine.version}, {where}; tengen play go --against katago")


def _client() -> Finding:
    page = Path(tengen.__file__).parent / "web" / "index.html"
    if page.is_file():
        return Finding("browser client", "ok", str(page.parent))
    words = "not built: it needs Node.js 20.19 or newer with npm when tengen is installed"
    return Finding("browser client", "absent", words, "in the source tree: make web")


def _server() -> Finding:
    if not extras.has("server"):
        return Finding("server", "absent", f"not installed: {extras.command('server')}")
    try:
        importlib.import_module("tengen.server.app")
        port = load().port
    except SettingsError:
        return Finding("server", "ok", "can be started once the settings are right")
    except Exception as error:
        return Finding("server", "broken", f"cannot be imported: {error}", extras.command("server"))
    if wrong := _unreadable_database():
        return Finding("server", "broken", wrong, "put a backup in its place, or move it away and begin anew")
    with socket.socket() as probe:
        probe.settimeout(1)
        taken = probe.connect_ex(("127.0.0.1", port)) == 0
    return Finding("server", "ok", f"port {port} is {'in use, maybe by tengen' if taken else 'free'}")


def _unreadable_database() -> str:
    """What is wrong with the database that `tengen serve` would open; nothing where there is none yet."""
    from tengen.server.serve import DATABASE
    from tengen.server.store.failures import cannot_open_file

    path = saving.folder().parent / DATABASE
    try:
        if not path.exists():
            return ""
        # Nothing is written, not even beside it, and a server may have it open.
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            database.execute("PRAGMA schema_version")
    except sqlite3.Error as error:
        return str(cannot_open_file(path, error))
    except OSError as error:
        return f"{path}: {error.strerror}"
    return ""


def _brains() -> Finding:
    """Runs the brain that ships for each game, and counts the others."""
    from tengen.brains.info import BrainError
    from tengen.brains.store import DEFAULT, BrainStore

    if not extras.has("brains"):
        words = f"not installed, levels and hints go by search alone: {extras.command('brains')}"
        return Finding("brains", "absent", words)
    store = BrainStore()
    ran, own, wrong = [], 0, []
    try:
        for name in tengen.games():
            found, faults = store.scan(name)
            wrong += [f"{name}: {fault}" for fault in faults]
            own += sum(not one.shipped for one in found)
            if any(one.shipped for one in found):
                store.find(name, DEFAULT)  # runs it
                ran.append(name)
    except (BrainError, ImportError) as error:
        return Finding("brains", "broken", str(error), extras.command("brains"))
    except OSError as error:
        return Finding("brains", "broken", f"{error.filename}: {error.strerror}", "let it be read")
    if wrong:
        more = f" And {len(wrong) - 1} more." if len(wrong) > 1 else ""
        return Finding("brains", "broken", wrong[0] + more, f"take what is damaged out of {store.root}")
    return Finding("brains", "ok", f"shipped for {', '.join(ran)}; {own} of your own")


def _postgres() -> Finding:
    found = _extra("postgres", "PostgreSQL", "psycopg")
    if found.state == "ok":
        try:
            importlib.import_module("psycopg")  # which finds its library, or not
        except ImportError as error:
            return Finding("PostgreSQL", "broken", f"the driver cannot be used: {error}", found.fix)
    return found


def _extra(name: str, part: str, distribution: str) -> Finding:
    """What is not imported here, since that takes seconds."""
    if not extras.has(name):
        return Finding(part, "absent", f"not installed: {extras.command(name)}")
    return Finding(part, "ok", f"{distribution} {metadata.version(distribution)}")
