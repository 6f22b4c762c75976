"""From flags, a menu or a file to a session, and what is said when one leaves it. Start reading at `play`."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

from tengen.game import Game
from tengen.games import game_class
from tengen.line import Step, turns_to, whole_moves
from tengen.match import Match, MatchError, Occupant, Request, Setup
from tengen.players import make_player
from tengen.players.player import Player, PlayerError
from tengen.records import RecordError, load_any
from tengen.terminal import menu, saving
from tengen.terminal.face import make_face
from tengen.terminal.screen import Left, Screen, now_ms
from tengen.terminal.session import Session

PERSON = "person"
_PERSONS = (PERSON, "me", "you", "human", "")
HERE = "here"  # the id of whoever sits at this terminal

MakeGame = Callable[[str, int | None], Game]


def play(
    make_game: MakeGame,
    name: str | None,
    seats: tuple[str, str],
    *,
    iterations: int = 1000,
    resume: bool = False,
    plain: bool = False,
    record: Path | None = None,
    opened: Path | None = None,
    seed: int | None = None,
) -> None:
    """A sitting from its beginning to the end of the game, or until the person leaves.

    `seats` are texts for `make_player`, or `person`; a bare `mcts` searches `iterations` visits a move. With
    `opened` the game in that file goes on, an SGF or a record.
    """
    if record is not None:
        _check_new(record)
    screen = Screen(plain=plain)
    seed = secrets.randbits(32) if seed is None else seed
    session: Session | None = None
    try:
        if opened is not None:
            session, resume = _opened(opened, seats, screen, iterations, seed), True
        elif name is None and not resume:
            name, size, seats = _menu(screen, seats)
            if size == _RESUME:
                resume, name = True, None
            else:
                session = _new(make_game(name, size), seats, screen, iterations, seed)
        elif not resume:
            assert name is not None
            session = _new(make_game(name, None), seats, screen, iterations, seed)
        session = session or _old(name, screen, iterations, seed)
        with screen.keeping_keys():
            session.run(going_on=resume)
    except Left:
        _leave(session)
    except (KeyboardInterrupt, PlayerError):
        if session is not None:
            _leave(session)
        raise
    finally:
        for player in session.players if session is not None else ():
            if player is not None:
                player.close()
    if record is not None and session is not None:
        saving.write_record(session.match, record)
        screen.warn(f"The game is in {record}.")


def _check_new(record: Path) -> None:
    """What is there is not written over: the game would be played before anybody noticed."""
    if not record.absolute().parent.is_dir():
        raise RecordError(f"Cannot write {record}: there is no folder {record.parent}.")
    if record.exists():
        raise RecordError(f"{record} is there already: choose another name.")


def _opened(path: Path, seats: tuple[str, str], screen: Screen, iterations: int, seed: int) -> Session:
    """The game in a file, from its last position on; its players are those that are asked for now."""
    state = load_any(path).final()
    if state.outcome is not None and not state.game.table.can_resume(state):
        raise RecordError(f"The game in {path} is over: tengen analyse reviews it.")
    session = _new(state.game, seats, screen, iterations, seed, state.origin)
    try:
        for step in turns_to(state):
            _repeat(session.match, step)
    except MatchError as error:
        raise RecordError(f"The game in {path} cannot be played on: {error}") from None
    return session


def _repeat(match: Match, step: Step) -> None:
    """Plays one turn of a record, or a resumption."""
    if step.resumed is not None:
        match.apply(Request.resume(1 - step.resumed, now_ms()))  # who does not agree lets the other one move
        return
    for move in whole_moves(step.before, step.actions):
        match.apply(Request.move(step.seat, move.actions, now_ms()))


def _new(
    game: Game,
    seats: tuple[str, str],
    screen: Screen,
    iterations: int,
    seed: int,
    origin: tuple[str, int] | None = None,
) -> Session:
    seats = (_word(seats[0], iterations), _word(seats[1], iterations))
    players = _players(game, seats, seed)
    occupants = [
        Occupant(id=HERE) if player is None else Occupant(player.name, "machine") for player in players
    ]
    # Two machines agree on dead stones too: a count that takes every stone for alive says little.
    setup = Setup(
        game,
        (occupants[0], occupants[1]),
        started_ms=now_ms(),
        agreement=True if game.table.agreement else None,
        origin=origin,
    )
    return _session(Match(setup), players, seats, screen, saving.new_path(game.name))


def _old(name: str | None, screen: Screen, iterations: int, seed: int) -> Session:
    """A game that was left, of that name if there is one: the last, or the one that a person says."""
    if name is not None:
        game_class(name)
    found = saving.unfinished(name)
    if not found:
        raise RecordError(f"There is no unfinished game{f' of {name}' if name else ''} to go on with.")
    kept = saving.load(found[0] if len(found) == 1 or not screen.typed else menu.ask_kept(screen, found))
    players = _players(kept.match.game, kept.seats, seed)
    return _session(kept.match, players, kept.seats, screen, kept.path)


def _word(text: str, iterations: int) -> str:
    """The text of a seat in the form that is kept."""
    word = text.strip()
    if word.lower() in _PERSONS:
        return PERSON
    return f"mcts:{iterations}" if word.lower() == "mcts" else word


def _players(game: Game, seats: tuple[str, str], seed: int) -> tuple[Player | None, Player | None]:
    made: list[Player | None] = []
    try:
        for number, text in enumerate(seats):
            made.append(None if text == PERSON else make_player(text, game, seed=seed + number))
    except BaseException:
        for player in made:
            if player is not None:
                player.close()
        raise
    return made[0], made[1]


def _session(
    match: Match,
    players: tuple[Player | None, Player | None],
    seats: tuple[str, str],
    screen: Screen,
    path: Path,
) -> Session:
    machines = ("" if players[0] is None else players[0].name, "" if players[1] is None else players[1].name)
    you = "you" if any(machines) else ""
    called = (machines[0] or you, machines[1] or you)
    face = make_face(screen, match.game, machines, called, asked=None in players)
    return Session(match, players, seats, screen, face, path)


def list_kept(name: str | None) -> None:
    """Prints the games that were left, the last one first."""
    found = saving.unfinished(name)
    for path in found:
        print(menu.kept_words(path))
    if not found:
        Screen().warn("There are no unfinished games.")


def _leave(session: Session | None) -> None:
    if session is not None and session.path.exists():
        session.screen.warn("The game is kept: tengen play --resume goes on with it.")


# The menu

_RESUME = -1


def _menu(screen: Screen, seats: tuple[str, str]) -> tuple[str, int | None, tuple[str, str]]:
    """The name of a game, its size if that was asked for, and the seats; the size _RESUME for a kept game."""
    kept = saving.unfinished()
    left = f"one of the {len(kept)} games" if len(kept) > 1 else "the game"
    name = menu.ask_game(screen, f"go on with {left} that you left" if kept else "")
    if name is None:
        return "", _RESUME, seats
    size = menu.ask_size(screen, name)
    if seats == (PERSON, PERSON):
        seats = (
            PERSON,
            menu.ask_opponent(screen, name, "two people here", net=menu.has_brain(name)) or PERSON,
        )
    return name, size, seats
