"""The GTP controller: a whole game with GNU Go, our own engine at the other end, and programs gone wrong."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

import tengen
from tengen.records.gtp import (
    Answer,
    GtpError,
    GtpProgram,
    GtpRefusalError,
    find_program,
    format_vertex,
    parse_answer,
    parse_colour,
    parse_score,
    parse_vertex,
)
from tests.waiting import until

GNU_GO = find_program("gnugo")
needs_gnu_go = pytest.mark.skipif(
    GNU_GO is None, reason="GNU Go IS NOT INSTALLED: tools/system-packages gets it"
)

# A program that answers the handshake and then does what each test wants. Its child is to die with it.
PROGRAM = """
import subprocess, sys, threading
child = subprocess.Popen(["sleep", "300"])
open(sys.argv[1], "w").write(str(child.pid))
def hang():
    threading.Event().wait()
def answer(number, text=""):
    print(f"={number} {text}", end="\\n\\n", flush=True)
for line in sys.stdin:
    number, command, *rest = line.split()
    if command == "protocol_version":
        answer(number, "2")
    elif command == "list_commands":
        answer(number, "genmove\\nplay")
    elif command in ("name", "version"):
        print(f"?{number} no", end="\\n\\n", flush=True)
    else:
"""
THINKING = 'open(sys.argv[1] + ".asked", "w").close(); hang()'


def gone(pid: int) -> bool:
    """Whether the process has ended, be it that nobody has reaped it yet."""

    def ended() -> bool:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
            os.kill(pid, 0)
        except (FileNotFoundError, ProcessLookupError):
            return True
        return False

    until(ended)
    return True


def fake(tmp_path: Path, body: str) -> list[str]:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM + textwrap.indent(textwrap.dedent(body), " " * 8))
    return [sys.executable, "-S", str(script), str(tmp_path / "child")]


def child_of(tmp_path: Path) -> int:
    return int((tmp_path / "child").read_text())


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("hang()", "did not answer 'genmove b' within 0.5 seconds"),
        ("while True: pass", "did not answer 'genmove b' within 0.5 seconds"),
        ("print('= ', flush=True); hang()", "did not answer 'genmove b' within 0.5 seconds"),
        ("import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); hang()", "did not answer"),
        ("sys.exit(3)", "ended instead of answering 'genmove b'"),
        ("sys.stderr.write('out of luck.\\n'); sys.exit(3)", "ended .*; it said: out of luck[.]$"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended instead of answering 'genmove b'"),
        ("import os; child.kill(); os.close(1); hang()", "ended instead of answering 'genmove b'"),
        ("print('hello there', flush=True)", "answered 'genmove b' with nonsense, 'hello there'"),
        ("print('=99 D4\\n', flush=True)", "with nonsense, '=99 D4'"),
        ("sys.stdout.buffer.write(b'\\xff\\xfe\\n\\n'); sys.stdout.flush()", "with nonsense"),
        ("while True: print('=' + 'x' * 1000, flush=True)", "wrote far too much"),
        ("while True: sys.stderr.write('x' * 1000)", "did not answer 'genmove b' within 0.5 seconds"),
        ("answer(number, 'Z99')", "made the move 'Z99', which cannot be played"),
        ("answer(number, 'D4\\nE5')", "made the move 'D4.*E5', which cannot be played"),
        ("answer(number, '')", "made the move '', which cannot be played"),
    ],
)
def test_a_program_gone_wrong_is_stopped(tmp_path: Path, body: str, message: str) -> None:
    program = GtpProgram(
        fake(tmp_path, f"if command != 'genmove':\n    answer(number)\n    continue\n{body}")
    )
    timeout_s = 0.5 if "did not answer" in message else 30
    with pytest.raises(GtpError, match="(?s)" + message) as caught:
        program.choose(tengen.game("go", size=9).start(), timeout_s=timeout_s)
    assert str(caught.value).endswith(".") and "Traceback" not in str(caught.value)
    assert not program.running and gone(program.pid) and gone(child_of(tmp_path))
    with pytest.raises(GtpError, match="was stopped"):
        program.command("name")


def test_unasked_words_are_nonsense(tmp_path: Path) -> None:
    with GtpProgram(fake(tmp_path, "answer(number); print('by the way', flush=True)")) as program:
        program.command("first")
        with pytest.raises(GtpError, match=r"without being asked|with nonsense"):
            program.command("second")
    assert gone(program.pid) and gone(child_of(tmp_path))


def test_a_refusal_is_no_failure(tmp_path: Path) -> None:
    with GtpProgram(fake(tmp_path, "print(f'?{number} illegal\\tmove\\r\\n\\r\\n', flush=True)")) as program:
        for _ in range(2):
            with pytest.raises(GtpRefusalError, match=r"refused 'play b D4': illegal move\."):
                program.play(0, "D4")
        assert program.name == program.label and program.version == "" and program.running
    assert gone(program.pid) and gone(child_of(tmp_path))


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("", "no command"),
        ([], "no command"),
        ("'", "cannot be read"),
        ("no-such-program-anywhere --x", "Cannot start 'no-such-program-anywhere'"),
        (["/dev/null"], "Cannot start '/dev/null'"),
        (["a\0b"], "Cannot start"),
        ([sys.executable, "-c", "pass"], "ended instead of answering 'protocol_version'"),
        (
            [sys.executable, "-c", "print('=1 3\\n', flush=True); input()"],
            "speaks version '3' of GTP and not 2",
        ),
        (["cat"], "with nonsense, '1 protocol_version'"),
        (["yes"], "with nonsense, 'y'"),
    ],
)
def test_what_is_no_program(command: str | list[str], message: str) -> None:
    with pytest.raises(GtpError, match=message):
        GtpProgram(command, start_timeout_s=5)


def test_nothing_reaches_a_shell(tmp_path: Path) -> None:
    with pytest.raises(GtpError):
        GtpProgram(f"true; touch {tmp_path}/x")
    with pytest.raises(GtpError):
        GtpProgram(f"echo $(touch {tmp_path}/x)")
    assert list(tmp_path.iterdir()) == []


def test_a_command_is_one_line(tmp_path: Path) -> None:
    with GtpProgram(fake(tmp_path, "answer(number, command)")) as program:
        for line in ("", "a\nb", "a # b", "a\x01"):
            with pytest.raises(ValueError, match="not one GTP command"):
                program.command(line)
        assert program.command("still-here") == "still-here"


def test_closing_from_another_thread_ends_a_call(tmp_path: Path) -> None:
    program = GtpProgram(fake(tmp_path, THINKING))

    def close() -> None:
        until((tmp_path / "child.asked").exists)
        program.close()

    threading.Thread(target=close).start()
    with pytest.raises(GtpError, match="was stopped"):
        program.command("think", timeout_s=60)
    assert gone(program.pid) and gone(child_of(tmp_path))


def test_ending_without_closing_leaves_nothing(tmp_path: Path) -> None:
    """At the exit of the interpreter, after an exception and after Ctrl-C."""
    for number, end in enumerate(("pass", "raise SystemExit(3)", "program.command('sleep')")):
        place = tmp_path / str(number)
        place.mkdir()
        command = fake(place, THINKING)
        script = (
            f"from tengen.records.gtp import GtpProgram\nprogram = GtpProgram({command!r})\n"
            f"print(program.pid, flush=True)\n{end}"
        )
        ours = subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        with ours:
            assert ours.stdout is not None
            pid = int(ours.stdout.readline())
            if "sleep" in end:
                until((place / "child.asked").exists)
                ours.send_signal(signal.SIGINT)
            ours.wait(60)
        assert gone(pid) and gone(child_of(place))


ENGINE = """
from tengen.records.gtp_engine import GtpEngine
def choose(state, seconds):
    actions, mover = [], state.to_move
    while state.outcome is None and state.to_move == mover:
        actions.append(state.legal_actions()[len(state.actions) % len(state.legal_actions())])
        state = state.play(actions[-1])
    return actions
