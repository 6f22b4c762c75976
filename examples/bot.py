"""A bot that plays on a tengen server, through the same protocol as everybody else.

    python examples/bot.py http://127.0.0.1:7777 --game go --option size=9 --player level:4
    python examples/bot.py http://127.0.0.1:7777/play/ID --player random
    python examples/bot.py http://127.0.0.1:7777/join/ID#TOKEN

With the address of a server it makes a match that anybody can join, and prints its link. With a link it takes
the seat that waits there. It plays that one match to its end, through lost connections and restarts of the
server, grants takebacks, declines draws and agrees to any count. PLAYER is what chooses the moves: level:N,
mcts:VISITS, random, or gtp:COMMAND for a program.

The three steps of a bot: take a seat over HTTP (`sit_down`), watch the match over the socket (`play`), and
ask for a move when `now` says that it is your turn (`answer`).
"""

import argparse
import json
import sys

from tengen.game import OptionValue
from tengen.players import Player, PlayerError, make_player
from tengen.remote import Link, RemoteError, Server, Table, Trouble, read_address
from tengen.server.protocol import Info, NewMatch, Refused, SeatWish, Snapshot, Update

SETTLED_S = 3.0  # without news: nobody changes the marks of dead stones any more


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("url", help="a server, the link of a match, or an invitation")
    parser.add_argument("--player", default="level:3", help="what chooses the moves (level:3)")
    parser.add_argument("--game", default="great-kingdom", help="for a new match")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="of a new match")
    parser.add_argument("--second", action="store_true", help="let the other one move first")
    parser.add_argument("--name", default="bot", help="the nickname")
    arguments = parser.parse_args()
    try:
        server, match = sit_down(arguments)
        play(server, match, arguments.player)
    except (RemoteError, PlayerError) as error:
        print(f"bot: {error}", file=sys.stderr)
        return 1
    return 0


def sit_down(arguments: argparse.Namespace) -> tuple[Server, str]:
    """Takes a seat, and with it an identity: `server.secret`."""
    address = read_address(arguments.url)
    server = Server(address.server)
    server.info()
    if address.match is not None:
        server.join(address.match, address.token, arguments.name)
        return server, address.match
    me, other = SeatWish("me"), SeatWish("open")
    seats = (other, me) if arguments.second else (me, other)
    options = dict(map(read_option, arguments.option))
    created = server.create(NewMatch(arguments.game, seats, options, name=arguments.name))
    print(f"{server.url}/play/{created.match}", flush=True)
    return server, created.match


def read_option(text: str) -> tuple[str, OptionValue]:
    name, _, value = text.partition("=")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def play(server: Server, match: str, text: str) -> None:
    table: Table | None = None
    player: Player | None = None
    done: object = None  # the last situation that we have answered
    with Link(server) as link:
        link.watch(match)
        while table is None or table.now.phase != "over":
            message = link.receive(SETTLED_S)
            if isinstance(message, Snapshot):
                table = Table(message)
                player = player or make_player(text, table.game)
            elif isinstance(message, Update | Info) and table is not None:
                table.update(message)
            elif isinstance(message, Refused):
                print(f"refused: {message.message}", file=sys.stderr)
                if table is None:
                    return
                done = None
            elif isinstance(message, Trouble):
                print(message.message, file=sys.stderr)
            if table is not None and player is not None and table.info.status == "playing":
                done = answer(link, table, player, done, settled=message is None)
    if player is not None:
        player.close()
    if (outcome := table.now.outcome) is not None:
        winner = "nobody" if outcome.winner is None else table.game.seats[outcome.winner]
        print(f"{winner} wins ({outcome.reason})", flush=True)


def answer(link: Link, table: Table, player: Player, done: object, *, settled: bool) -> object:
    """Does what is asked of our seats, unless it was `done`; returns what has been done."""
    match, now = table.info.id, table.now
    situation = (now.position, now.offer, now.marking, now.suspended, settled and now.phase == "agreement")
    for seat in table.you if situation != done else []:
        if now.offer is not None and now.offer.seat != seat:
            link.ask(match, "answer", seat=seat, what=now.offer.what, accept=now.offer.what == "takeback")
        elif now.marking is not None and now.phase == "agreement":
            if not now.marking.accepted[seat] and (settled or now.marking.accepted[1 - seat]):
                link.ask(match, "accept", seat=seat, position=now.position)
        elif now.phase == "playing" and not now.suspended and now.view.to_move == seat:
            if (actions := player.choose(table.state)) is None:
                link.ask(match, "resign", seat=seat)
            else:
                link.ask(match, "move", seat=seat, actions=actions, position=now.position)
    return situation


if __name__ == "__main__":
    sys.exit(main())
