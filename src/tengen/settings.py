"""Settings: `config.json`, then the environment, then flags; each value knows where it comes from.

The file has two sections, `Game` and `AI`, with the keys named below; all may be left out. It is looked for
in the user's configuration folder and in the working directory, and the nearer one wins key by key. Since
many programs keep a `config.json`, one that has neither section is taken for somebody else's and left alone.
In the environment `Game.GridSize` is `TENGEN_GAME_GRIDSIZE`, and so on. Start reading at `load`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

FILE = "config.json"
PREFIX = "TENGEN_"
SECTIONS = ("Game", "AI")
DEFAULT = "default"
_MAX_BYTES = 2**20  # a settings file has some hundred

Value = int | float | str | bool
# Short names of settings in the environment.
SHORT = {
    f"{PREFIX}RESIGN": "Game.Resign",
    f"{PREFIX}KATAGO": "AI.KataGo.Command",
    f"{PREFIX}KATAGO_MODEL": "AI.KataGo.Model",
    f"{PREFIX}KATAGO_CONFIG": "AI.KataGo.Config",
}


class SettingsError(ValueError):
    """A setting cannot be used; one sentence that names the key, what it was and what it may be."""


def _setting(
    key: str, default: Value, may_be: str, check: Callable[[Any], bool], *, later: bool = False
) -> Any:
    known = {"type": type(default), "may_be": may_be, "check": check, "later": later}
    return field(default=default, metadata={"key": key, **known})


def _between(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: low <= value <= high


def _share(key: str, default: float, *, zero: bool = True) -> Any:
    words = "a number from 0 to 1" if zero else "a number above 0 and at most 1"
    return _setting(key, default, words, lambda value: 0 <= value <= 1 and (zero or value > 0))


def _count(key: str, default: int, high: int) -> Any:
    return _setting(key, default, f"a whole number from 1 to {high}", _between(1, high))


def _path(key: str, may_be: str) -> Any:
    return _setting(key, "", may_be, lambda value: "\0" not in value, later=True)


def _is_address(text: str) -> bool:
    from ipaddress import ip_address

    try:
        ip_address(text)
    except ValueError:
        return text == "localhost"
    return True


@dataclass(frozen=True)
class Settings:
    """What is in force. The defaults are those of the game that the file's shape comes from."""

    grid_size: int = _setting(
        "Game.GridSize", 9, "an odd whole number from 3 to 19", lambda value: 3 <= value <= 19 and value % 2
    )
    mcts_iterations: int = _count("Game.MCTSIterations", 1000, 100_000_000)
    default_ip: str = _setting(
        "Game.DefaultIP", "127.0.0.1", "an IP address such as '127.0.0.1', or 'localhost'", _is_address
    )
    port: int = _count("Game.Port", 7777, 65535)
    learning_rate: float = _share("AI.Hyperparameters.LearningRate", 0.0005, zero=False)
    gamma: float = _share("AI.Hyperparameters.Gamma", 0.95)
    batch_size: int = _count("AI.Hyperparameters.BatchSize", 128, 1_000_000)
    epsilon_start: float = _share("AI.Exploration.EpsilonStart", 1.0)
    epsilon_min: float = _share("AI.Exploration.EpsilonMin", 0.05)
    epsilon_decay: float = _share("AI.Exploration.EpsilonDecay", 0.9995, zero=False)
    capacity: int = _count("AI.Memory.Capacity", 10_000, 100_000_000)
    target_update_frequency: int = _count("AI.Memory.TargetUpdateFrequency", 500, 100_000_000)
    resign: bool = _setting("Game.Resign", True, "true or false", lambda value: True, later=True)
    katago_command: str = _path("AI.KataGo.Command", "a command, 'off', or '' to look for it in PATH")
    katago_model: str = _path("AI.KataGo.Model", "the path of a net, or '' to look for one")
    katago_config: str = _path("AI.KataGo.Config", "the path of a file for `katago analysis`, or '' for ours")
    katago_visits: int = _setting(
        "AI.KataGo.Visits", 200, "a whole number from 1 to 1000000", _between(1, 1_000_000), later=True
    )
    origins: Mapping[str, str] = field(default_factory=dict)  # by key: a file, a variable or a flag
    notes: tuple[str, ...] = ()  # what was left out of account, a sentence each

    def rows(self, *, whole: bool = False) -> list[tuple[str, Value, str]]:
        """Key, value and where it comes from, in the order of the file; what came later than the file's shape
        only where it was given, or in the whole list.
        """
        return [
            (key, getattr(self, known.attribute), self.origins.get(key, DEFAULT))
            for key, known in KNOWN.items()
            if whole or not known.later or self.given(key)
        ]

    def given(self, key: str) -> bool:
        """Whether something other than the default set it."""
        return key in self.origins

    def to_json(self) -> dict[str, Any]:
        """In the shape of the file."""
        whole: dict[str, Any] = {}
        for key, value, _ in self.rows():
            *sections, name = key.split(".")
            inside = whole
            for section in sections:
                inside = inside.setdefault(section, {})
            inside[name] = value
        return whole


