"""The command line: thin commands, each of which imports what it needs when it runs.

Data goes to stdout, messages and progress to stderr. Exit codes: 0 done, 1 the answer is no (a check failed),
2 the request was wrong, 130 interrupted. Start reading at `main`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tengen.game import Game, InvalidOption, Option, OptionValue
from tengen.games import game_class

if TYPE_CHECKING:
    from rich.progress import Progress

app = typer.Typer(
    name="tengen",
    help="Play, study and train machines for Great Kingdom, Go, Kelasu and Dominion Duel.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

GameName = Annotated[str, typer.Argument(help="great-kingdom, go, kelasu or dominion-duel")]
OptionWords = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, such as -o komi=7.5."),
]
Size = Annotated[int | None, typer.Option("--size", help="The board's size: short for -o size=N.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs to read.")]
Threads = Annotated[int, typer.Option(help="How many threads search.", min=1)]


def main() -> NoReturn:
    """Runs the command; what a person got wrong becomes one sentence and exit code 2."""
    from tengen.players.player import PlayerError

    try:
        app()
    except (ValueError, PlayerError, OSError) as error:
        typer.echo(f"tengen: {error}", err=True)
        sys.exit(2)
    except KeyboardInterrupt:
        typer.echo("Interrupted.", err=True)
        sys.exit(130)
    sys.exit(0)


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


@app.command()
def arena(
    game: GameName,
    a: Annotated[
        str, typer.Argument(help="level:N, mcts:VISITS, mcts:SECONDSs, flat:PLAYOUTS, random or gtp:COMMAND")
    ],
    b: Annotated[str, typer.Argument(help="The other player.")],
    games: Annotated[int, typer.Option(help="How many games, half with each colour.", min=1)] = 100,
    option: OptionWords = None,
    size: Size = None,
    folder: Annotated[
        Path | None, typer.Option(help="Where games are kept and a stopped match goes on.")
    ] = None,
    seed: Annotated[int, typer.Option(help="For openings and players.")] = 1,
    workers: Annotated[int | None, typer.Option(help="Games at once; all cores unless given.", min=1)] = None,
    as_json: AsJson = False,
) -> None:
    """Play many games between two players and say who is stronger, with the error bar.

    Example: tengen arena go level:5 "gtp:gnugo --mode gtp --level 1" --size 9 --games 20
    """
    from tengen.arena import Arena

    chosen = make_game(game, option, size)
    place = folder or Path("arena") / "-".join(_slug(part) for part in (game, str(chosen.width), a, "vs", b))
    match = Arena(chosen, a, b, folder=place, seed=seed, workers=workers)
    with progress_bar() as bar:
        task = bar.add_task(f"{a} against {b}", total=games)

        def show(standings: object) -> None:
            bar.update(task, completed=match.standings.games)

        standings = match.run(games, show)
    found = standings.to_json()
    if as_json:
        print(json.dumps({"game": game, "options": chosen.options, "a": a, "b": b} | found))
        return
    elo, low, high = standings.elo()
    share, (share_low, share_high) = standings.score, standings.interval()
    print(f"{a} against {b}: {found['wins']} won, {found['draws']} drawn, {found['losses']} lost")
    print(f"score {share:.1%} (95 % from {share_low:.1%} to {share_high:.1%})")
    print(f"Elo {elo:+.0f} (95 % from {low:+.0f} to {high:+.0f})")
    for seat, name in enumerate(chosen.seats):
        points, count = standings.by_seat(seat)
        print(f"as {name}: {points:g} of {count}")
    print("ended by", ", ".join(f"{reason} {count}" for reason, count in found["reasons"].items()))
    print(f"games are in {place}")


def _slug(text: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in text).strip("-").lower()


@app.command()
def analyse(
    file: Annotated[Path, typer.Argument(help="An SGF file or a tengen record.")],
    visits: Annotated[int, typer.Option(help="Simulations a position.", min=1)] = 1000,
    threads: Threads = 1,
    as_json: AsJson = False,
) -> None:
    """Review a game: the win rate after every move, the mistakes by size, and what was better.

    Example: tengen analyse game.sgf --visits 5000
    """
    from tengen.records import load_any
    from tengen.search.analysis import review

    record = load_any(file)
    states = list(record.states())
    moves = [
        (before, after.actions[len(before.actions) :])
        for before, after in zip(states, states[1:], strict=False)
        if after.actions[-1] >= 0
    ]
    with progress_bar() as bar:
        task = bar.add_task("Reviewing", total=len(moves))
        reviewed = review(
            moves, visits=visits, threads=threads, progress=lambda done, _: bar.update(task, completed=done)
        )
    if as_json:
        rows = [
            {
                "number": r.number,
                "seat": r.seat,
                "move": r.move,
                "win_before": round(r.win_before, 4),
                "win_after": round(r.win_after, 4),
                "lead": None if r.lead is None else round(r.lead, 2),
                "best": r.best,
                "line": list(r.line),
                "mistake": r.mistake,
            }
            for r in reviewed
        ]
        print(json.dumps({"game": record.game, "visits": visits, "moves": rows}))
        return
    seats = states[0].game.seats
    for r in reviewed:
        lead = "" if r.lead is None else f"  lead {r.lead:+.1f}"
        note = f"  {r.mistake}: {r.best} was better ({' '.join(r.line[:6])})" if r.mistake else ""
        print(f"{r.number:4} {seats[r.seat]:8} {r.move:8} win {r.win_after:6.1%}{lead}{note}")
    for seat, name in enumerate(seats):
        kinds = [r.mistake for r in reviewed if r.seat == seat and r.mistake]
        counts = (
            ", ".join(f"{kinds.count(kind)} {kind}" for kind in dict.fromkeys(kinds)) or "no mistakes found"
        )
        print(f"{name}: {counts}")


@app.command()
def bench(
    seconds: Annotated[float, typer.Option(help="How long to measure each row.", min=0.05)] = 1.0,
    as_json: AsJson = False,
) -> None:
    """Measure the speed of this machine: random playouts and tree simulations a second, one thread.

    `make bench` in the source tree compares with other programs.
    """
    from tengen.search.speed import measure

    rows = measure(seconds)
    if as_json:
        print(json.dumps([row._asdict() for row in rows]))
        return
    for row in rows:
        print(
            f"{row.game:15} {row.board:8} {row.playouts_s:12,.0f} playouts/s {row.simulations_s:10,.0f} simulations/s"
        )


@app.command()
def gtp(
    game: Annotated[str, typer.Argument(help="The game to begin with; `tengen-game` changes it.")] = "go",
    strength: Annotated[int, typer.Option("--level", help="The level that plays.", min=1)] = 10,
    visits: Annotated[int | None, typer.Option(help="Simulations a move instead of a level.", min=1)] = None,
    option: OptionWords = None,
    size: Size = None,
    threads: Threads = 1,
) -> None:
    """Speak GTP on standard input and output, for Sabaki, GoGui, twogtp and other controllers.

    Example: tengen gtp --level 10 --threads 2
    """
    from tengen.players.engine import engine

    engine(make_game(game, option, size), level=strength, visits=visits, threads=threads).run()


@app.command()
def solve(
    game: GameName,
    option: OptionWords = None,
    size: Size = None,
    position: Annotated[
        str | None, typer.Option(help="A position instead of the start; rows joined by /.")
    ] = None,
    to_move: Annotated[
        int, typer.Option(help="The seat to move in that position, 0 or 1.", min=0, max=1)
    ] = 0,
    memory_mb: Annotated[int, typer.Option(help="For the table of known positions.", min=1)] = 512,
    as_json: AsJson = False,
) -> None:
    """Work out the exact value of a small board, with the best line.

    Example: tengen solve great-kingdom --size 5
    """
    from tengen.search.solve_report import run

    chosen = make_game(game, option, size)
    state = chosen.start() if position is None else chosen.position(position, to_move)
    run(state, memory_mb=memory_mb, as_json=as_json)


if __name__ == "__main__":
    main()
