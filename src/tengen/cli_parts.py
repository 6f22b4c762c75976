"""What several commands share: the options that are spelled alike, a game from words, a progress bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tengen.game import Game, InvalidOption, Option, OptionValue
from tengen.games import BUILT_IN, game_class, games

if TYPE_CHECKING:
    from rich.progress import Progress


def complete_game(incomplete: str) -> list[str]:
    return [name for name in games() if name.startswith(incomplete)]


GAMES = f"{', '.join(BUILT_IN)}, or a game that was installed beside"
GameName = Annotated[str, typer.Argument(help=GAMES, autocompletion=complete_game)]
OptionWords = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, such as -o komi=7.5."),
]
Size = Annotated[int | None, typer.Option("--size", help="The board's size: short for -o size=N.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs to read.")]
Threads = Annotated[int, typer.Option(help="How many threads search.", min=1)]


def make_game(name: str, words: list[str] | None, size: int | None = None) -> Game:
    """The game with options given as NAME=VALUE."""
    kind = game_class(name)
    known = {option.name: option for option in kind.option_list}
    options: dict[str, OptionValue] = {}
    for word in words or []:
        key, equals, text = word.partition("=")
        if not equals:
            raise InvalidOption(f"{word!r} should be NAME=VALUE, such as size=9.")
        options[key] = read_value(known[key], text) if key in known else text
    if size is not None:
        options["n" if "n" in known else "size"] = size
    return kind(**options)


def read_value(option: Option, text: str) -> OptionValue:
    """The value that a word stands for; what cannot be read is left for the option to refuse."""
    if option.optional and text.lower() in ("none", ""):
        return None
    if option.type is bool:
        return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(
            text.lower(), text
        )
    try:
        return option.type(text)
    except ValueError:
        return text


def progress_bar() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