class Known(NamedTuple):
    """One setting, as it is described in `Settings`."""

    attribute: str
    type: type[int] | type[float] | type[str] | type[bool]
    may_be: str
    check: Callable[[Any], bool]
    later: bool  # than the first shape of the file


KNOWN: dict[str, Known] = {
    key: Known(f.name, **{name: value for name, value in f.metadata.items() if name != "key"})
    for f in fields(Settings)
    if (key := f.metadata.get("key"))
}


def load(
    flags: Mapping[str, Value] | None = None,
    *,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """What is in force; `flags` are by key. Raises SettingsError at the first thing wrong."""
    environment = os.environ if environment is None else environment
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    notes: list[str] = []

    def take(found: Iterable[tuple[str, object, str]]) -> None:
        for key, value, origin in found:
            values[KNOWN[key].attribute] = _checked(key, value, origin)
            origins[key] = origin

    for path in (user_folder() / FILE, (folder or Path.cwd()) / FILE):
        take(_from_file(path, notes))
    take(_from_environment(environment, notes))
    take((key, value, "flag") for key, value in (flags or {}).items())
    settings = Settings(**values, origins=origins, notes=tuple(notes))  # type: ignore[arg-type]
    _check_together(settings)
    return settings


def user_folder() -> Path:
    """Where the user's own settings are kept on this system."""
    from platformdirs import user_config_path

    return user_config_path("tengen", appauthor=False)


def variable(key: str) -> str:
    """The environment variable of a key."""
    return PREFIX + key.upper().replace(".", "_")


def _checked(key: str, value: object, origin: str) -> Value:
    known = KNOWN[key]
    right_type = type(value) is known.type or (known.type is float and type(value) is int)
    if right_type and known.check(value):
        return known.type(value)  # type: ignore[arg-type,call-overload]
    raise SettingsError(f"{origin}: {key} must be {known.may_be}, not {value!r}.")


def _check_together(settings: Settings) -> None:
    pairs = (
        ("AI.Exploration.EpsilonMin", "AI.Exploration.EpsilonStart"),
        ("AI.Hyperparameters.BatchSize", "AI.Memory.Capacity"),
    )
    for low, high in pairs:
        small, large = getattr(settings, KNOWN[low].attribute), getattr(settings, KNOWN[high].attribute)
        if small > large:
            origin = settings.origins.get(low) or settings.origins.get(high, DEFAULT)
            raise SettingsError(f"{origin}: {low} must be at most {high}, which is {large}, not {small}.")


def _from_environment(environment: Mapping[str, str], notes: list[str]) -> Iterable[tuple[str, object, str]]:
    names = SHORT | {variable(key): key for key in KNOWN}
    for name, text in environment.items():
        if name in names:
            key = names[name]
            yield key, _read(KNOWN[key].type, text), name
        elif name.startswith((f"{PREFIX}GAME_", f"{PREFIX}AI_")):
            notes.append(f"{name} is no setting{_meant(name, names)}.")


def _read(kind: type[int] | type[float] | type[str] | type[bool], text: str) -> Value:
    if kind is bool:
        return {"1": True, "true": True, "0": False, "false": False}.get(text.strip().lower(), text)
    try:
        return kind(text)
    except ValueError:
        return text  # for the check to refuse


def _from_file(path: Path, notes: list[str]) -> Iterable[tuple[str, object, str]]:
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise SettingsError(f"Cannot read {path}: {error.strerror}.") from None
    try:
        if len(data) > _MAX_BYTES:
            raise ValueError
        content = json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as error:
        if not any(f'"{section}"' in error.doc for section in SECTIONS):
            notes.append(f"{path} is not ours, and not JSON.")
            return
        raise SettingsError(f"{path} is not JSON: {error.msg} in line {error.lineno}.") from None
    except (ValueError, RecursionError):
        notes.append(f"{path} is not ours, and not JSON.")
        return
    if not isinstance(content, dict) or not any(section in content for section in SECTIONS):
        notes.append(f"{path} has neither Game nor AI in it and is taken for another program's.")
        return
    yield from _flatten(content, "", str(path))


def _flatten(content: object, prefix: str, origin: str) -> Iterable[tuple[str, object, str]]:
    inside = {key for key in KNOWN if key.startswith(prefix)}
    if not isinstance(content, dict):
        names = dict.fromkeys(key[len(prefix) :].split(".")[0] for key in KNOWN if key in inside)
        raise SettingsError(
            f"{origin}: {prefix[:-1]} must be an object with {', '.join(names)}, not {content!r}."
        )
    for name, value in content.items():
        key = prefix + name
        if key in KNOWN:
            yield key, value, origin
        elif any(known.startswith(f"{key}.") for known in inside):
            yield from _flatten(value, f"{key}.", origin)
        else:
            sections = {".".join(known.split(".")[:-1]) for known in KNOWN}
            raise SettingsError(f"{origin}: {key} is no setting{_meant(key, [*KNOWN, *sections])}.")


def _meant(word: str, known: Iterable[str]) -> str:
    by_lower = {name.lower(): name for name in known}
    close = get_close_matches(word.lower(), by_lower, n=1)
    return f"; {by_lower[close[0]]} is" if close else ""
