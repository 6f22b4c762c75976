"""The command line: thin commands, each of which imports what it needs when it runs.

Data goes to stdout, messages and progress to stderr. Exit codes: 0 done, 1 the answer is no (a check failed),
2 the request was wrong, 130 interrupted. Start reading at `main`.
"""

from __future__ import annotations

import json
import math
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from tengen import cli_brains, cli_learn, cli_server
from tengen.game import Game, InvalidOption, Option, OptionValue
from tengen.games import game_class, games

if TYPE_CHECKING:
    from rich.progress import Progress

app = typer.Typer(
    name="tengen",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # help from Rich would take twice the time
    epilog="Exit codes: 0 done, 1 the answer is no, 2 the request was wrong, 130 interrupted.",
)


@app.callback()
def front(context: typer.Context) -> None:
    """Play, host, study and train machines for Great Kingdom, Go, Kelasu and Dominion Duel.

    Without a command tengen opens in the browser, for this machine alone.
    """
    if context.invoked_subcommand is not None:
        return
    from tengen.server.serve import play_in_browser
    from tengen.settings import load

    play_in_browser(load().port)


def _complete_game(incomplete: str) -> list[str]:
    return [name for name in games() if name.startswith(incomplete)]


_GAMES = "great-kingdom, go, kelasu or dominion-duel"
GameName = Annotated[str, typer.Argument(help=_GAMES, autocompletion=_complete_game)]
OptionWords = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, such as -o komi=7.5."),
]
Size = Annotated[int | None, typer.Option("--size", help="The board's size: short for -o size=N.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for programs to read.")]
Threads = Annotated[int, typer.Option(help="How many threads search.", min=1)]


def main() -> NoReturn:
    """Runs the command; what a person got wrong becomes one sentence and exit code 2."""
    try:
        app(prog_name="tengen")
    except (ValueError, OSError) as error:
        _fail(error)
    except KeyboardInterrupt:
        typer.echo("Interrupted.", err=True)
        sys.exit(130)
    except Exception as error:
        from tengen.players.player import PlayerError  # imports the search: only when something failed

        if not isinstance(error, PlayerError):
            raise
        _fail(error)
    sys.exit(0)


def _fail(error: Exception) -> NoReturn:
    typer.echo(f"tengen: {error}", err=True)
    sys.exit(2)


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
def play(
    game: Annotated[
        str | None, typer.Argument(help=f"{_GAMES}; asks when left out.", autocompletion=_complete_game)
    ] = None,
    first: Annotated[str, typer.Option(metavar="PLAYER", help="Who moves first.")] = "person",
    second: Annotated[
        str, typer.Option("--second", "--against", "-a", metavar="PLAYER", help="Who moves second.")
    ] = "person",
    option: OptionWords = None,
    size: Size = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the game that was left last.")] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="For screen readers: no drawing, no colours.")
    ] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the game there at the end; SGF if it ends in .sgf."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Makes the machine's moves repeatable.", min=0)] = None,
) -> None:
    """Play in the terminal, against each other or a machine.

    Without players two people play here; give one for a machine, or two to watch.
    A PLAYER is person, level:N, mcts:VISITS, mcts:SECONDSs, mcts, random or gtp:COMMAND.

    Example: tengen play great-kingdom --against level:3

    Example: tengen play go --size 9 --first "gtp:gnugo --mode gtp"
    """
    from tengen.settings import load
    from tengen.terminal import start

    if resume and (option or size is not None or (first, second) != ("person", "person")):
        raise InvalidOption(
            "--resume goes on with a game as it was set up: leave out players, size and options."
        )
    settings = load({} if size is None or game != "great-kingdom" else {"Game.GridSize": size})

    def make(name: str, asked: int | None) -> Game:
        chosen = asked if size is None else size
        sized = any(word.startswith("size=") for word in option or [])
        if name == "great-kingdom" and chosen is None and not sized and settings.given("Game.GridSize"):
            chosen = settings.grid_size
        return make_game(name, option, chosen)

    start.play(
        make,
        game,
        (first, second),
        iterations=settings.mcts_iterations,
        resume=resume,
        plain=plain,
        record=save,
        seed=seed,
    )


cli_server.add_to(app)
cli_learn.add_to(app, make_game)
cli_brains.add_to(app, progress_bar)


