"""The command line: thin commands, each of which imports what it needs when it runs.

Data goes to stdout, messages and progress to stderr. Exit codes: 0 done, 1 the answer is no (a check failed),
2 the request was wrong or an extra is missing, 130 interrupted, 141 nobody reads on (`tengen … | head`).
Start reading at `main`.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, NoReturn, TextIO

import typer

from tengen import cli_brains, cli_learn, cli_server, cli_study
from tengen.cli_parts import GAMES, AsJson, OptionWords, Size, Threads, complete_game, make_game
from tengen.extras import MissingExtra, need
from tengen.facets.machines import forms
from tengen.game import Game, InvalidOption
from tengen.games import game_class

SAVED = (".sgf", ".json")  # how the name of a saved game ends

app = typer.Typer(
    name="tengen",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # help from Rich would take twice the time
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 the answer is no, 2 the request was wrong, 130 interrupted.",
)


def _say_version(asked: bool) -> None:
    if asked:
        from tengen import __version__

        print(f"tengen {__version__}")
        raise typer.Exit


@app.callback()
def front(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", "-V", help="Say which version this is.", callback=_say_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Play, host, study and train machines for four territory games, and for games of your own.

    Without a command tengen opens in the browser, for this machine alone.
    """
    if context.invoked_subcommand is not None:
        return
    need("server", "Playing in the browser (tengen play plays here in the terminal)")
    from tengen.server.serve import play_in_browser
    from tengen.settings import load

    play_in_browser(load().port)


def main() -> NoReturn:
    """Runs the command; what a person got wrong becomes one sentence and exit code 2."""
    _open_closed_streams()
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # × where only ASCII can be written
    try:
        try:
            code = app(prog_name="tengen", standalone_mode=False)
        except SystemExit as ended:
            if isinstance(ended.__context__, BrokenPipeError):  # Click makes an exit code 1 of it
                _leave_quietly()
            raise
        finally:
            sys.stdout.flush()  # here, where it can be told, and not when Python has gone
    except BrokenPipeError:
        _leave_quietly()
    except (ValueError, OSError, MissingExtra) as error:
        _fail(error)
    except KeyboardInterrupt:
        typer.echo("Interrupted.", err=True)
        sys.exit(130)
    except typer.Abort:  # the input ended where an answer was needed
        typer.echo("Aborted.", err=True)
        sys.exit(1)
    except Exception as error:
        if hasattr(error, "format_message"):  # the command line cannot be read
            _refuse(error)
        from tengen.players.player import PlayerError  # imports the search: only when something failed

        if not isinstance(error, PlayerError):
            raise
        _fail(error)
    sys.exit(code or 0)


