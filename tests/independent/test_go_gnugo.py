"""Go against GNU Go, over GTP: who may play where, and what finished games are worth.

GNU Go runs with suicide forbidden and simple ko or positional superko, which are our rules. Its final score
under Japanese rules is territory plus prisoners plus dead stones; ours subtracts each side's losses instead,
which gives the same difference (GO 12). What is compared is that difference.

GNU Go decides which stones are dead and which empty points are dame (those of a seki included); both go into
our count as `dead` and `neutral`. So its judgement is taken over and its arithmetic is not: the owner of
every empty point, the prisoners and the sum must come out alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

import tengen

from .gtp_client import GtpClient, GtpError, find_gnugo
from .records import action_at, actions_at, finished_game, random_game, vertex

GNUGO = find_gnugo()
pytestmark = pytest.mark.skipif(
    GNUGO is None, reason="GNU Go is not installed (package gnugo): its rulings and scores were NOT compared."
)

SEATS = ("black", "white")
LIMIT_S = 60.0  # for one answer, on a busy machine; they take milliseconds


def start(ko: str, seed: int = 1) -> GtpClient:
    options = ["--mode", "gtp", "--level", "1", "--seed", str(seed), "--never-resign"]
    rules = [
        "--japanese-rules",
        "--forbid-suicide",
        "--simple-ko" if ko == "simple" else "--positional-superko",
    ]
    return GtpClient([GNUGO or "gnugo", *options, *rules], LIMIT_S)


@pytest.fixture(scope="module", params=["simple", "superko"])
def referee(request: pytest.FixtureRequest) -> Iterator[tuple[str, GtpClient]]:
    with start(request.param) as client:
        yield request.param, client


@pytest.fixture(scope="module")
def gnugo() -> Iterator[GtpClient]:
    with start("simple") as client:
        yield client


def clear(client: GtpClient, size: int, komi: float = 6.5) -> None:
    client.ask(f"boardsize {size}")
    client.ask("clear_board")
    client.ask(f"komi {komi}")


def tell(client: GtpClient, seat: int, action: int, size: int) -> None:
    client.ask(f"play {SEATS[seat]} {vertex(action, size)}")


@pytest.mark.parametrize(
    ("size", "games", "length"),
    [(2, 15, 30), (3, 10, 60), (4, 10, 60), (5, 8, 100), (9, 8, 250), (19, 1, 300)],
)
def test_legality(referee: tuple[str, GtpClient], size: int, games: int, length: int) -> None:
    """The legal points before every move of random games, and the board and prisoners after it."""
    ko, client = referee
    game = tengen.game("go", size=size, ko=ko)
    refused_by_ko = 0
    for seed in range(games):
        clear(client, size)
        for state, action, following in random_game(game, seed, length):
            mover = SEATS[state.to_move]
            legal = state.legal_actions()[:-1]
            assert legal == actions_at(client.ask(f"all_legal {mover}"), size), state
            reasons = (state.why_illegal(point) or "" for point in range(size * size))
            refused_by_ko += sum("ko" in reason for reason in reasons)
            tell(client, state.to_move, action, size)
            assert int(client.ask(f"captures {mover}")) == following.prisoners[state.to_move]
            for seat, colour in enumerate(SEATS):
                stones = [cell for cell, code in enumerate(following.cells()) if code == seat + 1]
                assert actions_at(client.ask(f"list_stones {colour}"), size) == stones
    # On 2x2 a lone stone that captures always keeps two liberties, so there is no simple ko.
    assert refused_by_ko > 0 or (ko, size) == ("simple", 2), (
        "The games had no ko in them and showed too little."
    )


@pytest.mark.parametrize("size", range(2, 20))
def test_fixed_handicap(gnugo: GtpClient, size: int) -> None:
    """GO 3: the same numbers of stones are possible, on the same points.

    Only on 12x12 GNU Go leaves the GTP specification and moves to the fourth line already.
    """
    for handicap in range(1, 10):
        clear(gnugo, size)
        theirs = ours = None
        with suppress(GtpError):
            theirs = actions_at(gnugo.ask(f"fixed_handicap {handicap}"), size)
        with suppress(tengen.InvalidOption):
            state = tengen.game("go", size=size, handicap=handicap).start()
            ours = [cell for cell, code in enumerate(state.cells()) if code]
        if size == 12 and ours and theirs:
            assert len(ours) == len(theirs)
        else:
            assert ours == theirs


def points_ahead(answer: str) -> float:
    """How far Black leads, from a GTP score such as W+3.5."""
    return 0.0 if answer == "0" else float(answer[2:]) * (1 if answer[0] == "B" else -1)


def check_score(client: GtpClient, state: Any) -> dict[str, list[int]]:
    """Our count with GNU Go's marks against its own count; returns the marks."""
    size = state.game.size
    lists = ("dead", "seki", "dame", "black_territory", "white_territory")
    marks = {name: actions_at(client.ask(f"final_status_list {name}"), size) for name in lists}
    sheet = state.count(dead=marks["dead"], neutral=marks["dame"])
    cells = state.cells()
    for seat, colour in enumerate(SEATS):
        owned = [cell for cell, code in enumerate(sheet.owner) if code == seat + 1 and cells[cell] == 0]
        assert owned == marks[f"{colour}_territory"]
        assert int(client.ask(f"captures {colour}")) == state.prisoners[seat] == sheet.lost[1 - seat]
    black, white = state.score(dead=marks["dead"], neutral=marks["dame"])
    assert black - white == points_ahead(client.ask("final_score"))
    if not marks["seki"]:  # then what the marks call dame must be dame without them
        assert state.score(dead=marks["dead"]) == (black, white)
    return marks


