"""The core in the page says what Python says: views, legal moves, notation, outcomes, moves of machines.

Random games of every game with several options, and random texts, are put to both. Needs Node.js, the
packages of the client and the compiled core (`make web`), and says loudly where they are missing.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import tengen
from tengen.analysis import analyse, review
from tengen.brains.file import read_info
from tengen.brains.info import BrainError
from tengen.brains.store import SHIPPED, BrainStore, load
from tengen.brains.strongest import stronger_brain
from tengen.game import Game, IllegalAction, NotationError, OptionValue, State
from tengen.players import make_player
from tengen.server import protocol as p
from tengen.server.games import outcome, view_of
from tengen.server.matches import places

WEB = Path(__file__).parents[2] / "web"
CORE = WEB / "src" / "engine" / "core" / "core.wasm"

GAMES: list[tuple[str, dict[str, OptionValue], int]] = [  # with how many random games are played
    ("great-kingdom", {"size": 5}, 12),
    ("great-kingdom", {"size": 9}, 5),
    ("great-kingdom", {"size": 10, "neutral": False, "rules": "published", "suicide": "illegal"}, 3),
    ("great-kingdom", {"size": 7, "castles": 6, "enter_own_territory": False}, 6),
    ("go", {"size": 5, "ko": "superko", "scoring": "area"}, 4),
    ("go", {"size": 4, "rules": "new_zealand"}, 3),
    ("go", {"size": 9, "rules": "aga", "handicap": 3}, 1),
    ("go", {"size": 9, "handicap": 3}, 3),
    ("go", {"size": 13}, 2),
    ("kelasu", {}, 3),
    ("kelasu", {"may_end_turn_early": True}, 3),
    ("dominion-duel", {"n": 21}, 12),
    ("dominion-duel", {"n": 70}, 3),
]
MOST_ACTIONS = 250
LETTERS = "abcdijkxz0159 ;=+>-@%pase'\"\\\n\u00a0\u3000é한"


class Core:
    """Asks the core in Node.js."""

    def __init__(self) -> None:
        command = ["node", "scripts/core.mjs"]
        self._node = subprocess.Popen(
            command, cwd=WEB, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )

    def ask(self, method: str, *args: Any) -> Any:
        """The value, or the code and message of a refusal."""
        assert self._node.stdin is not None and self._node.stdout is not None
        self._node.stdin.write(json.dumps({"method": method, "args": args}) + "\n")
        self._node.stdin.flush()
        answer = json.loads(self._node.stdout.readline())
        return answer["value"] if "value" in answer else (answer["code"], answer["message"])

    def close(self) -> None:
        self._node.communicate(timeout=60)


@pytest.fixture(scope="module")
def core() -> Iterator[Core]:
    if shutil.which("node") is None or not (WEB / "node_modules").is_dir() or not CORE.is_file():
        pytest.skip("THE CORE IN THE PAGE WAS NOT COMPARED: it needs Node.js and `make web`.")
    found = Core()
    yield found
    found.close()


def plain(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


def random_moves(game: Game, dice: random.Random) -> list[list[int]]:
    """Whole moves from the start to the end, or as many as are allowed."""
    state, moves, move = game.start(), list[list[int]](), list[int]()
    while state.outcome is None and len(state.actions) < MOST_ACTIONS:
        legal = state.legal_actions()
        # Few passes, so that games last.
        chosen = dice.choice(legal[:-1] or legal) if dice.random() < 0.9 else dice.choice(legal)
        state = state.play(chosen)
        move.append(chosen)
        if not game.mid_move(state):
            moves.append(move)
            move = []
    return moves


@pytest.mark.parametrize(("name", "options", "count"), GAMES, ids=str)
def test_every_position_of_random_games(
    core: Core, name: str, options: dict[str, OptionValue], count: int
) -> None:
    game = tengen.game(name, **options)
    for seed in range(count):
        moves = random_moves(game, random.Random(seed))
        place = p.Place(name, options, moves=moves)
        found = core.ask("line", plain(place))
        wanted = plain(places.line(place))
        for number, (ours, theirs) in enumerate(zip(found["positions"], wanted["positions"], strict=True)):
            assert ours == theirs, f"after {number} moves of seed {seed}"


@pytest.mark.parametrize(("name", "options", "count"), GAMES, ids=str)
def test_texts_are_read_alike(core: Core, name: str, options: dict[str, OptionValue], count: int) -> None:
    game, dice = tengen.game(name, **options), random.Random(1)
    moves = random_moves(game, dice)
    for length in {0, len(moves) // 2, max(0, len(moves) - 2)}:
        state = game.start()
        for move in moves[:length]:
            for action in move:
                state = state.play(action)
        place = plain(p.Place(name, options, moves=moves[:length]))
        for text in texts(game, state, dice):
            assert core.ask("parse", place, text) == read(game, state, text), repr(text)


def texts(game: Game, state: State, dice: random.Random) -> Iterator[str]:
    yield from (
        "",
        " ",
        "pass",
        " PASS\n",
        "--",
        "i5",
        "Z99",
        "a0",
        "D4",
        "d 4",
        "=W",
        "=W d0+d1>d1",
        "end",
        "7",
    )
    for action in dice.sample(state.legal_actions(), min(8, len(state.legal_actions()))):
        text = game.format(state, [action])
        yield from (text, f"\u3000{text.lower()} ", text + "x", f"{text};{text}")
    for _ in range(60):
        yield "".join(dice.choice(LETTERS) for _ in range(dice.randrange(1, 9)))


def read(game: Game, state: State, text: str) -> Any:
    """What Python makes of a text, as the core says it."""
    try:
        actions = game.parse(state, text)
    except NotationError as error:
        return "notation", str(error)
    except IllegalAction as error:
        return "illegal", str(error)
    after = state
    for action in actions:
        after = after.play(action)
    written = game.format(state, actions)
    told = {
        "text": written,
        "seat": state.to_move,
        "view": plain(view_of(after)),
        "legal": after.legal_actions(),
        "diagram": game.diagram(after),
        "outcome": plain(outcome(after.outcome)),
        "moves": [],
        "resumed": None,
        "codes": list(after.cells()),
        "mid_move": game.mid_move(after),
        "can_resume": game.table.can_resume(after),
        "agreement": game.table.agreement,
    }
    return {"actions": actions, "text": written, "after": told}


@pytest.mark.parametrize("name", ["great-kingdom", "go", "kelasu", "dominion-duel"])
def test_levels_make_the_same_moves_for_the_same_seed(core: Core, name: str) -> None:
    """Levels that no brain plays, whose search ends before any clock does."""
    options: dict[str, OptionValue] = {"size": 7} if name in ("great-kingdom", "go") else {}
    game = tengen.game(name, **options)
    by_search = [level.number for level in game.opponents.levels if level.simulations == 0]
    assert len(by_search) > 1
    for number in by_search[:3]:
        player = make_player(f"level:{number}", game, seed=number)
        moves: list[list[int]] = []
        state = game.start()
        while state.outcome is None and len(moves) < 12:
            chosen = player.choose(state, 60)
            place = plain(p.Place(name, options, moves=moves))
            table = f"{name}{number}"
            found = core.ask("choose", place, f"level:{number}", table, {"seconds": 60}, {"seed": number})
            assert found == chosen, f"move {len(moves) + 1} of level {number}"
            moves.append(found)
            for action in found:
                state = state.play(action)


def test_analyses_and_reviews_agree(core: Core) -> None:
    """Where no brain judges; the last digits are the mathematical library's."""
    cases: list[tuple[str, dict[str, OptionValue]]] = [
        ("go", {"size": 5, "komi": 24.5}),
        ("great-kingdom", {"size": 5, "lead": 0}),
        ("dominion-duel", {}),
    ]
    for name, chosen in cases:
        game = tengen.game(name, **chosen)
        ours = analyse(game.start(), visits=300, seed=5).to_json()
        place = plain(p.Place(name, chosen))
        assert ours["by"] != "brain"
        found = core.ask("analyse", place, {"visits": 300}, {"seed": 5})
        assert found == pytest_close(ours), name
        state = game.start()
        action = state.legal_actions()[0]
        judged = review([(state, [action])], visits=200)[0]
        theirs = core.ask("review", place, [action], 200)["review"]
        assert theirs["mistake"] == judged.mistake and theirs["best"] == judged.best, name
        assert theirs["win_after"] == pytest.approx(judged.win_after, abs=2e-3), name


