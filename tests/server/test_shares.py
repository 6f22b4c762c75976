"""The attackers of test_attacks.py on a clock of our own: what a limit is worth is seen by turning it off."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

import pytest

from tengen.server.crowd import Crowd
from tengen.server.limits import MESSAGE_MS, RATES, Limits, TooMany, work_of
from tengen.server.matches.pool import Turns

ATTACKER, HONEST = "203.0.113.7", "198.51.100.1"
SOCKETS, ASKS_PER_S, SNAPSHOT, SECONDS = 60, 19, 170_000, 30


class Time:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def served_ms(enabled: bool) -> tuple[float, int]:
    """What one address costs that asks for a long match on its sockets, and how often others are refused."""
    at = Time()
    limits, cost_ms, turned_away = Limits(enabled=enabled, clock=at), 0.0, 0
    for step in range(SECONDS * ASKS_PER_S):
        at.now = step / ASKS_PER_S
        for _ in range(SOCKETS):
            try:
                limits.take("work", ATTACKER, MESSAGE_MS)
            except TooMany:
                continue
            limits.charge("work", ATTACKER, work_of(SNAPSHOT) - MESSAGE_MS)
            cost_ms += work_of(SNAPSHOT)
        try:
            limits.take("work", HONEST, MESSAGE_MS)
        except TooMany:
            turned_away += 1
    return cost_ms, turned_away


def test_watching_on_sixty_sockets_is_a_fifth_of_a_processor_and_without_the_limit_more_than_one() -> None:
    cost_ms, turned_away = served_ms(enabled=True)
    budget = RATES["work"]
    assert cost_ms <= budget.burst + SECONDS * budget.per_second + 2 * work_of(SNAPSHOT)
    assert turned_away == 0
    without_ms, _ = served_ms(enabled=False)
    assert without_ms > 1000 * SECONDS > 3 * cost_ms, "the attack is worth something where nobody stops it"


def mean_wait_s(key_of: Callable[[str], str]) -> float:
    """Of somebody with short moves on one worker, beside twenty who always have a long one waiting."""
    turns, now, asked, waits = Turns(), 0.0, 0.0, list[float]()
    nobody: Any = None  # who would wait for the result

    def push(who: str) -> None:
        turns.push(key_of(who), (lambda: who, nobody))

    for _ in range(20):
        push(ATTACKER)
    push(HONEST)
    while len(waits) < 5:
        key, (work, _) = turns.pop()
        who, begun = work(), now
        now += 0.05 if who == HONEST else 1.0
        turns.charge(key, now - begun)
        if who == HONEST:
            waits.append(begun - asked)
            asked = now
        push(who)
    return statistics.mean(waits)


def test_much_work_for_one_address_holds_nobody_up_and_in_one_queue_it_would() -> None:
    assert mean_wait_s(lambda who: who) <= 1.0
    assert mean_wait_s(lambda who: "all") > 15.0, "the attack is worth something where nobody has a share"


@pytest.mark.parametrize(("most", "fits"), [(900, True), (None, False)])
def test_a_full_server_keeps_descriptors_for_those_who_play(most: int | None, fits: bool) -> None:
    """A thousand connections from seventeen addresses, where a process may open 1,024 files."""
    crowd = Crowd(most)
    inside = sum(crowd.enter(object(), f"203.0.113.{number % 17}") for number in range(1000))
    assert (inside <= 900) == fits
    assert crowd.enter(object(), HONEST), "somebody new still gets in"
