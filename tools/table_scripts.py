"""Writes what `Match` says to random requests, for the table in the page to say the same.

    tools/table_scripts.py [--scripts N] [--seed N]

A script is a match that a device can hold: a start, requests with the answer to each, and the answers that
the core gave meanwhile, so that the table is tested without one; web/src/engine/table/table.test.ts plays it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable
from typing import Any

import msgspec

from tengen.game import IllegalAction, NotationError, State
from tengen.games import game as make
from tengen.line import RESUME, Line
from tengen.match import Event, Match, Occupant, Request, Setup
from tengen.match.clock import Clock
from tengen.server.errors import Refusal
from tengen.server.games import choices, outcome, view_of
from tengen.server.matches.describe import now
from tengen.server.matches.requests import check_claim

ASKS = 80
AFTER = 6  # requests after the end
GAMES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("great-kingdom", {}),
    ("go", {"size": 5, "komi": 0.5}),
    ("go", {"size": 4, "scoring": "territory", "komi": 1}),
    ("kelasu", {}),
    ("dominion-duel", {"n": 9}),
)
CLOCKS: tuple[dict[str, Any], ...] = (
    {"kind": "none"},
    {"kind": "absolute", "main_ms": 60_000},
    {"kind": "fischer", "main_ms": 20_000, "increment_ms": 900, "cap_ms": 21_000},
    {"kind": "byo-yomi", "main_ms": 5_000, "periods": 3, "period_ms": 4_000},
    {"kind": "correspondence", "days_per_move": 1, "vacation_days": 1},
    {"kind": "canadian", "main_ms": 4_000, "moves": 3, "period_ms": 6_000},
)
PERSON, MACHINE = Occupant("Ann", "person", "ann"), Occupant("Level 1", "machine", "level:1")
SEATS = ((PERSON, PERSON), (PERSON, MACHINE), (MACHINE, PERSON), (MACHINE, MACHINE))


def plain(value: Any) -> Any:
    """As who is told reads it."""
    return msgspec.json.decode(msgspec.json.encode(value))


class Script:
    """A match that is asked at random, and what was said."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        name, options = GAMES[seed % len(GAMES)]
        self.at_ms = 1_000_000
        clock = Clock.from_json(CLOCKS[self.random.randrange(len(CLOCKS))])
        self.match = Match(Setup(make(name, **options), SEATS[seed % len(SEATS)], clock, self.at_ms))
        self.positions = [self.match.position]
        self.core: list[dict[str, Any]] = []

    def play(self) -> dict[str, Any]:
        setup = self.match.setup
        self._tell(self.match.state)
        start = plain(now(self.match, self.at_ms))
        asks = list[dict[str, Any]]()
        while len(asks) < ASKS and not (len(asks) > AFTER and asks[-AFTER]["now"]["outcome"]):
            asks.append(self._ask())
        seats = [{"kind": one.kind, "name": one.name, "player": one.id} for one in setup.seats]
        fixed = {
            "game": setup.game.name,
            "seatNames": list(setup.game.seats),
            "options": dict(setup.game.options),
            "origin": None,
            "clock": setup.clock.to_json(),
            "seats": seats,
            "started_ms": setup.started_ms,
        }
        return {"setup": fixed, "start": start, "asks": asks, "core": self.core}

    # What is asked

    def _ask(self) -> dict[str, Any]:
        self.at_ms += self.random.choice((0, 40, 700, 2500, -300))
        if self.random.random() < 0.02:
            self.at_ms += 30_000
        asked = self._house() if self.random.random() < self._house_chance() else self._request()
        told: dict[str, Any]
        try:
            event = self._do(asked)
            told = {"event": None if event is None else self._event(event)}
        except ValueError as error:
            refusal = Refusal.of(error)
            told = {"refused": {"code": refusal.code, "message": refusal.message}}
        self.positions.append(self.match.position)
        self._tell(self.match.state)
        return {"asked": asked, **told, "now": plain(now(self.match, self.at_ms))}

    def _house_chance(self) -> float:
        flag_at_ms = self.match.flag_at_ms
        if self.match.suspended or (flag_at_ms is not None and flag_at_ms <= self.at_ms):
            return 0.5
        return 0.2 if self.match.phase == "agreement" else 0.04

    def _request(self) -> dict[str, Any]:
        draw, match = self.random.random, self.match
        seat = match.state.to_move if draw() < 0.93 else self.random.randrange(2)
        asked: dict[str, Any] = {"seat": seat, "at_ms": self.at_ms}
        kinds = {
            "move": 80,
            "offer": 9,
            "answer": 6,
            "resign": 0.4,
            "mark": 2,
            "accept": 1,
            "resume": 1,
            "claim": 0.5,
            "unpause": 2,
        }
        if match.phase == "agreement":
            kinds |= {"move": 4, "mark": 40, "accept": 25, "resume": 9}
        kind = self.random.choices(list(kinds), list(kinds.values()))[0]
        if kind == "claim" and not match.setup.grants_at_once(seat):
            kind = "resume"  # a machine claims nothing
        asked |= {"kind": kind}
        if kind == "move":
            asked |= self._move()
        if kind in ("offer", "answer"):
            asked["what"] = self.random.choice(("draw", "takeback", "takeback", "rematch", "pause", "tea"))
        if kind == "answer":
            asked["accept"] = draw() < 0.5
            if match.offer is not None and draw() < 0.8:
                asked |= {"seat": 1 - match.offer.seat, "what": match.offer.what}
        if kind == "mark":
            asked |= {
                "what": self.random.choice(("dead", "neutral", "gone")),
                "on": self.random.choice((None, True, False)),
            }
            asked["cell"] = self.random.randrange(-1, len(match.state.cells()) + 1)
        if kind == "accept" or draw() < 0.1:
            asked["seen"] = self._seen()
        return asked

    def _seen(self) -> int:
        """After which request the position was seen; now, or at another one."""
        others = [at for at, position in enumerate(self.positions) if position != self.positions[-1]]
        return (
            self.random.choice(others) if others and self.random.random() < 0.2 else len(self.positions) - 1
        )

    def _move(self) -> dict[str, Any]:
        state = self.match.state
        roll = self.random.random()
        if roll < 0.03:
            return {"text": self.random.choice(("xyzzy", "", "pass", "a1", "B2"))}
        if roll < 0.06:
            return {"actions": [self.random.randrange(state.game.action_count)]}
        if roll < 0.07:
            return {"actions": []}
        passing = state.game.table.pass_action
        if passing is not None and state.outcome is None and self.random.random() < 0.15:
            return {"actions": [passing]}
        actions = list[int]()
        while state.outcome is None and (not actions or state.game.mid_move(state)):
            actions.append(self.random.choice(state.legal_actions()))
            state = state.play(actions[-1])
        if actions and self.random.random() < 0.2:
            return {"text": state.game.format(self.match.state, actions)}
        return {"actions": actions or [0]}

    def _house(self) -> dict[str, Any]:
        kind = self.random.choice(("tick", "suspend", "continue", "continue", "suggest", "suggest"))
        asked: dict[str, Any] = {"house": kind, "at_ms": self.at_ms}
        if kind == "suggest":
            cells = self.match.state.cells()
            stones = [cell for cell, code in enumerate(cells) if code]
            empty = [cell for cell, code in enumerate(cells) if not code]
            asked["dead"] = self.random.sample(stones, min(1, len(stones)))
            asked["neutral"] = self.random.sample(empty, min(1, len(empty)))
        return asked

    # What is done about it

    def _do(self, asked: dict[str, Any]) -> Event | None:
        match, at_ms = self.match, asked["at_ms"]
        if "house" in asked:
            house: dict[str, Callable[[], Event | None]] = {
                "tick": lambda: match.tick(at_ms),
                "suspend": lambda: match.suspend(at_ms),
                "continue": lambda: match.proceed(at_ms),
                "suggest": lambda: match.suggest(asked["dead"], asked["neutral"], at_ms),
            }
            return house[asked["house"]]()
        self._tell_core(asked)
        if asked["kind"] == "claim":
            check_claim(match, 1 - asked["seat"])
        names: tuple[str, ...] = ("text", "actions", "what", "accept", "cell", "on")
        data = {name: asked[name] for name in names if name in asked}
        position = self.positions[asked["seen"]] if "seen" in asked else None
        return match.apply(Request(asked["kind"], asked["seat"], at_ms, data, position))

    # What the core says meanwhile

    def _tell_core(self, asked: dict[str, Any]) -> None:
        state = self.match.state
        if asked["kind"] == "move":
            if "actions" in asked:
                self._record("move", asked["actions"], lambda: self._made(state, asked["actions"]))
            else:
                found = self._record("parse", asked["text"], lambda: self._parsed(state, asked["text"]))
                if "actions" in found:
                    self._record("move", found["actions"], lambda: self._made(state, found["actions"]))
        if asked["kind"] == "resume" and self.match.phase == "agreement":
            seat = 1 - asked["seat"]
            self._record("resume", seat, lambda: self._told(Line(state).resume(seat).after, seat))

    def _tell(self, state: State) -> None:
        self._record("position", None, lambda: self._told(state))
        if (marking := self.match.marking) is not None:
            dead, neutral = sorted(marking.dead), sorted(marking.neutral)
            sheet = state.game.table.count(state, dead, neutral)
            names = ("points", "territory", "stones", "lost", "dead", "owner")
            count = {name: list(getattr(sheet, name)) for name in names}
            self._record("count", [dead, neutral], lambda: count)

    def _record(self, call: str, given: Any, answer: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        try:
            said = answer()
        except (IllegalAction, NotationError) as error:
            code = "illegal" if isinstance(error, IllegalAction) else "notation"
            said = {"error": code, "message": str(error)}
        self.core.append({"call": call, "at": self._way(), "given": given, "said": said})
        return said

    def _way(self) -> list[Any]:
        """The moves and resumptions of the line, as a `Place` has them."""
        moves, resumptions = list[list[int]](), list[list[int]]()
        for event in self.match.line:
            if event.kind == "move":
                moves.append(list(event.data["actions"]))
            elif event.seat is not None:
                resumptions.append([len(moves), 1 - event.seat])
        return [moves, resumptions]

    def _parsed(self, state: State, text: str) -> dict[str, Any]:
        return {"actions": state.game.parse(state, text)}

    def _made(self, state: State, actions: list[int]) -> dict[str, Any]:
        step = Line(state).move(actions)
        return {"actions": actions, "text": step.text, "after": self._told(step.after)}

    def _told(self, state: State, resumed: int | None = None) -> dict[str, Any]:
        game = state.game
        return {
            "text": "" if resumed is None else RESUME + game.seats[resumed],
            "seat": None,
            "view": plain(view_of(state)),
            "legal": state.legal_actions(),
            "diagram": game.diagram(state),
            "outcome": plain(outcome(state.outcome)),
            "moves": plain(choices(state)),
            "resumed": resumed,
            "codes": list(state.cells()),
            "mid_move": game.mid_move(state),
            "can_resume": game.table.can_resume(state),
            "agreement": game.table.agreement,
        }

    def _event(self, event: Event) -> dict[str, Any]:
        told = event.to_json()
        del told["position"]
        return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scripts", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    scripts = [Script(args.seed + number).play() for number in range(args.scripts)]
    json.dump(scripts, sys.stdout, separators=(",", ":"))


if __name__ == "__main__":
    main()