def self_play(size: int, seed: int) -> tuple[Any, dict[str, list[int]]]:
    game = tengen.game("go", size=size)
    state: Any = game.start()
    with start("simple", seed) as client:
        clear(client, size)
        while state.outcome is None:
            state = state.play(action_at(client.ask(f"genmove {SEATS[state.to_move]}"), size))
        return state, check_score(client, state)


def test_scores_of_its_own_games() -> None:
    """GNU Go plays itself to two passes: four games on 9x9 and one on 13x13, dead stones among them."""
    dead = prisoners = 0
    for size, seed in ((9, 1), (9, 2), (9, 4), (9, 7), (13, 2)):
        state, marks = self_play(size, seed)
        assert state.outcome.reason == "score"
        dead += len(marks["dead"])
        prisoners += sum(state.prisoners)
    assert dead > 0 and prisoners > 0, "The games had too little to count."


@pytest.mark.parametrize(("size", "seed"), [(9, 1), (9, 2), (13, 1), (19, 1), (19, 2), (19, 3)])
def test_scores_of_full_records(gnugo: GtpClient, size: int, seed: int) -> None:
    """Seeded games to two passes: on 19x19 more than 350 moves and a good many prisoners."""
    record = finished_game(tengen.game("go", size=size), seed)
    clear(gnugo, size)
    for number, action in enumerate(record.actions):
        tell(gnugo, number % 2, action, size)
    check_score(gnugo, record)


@pytest.mark.parametrize(
    ("rows", "shared", "eyes"),
    [
        pytest.param(
            "1XXX1OX2/OOOOOOX2/XXXXXXX2/9/XXXXXXXXX/OOOOOOOOO/9/9/9", "A9 E9", "", id="without eyes"
        ),
        pytest.param(
            "1X1O1OX2/XXXOOOX2/OOOXXXX2/2OX1X1X1/2OXX1X1X/2OX1X1X1/2OXXXXXX/2OX5/2OXXXXXX",
            "C9",
            "A9 E9",
            id="with eyes",
        ),
    ],
)
def test_seki(gnugo: GtpClient, rows: str, shared: str, eyes: str) -> None:
    """GO 22: GNU Go sees the seki and counts its eyes for nobody, as our count does with them as neutral."""
    state: Any = tengen.game("go", size=9).position(rows)
    clear(gnugo, 9)
    for cell, code in enumerate(state.cells()):
        if code:
            tell(gnugo, code - 1, cell, 9)
    marks = check_score(gnugo, state)
    assert marks["seki"] and not marks["dead"]
    assert marks["dame"] == actions_at(f"{shared} {eyes}", 9)
    black, white = state.score()
    assert (black - 1, white - 1) == state.score(neutral=actions_at(eyes, 9)) or not eyes


def test_the_client_never_hangs() -> None:
    """What the tests above rely on: refusals, a dead engine and a silent one are errors, soon."""
    with start("simple") as client:
        with pytest.raises(GtpError, match="no_such_command"):
            client.ask("no_such_command")
        assert client.ask("name") == "GNU Go"
        client.ask("quit")
        with pytest.raises(GtpError):
            client.ask("name")
    with GtpClient(["sleep", "60"], limit_s=0.1) as silent, pytest.raises(GtpError, match="No answer"):
        silent.ask("name")