def _open_closed_streams() -> None:
    """Whoever closed a standard stream gets nothing on it; a file opened later must not take its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
            setattr(sys, name, open(number, "r" if number == 0 else "w", closefd=False))  # noqa: SIM115


def _leave_quietly() -> NoReturn:
    """Nobody reads any more: what is still to be written goes nowhere."""
    _give_up(sys.stdout)
    _give_up(sys.stderr)
    os._exit(141)  # 128 + SIGPIPE, as a shell has it; threads that still write have no say


def _give_up(stream: TextIO) -> None:
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _refuse(error: Any) -> NoReturn:
    from tengen.cli_errors import sentence

    if type(error).__name__ == "NoArgsIsHelpError":  # a group of commands without one: its help
        error.show()
    else:
        typer.echo(f"tengen: {sentence(error)}", err=True)
    sys.exit(error.exit_code)


def _fail(error: Exception) -> NoReturn:
    words = str(error)
    if isinstance(error, OSError) and error.strerror:
        words = f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    typer.echo(f"tengen: {words}", err=True)
    try:
        sys.stdout.flush()
    except (OSError, ValueError):  # Python would try again as it goes, and complain
        _give_up(sys.stdout)
    sys.exit(2)


@app.command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(
            help=f"{GAMES}; or a saved game, as with --open; asks when left out.",
            autocompletion=complete_game,
        ),
    ] = None,
    first: Annotated[str, typer.Option(metavar="PLAYER", help="Who moves first.")] = "person",
    second: Annotated[
        str,
        typer.Option(
            "--second",
            "--against",
            "--opponent",
            "-a",
            metavar="PLAYER",
            help=f"Who moves second: {forms(here=True)}.",
        ),
    ] = "person",
    option: OptionWords = None,
    size: Size = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a game that you left; asks which.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="For screen readers: no drawing, no colours.")
    ] = False,
    lines: Annotated[
        bool, typer.Option("--lines", help="One line after the other, not the full screen.")
    ] = False,
    clock: Annotated[
        str | None,
        typer.Option(metavar="MINUTES[+SECONDS]", help="Minutes each, and seconds added for each turn."),
    ] = None,
    open_file: Annotated[
        Path | None,
        typer.Option(
            "--open",
            metavar="FILE",
            readable=False,  # whoever opens it says so in a sentence
            help="Play on from a saved game, SGF or a tengen record.",
        ),
    ] = None,
    list_kept: Annotated[bool, typer.Option("--list", help="List the games that were left.")] = False,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the game there at the end; SGF if it ends in .sgf."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Makes the machine's moves repeatable.", min=0)] = None,
) -> None:
    """Play in the terminal, against each other or a machine.

    Without players two people play here; give one for a machine, or two to watch.
    A PLAYER is person, mcts for as many visits as the settings say, or a machine as --against lists them.

    Example: tengen play great-kingdom --against level:3

    Example: tengen play go --size 9 --first "gtp:gnugo --mode gtp"
    """
    from tengen.settings import load
    from tengen.terminal import start, times

    if list_kept:
        start.list_kept(game)
        return
    if open_file is None and game is not None and Path(game).suffix.lower() in SAVED:
        open_file, game = Path(game), None
    if open_file is not None and (game or option or size is not None or resume):
        raise InvalidOption("--open goes on with a game as it was set up: leave out game, size and options.")
    if resume and (option or size is not None or clock or (first, second) != ("person", "person")):
        raise InvalidOption(
            "--resume goes on with a game as it was set up: leave out players, clock, size and options."
        )
    settings = load()

    def make(name: str, asked: int | None) -> Game:
        chosen = asked if size is None else size
        sized = any(word.startswith("size=") for word in option or [])
        usual = game_class(name).look_kind.config_size and settings.given("Game.GridSize")
        if chosen is None and not sized and usual:
            chosen = settings.grid_size
        return make_game(name, option, chosen)

    start.play(
        make,
        game,
        (first, second),
        iterations=settings.mcts_iterations,
        resume=resume,
        plain=plain,
        lines=lines,
        clock=None if clock is None else times.read_clock(clock),
        record=save,
        opened=open_file,
        seed=seed,
    )


cli_server.add_to(app)
cli_learn.add_to(app)
cli_brains.add_to(app)
cli_study.add_to(app)


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
        for key, value, origin in settings.rows(whole=True):
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
def gtp(
    game: Annotated[str, typer.Argument(help="The game to begin with; `tengen-game` changes it.")] = "go",
    strength: Annotated[
        int | None, typer.Option("--level", help="The level that plays; the strongest when left out.", min=1)
    ] = None,
    visits: Annotated[int | None, typer.Option(help="Simulations a move instead of a level.", min=1)] = None,
    option: OptionWords = None,
    size: Size = None,
    threads: Threads = 1,
    resign: Annotated[bool, typer.Option(help="Whether a hopeless game of Go is resigned.")] = True,
) -> None:
    """Speak GTP on standard input and output, for Sabaki, GoGui and others.

    Example: tengen gtp --level 10 --threads 2
    """
    from tengen.players.engine import engine

    made = make_game(game, option, size)
    engine(made, level=strength, visits=visits, threads=threads, resigns=resign).run()


if __name__ == "__main__":
    main()
