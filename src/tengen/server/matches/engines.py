"""Machine seats and analysis. What computes runs in `pool`; what a match waits for is said by `duties`.

Every move of a machine is computed by one process: where several share a database it is claimed there first.
A claim expires unless it is renewed, so that the move of a process that died is taken over. What was computed
goes into the match like a person's request, with an id that belongs to the event before it. A machine that
fails forfeits, so that nobody waits for it for ever. What nobody needs any more, after a takeback or when the
server stops, is interrupted.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import math
import random
import threading
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from tengen.analysis import analyse, describe, review
from tengen.brains.strongest import strongest_search
from tengen.game import InvalidOption, State
from tengen.match import Event, Match, TimeUp
from tengen.players import Player, PlayerError, Stoppable, make_player
from tengen.server import protocol as p
from tengen.server.errors import Refusal
from tengen.server.matches.duties import Act, Duty, duty, perform
from tengen.server.matches.machines import move_seconds, player_text
from tengen.server.matches.places import last_state, steps
from tengen.server.matches.pool import Pool
from tengen.server.matches.requests import HOUSE_IDS
from tengen.server.matches.room import Room
from tengen.server.stamp import now_ms
from tengen.server.store.rows import StoreUnavailable

if TYPE_CHECKING:
    from tengen.server.matches.hub import Hub

SHORTEST_S = 0.05  # an analysis takes at least that
SLICE_S = 0.2  # of an analysis, before somebody else may have a turn
KEPT_ANALYSES = 256
AGAIN_S = 1.0  # after the store was away

log = logging.getLogger(__name__)


class Interrupted(Exception):
    """Nobody needs to know any more."""


@dataclass(slots=True)
class _Thought:
    """A player that thinks about what is found in a match; what it comes to is `wanted` until told."""

    match: Match
    found: Duty
    player: Player
    wanted: bool = True

    def is_for(self, match: Match) -> bool:
        """Whether that is still the question; a suspended match goes on with the same one."""
        same = match.outcome is None and match.position == self.match.position
        return same and (match.suspended or duty(match) == self.found)

    def interrupt(self) -> None:
        self.wanted = False
        if isinstance(self.player, Stoppable):
            self.player.stop()


class Engines:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._config = hub.config
        self._pool = Pool(hub.config.engine_workers)
        self._seats: dict[str, asyncio.Task[None]] = {}  # by match
        self._again: set[str] = set()  # matches that went on while their machine was being served
        self._players: OrderedDict[tuple[str, int], Player] = OrderedDict()
        self._thoughts: dict[str, _Thought] = {}  # of the players that are not among those, by match
        self._players_lock = threading.Lock()
        self._asked: dict[str, int] = {}  # analyses that wait or run, by who asked
        self._kept: OrderedDict[bytes, p.Analysis] = OrderedDict()
        self._stopped = False

    @property
    def waiting(self) -> int:
        """Jobs that wait for a thread."""
        return self._pool.waiting

    def observe(self, callback: Callable[[str, float], None]) -> None:
        """Calls back when a piece of search is done: for a seat or for analysis, and its seconds."""
        self._pool.observe = lambda first, seconds: callback("seat" if first else "analysis", seconds)

    def is_busy(self, match_id: str) -> bool:
        return match_id in self._seats

    async def stop(self) -> None:
        """Stops waiting for moves: whoever runs next computes them again."""
        if self._stopped:
            return
        self._stopped = True
        tasks = list(self._seats.values())
        for task in tasks:
            task.cancel()
        await asyncio.to_thread(self.interrupt)
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._pool.close(self._config.stop_s)
        with self._players_lock:
            players, self._players = list(self._players.values()), OrderedDict()
        await asyncio.to_thread(_close_all, players)

    def interrupt(self) -> None:
        """Ends all thinking; a player that has not begun finds out by itself. Programs take a moment."""
        self._stopped = True
        with self._players_lock:
            thoughts = list(self._thoughts.values())
        for thought in thoughts:
            thought.interrupt()

    def kill(self) -> None:
        """Ends all players without waiting for any, the programs included."""
        self.interrupt()
        with self._players_lock:
            players = list(self._players.values())
        for player in players:
            if isinstance(player, Stoppable):
                player.stop()

    # Seats

    def want(self, match_id: str) -> None:
        """Something is due in that match; what it is, the match says when its turn comes."""
        if self._stopped:
            return
        if match_id in self._seats:
            self._again.add(match_id)
            return
        task = asyncio.create_task(self._serve(match_id))
        self._seats[match_id] = task
        task.add_done_callback(lambda done: self._served(match_id, done))

    def _served(self, match_id: str, task: asyncio.Task[None]) -> None:
        self._seats.pop(match_id, None)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            log.error("the machine of match %s was not served", match_id, exc_info=error)
        if match_id in self._again:
            self._again.discard(match_id)
            self.want(match_id)

    async def _serve(self, match_id: str) -> None:
        """Does what is due, until nothing is or another process does it."""
        while not self._stopped:
            try:
                room = await self._hub.rooms.find(match_id)
                found, number = duty(room.match), room.number
                paused = room.is_show and not room.watchers
                if room.status != "playing" or found is None or paused:
                    return
                if not await self._claimed(match_id, number):
                    return
                self._again.discard(match_id)
                await self._do(room, found, number)
            except (Refusal, StoreUnavailable) as error:
                if isinstance(error, Refusal) and error.code != "unavailable":
                    log.warning("the machine of match %s: %s", match_id, error)
                    return
                await asyncio.sleep(AGAIN_S)

    async def _claimed(self, match_id: str, number: int) -> bool:
        if not self._hub.store.shared:
            return True
        at_ms = now_ms()
        return await self._hub.store.claim(match_id, number, at_ms + self._config.engine_claim_ms, at_ms)

    async def _do(self, room: Room, found: Duty, number: int) -> None:
        match = room.match
        position = match.position
        renewing = asyncio.create_task(self._renew(room.id, number)) if self._hub.store.shared else None
        try:
            work = partial(self._compute, room, match, found)
            act = await self._pool.run(work, first=not room.is_show, key=room.row.creator or "")
        except Interrupted:
            return
        except (PlayerError, InvalidOption) as error:
            act = self._forfeit(room, found, error)
        except Exception as error:
            log.exception("the machine of match %s failed", room.id)
            act = self._forfeit(room, found, error)
        finally:
            if renewing is not None:
                renewing.cancel()

        def still(match: Match, at_ms: int) -> Event | None:
            """Only if nothing has happened meanwhile that makes it a different question."""
            if match.position != position or duty(match) != found:
                return None
            return act(match, at_ms)

        try:
            await self._hub.change(room, still, f"{HOUSE_IDS}{number}")
        except TimeUp:
            await self._hub.tick(room)
        except ValueError as error:
            log.warning("the machine of match %s was refused: %s", room.id, error)
            await self._hub.change(room, self._forfeit(room, found, error))

    def _forfeit(self, room: Room, found: Duty, error: Exception) -> Act:
        if found.seat < 0:
            raise Refusal("not-now", f"No dead stones could be suggested: {error}")
        log.warning("seat %d of match %s forfeits: %s", found.seat, room.id, error)
        return lambda match, at_ms: match.abandon(found.seat, at_ms)

    async def _renew(self, match_id: str, number: int) -> None:
        while True:
            await asyncio.sleep(self._config.engine_claim_ms / 3000)
            try:
                await self._claimed(match_id, number)
            except StoreUnavailable as error:
                log.warning("a claim is not renewed: %s", error)

    def _compute(self, room: Room, match: Match, found: Duty) -> Act:
        """In a thread. The player is away from the others while it thinks, so nobody closes it."""
        if found.kind != "move":
            return perform(found, match, None, 0)
        match_id, key = room.id, (room.id, found.seat)
        with self._players_lock:
            player = self._players.pop(key, None)
        if player is None:
            text = player_text(match.setup.seats[found.seat].id, match.game, self._config.programs)
            player = make_player(text, match.game, seed=random.getrandbits(32))
        thought = self._thoughts[match_id] = _Thought(match, found, player)
        try:
            if self._stopped or not thought.is_for(room.match):
                thought.wanted = False
                raise Interrupted
            act = perform(found, match, player, move_seconds(match, now_ms(), self._most_s(room)))
        except BaseException:
            player.close()
            if not thought.wanted:
                raise Interrupted from None
            raise
        finally:
            with self._players_lock:
                del self._thoughts[match_id]
        if thought.wanted:
            self._keep(key, player)
        else:
            player.close()
        return act

    def _most_s(self, room: Room) -> float:
        """How long a machine of that match may think while others do or do not wait for a thread."""
        busy = self._pool.is_wanted(room.row.creator or "", first=not room.is_show)
        return min(self._config.engine_move_s, self._config.engine_busy_s if busy else math.inf)

    def _keep(self, key: tuple[str, int], player: Player) -> None:
        """For its next move, with its tree or its process; the one that was used longest ago goes."""
        with self._players_lock:
            self._players[key] = player
            most = 0 if self._stopped else self._config.engine_players
            late = [self._players.popitem(last=False)[1] for _ in range(len(self._players) - most)]
        _close_all(late)

    def went_on(self, match_id: str, match: Match) -> None:
        """Interrupts a player that thinks about what is no longer the question."""
        thought = self._thoughts.get(match_id)
        if thought is not None and thought.wanted and not thought.is_for(match):
            thought.wanted = False
            self._hub.spawn(asyncio.to_thread(thought.interrupt))

    def forget(self, match_id: str) -> None:
        """The match is over: its machines are not needed again."""
        with self._players_lock:
            kept = [self._players.pop((match_id, seat), None) for seat in (0, 1)]
        found = [player for player in kept if player is not None]
        if found:
            self._hub.spawn(asyncio.to_thread(_close_all, found))

    # Analysis

    async def analyse(self, place: p.Place, seconds: float, key: str) -> p.Analysis:
        """What the search thinks of a place after so many seconds; `key` is who asks. Raises Refusal."""
        seconds = min(max(seconds, SHORTEST_S), self._config.analysis_s)
        name = hashlib.sha256(msgspec.json.encode((place, seconds), order="deterministic")).digest()
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        with self._asking(key):
            state = await asyncio.to_thread(last_state, place, self._config.max_line)
            work = _analysis_of(state, seconds)
            found = None
            while found is None:
                found = await self._pool.run(work, first=False)
        self._kept[name] = found
        if len(self._kept) > KEPT_ANALYSES:
            self._kept.popitem(last=False)
        return found

    async def review(
        self, place: p.Place, visits: int, key: str, spent: Callable[[float], None] = lambda seconds: None
    ) -> AsyncGenerator[p.ReviewedMove, None]:
        """Each move of a place beside what the search would have played, as it is found. Raises Refusal.

        `spent` is told after each move how many seconds the search took for it.
        """
        visits = min(max(visits, 1), self._config.review_visits)
        with self._asking(key):
            moves = await asyncio.to_thread(lambda: list(steps(place, self._config.max_line)))
            for number, (before, actions, _) in enumerate(moves, start=1):
                if actions[0] >= 0:
                    work = _review_of(before, actions, visits, number)
                    found, seconds = await self._pool.run(work, first=False)
                    spent(seconds)
                    yield found

    @contextmanager
    def _asking(self, key: str) -> Iterator[None]:
        count = self._asked.get(key, 0)
        if self._stopped:
            raise Refusal("unavailable", "The server is stopping.")
        if count >= self._config.analyses_per_key or sum(self._asked.values()) >= self._config.analyses:
            raise Refusal("too-many", "Too many positions are being looked at; try again in a moment.")
        self._asked[key] = count + 1
        try:
            yield
        finally:
            self._asked[key] -= 1
            if not self._asked[key]:
                del self._asked[key]


def _analysis_of(state: State, seconds: float) -> Callable[[], p.Analysis | None]:
    """A slice of work, to be called until it has an answer."""
    if state.outcome is not None:
        raise Refusal("over", "The game is over there: there is nothing to look for.")
    if state.game.name == "dominion-duel":
        return lambda: msgspec.convert(analyse(state).to_json(), p.Analysis)
    try:
        search = strongest_search(state)
    except TypeError:
        raise Refusal("malformed", f"The search does not know {state.game.title}.") from None
    left_s = seconds

    def work() -> p.Analysis | None:
        nonlocal left_s
        search.run(seconds=min(SLICE_S, left_s))
        left_s -= SLICE_S
        if left_s > 0.01 and search.report().proven is None:
            return None
        return msgspec.convert(describe(search).to_json(), p.Analysis)

    return work


def _review_of(
    before: State, actions: list[int], visits: int, number: int
) -> Callable[[], tuple[p.ReviewedMove, float]]:
    """Work that gives the move and the seconds that it took."""

    def work() -> tuple[p.ReviewedMove, float]:
        begun = time.monotonic()
        try:
            found = review([(before, actions)], visits=visits)[0]
        except TypeError:
            raise Refusal("malformed", f"The search does not know {before.game.title}.") from None
        reviewed = p.ReviewedMove(
            number=number,
            seat=found.seat,
            move=found.move,
            win_before=round(found.win_before, 4),
            win_after=round(found.win_after, 4),
            lead=None if found.lead is None else round(found.lead, 2),
            best=found.best,
            line=list(found.line),
            mistake=found.mistake,  # type: ignore[arg-type]
        )
        return reviewed, time.monotonic() - begun

    return work


def _close_all(players: list[Player]) -> None:
    for player in players:
        try:
            player.close()
        except Exception:
            log.exception("a player was not closed")
