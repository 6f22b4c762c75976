"""The commands of `tengen brains`, which look after the brains on this machine; `tengen.cli` adds them.

Each imports what it needs when it runs. Names of brains are explained in `tengen.brains.store`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from tengen.cli_parts import AsJson, GameName, complete_game, progress_bar
from tengen.extras import need
from tengen.games import games as all_games

if TYPE_CHECKING:
    from tengen.arena import Standings
    from tengen.brains.info import BrainInfo
    from tengen.brains.store import BrainStore, Rating, StoredBrain

Found = TypeVar("Found")
ShowProgress = Callable[[str, int, int], None]  # what is being played, games done, games to do


def _complete_name(context: typer.Context, incomplete: str) -> list[str]:
    from tengen.brains.store import WORDS, BrainStore

    names = list(WORDS)
    with suppress(ValueError, OSError):
        names += [one.name for one in BrainStore().list(context.params["game"]) if not one.shipped]
    return [name for name in names if name.startswith(incomplete)]


BrainName = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A name, a file, latest, best or default.", autocompletion=_complete_name
    ),
]
Simulations = Annotated[int, typer.Option(help="How far a brain searches each move.", min=1)]
Workers = Annotated[int | None, typer.Option(help="Games at once; all cores unless given.", min=1)]


def _need_brains() -> None:
    """List, measure, compare, import and export brains: nets that play."""
    need("brains", "tengen brains")


def list_(
    game: Annotated[
        str | None, typer.Argument(help="Only brains of this game.", autocompletion=complete_game)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the brains on this machine, the strongest first.

    Example: tengen brains list great-kingdom
    """
    from tengen.brains.store import BrainStore

    store = BrainStore()
    rows: list[dict[str, Any]] = []
    for name in all_games() if game is None else [game]:
        found, faults = store.scan(name)
        rows += _rows(store, name, found)
        for fault in faults:
            typer.echo(f"Note: {fault}", err=True)
    if as_json:
        print(json.dumps(rows))
        return
    if not rows:
        typer.echo(f"There are no brains yet in {store.root}.", err=True)
    for name in dict.fromkeys(row["game"] for row in rows):
        _print_table(name, [row for row in rows if row["game"] == name])


def show(game: GameName, name: BrainName, as_json: AsJson = False) -> None:
    """Check a brain and say all there is to know of it.

    Example: tengen brains show go latest
    """
    from tengen.brains.store import BrainStore, load

    store = BrainStore()
    stored = store.entry(game, name)
    brain = load(stored.path)
    row = _rows(store, game, [stored])[0] | {"sha256": stored.digest, "bytes": len(brain.data)}
    if as_json:
        print(json.dumps(row))
        return
    options = ", ".join(f"{key}={value}" for key, value in brain.game.options.items())
    lines = {
        "name": row["name"] + _notes(row),
        "title": row["title"],
        "game": f"{brain.game.title} on {row['board']}",
        "options": options,
        "algorithm": row["algorithm"],
        "games": f"{row['games']:,} in training",
        "loss": f"{row['loss']:.6f}",
        "rating": _rating_text(stored.rating) or "not measured yet: `tengen brains rate` measures it",
        "claims": "" if row["claimed"] is None else f"{row['claimed']:+.0f} by its own description",
        "created": row["created"],
        "file": f"{stored.path} ({len(brain.data):,} bytes)",
        "sha256": stored.digest,
    }
    for key, text in lines.items():
        if text:
            print(f"{key:10} {text}")


def import_(
    file: Annotated[
        Path, typer.Argument(readable=False, help="A brain file, from anyone: it is checked first.")
    ],
    as_json: AsJson = False,
) -> None:
    """Take in a brain that somebody else has trained.

    Example: tengen brains import brain_L012300_G5000_20260301_120000.onnx
    """
    from tengen.brains.store import BrainStore

    store = BrainStore()
    stored = store.import_(file)
    if as_json:
        print(json.dumps(_rows(store, stored.info.game, [stored])[0]))
        return
    print(f"Imported {stored.name} for {stored.info.game}.")


