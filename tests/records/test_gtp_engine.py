"""Conversations with the GTP engine, whose search is a fake that plays the first legal action."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest

import tengen
from tengen import State
from tengen.records.gtp_engine import Analysis, Estimate, GtpEngine, MoveInfo


def first(state: State, seconds: float | None) -> Sequence[int] | None:
    return [state.legal_actions()[0]]


def first_turn(state: State, seconds: float | None) -> Sequence[int]:
    actions, mover = list[int](), state.to_move
    while state.outcome is None and state.to_move == mover:
        actions.append(state.legal_actions()[0])
        state = state.play(actions[-1])
    return actions


def analyse(state: State, interval_s: float, report: object, stop: threading.Event) -> None:
    assert callable(report)
    actions = state.legal_actions()
    moves = [
        MoveInfo([a], 100 - i, 0.5, 0.25, 0.49, 1.5, [a, actions[-1]]) for i, a in enumerate(actions[:2])
    ]
    owners = [0.5] * len(state.cells())
    report(Analysis(moves, owners))
    while not stop.wait(interval_s):
        report(Analysis(moves, owners))


def talk(script: str, **parts: object) -> list[str]:
    """The answers, without their empty lines."""
    out = io.StringIO()
    engine = GtpEngine(parts.pop("choose", first), stdin=io.StringIO(script), stdout=out, **parts)  # type: ignore[arg-type]
    engine.run()
    text = out.getvalue()
    assert text.endswith("\n\n") or not text
    return text.split("\n\n")[:-1]


CONVERSATIONS = {
    "rectangles, and KataGo's rules by the letter": (
        "boardsize 9 13\nrectangular_boardsize 13 9\nrectangular_boardsize 7 7\nquery_boardsize\n"
        "kata-set-rules koPOSITIONALscoreAREAtaxNONEsui1whbN-1\nkata-get-rules\n"
        "kata-set-rule suicide false\nkata-set-rule scoring TERRITORY\nkata-get-rules\n"
        "kata-set-rule colour blue\nkata-set-rule ko\nkata-set-rules koSIMPLEscoreAREAtaxALLsui0\n"
        "kgs-time_settings byoyomi x\nkgs-time_settings canadian 1 -1 2\n",
        [
            "? unacceptable size",
            "? unacceptable size",
            "=",
            "= 7",
            "=",
            '= {"ko": "POSITIONAL", "scoring": "AREA", "tax": "NONE", "suicide": true, "hasButton": false,'
            ' "whiteHandicapBonus": "N-1", "friendlyPassOk": false}',
            "=",
            "=",
            '= {"ko": "POSITIONAL", "scoring": "TERRITORY", "tax": "SEKI", "suicide": false,'
            ' "hasButton": false, "whiteHandicapBonus": "N-1", "friendlyPassOk": true}',
            "? unknown rule; there are ko, scoring, tax, suicide, hasButton, whiteHandicapBonus,"
            " friendlyPassOk",
            "? syntax error",
            "? tax can only be NONE with this scoring, not ALL",
            "? syntax error",
            "? syntax error",
        ],
    ),
    "handicap stones that were placed by hand on the usual points are made up for too": (
        "boardsize 9\nkomi 0.5\nkata-set-rules chinese\nset_free_handicap G7 C3\nfinal_score\n"
        "clear_board\nfixed_handicap 2\nfinal_score\n",
        ["=", "=", "=", "=", "= B+78.5", "=", "= G7 C3", "= B+78.5"],
    ),
    "KataGo's rules and KGS's clock": (
        "kata-get-rules\nkata-set-rules chinese\nkgs-rules\nkata-set-rules lunar\n"
        'kata-set-rules {"ko":"POSITIONAL","scoring":"AREA"}\nkata-get-rules\n'
        'kata-set-rules {"suicide":1}\nkata-set-rules {\n'
        "kata-set-rules aga\nkata-get-rules\nkata-set-rules nz\nkata-get-rules\n"
        'kata-set-rules {"ko":"SIMPLE","suicide":false,"whiteHandicapBonus":"N"}\nkata-get-rules\n'
        "kata-set-rules Tromp Taylor\nkata-get-rules\n"
        'kata-set-rules {"scoring":"AREA","tax":"ALL"}\nkata-set-rules {"friendlyPassOk":1}\n'
        "kata-set-rules []\n"
        "kgs-time_settings none\nkgs-time_settings byoyomi 60 10 5\nkgs-time_settings canadian 60\n",
        [
            '= {"ko": "SIMPLE", "scoring": "TERRITORY", "tax": "SEKI", "suicide": false, "hasButton": false,'
            ' "whiteHandicapBonus": "0", "friendlyPassOk": true}',
            "=",
            "? unknown rules; there are japanese, chinese, aga, new_zealand",
            "? unknown rules; there are japanese, korean, chinese, chinese-ogs, chinese-kgs,"
            " aga, bga, new-zealand, tromp-taylor, or KataGo's JSON",
            "=",
            '= {"ko": "POSITIONAL", "scoring": "AREA", "tax": "NONE", "suicide": false, "hasButton": false,'
            ' "whiteHandicapBonus": "N", "friendlyPassOk": true}',
            "? suicide can be true or false",
            "? the rules are not JSON",
            "=",
            '= {"ko": "SITUATIONAL", "scoring": "AREA", "tax": "NONE", "suicide": false, "hasButton": false,'
            ' "whiteHandicapBonus": "N-1", "friendlyPassOk": true}',
            "=",
            '= {"ko": "SITUATIONAL", "scoring": "AREA", "tax": "NONE", "suicide": true, "hasButton": false,'
            ' "whiteHandicapBonus": "0", "friendlyPassOk": true}',
            "=",
            '= {"ko": "SIMPLE", "scoring": "AREA", "tax": "NONE", "suicide": false, "hasButton": false,'
            ' "whiteHandicapBonus": "N", "friendlyPassOk": true}',
            "=",
            '= {"ko": "POSITIONAL", "scoring": "AREA", "tax": "NONE", "suicide": true, "hasButton": false,'
            ' "whiteHandicapBonus": "0", "friendlyPassOk": false}',
            "? tax can only be NONE with this scoring, not ALL",
            "? friendlyPassOk can be true or false",
            "? unknown rules; there are japanese, korean, chinese, chinese-ogs, chinese-kgs,"
            " aga, bga, new-zealand, tromp-taylor, or KataGo's JSON",
            "=",
            "=",
            "? syntax error",
        ],
    ),
    "a position from outside": (
        "boardsize 5\nset_position b c3 w c4 w pass\nset_position b c3 w c4\ntengen-position\n"
        "genmove w\nset_position b a1 w a2 w b1\nset_position\ntengen-position\n",
        [
            "=",
            "? syntax error",
            "=",
            "= 5/2O2/2X2/5/5 b",
            "= A5",
            "? illegal position: A chain of stones has no liberty",
            "=",
            "= 5/5/5/5/5 b",
        ],
    ),
    "a pass after the end": (
        "boardsize 5\nkgs-rules chinese\nplay b pass\nplay w pass\nplay b pass\nplay w pass\n",
        ["="] * 6,
    ),
    "administration": (
        "protocol_version\nname\nversion\nknown_command play\n"
        "known_command fly\nknown_command\nfly\nquit\nname\n",
        ["= 2", "= tengen", "= 1", "= true", "= false", "= false", "? unknown command", "="],
    ),
    "ids, comments, tabs and control characters": (
        "# hello\n\n  \n7 name # my name\n08\tname\n\x01na\x07me\r\n9\nname\x7f\n",
        ["=7 tengen", "=08 tengen", "= tengen", "?9 unknown command", "= tengen"],
    ),
    "board": (
        "boardsize 9\nquery_boardsize\nboardsize 25\nboardsize\n"
        "boardsize x\nboardsize 9.5\nkomi 7\nget_komi\nkomi x\n"
        "komi nan\nkomi 1e99\nclear_board\nget_komi\n",
        [
            "=",
            "= 9",
            "? unacceptable size",
            *["? syntax error"] * 3,
            "=",
            "= 7",
            *["? syntax error"] * 3,
            "=",
            "= 7",
        ],
    ),
    "moves": (
        "boardsize 9\nplay b D4\nplay white d4\nplay W e5\n"
        "play b Z9\nplay b\nplay red D5\nplay B pass\ngenmove w\n"
        "undo\nreg_genmove w\ngenmove w\n",
        [
            *("=", "=", "? illegal move: There is already a stone on that point", "="),
            "? illegal move: Z9 is not on the board, which goes from A1 to J9",
            *("? syntax error", "? invalid color", "=", "= A9", "=", "= A9", "= A9"),
        ],
    ),
    "undo": ("boardsize 5\nundo\nplay b C3\nundo\nundo\n", ["=", "? cannot undo", "=", "=", "? cannot undo"]),
    "out of turn": (
        "boardsize 5\nplay b C3\nplay b C4\nplay w pass\n"
        "play w A1\ngenmove w\nplay b pass\nplay w pass\nplay b pass\n"
        "play b B1\nkgs-rules chinese\nplay w pass\nplay b pass\nplay w E1\nfinal_score\n",
        ["=", *["="] * 4, "= A5", *["="] * 8, "= W+6.5"],
    ),
    "handicap": (
        "boardsize 9\nfixed_handicap 2\nfixed_handicap 2\nclear_board\nfixed_handicap 1\nfixed_handicap 10\n"
        "place_free_handicap 40\nclear_board\n"
        "set_free_handicap A1 A1\nset_free_handicap A1 x\nset_free_handicap A1\n"
        "set_free_handicap A1 B2\nplay b C3\n",
        [
            *(
                "=",
                "= G7 C3",
                "? board not empty",
                "=",
                "? invalid number of stones",
                "? invalid number of stones",
            ),
            "= C7 E7 G7 C5 E5 G5 C3 E3 G3",
            *("=", *["? bad vertex list"] * 3, "=", "="),
        ],
    ),
    "small boards take fewer stones": (
        "boardsize 7\nplace_free_handicap 9\nboardsize 5\nplace_free_handicap 3\n",
        ["=", "= C5 E5 C3 E3", "=", "? invalid number of stones"],
    ),
    "time": (
        "time_settings 100 10 5\ntime_settings 1\ntime_settings -1 0 0\ntime_left b 10 2\ntime_left x 1 1\n",
        ["=", "? syntax error", "? syntax error", "=", "? invalid color"],
    ),
    "great kingdom": (
        "tengen-game great-kingdom size=5 neutral=false lead=0\nplay blue C3\nplay w C2\ntengen-position\n"
        "final_score\nkomi 5\nplay b pass\nplay orange pass\n"
        "final_score\ngenmove b\nplay b A1\nboardsize 7\n",
        [
            "= tengen.game('great-kingdom', size=5, neutral=False, lead=0)",
            *("=", "=", "= 5/5/2B2/2O2/5 b", "? cannot score", "? Great Kingdom has no such thing"),
            *("=", "=", "= B+ 0-0", "= pass", "? illegal move: The game is over", "="),
        ],
    ),
    "dominion duel": (
        "tengen-game dominion-duel n=3\nplay b 2\nfinal_score\n"
        "genmove w\ntengen-game chess\ntengen-game go size\n"
        "tengen-position 3 b\ngenmove w\n",
        [
            "= tengen.game('dominion-duel', n=3)",
            *("=", "= B+ 1-0", "? The game is over"),
            "? There is no game 'chess'; there are great-kingdom, go, kelasu, dominion-duel",
            *("? 'size' is not an option written as name=value", "=", "? It is the turn of Player 1"),
        ],
    ),
}


@pytest.mark.parametrize("name", CONVERSATIONS)
def test_conversation(name: str) -> None:
    script, answers = CONVERSATIONS[name]
    assert talk(script, version="1") == answers


def test_all_of_gtp_2_is_there() -> None:
    words = set(talk("list_commands\n", analyse=analyse)[0][2:].split("\n"))
    assert words >= {
        *("protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize"),
        *("clear_board", "komi", "fixed_handicap", "place_free_handicap", "set_free_handicap", "play"),
        *("genmove", "reg_genmove", "undo", "time_settings", "time_left", "final_score", "final_status_list"),
        *(
            "loadsgf",
            "showboard",
            "printsgf",
            "kgs-rules",
            "kgs-genmove_cleanup",
            "lz-analyze",
            "kata-analyze",
            "lz-genmove_analyze",
        ),
    }


# White has a dead stone on A5, with which it has a point more under area scoring, and without it less.
DEAD_STONE = "boardsize 9\nkomi -27.5\nkgs-rules chinese\ntengen-position " + "/".join(
    ["2XO5"] * 4 + ["O1XO5"] + ["2XO5"] * 4
)


def one_is_dead(state: State) -> Estimate:
    return Estimate(dead=[36] if state.cells()[36] else [])


@pytest.mark.parametrize(
    ("rules", "agreed"),
    [
        ("kgs-rules chinese", True),
        ("kata-set-rules chinese", True),
        ("kata-set-rules tromp-taylor", False),
        ('kata-set-rules {"scoring":"AREA","friendlyPassOk":true}', True),
        ("kata-set-rules koPOSITIONALscoreAREAtaxNONEsui0", False),
        ("kata-set-rules koPOSITIONALscoreAREAtaxNONEsui0fpok1", True),
    ],
)
def test_the_search_is_told_whether_the_players_agree_on_what_is_dead(rules: str, agreed: bool) -> None:
    asked = list[State]()

    def choose(state: State, seconds: float | None) -> Sequence[int]:
        asked.append(state)
        return [81]

    script = f"{DEAD_STONE} w\nplay w pass\ngenmove b\n".replace("kgs-rules chinese", rules)
    assert talk(script, choose=choose)[-1] == "= pass"
    assert asked[0].game.table.agreement is agreed


def test_cleaning_up_takes_what_is_dead_off_the_board() -> None:
    asked = list[State]()

    def choose(state: State, seconds: float | None) -> Sequence[int]:
        asked.append(state)
        return [81]

    turns = "play w pass\nkgs-genmove_cleanup b\n" * 4
    answers = talk(f"{DEAD_STONE} w\n{turns}", estimate=one_is_dead, choose=choose)
    assert answers[5::2] == ["= B5", "= A6", "= A4", "= pass"]
    assert [state.game.table.agreement for state in asked] == [False]  # what is left has to be taken, too


def test_kelasu_moves_are_one_word_or_quoted() -> None:
    script = "tengen-game kelasu\ngenmove blue\ngenmove red\nundo\n"
    answers = talk(script, choose=first_turn)
    assert all(" " not in answer[2:] for answer in answers[1:3])
    state = tengen.game("kelasu").start()
    word = state.game.format(state, first_turn(state, None))
    for written in (word, f'"{word}"', word.replace(" ", "")):
        assert talk(f"tengen-game kelasu\nplay blue {written}\nplay blue {written}\n")[1:] == [
            "=",
            "? illegal move: It is the turn of Red",
        ]


def test_counting_with_dead_stones() -> None:
    script = (
        "boardsize 5\ntengen-position 1XO2/1XO2/1XOX1/1XO2/1XO2 b\nfinal_score\n"
        "final_status_list dead\nfinal_status_list alive\nfinal_status_list seki\nfinal_status_list x\n"
    )
    answers = talk(script, estimate=lambda state: Estimate(dead=[13]))
    assert answers[2:] == ["= W+12.5", "= D3", "= B5 B4 B3 B2 B1\nC5 C4 C3 C2 C1", "=", "? syntax error"]
    assert talk(script)[2] == "= W+1.5"


def test_files(tmp_path: Path) -> None:
    path = tmp_path / "a game.sgf"
    path.write_text("(;SZ[9]KM[5.5];B[dd];W[ee];B[cc])")
    script = (
        f"loadsgf {path}\ntengen-position\nloadsgf {path} 2\n"
        f'tengen-position\nget_komi\nprintsgf "{path}"\nundo\n'
    )
    answers = talk(script + f"loadsgf {path}.not\nprintsgf\n")
    assert answers[1] == "= 9/9/2X6/3X5/4O4/9/9/9/9 w"
    assert answers[3:7] == ["= 9/9/9/3X5/9/9/9/9/9 w", "= 5.5", "=", "="]
    assert answers[7].startswith("? cannot load file: Cannot read") and answers[8].startswith("= (;FF[4]")
    assert "B[dd]" in path.read_text() and "W[ee]" not in path.read_text()


def test_a_board_is_shown() -> None:
    (answer,) = talk("showboard\n")
    assert answer.startswith("= \n   A B C") and "\n 1 " in answer


def test_faults_of_the_search_are_answers() -> None:
    def broken(state: State, seconds: float | None) -> Sequence[int]:
        raise RuntimeError("two\n\nlines")

    assert talk("1 genmove b\n2 name\n", choose=broken) == [
        "?1 internal error: RuntimeError: two\nlines",
        "=2 tengen",
    ]
    assert talk("genmove b\ngenmove b\n", choose=lambda state, seconds: None) == ["= resign", "= resign"]
    (answer,) = talk("genmove b\n", choose=lambda state, seconds: [999])
    assert answer.startswith("?")


def test_a_game_that_was_passed_to_its_end_is_not_given_up() -> None:
    script = "boardsize 5\ngenmove b\nplay b pass\nplay w pass\nreg_genmove b\ngenmove b\n"
    answers = talk(script, gives_up=lambda state: True, choose=lambda state, seconds: [25])
    assert answers == ["=", "= resign", "=", "=", "= pass", "= pass"]


def test_the_clock_gives_budgets() -> None:
    seen: list[float | None] = []

    def choose(state: State, seconds: float | None) -> Sequence[int]:
        seen.append(seconds)
        return first(state, seconds) or ()

    talk(
        "genmove b\ntime_settings 0 10 0\ngenmove w\n"
        "time_settings 90 0 0\ngenmove b\ntime_left w 10 5\ngenmove w\n"
        "time_left b 0 0\ngenmove b\ntime_settings 0 10 5\ngenmove w\ngenmove b\n",
        choose=choose,
    )
    assert seen[:2] == [None, None]
    assert seen[2] == pytest.approx(0.9, abs=0.05) and seen[3] == pytest.approx(1.8)
    assert seen[4] == 0.05 and seen[5] == pytest.approx(1.8) and seen[6] == pytest.approx(1.8)


def test_analysis_is_streamed_until_the_next_line() -> None:
    incoming, to_engine = os.pipe()
    from_engine, outgoing = os.pipe()
    with (
        os.fdopen(incoming) as stdin,
        os.fdopen(to_engine, "w") as send,
        os.fdopen(from_engine) as receive,
        os.fdopen(outgoing, "w") as stdout,
    ):
        engine = GtpEngine(first, analyse=analyse, stdin=stdin, stdout=stdout, game=tengen.game("go", size=5))
        thread = threading.Thread(target=engine.run)
        thread.start()
        send.write("3 lz-analyze b 1\n")
        send.flush()
        lines = [receive.readline() for _ in range(4)]
        assert lines[0] == "=3\n"
        assert (
            lines[1]
            == lines[3]
            == (
                "info move A5 visits 100 winrate 5000 prior 2500 lcb 4900 order 0 pv A5 pass"
                " info move B5 visits 99 winrate 5000 prior 2500 lcb 4900 order 1 pv B5 pass\n"
            )
        )
        send.write("4 name\nquit\n")
        send.flush()
        while (line := receive.readline()).startswith("info"):
            pass
        assert line == "\n"
        assert [receive.readline() for _ in range(4)] == ["=4 tengen\n", "\n", "=\n", "\n"]
        thread.join(5)
        assert not thread.is_alive()


def test_analysis_in_the_words_of_katago() -> None:
    script = (
        "boardsize 2\nkata-analyze w 5000 ownership true maxmoves 1\nkata-genmove_analyze b interval 1 bad\n"
    )
    answers = talk(script, analyse=analyse)
    assert answers[1].startswith(
        "=\ninfo move A2 visits 100 utility 0.000000 winrate 0.500000 scoreMean 1.500"
        " scoreLead 1.500 prior 0.250000"
    )
    assert answers[1].endswith("order 0 pv A2 pass ownership 0.5000 0.5000 0.5000 0.5000")
    assert answers[2] == "? bad has no value"


def test_a_move_with_analysis() -> None:
    script = (
        "boardsize 3\ntime_settings 0 1 5\nlz-genmove_analyze b interval 3 avoid w A1 1\ntengen-position\n"
    )
    answers = talk(script, analyse=analyse)
    lines = answers[2].split("\n")
    assert lines[0] == "=" and lines[1].startswith("info move A3") and lines[-1] == "play A3"
    assert answers[3] == "= X2/3/3 w"


@pytest.mark.parametrize(
    ("limits", "reported", "played"),
    [
        ("", ["A3", "B3"], "A3"),
        ("avoid b A3 1", ["B3"], "B3"),
        ("avoid w A3,B3 1", ["A3", "B3"], "A3"),
        ("allow b b3,C1 1", ["B3"], "B3"),
        ("allow b C1 1 avoid b A1 9", [], "C1"),
        ("allow w C1 1", ["A3", "B3"], "A3"),
    ],
)
def test_an_analysis_may_be_limited_to_moves(limits: str, reported: list[str], played: str) -> None:
    for name in ("lz", "kata"):
        script = f"boardsize 3\ntime_settings 0 1 5\n{name}-genmove_analyze b 3 {limits}\n"
        *lines, last = talk(script, analyse=analyse)[2].split("\n")
        told = lines[1].split() if len(lines) > 1 else []
        assert [word for before, word in pairwise(told) if before == "move"] == reported
        assert last == f"play {played}"
    assert talk("lz-analyze b avoid w\n", analyse=analyse) == ["? avoid needs a colour, moves and a depth"]


def test_without_an_analyser_there_is_no_analysis() -> None:
    assert talk("lz-analyze b 10\n") == ["? unknown command"]


def test_a_question_out_of_turn_is_no_pass() -> None:
    """A search that sees a pass takes the game for almost over; a move that is kept is another matter."""
    asked = list[State]()

    def choose(state: State, seconds: float | None) -> Sequence[int]:
        asked.append(state)
        return first(state, seconds) or ()

    talk("boardsize 5\nplay b C3\nreg_genmove b\nshowboard\ngenmove b\n", choose=choose)
    question, move = asked
    assert (question.to_move, question.passes) == (0, 0)  # type: ignore[attr-defined]
    assert (move.to_move, move.passes) == (0, 1)  # type: ignore[attr-defined]
    assert question.cells() == move.cells()