def pytest_close(value: Any) -> Any:
    """The same, with numbers that may differ a little."""
    if isinstance(value, dict):
        return {name: pytest_close(one) for name, one in value.items()}
    if isinstance(value, list):
        return [pytest_close(one) for one in value]
    return pytest.approx(value, abs=0.02) if isinstance(value, float) else value


def shipped_games() -> Iterator[tuple[str, Game]]:
    """Every brain that comes with tengen, with some of the boards that it plays on."""
    for path in sorted(SHIPPED.glob("*.onnx")):
        learned = read_info(path).learned()
        by_size = {game.width: game for game in learned}
        yield from ((path.stem, game) for game in by_size.values())


@pytest.mark.parametrize(("name", "game"), list(shipped_games()), ids=str)
def test_brains_say_what_onnx_runtime_says(core: Core, name: str, game: Game) -> None:
    """Of every position of random games, to within the last digits of a float."""
    brain, dice = load(SHIPPED / f"{name}.onnx"), random.Random(name)
    moves = random_moves(game, dice)
    state, states = game.start(), list[State]()
    for move in moves:
        states.append(state)
        for action in move:
            state = state.play(action)
    shown = sorted(dice.sample(range(len(states)), min(60, len(states))))
    said = brain.evaluate(np.stack([states[number].encode() for number in shown]))
    for row, number in enumerate(shown):
        place = plain(p.Place(game.name, dict(game.options), moves=moves[:number]))
        found = core.ask("words", place, name)
        assert found["policy"] == pytest.approx(said.policy[row], abs=1e-3), number
        assert found["value"] == pytest.approx(float(said.value[row]), abs=1e-4), number
        if said.lead is not None and said.ownership is not None:
            assert found["lead"] == pytest.approx(float(said.lead[row]), abs=1e-4), number
            assert found["ownership"] == pytest.approx(said.ownership[row], abs=1e-3), number


