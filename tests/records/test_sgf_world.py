"""SGF as the world writes it: encodings that nobody states, collections, results in words, broken games."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tengen.cli import app
from tengen.records import (
    RecordError,
    Result,
    count_games,
    load_any,
    load_tree,
    read_sgf,
    split_sgf,
    write_sgf,
)


def again(text: str) -> str:
    return write_sgf(read_sgf(text))


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gb18030", "PB[古力]"),
        ("gb18030", "PB[陈耀烨]PW[时越]"),
        ("gb18030", "PB[辜梓豪]PW[党毅飞]EV[第22届三星杯半决赛]RE[黑中盘胜]"),
        ("gb18030", "PB[小明]PW[电脑]C[这一手太重了，白棋可以脱先，形势仍然不坏。]"),
        ("big5", "PB[林君諺]PW[許皓鋐]"),
        ("big5", "PB[陳詩淵]C[白棋這一手太過分了，黑棋可以反擊。]"),
        ("cp932", "PB[依田紀基]"),
        ("cp932", "PB[表ソ能]PW[ゾ本因坊]"),
        ("cp932", "EV[第71期本因坊戦挑戦手合七番勝負第3局]PC[静岡県熱海市]"),
        ("euc_jp", "PB[高尾紳路]PW[張栩]"),
        ("euc_jp", "EV[第71期本因坊戦挑戦手合七番勝負第3局]PC[静岡県熱海市]"),
        ("euc_jp", "C[ここで黒は隅を守るべきだった。]"),
        ("euc_kr", "PB[최철한]"),
        ("euc_kr", "PB[변상일]PW[신민준]EV[제26기 GS칼텍스배 프로기전 결승]"),
        ("euc_kr", "C[여기서 흑이 끊으면 백이 곤란합니다.]"),
        ("cp1252", "PB[Frédéric]PW[Jörg Müßig]PC[Besançon]"),
        ("cp1252", "CP[© 1999]"),
        ("cp1251", "PB[Александр Динерштейн]C[Хороший ход]"),
        ("utf-16-le", "PB[古力]"),
        ("utf-16-be", "PB[André]"),
    ],
)
@pytest.mark.parametrize("bom", [False, True])
def test_encodings_that_nobody_states(encoding: str, text: str, bom: bool) -> None:
    whole = f"(;SZ[9]{text};B[dd])"
    if bom:
        encoding = encoding if encoding.startswith("utf-16") else "utf-16"
    data = (("\ufeff" if bom and encoding != "utf-16" else "") + whole).encode(encoding)
    assert again(whole) == write_sgf(read_sgf(data))
    assert text.split("[")[1].split("]")[0] in write_sgf(read_sgf(data))


NAMES = {
    "gb18030": ["PB[柯洁]PW[申真谞]", "EV[第25届LG杯]PB[柯洁]", "C[这一手太重了，白棋可以脱先]"],
    "big5": ["PB[周俊勳]PW[王元均]EV[第8屆應氏盃]", "C[白棋這一手太過分了]"],
    "cp932": ["PB[井山裕太]PW[山下敬吾]", "PB[趙治勲]PW[小林光一]", "C[ここで黒は隅を守るべきだった。]"],
    "euc_jp": ["PB[趙治勲]PW[小林光一]", "C[ここで黒は隅を守るべきだった。]"],
    "euc_kr": ["PB[신진서]PW[박정환]", "PB[이창호]PW[조훈현]EV[제5회 응씨배]"],
    "utf-8": ["PB[柯洁]PW[申真谞]", "PB[Jörg Müßig]PC[Köln]", "PB[井山裕太]", "PB[신진서]"],
}


@pytest.mark.parametrize("encoding", NAMES)
@pytest.mark.parametrize("stated", ["UTF-8", "ISO-8859-1", "windows-1252", "Shift_JIS", "x-unheard-of"])
def test_an_encoding_that_is_plainly_not_what_the_file_says(encoding: str, stated: str) -> None:
    for text in NAMES[encoding]:
        data = f"(;CA[{stated}]SZ[9]{text};B[dd])".encode(encoding)
        assert again(f"(;SZ[9]{text};B[dd])") == write_sgf(read_sgf(data))


@pytest.mark.parametrize(
    ("encoding", "stated", "text"),
    [
        ("gbk", "GBK", "PB[联通]"),  # which is UTF-8 as well
        ("cp1252", "ISO-8859-1", "PB[ÄÖÜ]PC[Köln – Café]"),
        ("cp1251", "windows-1251", "PB[Иван]"),
        ("cp1250", "windows-1250", "PB[Łukasz Żółć]"),
        ("gb18030", "GB2312", "PB[𠮷野]PW[囧]"),
        ("cp1252", "GB2312", "PB[Jörg Müßig]PC[Besançon]"),
        ("cp1250", "", "PB[Dusan]PC[Wrocław]"),  # ł is a sign in the default, and no sign stands in a word
        ("iso2022_jp", "", "PB[井山裕太]PW[趙治勲]"),
        ("hz", "", "PB[柯洁]"),
    ],
)
def test_encodings_in_doubt(encoding: str, stated: str, text: str) -> None:
    data = f"(;CA[{stated}]SZ[9]{text};B[dd])".encode(encoding)
    assert again(f"(;SZ[9]{text};B[dd])") == write_sgf(read_sgf(data))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_before_a_game_in_two_bytes_a_letter(encoding: str) -> None:
    assert read_sgf("see:\r\n(;SZ[9]PB[柯洁])".encode(encoding)).players[0].name == "柯洁"


def test_names_that_were_cut_in_the_middle_of_a_letter() -> None:
    data = "(;PB[第71期本因坊戦挑戦手合七番勝負".encode("cp932")[:-1] + b"];B[dd])"
    assert read_sgf(data).players[0].name.startswith("第71期本因坊戦挑戦手合七番勝")
    long = "(;C[" + "黑棋的形势不错。" * 20
    assert read_sgf(long.encode()[:-1] + b"])").root.comment.startswith("黑棋的形势不错。")


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("(GM[1]SZ[9];B[dd];W[ee])", ["D6", "E5"]),
        ("( SZ[9] C[a (b\\]c)];B[dd];W[ee])", ["D6", "E5"]),
        ("(SZ[9];B[dd](W[ee];B[cc])(;W[ff]))", ["D6", "E5", "C7"]),
        ("(see below)\n(;SZ[9];B[dd])", ["D6"]),
        ("(B[aa])", ["A19"]),
        ("( GaMe[1]SiZe[9];Black[dd];White[ee])", ["D6", "E5"]),
        ("(;\n;GM[1]SZ[9];;B[dd];W[ee])", ["D6", "E5"]),
        ("(;GM[1];SZ[9]KM[5.5];B[dd])", ["D6"]),
        ("(;SZ[9x9];B[dd])", ["D6"]),
    ],
)
def test_no_semicolon(text: str, moves: list[str]) -> None:
    assert [move.text for move in load_any(text).moves] == moves


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_no_semicolon_in_two_bytes_a_letter(encoding: str) -> None:
    assert read_sgf(" \n(GM[1]SZ[9]PB[古力];B[dd])".encode(encoding)).players[0].name == "古力"


@pytest.mark.parametrize("value", ["[pd,dp]", "[pd, dp]", "[pd dp]", "[pd][dp]", "[pd;dp]"])
def test_points_in_one_value(value: str) -> None:
    assert read_sgf(f"(;AB{value};W[dd])").game.options["handicap"] == 2
    assert len(read_sgf(f"(;AB{value.replace('dp', 'aa : bb')}AW[cc])").root.setup) == 6


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("W+Repetition", Result(1, "repetition")),
        ("B", Result(0, "score")),
        ("White", Result(1, "score")),
        ("126th move", None),
        ("B+126th move", Result(0, "score")),
        ("W+R (126 moves)", Result(1, "resign")),
        ("White wins by resignation", Result(1, "resign")),
        ("Black wins by 3.5", Result(0, "score", margin=3.5)),
        ("Black won on time.", Result(0, "time")),
        ("W+3.5 points", Result(1, "score", margin=3.5)),
        ("W+1/2", Result(1, "score", margin=0.5)),
        ("B+½", Result(0, "score", margin=0.5)),
        ("W by 3.5", Result(1, "score", margin=3.5)),
        ("B+3.5 (moves beyond 127 not known)", Result(0, "score", margin=3.5)),
        ("Ｂ＋Ｒ", Result(0, "resign")),
        ("W+Walkover", Result(1, "forfeit")),
        ("White lost on time", Result(0, "time")),
        ("Draw (triple ko)", Result(None, "agreement")),
        ("No result (triple ko)", Result(None, "void")),
        ("三コウ無勝負", Result(None, "void")),
        ("平局", Result(None, "agreement")),
        ("B+Tie break", Result(0, "score")),
        ("Black resigns", Result(1, "resign")),
        ("黑负", Result(1, "score")),
        ("黑认输", Result(1, "resign")),
        ("白投了", Result(0, "resign")),
        ("黑超时负", Result(1, "time")),
        ("黑超时", Result(1, "time")),
        ("白時間切れ勝ち", Result(1, "time")),
        ("백 시간", None),
        ("흑 기권", Result(1, "forfeit")),
        ("白不戦勝", Result(1, "forfeit")),
        ("W+불계", Result(1, "resign")),
        ("黑胜五目半", Result(0, "score", margin=5.5)),
        ("白胜2又四分之一子", Result(1, "score", margin=4.5)),
        ("黑胜1 3/4子", Result(0, "score", margin=3.5)),
        ("Schwarz gewinnt durch Aufgabe", Result(0, "resign")),
        ("Weiß + 5,5", Result(1, "score", margin=5.5)),
        ("Blancs gagnent par abandon", Result(1, "resign")),
        ("Чёрные +5.5", Result(0, "score", margin=5.5)),
        ("White forfeits", Result(0, "forfeit")),
        ("무효", Result(None, "void")),
        ("白+R", Result(1, "resign")),
        ("白方胜3.5目", Result(1, "score", margin=3.5)),
        ("白番半目勝ち", Result(1, "score", margin=0.5)),
        ("先番中押し勝", Result(0, "resign")),
        ("백 반집승", Result(1, "score", margin=0.5)),
        ("흑기권승", Result(0, "forfeit")),
        ("黑胜0.25子", Result(0, "score", margin=0.5)),
        ("黑胜185子", Result(0, "score")),
        ("黒2目半勝ち", Result(0, "score", margin=2.5)),
        ("白胜1又3/4子", Result(1, "score", margin=3.5)),
        ("흑 불계승", Result(0, "resign")),
        ("B+2目半", Result(0, "score", margin=2.5)),
        ("B+7집반", Result(0, "score", margin=7.5)),
        ("黒番3目半勝ち", Result(0, "score", margin=3.5)),
        ("B+3 1/2", Result(0, "score", margin=3.5)),
        ("Left unfinished", None),
        ("?", None),
    ],
)
def test_results_in_words_are_read_rightly_and_kept(text: str, result: Result | None) -> None:
    tree = read_sgf(f"(;RE[{text}];B[dd])")
    assert tree.result == result
    assert f"RE[{text}]" in write_sgf(tree)
    assert f"RE[{text}]" in write_sgf(tree.record())


@pytest.mark.parametrize(
    ("text", "moves", "comment"),
    [
        ("(;SZ[9]C[oops]];B[dd];W[ee])", 2, "oops]"),
        ("(;SZ[9]C[see [1] there];B[dd];W[ee])", 2, "see [1] there"),
        ("(;SZ[9]C[x];B[dd]()(;W[ee]))", 2, "x"),
        ("(;SZ[9]C[a [1] b [2] c];B[dd];W[ee])", 2, "a [1] b [2] c"),
        ("(;C[x]SZ[9]F2[a]_;B[dd],;W[ee])", 2, "x"),
        ("(;SZ[9]C[x];B;W[ee])", 1, "x"),
        ("(;SZ[9]C[x]KO;B[dd]KO;W[ee])", 2, "x"),
    ],
)
def test_what_breaks_the_grammar_is_left_out(text: str, moves: int, comment: str) -> None:
    record = load_any(text)
    assert (len(record.moves), record.comment) == (moves, comment)
    assert load_any(write_sgf(read_sgf(text))) == record


@pytest.mark.parametrize(
    "kept",
    [
        "GC[one line\nand another\\]]",
        "DT[1998-03-04, 05]",
        "DT[1990-05-07 to 08]",
        "KM[?]",
        "HA[1]",
        "HA[4]",
        "RU[NihonKiin]",
        "ST[2]",
    ],
)
@pytest.mark.parametrize("moves", [";B[dd]", ";W[dd]", ";B[pd];B[dp];W[pp]"])
def test_what_a_file_says_of_the_game_is_kept(kept: str, moves: str) -> None:
    text = f"(;SZ[19]{kept}{moves})"
    assert kept in again(text) and kept in again(again(text))
    assert "DT" not in kept or kept in write_sgf(load_any(text))


def test_no_handicap_is_invented_for_a_problem() -> None:
    text = again("(;SZ[9]AB[aa][bb])")
    assert "HA[" not in text and again(text) == text
    assert "HA[2]" in again("(;SZ[9]HA[2]AB[aa][bb])")


def test_rules_are_written_as_they_were_when_the_moves_showed_another_ko() -> None:
    ring = ";B[ba];W[ca];B[ab];W[bb];B[hh];W[cc];B[ii];W[db];B[cb];W[hi];B[ih]"
    ko = ring + ";W[bb];B[aa];W[cb]"
    text = f"(;SZ[9]RU[Chinese]{ko})"
    assert "RU[Chinese]" in again(text)


def test_a_set_up_that_is_off_the_board_ends_the_record_there() -> None:
    text = "(;SZ[9];B[dd];W[ee];AB[jj];B[ff])"
    record = load_any(text)
    assert len(record.moves) == 2 and "not on a board of size 9" in record.info["stopped"]
    assert "AB[jj];B[ff]" in again(text)


def test_a_board_that_is_not_square_is_said_to_be_none() -> None:
    with pytest.raises(RecordError, match="SZ is '9:13', and boards have as many rows as columns"):
        read_sgf("(;SZ[9:13];B[aa])")


def test_a_result_that_was_changed_is_written() -> None:
    tree = read_sgf("(;RE[126th move];B[dd])")
    tree.result = Result(1, "resign")
    assert "RE[W+R]" in write_sgf(tree)


@pytest.mark.parametrize("rules", ["", "RU[Japanese]", "RU[Ing]"])
def test_moves_may_show_that_suicide_is_allowed(rules: str) -> None:
    text = f"(;SZ[9]{rules};B[ba];W[ee];B[ab];W[aa];B[dd])"
    tree = read_sgf(text)
    assert tree.game.all_options["suicide"] and len(tree.record().moves) == 5
    assert again(text).count("RU[") == (1 if rules else 0) and rules in again(text)
    broken = load_any(text.replace(";B[dd])", ";B[ee])"))
    assert not broken.options.get("suicide") and broken.info["stopped"].startswith("Move 4")


def test_a_name_that_was_cut_off_does_not_spoil_the_others() -> None:
    cut = "(;SZ[9]PB[조치훈]PW[".encode() + "井山裕太".encode()[:-1] + "];B[ee]C[좋은 수입니다])".encode()
    for data in (cut, cut.replace(b"SZ", b"CA[UTF-8]SZ"), cut[:-4]):
        black, white = read_sgf(data).players
        assert (black.name, white.name) == ("조치훈", "井山裕\ufffd")


def test_komi_and_rules_are_not_invented() -> None:
    for text in (again("(;SZ[9];B[dd])"), write_sgf(load_any("(;SZ[9];B[dd])"))):
        assert "KM[" not in text and "RU[" not in text
    assert "KM[0]" in again("(;KM[0];B[dd])") and "RU[" not in again("(;KM[0];B[dd])")
    assert "RU[AGA]" in again("(;RU[AGA];B[dd])") and "KM[" not in again("(;RU[AGA];B[dd])")
    record = load_any("(;SZ[9];B[dd])")
    record = type(record)(**(vars(record) | {"options": {**record.options, "komi": 6.5, "scoring": "area"}}))
    assert "KM[6.5]" in write_sgf(record) and "RU[Chinese, simple ko, no agreement]" in write_sgf(record)


def test_the_clocks_of_both_sides_are_kept() -> None:
    text = again("(;SZ[9];B[dd]BL[55.5]WL[60];W[ee]WL[05:30]BL[55.5];C[hm]BL[9])")
    tree = read_sgf(text)
    first, second, third = tree.main_line()[1:]
    assert (first.clock_s, first.properties) == (55.5, {"WL": ("60",)})
    assert (second.clock_s, second.properties) == (None, {"WL": ("05:30",), "BL": ("55.5",)})
    assert third.properties == {"BL": ("9",)} and write_sgf(tree) == text


COLLECTION = (
    "a note\n(;SZ[9]PB[one (];B[dd](;W[ee])(;W[ff]))\nbetween\n(SZ[13]PB[two];B[dd])(;SZ[19]PB[three]"
)


def test_every_game_of_a_collection(tmp_path: Path) -> None:
    path = tmp_path / "all.sgf"
    path.write_text(COLLECTION)
    assert count_games(path) == count_games(COLLECTION) == 3
    for number, (name, size) in enumerate([("one (", 9), ("two", 13), ("three", 19)], start=1):
        tree = load_tree(path, number)
        assert (tree.players[0].name, tree.game.width, tree.number, tree.games) == (name, size, number, 3)
        assert load_any(path, number).players[0].name == name
        assert read_sgf(split_sgf(COLLECTION)[number - 1]).players[0].name == name
    for number in (0, 4):
        with pytest.raises(RecordError, match=f"There is no game {number}: the SGF text has 3."):
            load_tree(path, number)
    record = load_any(path).to_json()
    assert count_games(record) == 1
    with pytest.raises(RecordError, match="There is no game 2"):
        load_any(record, 2)


@pytest.mark.parametrize(
    ("text", "moves", "why"),
    [
        ("(;SZ[9];B[dd]C[x];W[dd];B[ee])", 1, "Move 2, 'D6': There is already a stone"),
        ("(;SZ[9]C[x];B[zz];W[dd])", 0, "Move 1, 'zz'"),
        ("(;SZ[9];B[dd]C[x];AW[ee];W[ff])", 1, "Pieces are set up after move 1"),
    ],
)
def test_an_illegal_move_ends_the_record_with_a_note(text: str, moves: int, why: str) -> None:
    record = load_any(text)
    assert len(record.moves) == moves and record.info["stopped"].startswith(why)
    comment = record.moves[-1].comment if moves else record.comment
    assert comment.startswith(f"x\nThe file goes on here with what cannot be played: {why}")
    assert why.split(":")[0] in load_any(write_sgf(record)).to_json()


def analysed(path: Path, *words: str) -> list[dict[str, Any]]:
    found = CliRunner().invoke(app, ["analyse", str(path), "--visits", "2", "--json", *words])
    assert found.exit_code == 0, found.output
    return [json.loads(line) for line in found.stdout.splitlines() if line.startswith("{")]


def test_analyse_takes_collections_variations_and_set_up_stones(tmp_path: Path) -> None:
    path = tmp_path / "all.sgf"
    path.write_text(
        "(;SZ[5]AB[bb]AW[dd];B[cc](;W[cb];AE[cb]AB[ca];B[dc])(;W[bc];B[bc])(;W[cd]))(;SZ[5];B[cc];W[cc];B[aa])"
    )

    def rows(found: dict[str, Any]) -> list[tuple[int, str, bool]]:
        return [(row["number"], row["move"], row["main"]) for row in found["moves"]]

    main = [(1, "C3", True), (2, "C4", True), (3, "D3", True)]
    (first,) = analysed(path)
    assert rows(first) == main and (first["game_number"], first["games"], first["stopped"]) == (1, 2, [])
    (tree,) = analysed(path, "--variations")
    assert rows(tree) == [*main, (2, "B3", False), (2, "C2", False)]
    assert tree["stopped"][0].startswith("Move 3, 'B3'")
    (second,) = analysed(path, "--number", "2")
    assert rows(second) == [(1, "C3", True)] and second["stopped"][0].startswith("Move 2, 'C3'")
    assert [one["game_number"] for one in analysed(path, "--all")] == [1, 2]


def test_analyse_leaves_out_only_the_games_that_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "all.sgf"
    path.write_text("(;SZ[9:13];B[aa])(;SZ[5];B[cc])(;SZ[5]AB[jj])")
    found = CliRunner().invoke(app, ["analyse", str(path), "--visits", "2", "--json", "--all"])
    (line,) = [json.loads(line) for line in found.stdout.splitlines() if line.startswith("{")]
    assert line["game_number"] == 2 and found.exit_code == 1
    assert "Game 1 is left out: SZ is '9:13'" in found.stderr and "Game 3 is left out" in found.stderr


def test_large_files_are_read_at_once() -> None:
    game = "(;SZ[19]PB[古力]PW[李世石]" + ";B[dd]C[这步棋很好];W[]" * 200 + ")"
    data = (game * (2 * 2**20 // len(game.encode("gb18030")))).encode("gb18030")
    start = time.perf_counter()
    tree = read_sgf(data, number=100)
    assert tree.games > 200 and tree.players[0].name == "古力"
    assert time.perf_counter() - start < 5  # a fifth of a second when this was written


@pytest.mark.parametrize(
    ("text", "moves", "comment"),
    [
        ("(;SZ[9];B[dd];W[c", ["D6", "c"], ""),
        ("(;SZ[9];B[dd]C[hello \\", ["D6"], "hello "),
        ("(;SZ[9];B[dd];W[cc];B[", ["D6", "C7"], ""),
        ("(;SZ[9];B[dd]C[x\\]", ["D6"], "x]"),
    ],
)
def test_a_file_that_was_cut_off_opens_up_to_there(text: str, moves: list[str], comment: str) -> None:
    nodes = list(read_sgf(text).nodes())
    assert [node.move for node in nodes if node.move is not None] == moves
    assert next(node for node in nodes if node.move == "D6").comment == comment
