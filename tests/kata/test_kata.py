"""KataGo, played by a small program: found, asked, kept running, started again, missed in one sentence."""

from __future__ import annotations

import os
import signal
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import tengen
from tengen.analysis import analyse, describe, review
from tengen.game import InvalidOption
from tengen.kata import KataError, KataSearch, find, kata_search, shared, usable
from tengen.kata.engine import why_ended
from tengen.players import PlayerError, make_player
from tengen.players.identity import identity
from tests.kata.conftest import Fake

Until = Callable[[Callable[[], bool]], None]


def engine_pid() -> int:
    program = usable()
    assert program is not None
    pid = shared(program).pid
    assert pid is not None
    return pid


def test_analysis_is_told_from_the_movers_side(fake: Fake) -> None:
    state = tengen.game("go", size=5, komi=0.5).start()
    found = analyse(state, visits=8, engine="auto")
    assert (found.by, found.visits, found.to_move) == ("katago", 8, 0)
    assert (found.win, found.lead) == (0.9, 4.5)
    assert [move.move for move in found.moves] == ["A5", "B5", "C5"] and found.moves[0].line[:2] == (
        "A5",
        "B5",
    )
    assert found.ownership is not None and found.ownership[:6] == (1.0,) * 5 + (-1.0,)
    after = analyse(state.play(12), visits=8, engine="katago")
    assert (after.to_move, round(after.win, 3), after.lead) == (1, 0.1, -4.5)


def test_one_visit_is_two_of_its(fake: Fake) -> None:
    """It counts the root, and with that alone it has no move to tell."""
    found = analyse(tengen.game("go", size=5).start(), visits=1, engine="katago")
    assert found.visits == 2 and found.moves[0].move == "A5"


def test_a_lead_that_contradicts_its_win_rate_is_none(fake: Fake) -> None:
    fake.behaves("torn")
    state = tengen.game("go", size=5).start()
    found = analyse(state, visits=8, engine="katago")
    assert (found.win, found.lead) == (0.516, 0) and {move.lead for move in found.moves} == {0}
    moved = review([(state, [12])], visits=8, engine="katago")[0]
    assert (moved.lead, moved.lead_after) == (0, 0)


def test_it_stays_between_questions_and_remembers(fake: Fake) -> None:
    state = tengen.game("go", size=5).start()
    analyse(state, visits=8, engine="auto")
    pid = engine_pid()
    analyse(state, visits=8, engine="auto")
    analyse(state.play(0), visits=8, engine="auto")
    assert engine_pid() == pid and len(fake.asked()) == 2, "the same question is not asked twice"


def grown(search: KataSearch) -> bool:
    """Whether a little more of it has found more."""
    before = search.report().visits
    search.run(seconds=0.05)
    return search.report().visits > before


def test_a_search_goes_on_and_is_ended_when_left(fake: Fake, until: Until) -> None:
    fake.behaves("slow")
    search = kata_search(tengen.game("go", size=5).start())
    assert search is not None
    until(lambda: grown(search))
    until(lambda: grown(search))
    assert len(fake.asked()) == 1
    query = search._query
    assert query is not None and not query.over
    search.close()
    until(lambda: query.finished)


def test_a_search_that_nobody_asks_about_is_ended(
    fake: Fake, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tengen.kata.search.IDLE_S", 0.0)
    fake.behaves("slow")
    search = kata_search(tengen.game("go", size=5).start())
    assert search is not None
    search.run(seconds=0.05)
    query = search._query
    assert query is not None
    until(lambda: query.finished)
    until(lambda: grown(search))
    assert len(fake.asked()) >= 2


def test_stop_ends_a_run_from_another_thread(fake: Fake) -> None:
    fake.behaves("slow")
    search = kata_search(tengen.game("go", size=5).start())
    assert search is not None
    running = threading.Thread(target=lambda: search.run(visits=10**6))
    running.start()
    search.engine.wait_ready()
    search.stop()
    running.join(30)
    assert not running.is_alive()


def test_what_died_is_asked_again(fake: Fake) -> None:
    fake.behaves("die")
    found = analyse(tengen.game("go", size=5).start(), visits=4, engine="auto")
    assert found.visits == 4 and len(fake.asked()) == 2


def test_killed_while_it_thinks(fake: Fake, until: Until) -> None:
    fake.behaves("slow")
    search = kata_search(tengen.game("go", size=5).start())
    assert search is not None
    until(lambda: grown(search))
    os.kill(engine_pid(), signal.SIGKILL)
    until(lambda: len(fake.asked()) == 2)
    until(lambda: grown(search))


def test_what_dies_again_and_again_is_given_up(fake: Fake) -> None:
    fake.behaves("always-die")
    with pytest.raises(KataError, match=r"^KataGo has ended again and again\. .*it said: out of memory\.$"):
        analyse(tengen.game("go", size=5).start(), visits=4, engine="auto")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("refuse", r"did not start: this machine has no OpenCL driver for it; it said: ERROR: CL_PLATFORM"),
        ("tune", r"ended \(SIGABRT\) while it was tuning for this machine"),
    ],
)
def test_why_it_does_not_start(fake: Fake, words: str, sentence: str) -> None:
    fake.behaves(words)
    with pytest.raises(KataError, match=sentence) as error:
        analyse(tengen.game("go", size=5).start(), visits=4, engine="auto")
    assert "\n" not in str(error.value) and str(error.value).endswith(".")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["katago: error while loading shared libraries: libOpenCL.so.1: cannot open"],
            "KataGo did not start: this machine has no OpenCL driver for it; it said: katago: error while"
            " loading shared libraries: libOpenCL.so.1: cannot open.",
        ),
        (
            ["terminate called after throwing an instance of 'IOError'", "  what():  Cannot specify both x"],
            "KataGo did not start (SIGABRT); it said: Cannot specify both x.",
        ),
        (["Error: could not parse model file"], "KataGo did not start (SIGABRT): its net cannot be read;"),
        ([], "KataGo did not start (SIGABRT)."),
        (["word " * 60], "KataGo did not start (SIGABRT); it said: " + "word " * 39 + "word …"),
    ],
)
def test_last_words_in_plain_ones(words: list[str], sentence: str) -> None:
    status = 127 if "libOpenCL" in "".join(words) else -signal.SIGABRT
    assert why_ended([word.strip() for word in words], status, False).startswith(sentence)


