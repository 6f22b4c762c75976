"""`tengen new NAME`: a package with a small game that passes the contract suite, to be made one's own.

The game is a race to three in a row on a board of nine; its file says what to change first.
"""

from __future__ import annotations

import importlib.util
import keyword
import re
import shutil
from pathlib import Path
from string import Template

from tengen.files import write_whole
from tengen.game import InvalidOption
from tengen.games import BUILT_IN

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
TEMPLATES = Path(__file__).parent / "templates" / "new_game"


USED = ("outcome", "position")  # what the template's file calls by these names


def write_game(name: str, folder: Path) -> list[Path]:
    """Writes the package into a new folder of that name and returns the files.

    Raises InvalidOption or OSError, and then nothing has been written.
    """
    if not _NAME.fullmatch(name):
        raise InvalidOption(
            f"{name!r} is no name for a game: use small letters, digits and -, such as my-game."
        )
    if name in BUILT_IN:
        raise InvalidOption(f"There is a game {name!r} already, and its name cannot be taken over.")
    if _is_taken(name.replace("-", "_")):
        raise InvalidOption(
            f"{name!r} is a name that Python or the game's file uses: choose another, such as {name}-game."
        )
    target = folder / name
    if target.exists():
        raise InvalidOption(f"{target} exists already; nothing was written.")
    words = {
        "name": name,
        "module": name.replace("-", "_"),
        "title": name.replace("-", " ").capitalize(),
        "kind": "".join(part.capitalize() for part in name.split("-")),
    }
    files = {}
    for template in sorted(TEMPLATES.iterdir()):
        path = target / template.name.removesuffix(".txt").replace("game", words["module"])
        files[path] = Template(template.read_text(encoding="utf-8")).substitute(words)
    target.mkdir(parents=True)
    try:
        for path, text in files.items():
            write_whole(path, text.encode())
    except OSError:
        shutil.rmtree(target)
        raise
    return list(files)


def _is_taken(module: str) -> bool:
    """Whether a module of that name would stand in the way of another, or cannot be imported."""
    found = importlib.util.find_spec(module)
    there = found is not None and found.origin is not None  # a folder without a module has none
    return there or keyword.iskeyword(module) or module in USED
