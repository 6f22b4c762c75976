"""From flags, a menu or a file to a session, and what is said when one leaves it. Start reading at `play`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tengen.game import Game
from tengen.games import game_class
from tengen.line import Step, turns_to, whole_moves
from tengen.match import Clock, Match, MatchError, NoClock, Occupant, Request, Setup
from tengen.players import make_player
from tengen.players.player import Player, PlayerError
from tengen.records import RecordError, load_any, load_tree
from tengen.terminal import menu, saving
from tengen.terminal.ending import ends_in_order
from tengen.terminal.face import make_face
from tengen.terminal.full.room import fits
from tengen.terminal.names import machine_name
from tengen.terminal.screen import Left, Screen, now_ms
from tengen.terminal.session import Session
from tengen.terminal.variations import Tried

PERSON = "person"
_PERSONS = (PERSON, "me", "you", "human", "")
HERE = "here"  # the id of whoever sits at this terminal

MakeGame = Callable[[str, int | None], Game]


@dataclass
class House:
    """What sessions are made with, and those that were made: the last is the one that is played."""

    screen: Screen
    iterations: int
    seed: int
    clock: Clock
    sessions: list[Session] = field(default_factory=list)

    def close(self) -> None:
        for session in self.sessions:
            for player in session.players:
                if player is not None:
                    player.close()


def play(
    make_game: MakeGame,
    name: str | None,
    seats: tuple[str, str],
    *,
    iterations: int = 1000,
    resume: bool = False,
    plain: bool = False,
    lines: bool = False,
    record: Path | None = None,
    opened: Path | None = None,
    seed: int | None = None,
    clock: Clock | None = None,
) -> None:
    """A sitting from its beginning to the end of the game, or until the person leaves.

    `seats` are texts for `make_player`, or `person`; a bare `mcts` searches `iterations` visits a move. With
    `opened` the game in that file goes on, an SGF or a record. It is shown full screen where the terminal
    allows, unless `lines` are asked for.
    """
    if record is not None:
        saving.check_new(record)
    screen = Screen(plain=plain)
    house = House(screen, iterations, secrets.randbits(32) if seed is None else seed, clock or NoClock())
    try:
        if opened is not None:
            session, resume = _opened(opened, seats, house), True
        elif name is None and not resume:
            session, resume = _asked(make_game, seats, house)
        elif resume:
            session = _old(name, house)
        else:
            assert name is not None
            session = _new(make_game(name, None), seats, house)
        with ends_in_order():
            if not lines and fits(session.match.game, screen):
                _full_screen(session, house, going_on=resume)
            else:
                _line_by_line(session, screen, going_on=resume)
    except Left:
        _leave(house)
    except (KeyboardInterrupt, SystemExit, PlayerError):
        _leave(house)
        raise
    finally:
        house.close()
    if record is not None and house.sessions:
        house.sessions[-1].write(record)
        screen.warn(f"The game is in {record}.")


def _line_by_line(session: Session, screen: Screen, *, going_on: bool) -> None:
    if session.match.phase == "over":
        raise RecordError("That game is over: tengen analyse reviews it.")
    with screen.keeping_keys():
        session.run(going_on=going_on)
        session.why()


def _full_screen(session: Session, house: House, *, going_on: bool) -> None:
    """Raises Left unless the game is over when the person goes."""
    from tengen.terminal.full.app import present
    from tengen.terminal.full.local import LocalShow

    def opened(path: Path) -> Session:
        if saving.is_unfinished(path):
            return _kept(saving.load(path), house)
        return _opened(path, (PERSON, PERSON), house)

    present(LocalShow.of(session, opened, going_on=going_on))
    if house.sessions[-1].match.phase != "over":
        raise Left


def _opened(path: Path, seats: tuple[str, str], house: House) -> Session:
    """The game in a file, from its last position on; its players are those that are asked for now."""
    record = load_any(path)
    state = record.final()
    tried = Tried(load_tree(path))
    session = _new(state.game, seats, house, state.origin, turns_to(state), tried)
    if why := record.info.get("stopped"):
        session.notice = f"What comes after is left out: {why}"
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
    house: House,
    origin: tuple[str, int] | None = None,
    made: Iterable[Step] = (),
    tried: Tried | None = None,
) -> Session:
    """A game from its start or `origin`, with what was made of it already."""
    seats = (_word(seats[0], house.iterations), _word(seats[1], house.iterations))
    players = _players(game, seats, house.seed)
    occupants = [Occupant(name, "machine") if name else Occupant(id=HERE) for name in _names(players, seats)]
    # Two machines agree on dead stones too: a count that takes every stone for alive says little.
    setup = Setup(
        game,
        (occupants[0], occupants[1]),
        house.clock,
        now_ms(),
        agreement=True if game.table.agreement else None,
        origin=origin,
    )
    match = Match(setup)
    try:
        for step in made:
            _repeat(match, step)
    except MatchError as error:
        raise RecordError(f"That game cannot be played on: {error}") from None
    return _session(match, players, seats, house, saving.new_path(game.name), tried)


def _old(name: str | None, house: House) -> Session:
    """A game that was left, of that name if there is one: the last, or the one that a person says."""
    if name is not None:
        game_class(name)
    found = saving.unfinished(name)
    if not found:
        raise RecordError(f"There is no unfinished game{f' of {name}' if name else ''} to go on with.")
    one = len(found) == 1 or not house.screen.typed
    return _kept(saving.load(found[0] if one else menu.ask_kept(house.screen, found)), house)


def _kept(kept: saving.Unfinished, house: House) -> Session:
    players = _players(kept.match.game, kept.seats, house.seed)
    return _session(kept.match, players, kept.seats, house, kept.path, kept.tried)


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


def _names(players: tuple[Player | None, Player | None], seats: tuple[str, str]) -> tuple[str, str]:
    """What the machines are called; nothing for a person."""
    pairs = zip(players, seats, strict=True)
    first, second = ("" if player is None else machine_name(text, player.name) for player, text in pairs)
    return first, second


def _session(
    match: Match,
    players: tuple[Player | None, Player | None],
    seats: tuple[str, str],
    house: House,
    path: Path,
    tried: Tried | None,
) -> Session:
    machines = _names(players, seats)
    you = "you" if any(machines) else ""
    called = (machines[0] or you, machines[1] or you)
    face = make_face(house.screen, match.game, machines, called, asked=None in players)
    session = Session(match, players, seats, house.screen, face, path, tried=tried)
    house.sessions.append(session)
    return session


def list_kept(name: str | None) -> None:
    """Prints the games that were left, the last one first."""
    if name is not None:
        game_class(name)
    found = saving.unfinished(name)
    for path in found:
        print(menu.kept_words(path))
    if not found:
        Screen().warn("There are no unfinished games.")


def _leave(house: House) -> None:
    if house.sessions and house.sessions[-1].path.exists():
        house.sessions[-1].stop_clocks()
        house.screen.warn("The game is kept: tengen play --resume goes on with it.")


def _asked(make_game: MakeGame, seats: tuple[str, str], house: House) -> tuple[Session, bool]:
    """What the menu leads to, and whether that is a game that goes on."""
    screen, kept = house.screen, saving.unfinished()
    left = f"one of the {len(kept)} games" if len(kept) > 1 else "the game"
    name = menu.ask_game(screen, f"go on with {left} that you left" if kept else "")
    if name is None:
        return _old(None, house), True
    size = menu.ask_size(screen, name)
    if seats == (PERSON, PERSON):
        other = menu.ask_opponent(screen, name, "two people here", net=menu.has_brain(name))
        seats = (PERSON, other or PERSON)
    return _new(make_game(name, size), seats, house), False
