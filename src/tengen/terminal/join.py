"""`tengen join`: from an address to a seat on a server, or to a place to watch from. Start reading at `join`.

The address is a server (then the lobby is shown), the link of a match, or an invitation. Who we are on each
server is kept in the user's data folder, so the same command comes back to the same seat.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from typing import Any, NamedTuple

from msgspec import convert

from tengen.facets.words import count
from tengen.game import Game, InvalidOption, OptionValue
from tengen.games import game as make_game
from tengen.games import game_class, games
from tengen.remote import Link, RemoteError, Server, keep_secret, load_secret, read_address
from tengen.server.protocol import (
    Clock,
    Created,
    MatchSummary,
    NewMatch,
    NoClock,
    SeatWish,
)
from tengen.terminal import clocks, menu, times
from tengen.terminal.ending import ends_in_order
from tengen.terminal.full.room import fits
from tengen.terminal.keyboard import Keyboard
from tengen.terminal.online import Online
from tengen.terminal.screen import Left, Screen, now_ms
from tengen.terminal.telling import called

MOST_SHOWN = 20  # of the lobby


class Place(NamedTuple):
    """A match, with the link for the other seat if we have just made it."""

    match: str
    invitation: str | None = None


def join(
    url: str,
    *,
    port: int,
    name: str | None = None,
    watch: bool = False,
    plain: bool = False,
    lines: bool = False,
) -> None:
    """Plays or watches until the person leaves. Raises RemoteError with one sentence for what is wrong."""
    address = read_address(url, port)
    server = Server(address.server, load_secret(address.server))
    server.info()
    screen = Screen(plain=plain)
    with ends_in_order(), screen.keeping_keys(), contextlib.suppress(Left):
        if address.match is None:
            place = _lobby(server, screen, name)
        else:
            if not watch:
                _sit_down(server, address.match, address.token, name)
            place = Place(address.match)
        if not lines and screen.live and fits(_game(server, place), screen):
            _full_screen(server, screen, place)
        else:
            _stay(server, screen, place)


def _game(server: Server, place: Place) -> Game:
    info = server.snapshot(place.match).match
    return make_game(info.game, **info.options)


def _full_screen(server: Server, screen: Screen, place: Place) -> None:
    from tengen.terminal.full.app import present
    from tengen.terminal.full.remote import RemoteShow
    from tengen.terminal.full.stage import Stage

    stage = Stage(screen)
    present(RemoteShow(stage, lambda: _stay(server, stage, place)))


def _stay(server: Server, screen: Screen, place: Place) -> None:
    """In that match and in those that follow it."""
    inbox: queue.Queue[Any] = queue.Queue()
    keyboard = Keyboard(screen, inbox)
    online: Online | None = None
    with Link(server) as link:
        threading.Thread(target=_listen, args=(link, inbox), daemon=True).start()
        try:
            follows: str | None = place.match
            while follows is not None:
                invitation = place.invitation if follows == place.match else None
                online = Online(server, link, inbox, keyboard, screen, follows, invitation)
                follows = online.run()
        finally:
            keyboard.close()
            if online is not None and online.going_on:
                back = f"tengen join {server.url}/play/{online.match}"
                screen.warn(f"The match goes on: {back} comes back to it.")


def _listen(link: Link, inbox: queue.Queue[Any]) -> None:
    try:
        while (message := link.receive()) is not None:
            inbox.put(message)
    except RemoteError as error:
        inbox.put(error)


def _sit_down(server: Server, match: str, token: str | None, name: str | None) -> None:
    """Takes the seat that waits, unless we have one already; without any we shall watch."""
    try:
        there = server.snapshot(match)
    except RemoteError as error:
        if error.code != "unknown":
            raise
        raise RemoteError(f"There is no match {match} at {server.url}.", error.code) from None
    waits = any(seat.kind == "open" for seat in there.match.seats)
    if not there.you and (token is not None or waits):
        _keep(server, server.join(match, token, name))


def _keep(server: Server, created: Created) -> None:
    if created.secret is not None:
        keep_secret(server.url, created.secret)


# The lobby


def _lobby(server: Server, screen: Screen, name: str | None) -> Place:
    """A match that was chosen or made."""
    while True:
        lobby, mine = server.lobby(), _mine(server)
        own = {one.info.id for one in mine}
        waiting = [one for one in lobby.open if one.info.id not in own]
        playing = [one for one in lobby.playing if one.info.id not in own]
        rows = [("go on", one) for one in mine] + [("join", one) for one in waiting]
        rows += [("watch", one) for one in playing]
        rows = [(verb, one) for verb, one in rows if one.info.game in games()][:MOST_SHOWN]
        screen.say(f"{server.url}: {len(waiting)} to join, {len(playing)} to watch.")
        for number, (verb, one) in enumerate(rows, start=1):
            screen.say(f"  {number:2}  {verb:6} {_row(one)}")
        screen.say("   n  new match")
        answer = screen.read("Number, n for a new match, Enter to look again: ").strip().lower()
        if answer in ("q", "quit", "exit"):
            raise Left
        if answer in ("n", "new"):
            return _new(server, screen, name)
        if answer.isdecimal() and 1 <= int(answer) <= len(rows):
            verb, one = rows[int(answer) - 1]
            try:
                if verb == "join":
                    _keep(server, server.join(one.info.id, None, name))
                return Place(one.info.id)
            except RemoteError as error:  # somebody was faster
                screen.say(str(error))
        elif answer:
            screen.say("Please type a number from the list, n, or q to leave.")


def _mine(server: Server) -> list[MatchSummary]:
    """What we have not finished."""
    if server.secret is None:
        return []
    return [one for one in server.my_matches().matches if one.info.status in ("open", "playing")]


def _row(one: MatchSummary) -> str:
    info = one.info
    kind = game_class(info.game)
    size = info.options.get("size") or info.options.get("n")
    title = f"{kind.title} {size}" if isinstance(size, int) else kind.title
    who = [
        f"{seat} {'you' if number in one.you else called(info.seats[number])}"
        for number, seat in enumerate(kind.seats)
    ]
    ago_s = max(0, (now_ms() - one.moved_ms) // 1000)
    since = "" if info.status == "open" or ago_s < 3600 else f", last move {times.time(ago_s * 1000)} ago"
    moves = "" if info.status == "open" else f", {count(one.moves, 'move')}{since}"
    timed = "" if isinstance(info.clock, NoClock) else f", {clocks.control(info.clock)}"
    return f"{title}: {who[0]}, {who[1]}{timed}{moves}"


def _new(server: Server, screen: Screen, name: str | None) -> Place:
    chosen = menu.ask_game(screen)
    assert chosen is not None, "nothing else was offered"
    size = menu.ask_size(screen, chosen)
    options: dict[str, OptionValue] = {} if size is None else {"size": size}
    player = menu.ask_opponent(screen, chosen, "another person")
    other = SeatWish("machine", player) if player else SeatWish("invited" if _private(screen) else "open")
    first, second = game_class(chosen).seats
    me_second = screen.confirm(f"{first} moves first. Do you want to be {second}?")
    seats = (other, SeatWish("me")) if me_second else (SeatWish("me"), other)
    clock = _ask_clock(screen)
    public = other.kind != "invited"
    created = server.create(NewMatch(chosen, seats, options, clock, public=public, name=name))
    _keep(server, created)
    if created.invitation is None:
        return Place(created.match)
    return Place(created.match, f"{server.url}/join/{created.match}#{created.invitation}")


def _private(screen: Screen) -> bool:
    return screen.confirm("Only for somebody to whom you give the link?")


def _ask_clock(screen: Screen) -> Clock:
    """Minutes for each player, perhaps with seconds added for each move."""
    while True:
        answer = screen.read("Minutes each, such as 10 or 5+3 seconds a move (Enter for no clock): ").strip()
        if not answer:
            return NoClock()
        try:
            clock = times.read_clock(answer)
        except InvalidOption:
            screen.say("That is no time: type minutes, or minutes+seconds.")
        else:
            found: Clock = convert(clock.to_json(), Clock)
            return found
