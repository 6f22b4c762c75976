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
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import msgspec

from tengen.analysis import Engine, why_no_katago
from tengen.game import Game, InvalidOption, State
from tengen.kata import usable
from tengen.match import Event, Match, TimeUp
from tengen.players import PlayerError, manners
from tengen.server import protocol as p
from tengen.server.errors import Refusal
from tengen.server.matches.crew import Crew
from tengen.server.matches.deeds import Act, moved, perform
from tengen.server.matches.duties import Duty, duty
from tengen.server.matches.machines import first_guess_s, is_katago, player_text
from tengen.server.matches.minds import Mind, Thinker
from tengen.server.matches.places import last_state, steps
from tengen.server.matches.pool import Pool
from tengen.server.matches.requests import HOUSE_IDS
from tengen.server.matches.room import Room
from tengen.server.stamp import now_ms
from tengen.server.store.rows import StoreUnavailable

if TYPE_CHECKING:
    from tengen.server.matches.hub import Hub

T = TypeVar("T")
LIGHT_S = 0.15  # a move that takes less does not wait for others that take more
MOST_BEYOND = 1000  # matches of which it is remembered that their machines cannot play here
KEPT_COSTS = 1000  # of kinds of machines, what a move takes
SHORTEST_S = 0.05  # an analysis takes at least that
SLICE_S = 0.2  # of an analysis, before somebody else may have a turn
SLOWER = 1.3  # that of one which goes on and on grows by that, up to
LONGEST_SLICE_S = 1.0
KATAGO_CHECK_S = 15.0  # that whoever wants to play against it waits to hear whether it starts
KATAGO_LOOK_S = 0.25  # how often a KataGo that starts is looked at
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
    name: str  # of the player
    mind: Thinker
    wanted: bool = True

    def is_for(self, match: Match) -> bool:
        """Whether that is still the question; a suspended match goes on with the same one."""
        same = match.outcome is None and match.position == self.match.position
        return same and (match.suspended or duty(match) == self.found)

    def interrupt(self) -> None:
        self.wanted = False
        self.mind.stop(self.name)


