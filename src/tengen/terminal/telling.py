"""What happens in a match on a server, beside moves and endings, in sentences."""

from __future__ import annotations

from collections.abc import Collection

from tengen.game import Game, State
from tengen.remote import printable
from tengen.server.protocol import Event, Offer, SeatInfo
from tengen.terminal.names import machine_name


def event_sentence(event: Event, game: Game, you: Collection[int], state: State) -> str | None:
    """For those who watch from the seats `you`, if any; None where nothing needs to be said.

    `state` is the one after the event.
    """
    who = None if event.seat is None else game.seats[event.seat]
    if event.kind == "offer" and event.seat is not None:
        return offer_sentence(Offer(event.data["what"], event.seat), game, you)
    if event.kind == "takeback" or (event.kind == "answer" and "keep" in event.data):
        return f"A move is taken back. {game.seats[state.to_move]} moves again."
    if event.kind == "answer" and not event.data["accept"]:
        return f"{who} declines the {event.data['what']}."
    if event.kind == "pause" or (event.kind == "answer" and event.data["what"] == "pause"):
        return "The clocks stand still: pause lets them run again."
    if event.kind == "unpause":
        return f"The clocks run again. {game.seats[state.to_move]} moves."
    if event.kind == "accept":
        return f"{who} agrees."
    if event.kind == "resume":
        return f"Play goes on. {game.seats[state.to_move]} moves."
    if event.kind == "continue":
        return "The clocks stood still while the server was away."
    return None


def offer_sentence(offer: Offer, game: Game, you: Collection[int]) -> str:
    who = game.seats[offer.seat]
    asks = {
        "draw": f"{who} offers a draw",
        "takeback": f"{who} asks to take a move back",
        "rematch": f"{who} would like a rematch",
        "pause": f"{who} asks to stop the clocks for a while",
    }[offer.what]
    return f"{asks}: accept or decline." if 1 - offer.seat in you else f"{asks}."


def called(seat: SeatInfo) -> str:
    """What a player is called."""
    if seat.kind in ("open", "invited"):
        return "nobody yet"
    if seat.kind == "machine":
        return printable(machine_name(seat.player, seat.name))
    return printable(seat.name) or "a guest"