def test_where_it_is_not(fake: Fake, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def problem() -> str:
        found = find()
        assert found is not None and usable() is None
        return found.problem

    monkeypatch.setenv("TENGEN_KATAGO_MODEL", str(tmp_path / "no.bin.gz"))
    assert problem() == f"The net of KataGo is not at {tmp_path / 'no.bin.gz'}: there is no such file."
    monkeypatch.setenv("TENGEN_KATAGO_CONFIG", str(tmp_path / "no.cfg"))
    assert "no such file" in problem() and "no.cfg" in problem()
    monkeypatch.setenv("TENGEN_KATAGO", str(tmp_path / "nothing"))
    assert problem() == f"KataGo is not at {tmp_path / 'nothing'}: there is no such file."
    monkeypatch.setenv("TENGEN_KATAGO", str(fake.model))
    assert problem().endswith("that file may not be run.")
    with pytest.raises(KataError, match="may not be run"):
        analyse(tengen.game("go", size=5).start(), visits=1, engine="katago")
    monkeypatch.setenv("TENGEN_KATAGO", "off")
    assert find() is None
    with pytest.raises(KataError, match="There is no KataGo here"):
        analyse(tengen.game("go", size=5).start(), visits=1, engine="katago")
    assert analyse(tengen.game("go", size=5).start(), visits=1, engine="auto").by != "katago"


def test_path_and_the_nets_that_people_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "none"))
    for name in ("TENGEN_KATAGO", "TENGEN_KATAGO_MODEL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find() is None
    program = tmp_path / "bin" / "katago"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    found = find()
    assert found is not None and "has no net" in found.problem
    net = tmp_path / ".katrain" / "kata.bin.gz"
    net.parent.mkdir()
    net.write_bytes(bytes(20_000))
    found = usable()
    assert found is not None and (found.command, found.model) == ((str(program),), str(net))


def test_only_its_own_game(fake: Fake) -> None:
    state = tengen.game("great-kingdom").start()
    assert kata_search(state) is None
    with pytest.raises(KataError, match="does not know Great Kingdom"):
        analyse(state, visits=1, engine="katago")
    with pytest.raises(InvalidOption, match="does not know Great Kingdom"):
        make_player("katago", state.game)


def test_a_seat(fake: Fake) -> None:
    game = tengen.game("go", size=5)
    player = make_player("katago:4", game)
    assert player.choose(game.start()) == [0] and player.name == "KataGo, 4 visits"
    assert identity("katago:4", game, player) == "katago:4, KataGo 0.0-fake with net.bin.gz"
    assert fake.asked()[0]["maxVisits"] == 4
    player.close()
    assert make_player("katago", game).choose(game.start().play(0)) == [1]
    assert fake.asked()[-1]["maxVisits"] == 200
    for wrong in ("katago:0", "katago:x", "katago:-1s"):
        with pytest.raises(InvalidOption):
            make_player(wrong, game)


def test_it_resigns_by_its_own_judgement(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tengen.players.manners.RESIGN_BELOW", 0.3)
    game = tengen.game("go", size=5, komi=20)
    player, state, chosen = make_player("katago:4", game), game.start(), list[list[int] | None]()
    while None not in chosen and len(chosen) < 12:
        chosen.append(player.choose(state))
        state = state.play(state.legal_actions()[-2]).play(state.legal_actions()[0])
    assert chosen[-1] is None and len(chosen) > 3
    monkeypatch.setenv("TENGEN_RESIGN", "0")
    assert player.choose(state) is not None


def test_a_seat_that_cannot_be_filled(fake: Fake) -> None:
    fake.behaves("refuse")
    game = tengen.game("go", size=5)
    with pytest.raises(PlayerError, match="no OpenCL driver"):
        make_player("katago", game).choose(game.start())


def test_review_of_a_game(fake: Fake) -> None:
    state, moves = tengen.game("go", size=5).start(), []
    for action in (0, 12, 7):
        moves.append((state, [action]))
        state = state.play(action)
    found = review(moves, visits=6, engine="auto")
    assert [one.by for one in found] == ["katago"] * 3
    assert [one.best for one in found] == ["A5", "B5", "B5"] and not any(one.mistake for one in found)
    assert len(fake.asked()) == 4, "each position once"


# How positions are told


def question(fake: Fake, state: tengen.State) -> dict[str, object]:
    analyse(state, visits=2, engine="auto")
    return dict(fake.asked()[-1])


TERRITORY = {
    "ko": "SIMPLE",
    "scoring": "TERRITORY",
    "tax": "SEKI",
    "suicide": False,
    "hasButton": False,
    "whiteHandicapBonus": "0",
    "friendlyPassOk": True,
}


def test_rules_of_all_kinds(fake: Fake) -> None:
    japanese = question(fake, tengen.game("go", size=5).start())
    assert japanese["rules"] == TERRITORY
    chinese = question(fake, tengen.game("go", size=7, scoring="area", ko="superko").start())
    changed = {"ko": "POSITIONAL", "scoring": "AREA", "tax": "NONE", "friendlyPassOk": False}
    assert chinese["rules"] == TERRITORY | changed
    assert (chinese["boardXSize"], chinese["boardYSize"]) == (7, 7)


@pytest.mark.parametrize("size", [2, 9, 13, 19])
def test_boards_of_all_sizes(fake: Fake, size: int) -> None:
    state = tengen.game("go", size=size).start().play(size - 1)
    assert question(fake, state)["moves"] == [["B", f"{'ABCDEFGHJKLMNOPQRST'[size - 1]}{size}"]]
    assert question(fake, state)["boardXSize"] == size


@pytest.mark.parametrize(("komi", "told", "lead"), [(6.5, 6.5, -1.5), (6.25, 6.0, -1.25), (-200, -150, 205)])
def test_komi_that_it_does_not_know(fake: Fake, komi: float, told: float, lead: float) -> None:
    state = tengen.game("go", size=5, komi=komi).start()
    assert analyse(state, visits=2, engine="auto").lead == pytest.approx(lead)
    assert fake.asked()[-1]["komi"] == told


def test_handicap_and_positions(fake: Fake) -> None:
    handicap = question(fake, tengen.game("go", size=9, handicap=2).start())
    assert handicap["initialPlayer"] == "W" and len(handicap["initialStones"]) == 2  # type: ignore[arg-type]
    placed = tengen.game("go", size=5).position("X4/5/5/5/4O", 1).play(12)
    asked = question(fake, placed)
    assert asked["initialStones"] == [["B", "A5"], ["W", "E1"]]
    assert (asked["initialPlayer"], asked["moves"]) == ("W", [["W", "C3"]])


def test_play_that_was_resumed_has_one_pass(fake: Fake) -> None:
    state = tengen.game("go", size=5).start().play(12).play(25).play(25).resume(0).play(6)
    assert question(fake, state)["moves"] == [["B", "C3"], ["W", "pass"], ["B", "B4"]]


def test_a_history_that_it_refuses_is_left_out(fake: Fake) -> None:
    fake.behaves("picky")
    game = tengen.game("go", size=5, komi=0.5)
    state = game.position("X4/5/5/5/5", 1).play(1).play(5).play(24).play(6)  # White's stone at B5 is in atari
    state = state.play(23).play(2)
    assert state.prisoners == (1, 0)
    found = analyse(state, visits=2, engine="auto")
    asked = fake.asked()[-1]
    assert asked["moves"] == [] and asked["komi"] == -0.5, "the stone that Black has taken"
    assert len(asked["initialStones"]) == sum(code != 0 for code in state.cells())
    assert found.moves


def test_a_search_follows_the_game(fake: Fake) -> None:
    program = usable()
    assert program is not None
    search = KataSearch(tengen.game("go", size=5).start(), shared(program))
    search.run(visits=4)
    search.play(search.report().actions[0].action)
    assert search.report().visits == 0
    search.run(visits=4)
    assert describe(search).moves[0].move == "B5"
