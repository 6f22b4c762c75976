"""How machines end games of Go that GNU Go has played out: do they pass, and does a narrow win stay won?

    python tools/go_endings.py make FILE --games 40 --size 9    # GNU Go against itself, to the second pass
    python tools/go_endings.py pass FILE level:5 level:10       # the opponent has just passed: do they pass?
    python tools/go_endings.py pass FILE level:5 -o rules=chinese
    python tools/go_endings.py half FILE level:5                # ahead by half a point: do they win it?

Territory scoring, as is usual; `pass` takes other options of the game. For `half` the komi of each game is
changed so that a pass wins by half a point, and the game goes on against GNU Go. GNU Go judges all of them.
Start reading at `main`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import tengen
from tengen.arena import opening
from tengen.game import Game, State
from tengen.players import make_player
from tengen.players.player import Player
from tengen.players.program import ProgramPlayer
from tengen.records.record import game_from_words

GNU_GO = "gnugo --mode gtp --japanese-rules --level {level}"
OPENINGS = 900  # of the seeds of other tools
MOST_MOVES = 3  # times the cells


def gnu_go(level: int) -> ProgramPlayer:
    return ProgramPlayer(GNU_GO.format(level=level))


def make(path: Path, games: int, size: int) -> None:
    game = tengen.game("go", size=size)
    found = json.loads(path.read_text()) if path.exists() else []
    players = [gnu_go(level) for level in (1, 5, 10)]
    for number in range(len(found), len(found) + games):
        state: State = opening(game, OPENINGS + number)
        pair = players[number % 3], players[(number // 3) % 3]
        while state.outcome is None and len(state.actions) < MOST_MOVES * len(state.cells()):
            actions = pair[state.to_move].choose(state)
            if actions is None:
                break
            for action in actions:
                state = state.play(action)
        lead = players[2].final_lead(state)
        if lead is not None and _has_passed(state):
            found.append({"size": size, "actions": list(state.actions), "lead": lead})
            path.write_text(json.dumps(found))
    for player in players:
        player.close()
    print(f"{path}: {len(found)} games")


def _has_passed(state: State) -> bool:
    return list(state.actions[-2:]) == [len(state.cells())] * 2


def endings(path: Path, options: Sequence[str] = ()) -> Iterator[tuple[Game, State, float]]:
    """Each game with those options, the state where one side has passed, and the lead of the side to move."""
    for one in json.loads(path.read_text()):
        game = game_from_words("go", [f"size={one['size']}", *options])
        state: State = game.start()
        for action in one["actions"][:-1]:
            state = state.play(action)
        yield game, state, one["lead"] if state.to_move == 0 else -one["lead"]


def try_passes(path: Path, name: str, options: Sequence[str]) -> None:
    passed, all_of = 0, 0
    for game, state, _ in endings(path, options):
        player = make_player(name, game, seed=all_of)
        actions = player.choose(state)
        good = actions is not None and actions[0] == len(state.cells())
        if not good and actions is not None:
            print(f"game {all_of}: {game.format(state, actions)}")
        passed, all_of = passed + good, all_of + 1
        player.close()
    print(f"{name}: passes in {passed} of {all_of}", flush=True)


def try_half_points(path: Path, name: str) -> None:
    won, all_of, other = 0, 0, gnu_go(10)
    for game, finished, lead in endings(path):
        sign = 1 if finished.to_move == 0 else -1
        komi = float(str(game.options["komi"])) + sign * (lead - 0.5)
        narrow = tengen.game("go", size=game.options["size"], komi=komi)
        state: State = narrow.start()
        for action in finished.actions:
            state = state.play(action)
        seat, player = state.to_move, make_player(name, narrow, seed=all_of)
        state = _played_out(state, {seat: player, 1 - seat: other})
        left = other.final_lead(state)
        good = left is not None and (left if seat == 0 else -left) > 0
        if not good:
            print(f"game {all_of}: {left} after {len(state.actions) - len(finished.actions)} moves more")
        won, all_of = won + good, all_of + 1
        player.close()
    other.close()
    print(f"{name}: {won} of {all_of} stay won", flush=True)


def _played_out(state: State, players: dict[int, Player]) -> State:
    most = len(state.actions) + len(state.cells())
    while state.outcome is None and not _has_passed(state) and len(state.actions) < most:
        actions = players[state.to_move].choose(state)
        if actions is None:
            break
        for action in actions:
            state = state.play(action)
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description="How machines end games of Go.")
    parser.add_argument("what", choices=("make", "pass", "half"))
    parser.add_argument("file", type=Path)
    parser.add_argument("players", nargs="*", default=["level:5"])
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("-o", "--option", action="append", default=[], help="NAME=VALUE, for pass")
    given = parser.parse_args()
    if given.what == "make":
        make(given.file, given.games, given.size)
    for name in given.players if given.what != "make" else ():
        if given.what == "pass":
            try_passes(given.file, name, given.option)
        else:
            try_half_points(given.file, name)


if __name__ == "__main__":
    main()