# With how many moves are compared: between moves that are as good the last digits of a float decide some day.
BRAIN_GAMES: list[tuple[str, dict[str, OptionValue], str, int]] = [
    ("great-kingdom", {}, "level:6", 100),
    ("great-kingdom", {"size": 7}, "level:7", 100),
    ("great-kingdom", {"size": 11, "neutral": False, "rules": "published"}, "brain:default@200", 12),
    ("great-kingdom", {}, "brain:default@300", 30),
    ("go", {"size": 9, "scoring": "area", "komi": 7.5}, "brain:default", 28),
    ("go", {"size": 9}, "brain:default@150", 16),
    ("go", {"size": 13}, "level:5", 20),
    ("kelasu", {}, "brain:default@32", 8),
    ("dominion-duel", {"n": 9}, "brain:default@64", 9),
]


@pytest.mark.parametrize(("name", "options", "machine", "most"), BRAIN_GAMES, ids=str)
def test_brains_make_the_same_moves_for_the_same_seed(
    core: Core, name: str, options: dict[str, OptionValue], machine: str, most: int
) -> None:
    game = tengen.game(name, **options)
    player = make_player(machine, game, seed=5)
    moves: list[list[int]] = []
    state = game.start()
    while state.outcome is None and len(moves) < most:
        chosen = player.choose(state, 600)
        place = plain(p.Place(name, options, moves=moves))
        found = core.ask("choose", place, machine, f"{name} {machine}", {"seconds": 600}, {"seed": 5})
        assert found == chosen, f"move {len(moves) + 1}"
        moves.append(found)
        for action in found:
            state = state.play(action)


def test_hints_are_the_brains_where_it_is_stronger(core: Core) -> None:
    for name, chosen in (("great-kingdom", {}), ("go", {"size": 9})):
        options: dict[str, OptionValue] = dict(chosen)
        ours = analyse(tengen.game(name, **options).start(), visits=200, seed=3).to_json()
        found = core.ask("analyse", plain(p.Place(name, options)), {"visits": 200}, {"seed": 3})
        assert ours["by"] == found["by"] == "brain"
        assert found == pytest_close(ours), name


