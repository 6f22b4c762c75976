"""How a server process runs, as one frozen value. Nothing here changes what a match is."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

from tengen.server.names import Words


def _process_name() -> str:
    return f"{os.getpid()}-{secrets.token_hex(4)}"


def _spare_cpus() -> int:
    return max(1, (os.cpu_count() or 1) - 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerConfig:
    database_url: str = "sqlite://"
    process: str = field(default_factory=_process_name)  # tells processes with one database apart
    programs: Mapping[str, str] = field(default_factory=dict)  # GTP commands that may have a seat, by name
    addresses: tuple[str, ...] = ()  # where others find this server
    traces: str = ""  # the collector that they are sent to, if the operator wants any

    serves: bool = True  # whether people reach this process; one that only thinks for machines serves nobody

    # Matches
    gone_after_ms: int = 60_000  # not seen for so long, a player can be claimed against
    gone_untimed_ms: int = 24 * 3_600_000  # the same where no clock says that there is a hurry
    abandoned_after_ms: int = 3_600_000  # without a clock or a move for so long, the lobby shows it no more
    max_open_per_person: int = 20  # matches that wait for a player
    max_live_per_person: int = 200  # matches that wait or are played, as far as their maker sits in them
    max_shows_per_person: int = 2  # matches of two machines that go on at the same time
    idle_room_s: float = 120.0  # a match that nobody watches leaves memory after that

    # Sockets
    hello_s: float = 10.0  # how long a new connection may be silent
    max_watched: int = 20  # matches on one socket
    queue_messages: int = 256  # that a slow reader may lag behind, and
    queue_bytes: int = 1_000_000
    socket_per_s: float = 20.0  # messages from one socket
    socket_burst: float = 80.0
    limits: bool = True  # whether rates are limited at all

    # Engines
    machines: bool = True  # whether this process thinks for machine seats; others with its database may
    engine_processes: bool = False  # whether machines think in processes of their own
    engine_workers: int = field(default_factory=_spare_cpus)
    engine_move_s: float = 3.0  # no machine seat of our own search thinks longer, and
    engine_busy_s: float = 1.0  # no longer than this while others wait
    engine_players: int = 64  # that are kept with their trees and processes
    engine_claim_ms: int = 6_000  # until another process takes over a move, unless it is renewed
    analysis_s: float = 5.0  # the most that one analysis may ask for
    analyses: int = 64  # that may wait or run, and
    analyses_per_key: int = 3  # of one address
    max_line: int = 2000  # moves of a position to look at
    review_visits: int = 2000
    explore_s: float = 60.0  # the most that one look at a position may last, and
    explore_visits: int = 300_000  # how many visits it may have

    words: Words = field(default_factory=Words)  # that the operator does not want to read

    # Studies
    studies_bytes: int = 1024 * 2**20  # of all together
    keep_studies_days: int | None = None  # after which one is forgotten; None is never

    # House-keeping
    beat_s: float = 1.0
    outage_ms: int = 3_000  # a longer gap between beats is an outage: clocks stood still
    sweep_s: float = 5.0  # for flags and machine seats that nobody watches
    presence_s: float = 10.0  # how often it is noted who is here
    forget_s: float = 3600.0  # between looks for studies that are too old
    collect_s: float = 600.0  # between collections of all garbage
    stop_s: float = 3.0  # the most that a stop waits for what is under way