@app.command()
def config(as_json: AsJson = False) -> None:
    """Show the settings in force and where each comes from.

    A config.json is looked for in the working directory and in the user's configuration folder. In the
    environment Game.Port is TENGEN_GAME_PORT, and so on.
    """
    from tengen.settings import FILE, load, user_folder

    settings = load()
    if as_json:
        print(json.dumps({"settings": settings.to_json(), "origins": dict(settings.origins)}))
    else:
        for key, value, origin in settings.rows():
            print(f"{key:34} {value!s:12} {origin}")
    for note in settings.notes:
        typer.echo(f"Note: {note}", err=True)
    if not as_json:
        typer.echo(f"Your own settings would be in {user_folder() / FILE}.", err=True)


@app.command()
def doctor(as_json: AsJson = False) -> None:
    """Say what works on this machine, and how to fix what does not.

    The exit code is 1 when something needs fixing.

    Example: tengen doctor --json
    """
    from tengen.terminal.doctor import examine, report

    found = examine()
    if as_json:
        print(json.dumps([row._asdict() for row in found]))
    else:
        report(found)
    if any(row.state == "broken" for row in found):
        raise typer.Exit(1)


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
    """Play many games between two players and say who is stronger.

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
    scores = found["score_by_reason"]
    print("ended by", ", ".join(f"{why} {n} (A {scores[why]:.0%})" for why, n in found["reasons"].items()))
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
    """Review a game: win rates, mistakes by size, what was better.

    Example: tengen analyse game.sgf --visits 5000
    """
    from tengen.analysis import review
    from tengen.records import load_any

    record = load_any(file)
    states = list(record.states())
    moves = [
        (before, after.actions[len(before.actions) :])
        for before, after in pairwise(states)
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
    """Measure how fast this machine plays out and searches, on one thread.

    `make bench` in the source tree compares with other programs.
    """
    from tengen.search.speed import measure

    rows = measure(seconds)
    if as_json:
        print(json.dumps([row._asdict() for row in rows]))
        return
    for row in rows:
        speeds = f"{row.playouts_s:12,.0f} playouts/s {row.simulations_s:10,.0f} simulations/s"
        print(f"{row.game:15} {row.board:8} {speeds}")


@app.command()
def gtp(
    game: Annotated[str, typer.Argument(help="The game to begin with; `tengen-game` changes it.")] = "go",
    strength: Annotated[int, typer.Option("--level", help="The level that plays.", min=1)] = 10,
    visits: Annotated[int | None, typer.Option(help="Simulations a move instead of a level.", min=1)] = None,
    option: OptionWords = None,
    size: Size = None,
    threads: Threads = 1,
) -> None:
    """Speak GTP on standard input and output, for Sabaki, GoGui and others.

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
    from rich.console import Console

    from tengen.search.solve import Progress as Now
    from tengen.search.solve import Solution, SolvingStopped
    from tengen.search.solve import solve as find_value

    chosen = make_game(game, option, size)
    state = chosen.start() if position is None else chosen.position(position, to_move)

    def show(found: Solution) -> None:
        if as_json:
            bounds = [
                found.low if math.isfinite(found.low) else None,
                found.high if math.isfinite(found.high) else None,
            ]
            value = found.value if found.value is not None and math.isfinite(found.value) else None
            print(
                json.dumps(
                    {
                        "game": game,
                        "options": chosen.options,
                        "exact": found.exact,
                        "value": value,
                        "bounds": bounds,
                    }
                    | {"winner": found.winner, "text": found.text, "line": list(found.moves)}
                    | {"nodes": found.nodes, "seconds": round(found.seconds, 2)}
                )
            )
            return
        print(found.text)
        if found.moves:
            print("Best play:", " ".join(found.moves))
        print(f"{found.nodes:,} nodes in {found.seconds:.1f} s")

    with Console(stderr=True).status("Solving") as status:

        def progress(now: Now) -> None:
            status.update(f"{now.question} {now.nodes:,} nodes, {now.seconds:.0f} s")

        try:
            found = find_value(state, memory_mb=memory_mb, progress=progress)
        except SolvingStopped as stopped:
            show(stopped.known)
            raise
    show(found)


if __name__ == "__main__":
    main()
