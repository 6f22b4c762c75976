"""What one address takes of a server's event loop by asking for all that it can, within its limits or not.

    python -m benchmarks.server_attacks
    python -m benchmarks.server_attacks --seconds 5 requests headers

Starts one server with its limits on a loopback port. Each attacker comes from an address of its own and is
measured for a few seconds: the processor time of the thread with the event loop, by the time that has passed
after it has spent what it may have at once, and the memory of the process. All the while, also at first, two
honest players move from an address of their own. Of their moves it is told what the loop did from the frame
that came to the answer, for whomever, and of the loop what its longest turn was: both in processor time,
which does not depend on who else uses the machine. Fails where one attacker takes more of a core than MOST, a
turn is longer than MOST_TURN_S, one move in a hundred takes more than MOST_MOVE_S, or the server has a
traceback to tell of.
`everything` is many attackers at once, each from its own address; together they may have more of the core,
and TOGETHER_MOVE_S of the loop while a move waits, for its commit too.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.serving import asking_attacks as asking
from benchmarks.serving import odd_attacks as odd
from benchmarks.serving import owning_attacks as owning
from benchmarks.serving import playing_attacks as playing
from benchmarks.serving import raw_attacks as raw
from benchmarks.serving.games import Maker, scripts
from benchmarks.serving.processes import Serving
from benchmarks.serving.target import Attack, Target
from benchmarks.serving.watched import Seen
from benchmarks.serving.wire import Wire
from tengen.server.protocol import PROTOCOL

MOST = 0.6  # of a core
MOST_TURN_S, MOST_MOVE_S, TOGETHER_MOVE_S = 0.03, 0.1, 0.3  # of the loop
MOVE_EVERY_S, LEAST_MOVES, ENOUGH_S = 0.05, 20, 120.0
PREPARED_S = 20.0  # for all attackers at once, some of whom may be kept from it by the others
HONEST, ATTACKER = "127.0.4", "127.0.3"  # an address of each for an attack: matches are limited


async def everything(target: Target) -> None:
    """All that stand before it in ATTACKS at once, each from an address of its own, bursts aside."""
    net = target.source.rpartition(".")[0]
    attacks = ATTACKS[: ATTACKS.index(everything)]
    each = [Target(target.port, f"{net}.{100 + n}") for n, _ in enumerate(attacks)]
    attacking = [asyncio.ensure_future(attack(one)) for one, attack in zip(each, attacks, strict=True)]
    try:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PREPARED_S):
                await asyncio.gather(*(one.begun.wait() for one in each))
        await asyncio.sleep(1.0)
        target.begun.set()
        await asyncio.gather(*attacking, return_exceptions=True)
    finally:
        for one in attacking:
            one.cancel()


ATTACKS: tuple[Attack, ...] = (
    raw.requests,
    raw.pipelined,
    raw.connections,
    raw.headers,
    raw.half_open,
    raw.reconnecting,
    raw.hellos,
    raw.strange_matches,
    raw.nonsense,
    raw.pongs,
    raw.pieces,
    raw.chunks,
    raw.early_frames,
    raw.drips,
    raw.long_headers,
    raw.pings,
    raw.unread,
    raw.odd,
    asking.imports,
    asking.trees,
    asking.reviews,
    asking.known,
    asking.explorations,
    asking.long_lines,
    asking.estimates,
    playing.own_audience,
    playing.old_numbers,
    playing.stale,
    playing.comings,
    playing.wide,
    playing.marks,
    everything,
    owning.own_matches,
    owning.own_lobby,
    owning.new_names,
    owning.links,
    owning.erasures,
    owning.long_match,
    owning.takebacks,
    owning.left_searches,
    odd.held_bodies,
    odd.deep_json,
    odd.files,
    odd.wide_lines,
    odd.slow_readers,
    odd.many_matches,
    odd.no_moves,
    odd.suggestions,
    odd.authenticators,
)


def loop_s(server: Serving) -> float:
    """The processor time of the thread that the server began with, in which its event loop runs."""
    fields = Path(f"/proc/{server.pid}/task/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Honest:
    """Two players of one match, who move by turns as long as `play` runs."""

    def __init__(self, server: Serving, source: str) -> None:
        maker = Maker([server.url], source=source)
        self._made = maker.make()
        maker.close()
        self._port, self._source = server.port, source
        self._heard, self._accepted = asyncio.Event(), False
        self._moves = 0
        self.enough = asyncio.Event()  # set once there is something to judge by

    async def play(self) -> None:
        """A move at a time, each soon after the last was acknowledged."""
        match = self._made.match.encode()
        wires: list[Wire] = []
        for secret in self._made.secrets:
            wire = await Wire.open(self._port, self._hear, lambda: None, source=self._source)
            wire.send(b'{"type":"hello","protocol":%d,"secret":"%s"}' % (PROTOCOL, secret.encode()))
            wire.send(b'{"type":"watch","match":"%s"}' % match)
            wires.append(wire)
        try:
            for number, action in enumerate(scripts()[0]):
                self._accepted = False
                while not self._accepted:  # as clients do when a server says that it cannot just now
                    self._heard.clear()
                    wires[number % 2].send(
                        b'{"type":"ask","match":"%s","id":"m%d","kind":"move","actions":[%d]}'
                        % (match, number, action)
                    )
                    await self._heard.wait()
                    await asyncio.sleep(MOVE_EVERY_S)
                self._moves += 1
                if self._moves >= LEAST_MOVES:
                    self.enough.set()
        finally:
            for wire in wires:
                wire.abort()

    def _hear(self, message: bytes) -> None:
        if message.startswith((b'{"type":"accepted"', b'{"type":"refused"')):
            self._accepted = message.startswith(b'{"type":"accepted"')
            self._heard.set()


@dataclass(frozen=True, slots=True)
class Found:
    """`share` of a core that the event loop took, what it did, and what of it a move may take."""

    share: float
    seen: Seen
    most_move_s: float

    @property
    def moves_s(self) -> list[float]:
        """What honest moves took of the loop's time."""
        return sorted(took_s for address, took_s in self.seen.moves_s if address.startswith(HONEST))

    @property
    def move_s(self) -> float:
        """The same of 99 in 100 of them, 0 if there were none."""
        moves = self.moves_s
        return moves[len(moves) * 99 // 100] if moves else 0.0

    @property
    def faults(self) -> list[str]:
        found = []
        if self.seen.longest_s > MOST_TURN_S:
            found += [f"a turn of {1000 * s:.0f} ms: {what}" for s, what in self.seen.long if s > MOST_TURN_S]
        if self.move_s > self.most_move_s:
            found.append(f"moves took {1000 * self.move_s:.0f} ms")
        return found


async def measure(server: Serving, attack: Attack, number: int, seconds: float) -> Found:
    """What the loop does from the attack's beginning on, and its share after a second, when bursts are spent.

    Goes on for longer where honest players have not moved often enough by then; raises TimeoutError.
    """
    honest = await asyncio.to_thread(Honest, server, f"{HONEST}.{number}")
    target = Target(server.port, f"{ATTACKER}.{number}")
    attacking = asyncio.ensure_future(attack(target))
    await asyncio.wait({attacking, asyncio.ensure_future(target.begun.wait())}, return_when="FIRST_COMPLETED")
    await asyncio.to_thread(server.seen)
    playing = asyncio.ensure_future(honest.play())
    await asyncio.wait({attacking}, timeout=1.0)
    begun, spent = time.monotonic(), loop_s(server)
    await asyncio.wait({attacking}, timeout=seconds)
    share = (loop_s(server) - spent) / (time.monotonic() - begun)
    try:
        if attacking.done():
            attacking.result()
            raise RuntimeError("the attacker has given up")
        async with asyncio.timeout(ENOUGH_S):
            await honest.enough.wait()
    finally:
        for one in (attacking, playing):
            one.cancel()
        await asyncio.gather(attacking, playing, return_exceptions=True)
    most_move_s = TOGETHER_MOVE_S if attack is everything else MOST_MOVE_S
    return Found(share, await asyncio.to_thread(server.seen), most_move_s)


def main() -> int:
    names = {attack.__name__: attack for attack in ATTACKS}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("attacks", nargs="*", help=", ".join(names))
    parser.add_argument("--seconds", type=float, default=3.0)
    wanted = parser.parse_args()
    missed = False
    with tempfile.TemporaryDirectory() as folder:
        server = Serving(Path(folder), f"sqlite:///{folder}/attacked.sqlite3", limits=True, watched=True)
        server.start()
        try:
            for number, name in enumerate(wanted.attacks or names, start=2):
                found = asyncio.run(measure(server, names[name], number, wanted.seconds))
                missed |= (found.share > MOST and name != "everything") or bool(found.faults)
                print(
                    f"{name}: {found.share:.2f} of a core, {server.rss_bytes() / 2**20:.0f} MB, "
                    f"a turn of the loop {1000 * found.seen.longest_s:.1f} ms at most, "
                    f"99 of 100 of {len(found.moves_s)} moves within {1000 * found.move_s:.1f} ms of it",
                    *found.faults,
                    sep="\n  ",
                    flush=True,
                )
        finally:
            server.stop()
        told = server.log.read_text()
    print(f"the log has {len(told) // 1024} kB")
    if "Traceback" in told:
        missed = True
        print(told[told.index("Traceback") - 500 :][:3000], file=sys.stderr)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
