"""The commands that train: `tengen train` and `tengen duel`; `tengen.cli` adds them to the others.

A run trains in a process of its own (`tengen.learn.runs`). What happens here is finding or making one,
starting it and watching it.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tengen.cli_parts import GAMES, OptionWords, Size, complete_game, make_game
from tengen.game import Game, InvalidOption
from tengen.games import BUILT_IN, game_class

if TYPE_CHECKING:
    from tengen.brains.store import StoredBrain
    from tengen.learn.runs import Run
    from tengen.settings import Settings


GameName = Annotated[str | None, typer.Argument(help=GAMES, autocompletion=complete_game)]
Minutes = Annotated[
    float | None, typer.Option(help="Stop after so long; until it is stopped unless given.", min=0.01)
]
Games = Annotated[int | None, typer.Option(help="Stop after so many games.", min=1)]
SettingWords = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A setting of the algorithm; docs/training.md has them."
    ),
]
Name = Annotated[str | None, typer.Option(metavar="RUN", help="What the new run is called.")]
Resume = Annotated[
    str | None, typer.Option(metavar="RUN", help="Go on with a run, or watch one that is running.")
]
Plain = Annotated[bool, typer.Option("--plain", help="For screen readers: lines instead of a drawing.")]
Detach = Annotated[bool, typer.Option("--detach", help="Start it and leave it running.")]


def train(
    game: GameName = None,
    algorithm: Annotated[str, typer.Option(help="gumbel, or dqn where a game knows it.")] = "gumbel",
    minutes: Minutes = None,
    games: Games = None,
    option: OptionWords = None,
    size: Size = None,
    setting: SettingWords = None,
    start: Annotated[
        str | None,
        typer.Option("--from", metavar="BRAIN", help="A brain to go on from, such as latest."),
    ] = None,
    recipe: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="A whole run in a file, or the name of one of ours."),
    ] = None,
    name: Name = None,
    resume: Resume = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Self-play on a Ray cluster; local starts one.")
    ] = None,
    list_runs: Annotated[bool, typer.Option("--list", help="Show the runs there are.")] = False,
    remove: Annotated[str | None, typer.Option(metavar="RUN", help="Delete a run; its brains stay.")] = None,
    plain: Plain = False,
    detach: Detach = False,
) -> None:
    """Train a neural net, and watch how it goes.

    Training goes on in its own process: d leaves it running, q or Ctrl-C stops it, and it can be resumed.
    Go is trained on 9x9 unless --size says otherwise. The settings of dqn come from config.json.

    Example: tengen train great-kingdom --minutes 30

    Example: tengen train --resume great-kingdom-gumbel-1

    Example: tengen train --recipe great-kingdom
    """
    if list_runs:
        _list()
    elif remove is not None:
        _remove(remove)
    elif resume is not None:
        made = (game, option, size, setting, start, recipe, name, cluster)
        _go_on(resume, minutes, games, any(one is not None for one in made), plain, detach)
    elif recipe is not None:
        given = (game, option, size, setting, start)
        run, limit = _run_by_recipe(recipe, any(one is not None for one in given), name, cluster)
        _run(run, minutes, games if games is not None or minutes is not None else limit, plain, detach)
    else:
        run = _new_run(game, algorithm, option, size, setting, start, name, cluster)
        _run(run, minutes, games, plain, detach)


def _run_by_recipe(
    name_or_file: str, more: bool, name: str | None, cluster: str | None
) -> tuple[Run, int | None]:
    """The run, and after how many games it ends."""
    from tengen.learn.recipe import read_recipe
    from tengen.learn.runs import Run, RunError, require_torch

    if more:
        raise RunError("A recipe says which game, options and settings: none of them may be given beside it.")
    recipe = read_recipe(name_or_file)
    require_torch()
    brains = () if recipe.brain is None else (_reference(_brain(recipe.game, "gumbel", recipe.brain)),)
    run = Run.create(
        "gumbel", recipe.game, recipe.options, recipe.settings, name=name, brains=brains, cluster=cluster
    )
    return run, recipe.games


def _new_run(
    game: str | None,
    algorithm: str,
    option: list[str] | None,
    size: int | None,
    setting: list[str] | None,
    start: str | None,
    name: str | None,
    cluster: str | None,
) -> Run:
    """What is wrong is said before anything is made."""
    from tengen.learn.runs import Run, RunError, require_torch
    from tengen.settings import load

    if game is None:
        raise InvalidOption(f"Which game? Such as: tengen train {BUILT_IN[0]}.")
    if algorithm not in ("gumbel", "dqn"):
        raise RunError(f"There is no algorithm {algorithm!r}; there are gumbel and dqn.")
    if algorithm == "dqn" and "dqn" not in game_class(game).learning_kind.algorithms:
        from tengen.learn.dqn_settings import learners

        raise RunError(f"The DQN learns {' and '.join(learners('dqn'))} only; gumbel learns every game.")
    if algorithm == "dqn" and cluster is not None:
        raise RunError("The DQN trains on this machine only; --cluster is for gumbel.")
    require_torch()
    if cluster is not None:
        from tengen.learn.cluster import require_ray

        require_ray()
    settings = load()
    brain = None if start is None else _brain(game, algorithm, start)
    learned: dict[str, Any] = {}
    if brain is not None and not option and size is None:
        chosen = brain.info.make_game()
        if brain.info.mixture:
            learned["mixture"] = list(brain.info.mixture)
    else:
        chosen = make_game(game, option, _size(game, option, size, settings))
    return Run.create(
        "dqn" if algorithm == "dqn" else "gumbel",
        game,
        chosen.options,
        learned | _settings(algorithm, chosen, settings, setting),
        name=name,
        brains=() if brain is None else [_reference(brain)],
        cluster=cluster,
    )


def duel(
    game: GameName = None,
    a: Annotated[str | None, typer.Argument(help="A brain; the best measured unless given.")] = None,
    b: Annotated[str | None, typer.Argument(help="The other; the second best unless given.")] = None,
    minutes: Minutes = None,
    games: Games = None,
    option: OptionWords = None,
    size: Size = None,
    setting: SettingWords = None,
    name: Name = None,
    resume: Resume = None,
    plain: Plain = False,
    detach: Detach = False,
) -> None:
    """Brain against brain: two play each other and learn from it.

    Both are gumbel brains or both dqn brains, made for the same board and rules. When it ends a last
    match decides, and the better one becomes the brain called latest, which plays from then on wherever
    no other is chosen.

    Example: tengen duel great-kingdom

    Example: tengen duel go best default --minutes 20
    """
    if resume is not None:
        made = (game, option, size, setting, name)
        _go_on(resume, minutes, games, any(one is not None for one in made), plain, detach)
        return
    from tengen.brains.store import BrainStore
    from tengen.learn.contenders import contenders
    from tengen.learn.runs import Run, require_torch
    from tengen.settings import load

    if game is None:
        raise InvalidOption(f"Which game? Such as: tengen duel {BUILT_IN[0]}.")
    require_torch()
    chosen = make_game(game, option, size) if option or size is not None else None
    pair = contenders(BrainStore(), game, [one for one in (a, b) if one is not None], chosen)
    run = Run.create(
        "duel",
        game,
        pair[0].info.options,
        _settings(pair[0].info.algorithm, pair[0].info.make_game(), load(), setting),
        name=name,
        brains=[_reference(one) for one in pair],
    )
    _run(run, minutes, games, plain, detach)


def add_to(app: typer.Typer) -> None:
    for command in (train, duel):
        app.command()(command)


def _size(game: str, option: list[str] | None, size: int | None, settings: Settings) -> int | None:
    if size is not None or any(word.startswith("size=") for word in option or []):
        return size
    kind = game_class(game)
    if kind.look_kind.config_size and settings.given("Game.GridSize"):
        return settings.grid_size
    usual = kind.learning_kind.options.get("size")
    return usual if isinstance(usual, int) else None


def _brain(game: str, algorithm: str, name: str) -> StoredBrain:
    from tengen.brains.store import BrainStore
    from tengen.learn.runs import RunError

    found = BrainStore().entry(game, name)
    if found.info.algorithm != algorithm:
        raise RunError(
            f"{found.name} is a {found.info.algorithm} brain: add --algorithm {found.info.algorithm}."
        )
    return found


def _reference(brain: StoredBrain) -> str:
    """What the process that trains, in another folder, finds it by."""
    return brain.name if brain.shipped else str(brain.path.absolute())


def _settings(algorithm: str, game: Game, settings: Settings, words: list[str] | None) -> dict[str, Any]:
    """The settings of a new run; a wrong one is refused before the run is made."""
    given = _words(words)
    if algorithm == "dqn":
        from tengen.learn.dqn_settings import dqn_settings

        return asdict(dqn_settings(settings, given))
    from tengen.learn.settings import settings_for

    settings_for(game.name, given)
    return given


def _words(words: list[str] | None) -> dict[str, Any]:
    given = {}
    for word in words or []:
        name, equals, text = word.partition("=")
        if not equals:
            raise InvalidOption(f"{word!r} should be NAME=VALUE, such as full_simulations=64.")
        try:
            given[name] = json.loads(text)
        except ValueError:
            given[name] = text
    return given


def _go_on(
    name: str, minutes: float | None, games: int | None, made: bool, plain: bool, detach: bool
) -> None:
    from tengen.learn.runs import Run, RunError

    if made:
        raise RunError("--resume goes on with a run as it was made: only --minutes and --games may be given.")
    run = Run.open(name)
    if not run.running:
        _run(run, minutes, games, plain, detach)
    elif minutes is not None or games is not None:
        raise RunError(f"{name} is running: stop it first to give it another limit.")
    elif not detach:
        _watch(run, plain)


def _run(run: Run, minutes: float | None, games: int | None, plain: bool, detach: bool) -> None:
    from tengen.learn.runs import RunError

    try:
        run = run.start(minutes=minutes, games=games)
    except KeyboardInterrupt:
        with contextlib.suppress(RunError):  # it had not begun
            run.stop()
        raise
    if detach:
        print(run.name)
        typer.echo(f"It trains; tengen train --resume {run.name} shows how it goes.", err=True)
    else:
        _watch(run, plain)


def _watch(run: Run, plain: bool) -> None:
    from tengen.terminal.training import watch

    if watch(run, plain=plain).state == "failed":
        raise typer.Exit(1)


def _list() -> None:
    from tengen.learn.runs import Run, RunError, run_names, training_folder
    from tengen.terminal.training import row

    names = run_names()
    for name in names:
        try:
            run = Run.open(name)
        except RunError as error:
            typer.echo(f"{name}: {error}", err=True)
            continue
        print(row(run, run.status()))
    if not names:
        typer.echo(f"There are no training runs in {training_folder()} yet.", err=True)


def _remove(name: str) -> None:
    from tengen.learn.runs import Run

    Run.open(name).remove()
    typer.echo(f"Removed {name}.", err=True)
