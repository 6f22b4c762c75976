"""The commands that study games: `tengen arena`, `analyse`, `bench` and `solve`; `tengen.cli` adds them."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from tengen import extras
from tengen.cli_parts import AsJson, GameName, OptionWords, Size, Threads, make_game, progress_bar
from tengen.facets.machines import forms
from tengen.game import InvalidOption

if TYPE_CHECKING:
    from tengen.analysis import Engine, ReviewedMove
    from tengen.game import Game, State
    from tengen.records import GameTree, Node

KATAGO_SAID_S = 5.0  # until it is said that KataGo is still starting, and
KATAGO_WAIT_S = 60.0  # until our own search does not wait for it


def arena(
    game: GameName,
    a: Annotated[str, typer.Argument(help=forms(here=True))],
    b: Annotated[str, typer.Argument(help="The other player.")],
    games: Annotated[int, typer.Option(help="How many games, half with each colour.", min=1)] = 100,
    option: OptionWords = None,
    size: Size = None,
    folder: Annotated[
        Path | None, typer.Option(help="Keep the games there, and go on with them; not kept unless given.")
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
    match = Arena(chosen, a, b, folder=folder, seed=seed, workers=workers)
    with progress_bar() as bar:
        task = bar.add_task(f"{a} against {b}", total=games)

        def show(standings: object) -> None:
            bar.update(task, completed=match.standings.games)

        standings = match.run(games, show)
        show(standings)  # all of them may have been there already
    found = standings.to_json()
    if as_json:
        players = {"a": a, "b": b, "identities": match.identities}
        print(json.dumps({"game": game, "options": chosen.options} | players | found))
        return
    elo, low, high = standings.elo()
    share, (share_low, share_high) = standings.score, standings.interval()
    print(f"{a} against {b}: {found['wins']} won, {found['draws']} drawn, {found['losses']} lost")
    print(f"score {share:.1%} (95 % from {share_low:.1%} to {share_high:.1%})")
    print(f"Elo {elo:+z.0f} (95 % from {low:+z.0f} to {high:+z.0f})")
    for seat, name in enumerate(chosen.seats):
        points, count = standings.by_seat(seat)
        print(f"as {name}: {points:g} of {count}")
    scores = found["score_by_reason"]
    print("ended by", ", ".join(f"{why} {n} (A {scores[why]:.0%})" for why, n in found["reasons"].items()))
    for letter, who in zip("AB", match.identities, strict=True):
        print(f"{letter} was {who}")
    if folder is not None:
        print(f"games are in {folder}")


def analyse(
    file: Annotated[Path, typer.Argument(readable=False, help="An SGF file or a tengen record.")],
    visits: Annotated[int, typer.Option(help="Simulations a position.", min=1)] = 1000,
    number: Annotated[int, typer.Option(help="Which game of a collection.", min=1)] = 1,
    every: Annotated[bool, typer.Option("--all", help="All games of a collection.")] = False,
    variations: Annotated[bool, typer.Option("--variations", help="Review the variations too.")] = False,
    engine: Annotated[
        str, typer.Option(help="own, katago, or auto: KataGo where there is one that knows the game.")
    ] = "auto",
    sgf: Annotated[
        Path | None, typer.Option(help="Write the game to a new file, with comments, marks and values.")
    ] = None,
    threads: Threads = 1,
    as_json: AsJson = False,
) -> None:
    """Review a game: win rates, mistakes by size, what was better.

    Example: tengen analyse game.sgf --visits 5000
    """
    from tengen.records import RecordError, count_games, load_tree
    from tengen.terminal.saving import check_new

    judge, refused = _engine(engine), 0
    numbers = range(1, count_games(file) + 1) if every else (number,)
    written = {} if sgf is None else {one: _numbered(sgf, one) if every else sgf for one in numbers}
    for path in written.values():
        check_new(path)
    for one in numbers:
        try:
            tree = load_tree(file, one)
            rows, stopped = _moves_of(tree, variations)
        except RecordError as error:
            refused += 1
            if refused == len(numbers):
                raise
            print(f"Game {one} is left out: {error}", file=sys.stderr)
            continue
        reviewed = _review(rows, visits, threads, judge)
        if one in written:
            _write_annotated(tree, rows, reviewed, written[one])
        if as_json:
            print(json.dumps(_review_json(tree, rows, reviewed, stopped) | {"visits": visits}))
            continue
        if tree.games > 1:
            more = "" if every else "; --number chooses another, --all takes all"
            print(f"Game {tree.number} of {tree.games}{more}")
        _print_review(tree, rows, reviewed)
        for why in stopped:
            print(f"Left out from here on: {why}")
    if refused:
        raise typer.Exit(1)


def _moves_of(tree: GameTree, variations: bool) -> tuple[list[MoveRow], list[str]]:
    """The moves of the main line or of all, each after those it follows, and why some cannot be played."""
    from tengen.records import RecordError
    from tengen.records.tree import give_turn

    main, rows, stopped = set(tree.main_line()), list[MoveRow](), list[str]()
    lost: set[Node] = set()
    for node in tree.nodes() if variations else tree.main_line():
        if node.parent is None:
            tree.state(node)
            continue
        if node.parent in lost:
            lost.add(node)
            continue
        before = tree.state(node.parent)
        try:
            after = tree.state(node)
        except RecordError as error:
            lost.add(node)
            stopped.append(str(error))
            continue
        if node.move is None or after is before:
            continue
        turn = before if node.seat is None else give_turn(before, node.seat)
        rows.append(MoveRow(node, node in main, turn, after.actions[len(turn.actions) :]))
    return rows, stopped


class MoveRow(NamedTuple):
    """A move to review."""

    node: Node
    main: bool  # whether it is of the main line
    before: State
    actions: Sequence[int]

    @property
    def number(self) -> int:
        return self.node.moves()


def _engine(word: str) -> Engine:
    if word in ("auto", "own", "katago"):
        return word  # type: ignore[return-value]
    raise InvalidOption(f"--engine is auto, own or katago, not {word!r}.")


def _numbered(path: Path, number: int) -> Path:
    return path.with_stem(f"{path.stem}-{number}")


def _write_annotated(
    tree: GameTree, rows: Sequence[MoveRow], reviewed: Sequence[ReviewedMove], path: Path
) -> None:
    from tengen.records import write_sgf
    from tengen.records.annotate import annotate
    from tengen.records.record import save_file

    positions = {
        row.node.parent: found.before for row, found in zip(rows, reviewed, strict=True) if row.node.parent
    }
    moves = {row.node: found for row, found in zip(rows, reviewed, strict=True)}
    for node in list(tree.nodes()):
        annotate(tree, node, positions.get(node), moves.get(node))
    save_file(path, write_sgf(tree).encode())


def _review(rows: Sequence[MoveRow], visits: int, threads: int, engine: Engine) -> list[ReviewedMove]:
    from tengen.analysis import review
    from tengen.kata import KataError

    moves = [(row.before, row.actions) for row in rows]
    with progress_bar() as bar:
        task = bar.add_task("Reviewing", total=len(rows))

        def show(done: int, of: int) -> None:
            bar.update(task, completed=done)

        try:
            if engine != "own" and moves:
                _wait_for_katago(moves[0][0].game, engine, bar.console.print)
            return review(moves, visits=visits, threads=threads, progress=show, engine=engine)
        except KataError as error:
            if engine == "katago":
                raise
            bar.console.print(f"{error} Our own search goes on.")
            return review(moves, visits=visits, threads=threads, progress=show)


def _wait_for_katago(game: Game, engine: Engine, say: Callable[[str], None]) -> None:
    """Says so where that takes time; who has not asked for KataGo is not kept waiting while it tunes."""
    from tengen.kata import KataError, shared, usable

    program = usable() if game.records.kata else None
    if program is None:
        return
    katago, begun = shared(program), time.monotonic()
    katago.wait_ready(lambda: time.monotonic() - begun > KATAGO_SAID_S)
    state, sentence = katago.state()
    if state != "starting":
        return
    say(sentence)
    if engine == "auto":
        katago.wait_ready(lambda: time.monotonic() - begun > KATAGO_WAIT_S)
        if katago.state()[0] == "starting":
            raise KataError(f"It is not ready after {KATAGO_WAIT_S:g} s, and --engine katago waits for it.")


def _review_json(
    tree: GameTree, rows: Sequence[MoveRow], reviewed: Sequence[ReviewedMove], stopped: list[str]
) -> dict[str, object]:
    moves = [
        {
            "number": row.number,
            "main": row.main,
            "seat": r.seat,
            "move": r.move,
            "win_before": round(r.win_before, 4),
            "win_after": round(r.win_after, 4),
            "lead": None if r.lead is None else round(r.lead, 2),
            "lead_after": None if r.lead_after is None else round(r.lead_after, 2),
            "best": r.best,
            "line": list(r.line),
            "mistake": r.mistake,
            "by": r.by,
        }
        for row, r in zip(rows, reviewed, strict=True)
    ]
    known = {"game": tree.game.name, "game_number": tree.number, "games": tree.games}
    return known | {"moves": moves, "stopped": stopped}


def _print_review(tree: GameTree, rows: Sequence[MoveRow], reviewed: Sequence[ReviewedMove]) -> None:
    seats = tree.game.seats
    if any(r.by == "search" for r in reviewed) and tree.game.opponents.brain_is_stronger:
        unlearned = "No brain has learned this board: win rates and leads are rough."
        rough = "Win rates and leads are rough: a better judge"
        print(unlearned if extras.has("brains") else extras.sentence("brains", rough))
    for row, r in zip(rows, reviewed, strict=True):
        lead = "" if r.lead_after is None else f"  lead {r.lead_after:+.1f}"
        note = f"  {r.mistake}: {r.best} was better ({' '.join(r.line[:6])})" if r.mistake else ""
        mark = "" if row.main else "  (variation)"
        print(f"{row.number:4} {seats[r.seat]:8} {r.move:8} win {r.win_after:6.1%}{lead}{note}{mark}")
    for seat, name in enumerate(seats):
        played = [r for row, r in zip(rows, reviewed, strict=True) if row.main and r.seat == seat]
        print(f"{name}: {counted([r.mistake for r in played if r.mistake])}")


def counted(mistakes: Sequence[str]) -> str:
    """How many there are of each kind, the worst first."""
    from tengen.analysis import MISTAKES

    counts = ((mistakes.count(kind), kind) for _, kind in MISTAKES)
    return ", ".join(_count(number, kind) for number, kind in counts if number) or "no mistakes found"


def _count(number: int, kind: str) -> str:
    if number == 1:
        return f"1 {kind}"
    return f"{number} {kind[:-1]}ies" if kind.endswith("y") else f"{number} {kind}s"


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


def new(
    name: Annotated[str, typer.Argument(help="What the game is called in commands, such as my-game.")],
    folder: Annotated[Path, typer.Option("--in", help="The folder that its folder goes into.")] = Path(),
) -> None:
    """Write a small package with a game of your own in Python, which works at once.

    Example: tengen new my-game
    """
    from tengen.new_game import write_game

    for path in write_game(name, folder):
        print(path)
    print(f"Next: cd {folder / name}, pip install -e ., tengen play {name}")


def add_to(app: typer.Typer) -> None:
    for command in (arena, analyse, bench, solve, new):
        app.command()(command)