GtpEngine(choose).run()
"""


def test_our_engine_plays_every_game() -> None:
    with GtpProgram([sys.executable, "-c", ENGINE]) as program:
        assert program.name == "tengen"
        for name in tengen.games():
            game = tengen.game(name)
            state = game.start()
            for _ in range(4):
                for action in program.choose(state) or ():
                    state = state.play(action)
            assert program.command("tengen-position").split()[0] == game.diagram(state)
            program.sync(game.start())
            assert program.command("tengen-position").split()[0] == game.diagram(game.start())
        state = tengen.game("great-kingdom").position("OB7/9/9/9/4N4/9/9/9/8O", 1)
        program.sync(state)
        assert program.command("tengen-position") == "OB7/9/9/9/4N4/9/9/9/8O w"


@needs_gnu_go
def test_a_whole_game_with_gnu_go() -> None:
    game = tengen.game("go", size=9, komi=5.5)
    state = game.start()
    with GtpProgram("gnugo --mode gtp --level 1 --seed 1") as program:
        assert program.name == "GNU Go" and program.version and "genmove" in program.commands
        for _ in range(200):
            if state.outcome is not None:
                break
            actions = program.choose(state)
            assert actions is not None
            state = state.play(actions[0])
        assert state.outcome is not None and len(state.actions) > 30
        dead = program.command("final_status_list dead").split()
        cells = [game.size * (game.size - int(word[1:])) + "ABCDEFGHJ".index(word[0]) for word in dead]
        black, white = state.score(dead=cells)
        assert program.final_score() == pytest.approx(black - white)
        assert program.command("showboard").count("X") > 3
        pid = program.pid
    assert gone(pid)


@needs_gnu_go
def test_gnu_go_follows_takebacks_handicaps_and_positions() -> None:
    def shown() -> bytes:
        stones = {
            seat: program.command(f"list_stones {colour}").split()
            for seat, colour in enumerate(("black", "white"))
        }
        cells = bytearray(81)
        for seat, words in stones.items():
            for word in words:
                cells[parse_vertex(word, 9) or 0] = seat + 1
        return bytes(cells)

    with GtpProgram([GNU_GO or "", "--mode", "gtp"]) as program:
        state = tengen.game("go", size=9, handicap=4).start()
        program.sync(state)
        later = state.play(0).play(1)
        for wanted in (
            later,
            state.play(0),
            later.play(2),
            tengen.game("go", size=9).position("9/9/XXX6/OOO6/9/9/9/9/9", 1),
        ):
            program.sync(wanted)
            assert shown() == wanted.cells()
        over = later.play(81).play(81).resume(0).play(5)
        program.sync(over)
        assert shown() == over.cells()
        program.time_settings(600)
        program.time_left(0, 300.4)
        with pytest.raises(GtpError, match="gnugo does not play Kelasu"):
            program.sync(tengen.game("kelasu").start())


def test_katago_is_told_the_rules_themselves() -> None:
    """By name its Chinese rules would give White points for handicap stones that our komi has already."""
    game = tengen.game("go", rules="aga", size=9, handicap=2)
    rules, komi = game.records.gtp_commands(game.start(), {"kata-set-rules", "kgs-rules"})[2:4]
    told = json.loads(rules.removeprefix("kata-set-rules "))
    assert (told["ko"], told["whiteHandicapBonus"], told["friendlyPassOk"]) == ("SITUATIONAL", "0", True)
    assert komi == "komi 1.5"
    assert game.records.gtp_commands(game.start(), {"kgs-rules"})[2] == "kgs-rules chinese"


def test_words() -> None:
    assert [parse_colour(word) for word in ("b", "BLACK", "w", "White", "red")] == [0, 0, 1, 1, None]
    assert parse_colour("red", tengen.game("kelasu")) == 1
    assert parse_colour("player2", tengen.game("dominion-duel")) == 1
    assert parse_vertex("A9", 9) == 0 and parse_vertex("PASS", 9) is None and format_vertex(80, 9) == "J1"
    assert format_vertex(None, 9) == "pass"
    for word in ("I5", "K1", "", "D"):
        with pytest.raises(ValueError):
            parse_vertex(word, 9)
    assert parse_answer("=12 a\tb\r") == Answer(True, 12, "a b")
    assert parse_answer("? no") == Answer(False, None, "no")
    assert parse_answer("hm") is None
    assert [parse_score(text) for text in ("B+3.5", "w+10", "0", "Draw", "?")] == [3.5, -10.0, 0.0, 0.0, None]
