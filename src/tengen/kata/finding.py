"""Where KataGo is: the command, the net and the file of settings that it is started with.

The settings `AI.KataGo.Command`, `.Model` and `.Config` go first. Without a command it is looked for in PATH,
without a model where people keep one: beside the program, in ~/.katago and ~/.katrain. A command that has the
word `analysis` in it is taken as it is. Start reading at `find`.
"""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

from tengen.files import write_whole
from tengen.settings import Settings, SettingsError, load

OFF = "off"
NAME = "katago"
ANALYSIS = "analysis"
MODELS = ("*.bin.gz", "*.txt.gz", "*.bin")
NETS = "https://katagotraining.org/networks/"
_SMALLEST = 10_000  # bytes: the smallest nets have some hundred thousand


class KataError(ValueError):
    """KataGo cannot be used; one sentence that says why."""


@dataclass(frozen=True, slots=True)
class Program:
    """What is started, or in `problem` the sentence that says why it cannot be."""

    command: tuple[str, ...]
    model: str = ""
    config: str = ""
    problem: str = ""

    @property
    def arguments(self) -> list[str]:
        if ANALYSIS in self.command:
            return list(self.command)
        given = ["-model", self.model, "-config", self.config or str(own_config())]
        return [*self.command, ANALYSIS, *given, "-override-config", "reportAnalysisWinratesAs=BLACK"]


def find(settings: Settings | None = None) -> Program | None:
    """KataGo as the settings say, or from PATH; None where there is none or it is turned off."""
    try:
        chosen = settings or load()
    except SettingsError as error:
        return Program((), problem=str(error))
    if chosen.katago_command == OFF:
        return None
    try:
        command = shlex.split(chosen.katago_command) or [shutil.which(NAME) or ""]
    except ValueError:
        return Program((), problem=f"AI.KataGo.Command cannot be read: {chosen.katago_command}.")
    if not command[0]:
        return None
    path = shutil.which(command[0])
    if path is None:
        return Program((), problem=f"KataGo is not at {command[0]}: {_why_not(command[0])}.")
    found = Program((path, *command[1:]))
    if ANALYSIS in command:
        return found
    return _with_files(found, chosen)


def _why_not(path: str) -> str:
    if os.sep not in path:
        return "no such program is in PATH"
    if not Path(path).exists():
        return "there is no such file"
    return "that is a folder" if Path(path).is_dir() else "that file may not be run"


def _with_files(found: Program, chosen: Settings) -> Program:
    if chosen.katago_config and not Path(chosen.katago_config).is_file():
        sentence = f"The settings of KataGo are not at {chosen.katago_config}: there is no such file."
        return Program(found.command, problem=sentence)
    model = chosen.katago_model or _model_beside(found.command[0])
    if not model:
        sentence = f"KataGo is at {found.command[0]}, but has no net: put one into ~/.katago ({NETS})."
        return Program(found.command, problem=sentence)
    if not Path(model).is_file():
        return Program(found.command, problem=f"The net of KataGo is not at {model}: there is no such file.")
    return Program(found.command, model, chosen.katago_config)


def _model_beside(program: str) -> str:
    """The newest net where people keep them."""
    real = Path(program).resolve().parent
    home = Path.home()
    folders = (real, Path(program).parent, real.parent / "share" / NAME, home / ".katago", home / ".katrain")
    for folder in dict.fromkeys(folders):
        nets = [path for pattern in MODELS for path in folder.glob(pattern) if _is_net(path)]
        if nets:
            return str(max(nets, key=lambda path: path.stat().st_mtime))
    return ""


def _is_net(path: Path) -> bool:
    return path.is_file() and path.stat().st_size >= _SMALLEST


def usable(settings: Settings | None = None) -> Program | None:
    """The program if all of it is there. Whether it starts is found out by starting it."""
    found = find(settings)
    return None if found is None or found.problem else found


def own_config() -> Path:
    """The file of settings that KataGo gets from us where the user has none; raises KataError."""
    from platformdirs import user_cache_path

    cpus = os.cpu_count() or 1
    lines = {
        "logToStderr": "true",
        "logAllRequests": "false",
        "logAllResponses": "false",
        "maxVisits": "500",
        "numAnalysisThreads": str(max(1, min(4, cpus // 2))),
        "numSearchThreadsPerAnalysisThread": str(max(2, min(8, cpus))),
        "nnMaxBatchSize": "32",
        "nnCacheSizePowerOfTwo": "18",
        "nnMutexPoolSizePowerOfTwo": "14",
    }
    data = "".join(f"{name} = {value}\n" for name, value in lines.items()).encode()
    path = user_cache_path("tengen", appauthor=False) / "katago-analysis.cfg"
    try:
        if not path.is_file() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, data)
    except OSError as error:
        raise KataError(f"The settings for KataGo cannot be written to {path}: {error.strerror}.") from None
    return path