class Engines:
    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._config = hub.config
        self._pool = Pool(hub.config.engine_workers)
        self._light = Pool(1)  # for what is soon done, so that it never waits for what is not
        self._study = Pool(hub.config.engine_workers)  # for analysis
        most = hub.config.engine_players
        self._mind: Thinker = (
            Crew(hub.config.engine_workers, most) if hub.config.engine_processes else Mind(most)
        )
        # What the last moves took, by game and machine.
        self._costs_s: OrderedDict[tuple[str, str], deque[float]] = OrderedDict()
        self._seats: dict[str, asyncio.Task[None]] = {}  # by match
        self._beyond: set[str] = set()  # matches whose machines cannot play on this host
        self._again: set[str] = set()  # matches that went on while their machine was being served
        self._thoughts: dict[str, _Thought] = {}  # by match
        self._thoughts_lock = threading.Lock()
        self._asked: dict[str, int] = {}  # analyses that wait or run, by who asked
        self._kept: OrderedDict[bytes, p.Analysis] = OrderedDict()
        self._stopped = False

    @property
    def waiting(self) -> int:
        """Jobs that wait for a thread."""
        return self._pool.waiting + self._light.waiting + self._study.waiting

    def observe(self, callback: Callable[[str, float], None]) -> None:
        """Calls back when a piece of search is done: for a seat or for analysis, and its seconds."""
        self._pool.observe = self._light.observe = lambda first, seconds: callback("seat", seconds)
        self._study.observe = lambda first, seconds: callback("analysis", seconds)

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
        pools = (self._pool, self._light, self._study)
        await asyncio.gather(*(pool.close(self._config.stop_s) for pool in pools))
        await asyncio.to_thread(self._mind.close)

    def interrupt(self) -> None:
        """Ends all thinking; a player that has not begun finds out by itself. Programs take a moment."""
        self._stopped = True
        with self._thoughts_lock:
            thoughts = list(self._thoughts.values())
        for thought in thoughts:
            thought.interrupt()

    def kill(self) -> None:
        """Ends all players without waiting for any, the programs included."""
        self.interrupt()
        self._mind.close()

    # Seats

    def want(self, match_id: str, here: bool = False) -> None:
        """Something is due in that match; what it is, the match says when its turn comes.

        `here` is for what no other process would do: a match of machines goes on where somebody watches it.
        """
        if self._stopped or not (self._config.machines or here) or match_id in self._beyond:
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
            self.want(match_id, here=True)

    async def _serve(self, match_id: str) -> None:
        """Does what is due, until nothing is or another process does it."""
        while not self._stopped and match_id not in self._beyond:
            if self._hub.held:
                await asyncio.sleep(AGAIN_S)
                continue
            try:
                room = await self._hub.rooms.find(match_id)
                await self._hub.settle_outages(room)
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
            if found.kind == "move" and is_katago(match.setup.seats[found.seat].id):
                async for sentence in self.katago_waited():
                    log.info("the machine of match %s: %s", room.id, sentence or "KataGo is ready")
            pool = self._light if self._is_light(match, found) else self._pool
            work = partial(self._compute, room, match, found, pool)
            act = await pool.run(work, first=not room.is_show, key=room.payer())
        except Interrupted:
            return
        except (PlayerError, InvalidOption) as error:
            if not self._config.serves:
                await self._leave_to_others(room.id, error)
                return
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

    async def _leave_to_others(self, match_id: str, error: Exception) -> None:
        """This host lacks what the machine needs; another process may have it."""
        log.warning("the machine of match %s is left to others: %s", match_id, error)
        if len(self._beyond) >= MOST_BEYOND:
            self._beyond.clear()
        self._beyond.add(match_id)
        await self._hub.store.unclaim(match_id)

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

    def _compute(self, room: Room, match: Match, found: Duty, pool: Pool) -> Act:
        """In a thread."""
        if found.kind != "move":
            return perform(found, match, self._mind)
        machine = match.setup.seats[found.seat].id
        text = player_text(machine, match.game, self._config.programs)
        thought = _Thought(match, found, player_name(room.id, found.seat), self._mind)
        with self._thoughts_lock:
            self._thoughts[room.id] = thought
        try:
            if self._stopped or not thought.is_for(room.match):
                thought.wanted = False
                raise Interrupted
            seconds = manners.move_seconds(match, now_ms(), self._most_s(room, pool))
            begun = time.monotonic()
            actions = self._mind.move(thought.name, text, match.game, match.state, seconds)
            self._learn_cost(match.game.name, machine, time.monotonic() - begun)
            return moved(found.seat, actions)
        except BaseException:
            if not thought.wanted:
                raise Interrupted from None
            raise
        finally:
            with self._thoughts_lock:
                del self._thoughts[room.id]

    def _most_s(self, room: Room, pool: Pool) -> float:
        """How long a machine of that match may think while others do or do not wait for a thread."""
        busy = pool.is_wanted(room.payer(), first=not room.is_show)
        return min(self._config.engine_move_s, self._config.engine_busy_s if busy else math.inf)

    def _is_light(self, match: Match, found: Duty) -> bool:
        """Whether it will soon be done, as far as one can tell before: one slow move means little."""
        if found.kind != "move":
            return found.kind == "answer" and match.offer is not None and match.offer.what != "draw"
        machine = match.setup.seats[found.seat].id
        found_s = self._costs_s.get((match.game.name, machine))
        return (min(found_s) if found_s else first_guess_s(machine)) < LIGHT_S

    def _learn_cost(self, game: str, machine: str, seconds: float) -> None:
        with self._thoughts_lock:
            found_s = self._costs_s.pop((game, machine), None) or deque([first_guess_s(machine)], maxlen=3)
            found_s.append(seconds)
            self._costs_s[game, machine] = found_s
            if len(self._costs_s) > KEPT_COSTS:
                self._costs_s.popitem(last=False)

    def went_on(self, match_id: str, match: Match) -> None:
        """Interrupts a player that thinks about what is no longer the question."""
        thought = self._thoughts.get(match_id)
        if thought is not None and thought.wanted and not thought.is_for(match):
            thought.wanted = False
            self._hub.spawn(asyncio.to_thread(thought.interrupt))

    def forget(self, match_id: str) -> None:
        """The match is over: its machines are not needed again."""
        self._beyond.discard(match_id)
        names = [player_name(match_id, seat) for seat in (0, 1)]
        self._hub.spawn(asyncio.to_thread(self._mind.forget, names))

    # Analysis

    def engine_for(self, wish: Engine, game: Game) -> Engine:
        """Who answers: ours or KataGo; raises Refusal for a KataGo that is not there."""
        there = game.records.kata and usable() is not None
        if wish == "katago" and not there:
            raise Refusal("not-now", why_no_katago(game) or "This server has no KataGo.")
        return "own" if wish == "own" or not there else "katago"

    async def katago_waited(self) -> AsyncGenerator[str, None]:
        """Waits until KataGo has started or failed to: sentences that say why one waits, in the end an empty
        one if it is ready.
        """
        told = None
        while True:
            how, sentence = await asyncio.to_thread(self._mind.katago)
            if how == "ready" or sentence != told:
                yield (told := sentence)
            if how in ("ready", "failed") or self._stopped:
                return
            await asyncio.sleep(KATAGO_LOOK_S)

    async def check_katago(self) -> None:
        """Raises Refusal where KataGo does not start; one that takes long may still do."""
        with suppress(TimeoutError):
            async with asyncio.timeout(KATAGO_CHECK_S):
                sentences = [one async for one in self.katago_waited()]
                if sentences[-1]:
                    raise Refusal("unavailable", sentences[-1])

    async def analyse(self, place: p.Place, seconds: float, key: str) -> p.Analysis:
        """What the search thinks of a place after so many seconds; `key` is who asks. Raises Refusal."""
        seconds = min(max(seconds, SHORTEST_S), self._config.analysis_s)
        name = hashlib.sha256(msgspec.json.encode((place, seconds), order="deterministic")).digest()
        if name in self._kept:
            self._kept.move_to_end(name)
            return self._kept[name]
        with self._asking(key):
            state = await asyncio.to_thread(last_state, place, self._config.max_line)
            found = await self._analysed(state, seconds, key)
        self._kept[name] = found
        if len(self._kept) > KEPT_ANALYSES:
            self._kept.popitem(last=False)
        return found

    async def estimate(self, state: State, key: str) -> p.Estimate:
        """How a game stands while it is played; raises Refusal."""
        with self._asking(key):
            work = _searching(partial(self._mind.standing, state), state.game.title)
            found = await self._study.run(work, first=False, key=key)
        ownership = [round(value, 2) for value in found.ownership]
        first, second = (round(points, 1) for points in found.points)
        return p.Estimate((first, second), list(found.dead), ownership)

    async def _analysed(self, state: State, seconds: float, key: str) -> p.Analysis:
        """A slice after the other, so that others have their turns in between."""
        if state.outcome is not None:
            raise Refusal("over", "The game is over there: there is nothing to look for.")
        name, left_s, found = f"{id(state)}-{random.getrandbits(64)}", seconds, None
        engine = self.engine_for("auto", state.game)
        while found is None:
            slice_s = min(SLICE_S, max(left_s, SHORTEST_S))
            left_s -= slice_s
            work = partial(self._mind.analysis, name, state, slice_s, left_s <= 0.01, engine)
            found = await self._study.run(_searching(work, state.game.title), first=False, key=key)
        return msgspec.convert(found, p.Analysis)

    async def review(
        self, place: p.Place, visits: int, key: str, spent: Callable[[float], None] = lambda seconds: None
    ) -> AsyncGenerator[p.ReviewedMove, None]:
        """Each move of a place beside what the search would have played, as it is found. Raises Refusal.

        `spent` is told after each move how many seconds the search took for it.
        """
        played = await asyncio.to_thread(lambda: list(steps(place, self._config.max_line)))
        moves = [(number, one) for number, one in enumerate(played, start=1) if one.resumed is None]
        wanted = [(number, one.before, one.actions) for number, one in moves]
        async with aclosing(self.review_moves(wanted, visits, key, spent)) as found:
            async for review, _ in found:
                yield review

    async def review_moves(
        self,
        moves: Iterable[tuple[int, State, Sequence[int]]],
        visits: int,
        key: str,
        spent: Callable[[float], None],
        engine: Engine = "own",
    ) -> AsyncGenerator[tuple[p.ReviewedMove, p.Analysis], None]:
        """Each move (its number, the state before it, its actions) beside what the search would have played,
        with what it thinks of the state before. Raises Refusal.
        """
        visits = min(max(visits, 1), self._config.review_visits)
        with self._asking(key):
            for number, before, actions in moves:
                begun = time.monotonic()
                work = partial(self._mind.review, before, list(actions), visits, engine)
                timed = _timed(_searching(work, before.game.title))
                found, seconds = await self._study.run(timed, first=False, key=key)
                spent(min(seconds, time.monotonic() - begun))
                position = msgspec.convert(found.pop("before"), p.Analysis)
                yield msgspec.convert({"number": number, **found}, p.ReviewedMove), position

    async def explore(
        self, state: State, seconds: float, key: str, spent: Callable[[float], None], engine: Engine = "own"
    ) -> AsyncGenerator[tuple[p.Analysis, str], None]:
        """What the search thinks of a state, again and again until it is proven or a bound is reached, with a
        sentence where there is something to say.

        `spent` is told after each slice how long it took, and may raise. Raises Refusal.
        """
        if state.outcome is not None:
            raise Refusal("over", "The game is over there: there is nothing to look for.")
        name, left_s, slice_s = f"{id(state)}-{random.getrandbits(64)}", seconds, SLICE_S
        try:
            with self._asking(key):
                while left_s > 0:
                    slice_s = min(slice_s, max(left_s, SHORTEST_S))
                    work = partial(self._mind.glance, name, state, slice_s, engine)
                    timed = _timed(_searching(work, state.game.title))
                    said, took_s = await self._study.run(timed, first=False, key=key)
                    found, message = msgspec.convert(said, p.Analysis), said.get("message", "")
                    yield found, message
                    if found.proven is not None or found.visits >= self._config.explore_visits:
                        return
                    left_s -= max(took_s, SHORTEST_S)
                    slice_s = min(slice_s * SLOWER, LONGEST_SLICE_S)
                    spent(took_s)
        finally:
            self._mind.leave(name, engine)

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


def _searching(work: Callable[[], T], title: str) -> Callable[[], T]:
    """Says so where the search does not know the game."""

    def asked() -> T:
        try:
            return work()
        except TypeError:
            raise Refusal("malformed", f"The search does not know {title}.") from None
        except PlayerError:
            raise Refusal("unavailable", "The search has broken down; try again.") from None

    return asked


def _timed(work: Callable[[], T]) -> Callable[[], tuple[T, float]]:
    def timed() -> tuple[T, float]:
        begun = time.monotonic()
        found = work()
        return found, time.monotonic() - begun

    return timed


def player_name(match_id: str, seat: int) -> str:
    """What a mind calls the machine of a seat."""
    return f"{match_id}/{seat}"