def export(
    game: GameName,
    name: BrainName,
    target: Annotated[Path, typer.Argument(help="A folder, or a file that is not there yet.")] = Path(),
) -> None:
    """Copy a brain to a file for others, with its measured rating inside.

    Example: tengen brains export go best .
    """
    from tengen.brains.store import BrainStore

    print(f"Wrote {BrainStore().export(game, name, target)}.")


def remove(
    game: GameName,
    name: BrainName,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")] = False,
) -> None:
    """Delete a brain from this machine.

    Example: tengen brains remove go brain_L012300_G5000_20260301_120000
    """
    from tengen.brains.store import BrainStore

    store = BrainStore()
    stored = store.entry(game, name, paths=False)
    if not yes and not stored.shipped:
        typer.confirm(f"Delete {stored.name} for good?", abort=True, err=True)
    was_latest = store.latest(game) == stored.name
    store.remove(game, stored.name)
    print(" ".join([f"Removed {stored.name}.", *([_latest_now(store, game)] if was_latest else [])]))


def _latest_now(store: BrainStore, game: str) -> str:
    """What a removed champion leaves behind."""
    from tengen.brains.info import BrainError
    from tengen.brains.store import LATEST

    try:
        store.entry(game, LATEST)
    except BrainError as error:
        return str(error)
    return "`latest` is the brain that comes with tengen again."


def use(game: GameName, name: BrainName) -> None:
    """Make a brain the champion: `latest` and VS Neural Net mean it from now on.

    Example: tengen brains use go best
    """
    from tengen.brains.store import BrainStore

    stored = BrainStore().set_latest(game, name)
    print(f"{stored.name} is the latest brain for {game}.")