def test_the_same_brain_is_taken(core: Core) -> None:
    """For random options, by name, and whether it is stronger than the search."""
    dice = random.Random(7)
    cases = list[tuple[str, dict[str, OptionValue]]]()
    for _ in range(120):
        size = dice.choice([5, 7, 8, 9, 9, 11, 13, 15, 19])
        kingdom: dict[str, OptionValue] = {
            "rules": dice.choice(["rulebook", "published"]),
            "size": size,
            "neutral": size % 2 == 1 and dice.random() < 0.8,
        }
        others: dict[str, list[OptionValue]] = {
            "lead": [0, 3, 4],
            "castles": [None, 3, 40, 60],
            "suicide": ["illegal"],
        }
        for option, values in others.items():
            if dice.random() < 0.2:
                kingdom[option] = dice.choice(values)
        cases.append(("great-kingdom", kingdom))
        komi = dice.choice([0.5, 3.5, 4.5, 6.5, 7.5, 10.5, 12.5])
        stones: dict[str, OptionValue] = {"size": dice.choice([5, 7, 9, 9, 13, 19]), "komi": komi}
        if dice.random() < 0.2 and stones["size"] != 5:
            stones["handicap"] = 2
        cases.append(("go", stones | {"scoring": dice.choice(["area", "territory"])}))
        cases.append(("dominion-duel", {"n": dice.choice([7, 9])}))
        cases.append(("kelasu", {"may_end_turn_early": dice.random() < 0.5}))
    store = BrainStore(SHIPPED)
    for name, options in cases:
        game = tengen.game(name, **options)
        try:
            stem = store.find(game, "default").name
        except BrainError:
            stem = None
        brain = stronger_brain(game)
        wanted = {"default": stem, "stronger": None if brain is None else brain.name}
        assert core.ask("brainOf", plain(p.Place(name, options))) == wanted, options


def test_dead_stones_and_counts(core: Core) -> None:
    board = "2XO5/2XO5/2XO1X3/2XO5/2XO5/2XO5/2XOO4/2XXO4/2XXO4"
    game = tengen.game("go", size=9)
    state = game.position(board, 0)
    state = state.play(81).play(81)
    place = plain(p.Place("go", {"size": 9}, origin=(board, 0), moves=[[81], [81]]))
    ours = game.opponents.estimate_dead(state)
    found = core.ask("estimate", place)
    assert (found["dead"], found["neutral"]) == (list(ours.dead), list(ours.neutral))
    sheet = game.table.count(state, ours.dead, ours.neutral)
    counted = core.ask("count", place, list(ours.dead), list(ours.neutral))
    assert counted["points"] == list(sheet.points) and counted["owner"] == list(sheet.owner)
    resumed = core.ask("resume", place, 1)
    assert resumed["text"] == "resume White" and resumed["view"]["to_move"] == 1


@pytest.mark.parametrize("rules", ["japanese", "chinese", "aga"])
def test_how_a_game_stands(core: Core, rules: str) -> None:
    board = "2XO5/2XO5/2XO1X3/2XO5/2XO5/2XO5/2XOO4/2XXO4/2XXO4"
    options: dict[str, OptionValue] = {"size": 9, "rules": rules}
    game = tengen.game("go", **options)
    for origin, moves in [((board, 0), []), (None, ["E5", "C3", "D3", "G7", "pass", "C4"])]:
        state = game.start() if origin is None else game.position(*origin)
        actions = []
        for move in moves:
            actions.append(game.parse(state, move))
            state = state.play(actions[-1][0])
        place = plain(p.Place("go", options, origin=origin, moves=actions))
        ours, found = game.opponents.standing(state), core.ask("standing", place)
        assert found["points"] == pytest.approx(ours.points, abs=0.051)
        assert found["dead"] == list(ours.dead)
        assert found["ownership"] == pytest.approx(ours.ownership, abs=0.0051)


@pytest.mark.usefixtures("core")
def test_nothing_that_is_asked_breaks_it() -> None:
    """Five thousand of the million questions of `npm run fuzz`."""
    ran = subprocess.run(
        ["node", "scripts/fuzz-core.mjs", "5000", "3"], cwd=WEB, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert told["answered"] > 1000 and told["refused"] > 1000
