"""Who sits down where: matches are made, joined and cancelled, and left by people who go for good.

What may be asked for is checked against what there is already; the rows are made in `making`.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from tengen.server import protocol as p
from tengen.server.errors import Refusal, storing
from tengen.server.matches import making
from tengen.server.matches.deeds import moved
from tengen.server.matches.describe import seats_held
from tengen.server.matches.machines import is_katago
from tengen.server.names import look_alike, told_apart
from tengen.server.people import hash_secret
from tengen.server.stamp import now_ms
from tengen.server.store.rows import MatchRow, PersonRow

if TYPE_CHECKING:
    from tengen.server.matches.hub import Hub


class Seating:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub

    async def create(self, wish: p.NewMatch, person: PersonRow) -> p.Created:
        self._hub.check_open()
        if self._hub.house.draining:
            raise Refusal("not-now", "This server is about to stop: no new matches begin here.")
        name = await self._named(person, wish.name)
        make = partial(making.new_match, wish, person, name, self._hub.config.programs, now_ms())
        brains = any(seat.player.startswith("brain:") for seat in wish.seats)
        row, token = await asyncio.to_thread(make) if brains else make()  # a brain is read from its file
        if any(is_katago(seat.player) for seat in wish.seats):
            await self._hub.engines.check_katago()
        with storing():
            if self._hub.config.limits:
                await self._check_count(person)
                self._check_shows(row)
            await self._hub.store.add_match(row)
        self._hub.lobby.changed()
        self._hub.visitors.went_on(row)
        if row.status == "playing":
            await self._hub.rooms.find(row.id)
        return p.Created(row.id, seats_held(row, person.id), token)

    async def _check_count(self, person: PersonRow) -> None:
        live = [status for _, status, _ in await self._hub.store.live_of(person.id)]
        many = live.count("open") >= self._hub.config.max_open_per_person
        if many or len(live) >= self._hub.config.max_live_per_person:
            raise Refusal("too-many", "You have too many matches under way; finish or cancel some first.")

    def _check_shows(self, row: MatchRow) -> None:
        """One that nobody watches stands still, so it does not count."""
        if any(seat.kind != "machine" for seat in row.seats):
            return
        going = [
            room
            for room in self._hub.rooms
            if room.row.creator == row.creator and room.is_show and room.watchers and room.status == "playing"
        ]
        if len(going) >= self._hub.config.max_shows_per_person:
            raise Refusal("too-many", "You watch too many matches of machines; let one of them end first.")

    async def _named(self, person: PersonRow, name: str | None) -> str:
        """The nickname to sit down with; a new one is kept."""
        if name is None:
            return person.name
        name = self._hub.house.name(name)
        if name != person.name:
            with storing():
                await self._hub.store.rename(person.id, name)
        return name

    async def join(
        self, match_id: str, person: PersonRow, token: str | None = None, name: str | None = None
    ) -> list[int]:
        """Takes the free seat, or the one that the token is for; who has a seat already keeps that one."""
        self._hub.check_open()
        room = await self._hub.rooms.find(match_id)
        async with room.lock:
            with storing():
                await self._hub.rooms.reread(room)
                held = seats_held(room.row, person.id)
                if held:
                    return held
                seat, invitation = _free_seat(room.row, token)
                await self._check_company(room.row, person)
                name = await self._named(person, name)
                others = [other.name for other in room.row.seats]
                if any(look_alike(name, other) for other in others):
                    raise Refusal("malformed", "That name looks like your opponent's; choose another.")
                shown = told_apart(name, others)
                taken = await self._hub.store.take_seat(match_id, seat, person.id, shown, invitation)
                await self._hub.rooms.reread(room)
            self._hub.lobby.changed()
            if not taken and seat not in seats_held(room.row, person.id):
                raise Refusal("not-now", "Somebody else was faster: the seat is taken.")
            room.tell_info()
            return seats_held(room.row, person.id)

    async def _check_company(self, row: MatchRow, person: PersonRow) -> None:
        """Refuses who has blocked somebody at the table or is blocked by them, without saying which."""
        for other in {row.creator, *(seat.holder for seat in row.seats)} - {None, person.id}:
            if await self._hub.store.people.blocked_between(person.id, other or ""):
                raise Refusal("stranger", "You cannot sit down at this match.")

    async def cancel(self, match_id: str, person: PersonRow) -> None:
        self._hub.check_open()
        room = await self._hub.rooms.find(match_id)
        if room.row.creator != person.id:
            raise Refusal("stranger", "Only who made a match can cancel it.")
        async with room.lock:
            with storing():
                cancelled = await self._hub.store.cancel(match_id)
                await self._hub.rooms.reread(room)
        self._hub.lobby.changed()
        room.tell_info()
        if not cancelled and room.status != "cancelled":
            raise Refusal("not-now", "The match has begun: it can be resigned, not cancelled.")

    async def erase(self, person: PersonRow) -> None:
        """Forgets a person: gives up what is under way, and takes the name out of what stays."""
        self._hub.check_open()
        await self._give_up(person)
        with storing():
            touched, hashes = await self._hub.store.erase(person.id, now_ms())
        self._hub.shut_out(hashes)
        await self._hub.reread(touched)

    async def _give_up(self, person: PersonRow) -> None:
        with storing():
            live = await self._hub.store.live_of(person.id)
        for match_id, status, creator in live:
            room = await self._hub.rooms.find(match_id)
            held = seats_held(room.row, person.id)
            if status == "open" and creator == person.id:
                with suppress(Refusal):
                    await self.cancel(match_id, person)
            elif status == "playing" and held:
                with suppress(ValueError):  # it has ended by itself
                    await self._hub.change(room, moved(held[0], None))


def _free_seat(row: MatchRow, token: str | None) -> tuple[int, str | None]:
    """The seat that somebody new gets, and the hash of the invitation that it needs; raises Refusal."""
    if row.status == "cancelled":
        raise Refusal("over", "The match was cancelled.")
    invitation = None if token is None else hash_secret(token)
    for number, seat in enumerate(row.seats):
        if invitation is not None and seat.invitation_hash == invitation:
            return number, invitation
    if row.status != "open":
        raise Refusal("not-now", "Both seats are taken.")
    if invitation is not None:
        raise Refusal("stranger", "That invitation is not valid, or somebody has taken it.")
    free = [number for number, seat in enumerate(row.seats) if seat.kind == "open"]
    if free:
        return free[0], None
    raise Refusal("stranger", "That seat waits for somebody with the invitation.")