def rate(
    game: GameName,
    name: BrainName,
    games: Annotated[int, typer.Option(help="How many against each opponent.", min=2)] = 40,
    simulations: Simulations = 64,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Measure how strong a brain is, against fixed opponents, and remember it.

    Elo 0 is mcts:1000, our search without a net. If it is stopped, it goes on where it was. Only ratings
    at 64 simulations are remembered, since others could not be compared.

    Example: tengen brains rate great-kingdom latest --games 100
    """
    from tengen.brains.store import BrainStore, load
    from tengen.rating import SIMULATIONS, Examiner

    store = BrainStore()
    stored = store.entry(game, name)
    brain = load(stored.path)
    measured = _with_bar(lambda progress: Examiner(store, games, simulations, workers, progress).rate(brain))
    kept = simulations == SIMULATIONS or brain.info.algorithm == "dqn"
    if kept:
        store.set_rating(game, stored.path, measured.rating)
    else:
        typer.echo(f"Not remembered: ratings are those at {SIMULATIONS} simulations.", err=True)
    if as_json:
        against = {opponent: found.to_json() for opponent, found in measured.against.items()}
        row = {"game": game, "name": stored.name, "simulations": simulations, "zero": measured.zero}
        print(json.dumps(row | {"rating": _rating_json(measured.rating), "against": against}))
        return
    for opponent, found in measured.against.items():
        print(f"{opponent:12} {_score_text(found)}")
    print(f"{stored.name}: Elo {_rating_text(measured.rating)}; {measured.zero} is 0")


def compare(
    game: GameName,
    a: BrainName,
    b: BrainName,
    games: Annotated[int, typer.Option(help="How many, half with each colour.", min=1)] = 100,
    simulations: Simulations = 64,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Let two brains play each other and say which is stronger.

    If it is stopped, it goes on where it was.

    Example: tengen brains compare go latest default --games 200
    """
    from tengen.brains.store import BrainStore, load
    from tengen.rating import Examiner

    store = BrainStore()
    first, second = store.entry(game, a), store.entry(game, b)
    brains = load(first.path), load(second.path)
    found = _with_bar(
        lambda progress: Examiner(store, games, simulations, workers, progress).compare(*brains)
    )
    if as_json:
        row = {"game": game, "options": brains[0].game.options, "a": first.name, "b": second.name}
        print(json.dumps(row | {"simulations": simulations} | found.to_json()))
        return
    elo, low, high = found.elo()
    print(f"{first.name} against {second.name}: {_score_text(found)}")
    print(f"Elo {elo:+.0f} (95 % from {low:+.0f} to {high:+.0f})")
    for seat, title in enumerate(brains[0].game.seats):
        points, count = found.by_seat(seat)
        print(f"as {title}: {points:g} of {count}")
    print("ended by", ", ".join(f"{reason} {count}" for reason, count in found.reasons().items()))


def _with_bar(work: Callable[[ShowProgress], Found]) -> Found:
    with progress_bar() as bar:
        task = bar.add_task("", total=None)

        def show(title: str, done: int, total: int) -> None:
            bar.update(task, description=title, completed=done, total=total)

        return work(show)


def _rows(store: BrainStore, game: str, found: list[StoredBrain]) -> list[dict[str, Any]]:
    latest = store.latest(game)
    rated = [one for one in store.list(game) if one.rating is not None]
    return [
        {
            "game": game,
            "name": one.name,
            "title": one.info.title,
            "board": board_of(one.info),
            "options": dict(one.info.options),
            "algorithm": one.info.algorithm,
            "games": one.info.games,
            "loss": one.info.loss,
            "created": one.info.created,
            "rating": None if one.rating is None else _rating_json(one.rating),
            "claimed": one.info.rating,
            "latest": one.name == latest,
            "best": bool(rated) and rated[0].path == one.path,
            "shipped": one.shipped,
            "path": str(one.path),
        }
        for one in found
    ]


def board_of(info: BrainInfo) -> str:
    """The board's size, from the smallest to the largest that was learned; nothing for wrong options."""
    from tengen.brains.net import board_text

    try:
        learned = sorted(info.learned(), key=lambda game: game.width * game.height)
    except ValueError:
        return ""
    return " to ".join(dict.fromkeys(board_text(game) for game in (learned[0], learned[-1])))


def _rating_json(rating: Rating) -> dict[str, Any]:
    return {"elo": rating.rating, "elo_95": [rating.low, rating.high], "games": rating.games}


def _rating_text(rating: Rating | None) -> str:
    if rating is None:
        return ""
    interval = f"95 % from {rating.low:+.0f} to {rating.high:+.0f}"
    return f"{rating.rating:+.0f} ({interval}, {rating.games} games)"


def _score_text(standings: Standings) -> str:
    found = standings.to_json()
    low, high = standings.interval()
    score = f"{standings.score:.1%} (95 % from {low:.1%} to {high:.1%})"
    return f"{found['wins']} won, {found['draws']} drawn, {found['losses']} lost, {score}"


def _notes(row: dict[str, Any]) -> str:
    words = [word for word in ("latest", "best") if row[word]]
    return f" ({', '.join(words)})" if words else ""


def _print_table(game: str, rows: list[dict[str, Any]]) -> None:
    print(game)
    for row in rows:
        rating = "unrated" if row["rating"] is None else f"Elo {row['rating']['elo']:+.0f}"
        print(
            f"  {row['name']:40} {row['board']:14} {row['algorithm']:7} {row['games']:>9,} games "
            f"loss {row['loss']:.6f} {rating:>10}{_notes(row)}"
        )


def add_to(app: typer.Typer) -> None:
    brains = typer.Typer(
        name="brains",
        callback=_need_brains,
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    commands: dict[str, Callable[..., None]] = {
        "list": list_,
        "show": show,
        "rate": rate,
        "compare": compare,
        "import": import_,
        "export": export,
        "use": use,
        "remove": remove,
    }
    for name, command in commands.items():
        brains.command(name)(command)
    app.add_typer(brains)
