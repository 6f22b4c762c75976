"""SGF: exact round trips of ours, and files as people and servers really write them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sgfmill import sgf, sgf_grammar, sgf_moves

import tengen
from tengen.records import (
    GameTree,
    Move,
    Node,
    Player,
    Record,
    RecordError,
    Result,
    load_tree,
    read_sgf,
    split_sgf,
    write_sgf,
)
from tengen.records._sgf_values import text_of
from tests.contract.cases import Case
from tests.records.samples import ON_GRIDS, random_state


def words(text: str | bytes) -> list[str]:
    return [move.text for move in read_sgf(text).record().moves]


@pytest.mark.parametrize("case", ON_GRIDS, ids=str)
def test_round_trip(case: Case) -> None:
    for seed in range(3):
        state = random_state(case, seed)
        record = Record.from_state(state)
        again = read_sgf(write_sgf(record)).record()
        assert again == record
        assert again.final().actions == state.actions


@pytest.mark.parametrize("seed", range(3))
def test_an_independent_reader_agrees(seed: int) -> None:
    """sgfmill's own game and board give the same position."""
    state = random_state(
        next(case for case in ON_GRIDS if case.name == "go" and case.options.get("handicap")), seed
    )
    board, plays = sgf_moves.get_setup_and_moves(
        sgf.Sgf_game.from_string(write_sgf(Record.from_state(state)))
    )
    for colour, move in plays:
        if move is not None:
            board.play(*move, colour)
    size = state.game.width
    found = bytes(
        {None: 0, "b": 1, "w": 2}[board.get(size - 1 - c // size, c % size)] for c in range(size**2)
    )
    assert found == state.cells()


def test_everything_that_sgf_can_hold() -> None:
    game = tengen.game("go", size=9, komi=5.5, ko="superko")
    state = game.position("9/9/2X6/9/4O4/9/9/9/9", 1).play(0)
    record = Record.from_state(
        state,
        players=(Player("Ann [x] \\ y", "3d"), Player("黒")),
        result=Result(0, "time"),
        notes={0: Move("", 12.25, "a]b\\c:\nd")},
        started="2026-11-15",
        comment="start",
        info={"event": "club", "place": "here"},
    )
    assert read_sgf(write_sgf(record).encode()).record() == record


@pytest.mark.parametrize(
    ("result", "written"),
    [
        (Result(0, "resign"), "B+R"),
        (Result(1, "time"), "W+T"),
        (Result(1, "forfeit"), "W+F"),
        (Result(None, "agreement"), "0"),
        (Result(None, "void"), "Void"),
        (Result(0, "score", margin=3.5), "B+3.5"),
        (None, None),
    ],
)
def test_results(result: Result | None, written: str | None) -> None:
    text = write_sgf(Record("go", tengen.game("go").options, result=result))
    assert (f"RE[{written}]" in text) if written else "RE[" not in text
    assert read_sgf(text).result == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("B+Resign", Result(0, "resign")),
        (" w+res ", Result(1, "resign")),
        ("W+Time", Result(1, "time")),
        ("B+Forfeit", Result(0, "forfeit")),
        ("Draw", Result(None, "agreement")),
        ("Jigo", Result(None, "agreement")),
        ("void", Result(None, "void")),
        ("B+", Result(0, "score")),
        ("W+0,5", Result(1, "score", margin=0.5)),
        ("White wins by 2.5", Result(1, "score", margin=2.5)),
        ("黑中盘胜", Result(0, "resign")),
        ("白中押し勝ち", Result(1, "resign")),
        ("?", None),
        ("", None),
        ("nobody knows", None),
    ],
)
def test_results_as_people_write_them(text: str, result: Result | None) -> None:
    assert read_sgf(f"(;RE[{text}])").result == result


def test_the_score_of_the_board_is_taken_when_it_fits() -> None:
    passes = "(;SZ[5]KM[6.5]RE[W+{}];B[];W[])"
    assert read_sgf(passes.format("6.5")).result == Result(1, "score", (0.0, 6.5))
    assert read_sgf(passes.format("9.5")).result == Result(1, "score", margin=9.5)  # stones were agreed dead
    assert read_sgf("(;SZ[5];B[];W[])").result is None


@pytest.mark.parametrize(
    ("value", "komi"),
    [
        ("6.5", 6.5),
        ("6,5", 6.5),
        (" 7.5目", 7.5),
        ("650", 6.5),
        ("375", 7.5),
        ("3.75", 7.5),
        ("0", 0),
        ("-2.5", -2.5),
        ("6.50000", 6.5),
        (".5", 0.5),
        ("", 0),
        ("none", 0),
        ("99999999", 0),
        ("1e5", 0),
        ("½", 0.5),
        ("5¾", 5.75),
        ("五目半", 5.5),
        ("三又四分之三子", 7.5),
        ("逆コミ5目半", -5.5),
        ("reverse komi 5", -5),
        ("-3 1/2", -3.5),
        ("6 1/2", 6.5),
        ("6½", 6.5),
        ("６．５", 6.5),
        ("6目半", 6.5),
        ("3又3/4子", 7.5),
        ("2.75", 5.5),
        ("7.25", 7.25),
    ],
)
def test_komi(value: str, komi: float) -> None:
    assert read_sgf(f"(;KM[{value}])").game.options["komi"] == komi


@pytest.mark.parametrize(
    ("value", "ko", "scoring"),
    [
        ("", "simple", "territory"),
        ("Japanese", "simple", "territory"),
        ("japan", "simple", "territory"),
        ("Korean", "simple", "territory"),
        ("Chinese", "superko", "area"),
        ("cn", "superko", "area"),
        ("jp", "simple", "territory"),
        ("중국룰", "superko", "area"),
        ("應氏規則", "superko", "area"),
        ("数子", "superko", "area"),
        ("BGA", "situational", "area"),
        ("AGA", "situational", "area"),
        ("New Zealand", "situational", "area"),
        ("koSITUATIONALscoreAREAtaxNONEsui1", "situational", "area"),
        ("Tromp-Taylor", "superko", "area"),
        ("koPOSITIONALscoreAREAtaxNONEsui0", "superko", "area"),
        ("koSIMPLEscoreTERRITORYtaxSEKI", "simple", "territory"),
        ("Chinese, simple ko", "simple", "area"),
        ("中国规则", "superko", "area"),
    ],
)
def test_rules(value: str, ko: str, scoring: str) -> None:
    options = read_sgf(f"(;RU[{value}])").game.options
    assert (options["ko"], options["scoring"]) == (ko, scoring)


@pytest.mark.parametrize(
    ("value", "bonus", "suicide"),
    [
        ("Japanese", "zero", False),
        ("Chinese", "zero", False),
        ("AGA", "less_one", False),
        ("NZ", "zero", True),
        ("Tromp-Taylor", "zero", True),
        ("French", "less_one", False),
        ("koPOSITIONALscoreAREAtaxNONEsui1whbN-1", "less_one", True),
        ("koSIMPLEscoreAREAtaxNONEsui0whbN", "full", False),
    ],
)
def test_suicide_and_bonus_by_the_name_of_the_rules(value: str, bonus: str, suicide: bool) -> None:
    options = read_sgf(f"(;RU[{value}])").game.all_options
    assert (options["bonus"], options["suicide"]) == (bonus, suicide)


@pytest.mark.parametrize("ko", ["simple", "superko", "situational"])
@pytest.mark.parametrize("scoring", ["territory", "area"])
@pytest.mark.parametrize("bonus", ["zero", "less_one", "full"])
@pytest.mark.parametrize("suicide", [False, True])
def test_every_set_of_rules_comes_back(ko: str, scoring: str, bonus: str, suicide: bool) -> None:
    game = tengen.game("go", size=9, ko=ko, scoring=scoring, bonus=bonus, suicide=suicide, handicap=3)
    text = write_sgf(Record("go", game.options))
    assert read_sgf(text).game == game
    assert "KM[0.5]" in text


@pytest.mark.parametrize("komi", [3.75, 7.25, 150.0, -2.25])
def test_a_komi_of_our_own_files_is_what_it_says(komi: float) -> None:
    game = tengen.game("go", size=9, komi=komi)
    assert read_sgf(write_sgf(Record("go", game.options))).game == game


@pytest.mark.parametrize(("rules", "name"), [("aga", "AGA"), ("new_zealand", "NZ"), ("chinese", "Chinese")])
def test_presets_are_written_by_name(rules: str, name: str) -> None:
    game = tengen.game("go", rules=rules)
    text = write_sgf(Record("go", game.options))
    assert f"RU[{name}]" in text and read_sgf(text).game == game


SLOPPY = {
    "plain": ("(;GM[1]FF[4]SZ[9];B[dd];W[ee])", ["D6", "E5"]),
    "no header": ("(;SZ[9];B[dd];W[ee])", ["D6", "E5"]),
    "small letters": ("(;gm[1]sz[9];b[dd];w[ee])", ["D6", "E5"]),
    "long names": (
        "(;GaMe[1]SiZe[9];Black[dd];White[ee])".replace("SiZe", "SZ").replace("GaMe", "GM"),
        ["D6", "E5"],
    ),
    "capital points": ("(;SZ[9];B[DD];W[EE])", ["D6", "E5"]),
    "point names": ("(;SZ[9];B[D6];W[e5])", ["D6", "E5"]),
    "white space": ("  ( ; SZ [ 9 ] \r\n ; B [dd]\n\n;\tW\n[ ee ] \n ) \n", ["D6", "E5"]),
    "byte order mark": ("\ufeff(;SZ[9];B[dd];W[ee])", ["D6", "E5"]),
    "mail before it": ("From: me (really)\nSubject: a game\n\n(;SZ[9];B[dd];W[ee])\n-- \nme", ["D6", "E5"]),
    "not closed": ("(;SZ[9];B[dd];W[ee]", ["D6", "E5"]),
    "not closed in a variation": ("(;SZ[9];B[dd](;W[ee](;B[aa]", ["D6", "E5", "A9"]),
    "end of file sign": ("(;SZ[9];B[dd];W[ee]\n\x1a", ["D6", "E5"]),
    "several games": ("(;SZ[9];B[dd];W[ee])(;SZ[19];B[pd])", ["D6", "E5"]),
    "tt is a pass": ("(;SZ[9];B[tt];W[ee];B[])", ["pass", "E5", "pass"]),
    "move in the root": ("(;SZ[9]B[dd];W[ee])", ["D6", "E5"]),
    "two moves in a node": ("(;SZ[9];B[dd]W[ee])", ["D6", "E5"]),
    "empty nodes": ("(;SZ[9];;B[dd];;C[hm];W[ee];)", ["D6", "E5"]),
    "size twice": ("(;SZ[9:9];B[dd];W[ee])", ["D6", "E5"]),
    "old square size": ("(;SZ[09];B[dd];W[ee])", ["D6", "E5"]),
    "out of turn": ("(;SZ[9];B[dd];B[ee])", ["D6", "pass", "E5"]),
    "white first": ("(;SZ[9];W[dd];B[ee])", ["D6", "E5"]),
    "play after two passes": ("(;SZ[9];B[];W[];W[dd])", ["pass", "pass", "resume White", "D6"]),
    "a third pass": ("(;SZ[9];B[];W[];B[])", ["pass", "pass"]),
    "area: play after two passes": (
        "(;SZ[9]RU[Chinese];B[];W[];W[dd])",
        ["pass", "pass", "resume White", "D6"],
    ),
    "no agreement: play after two passes": ("(;SZ[9]RU[Tromp-Taylor];B[];W[];W[dd])", ["pass", "D6"]),
    "no agreement: play after two passes by the first": (
        "(;SZ[9]RU[Tromp-Taylor];B[cc];W[];B[];W[dd])",
        ["C7", "D6"],
    ),
    "no agreement: the same colour passes twice": ("(;SZ[9]RU[Tromp-Taylor];B[];B[dd])", ["D6"]),
    "the same colour passes twice": ("(;SZ[9];B[];B[dd])", ["pass", "pass", "resume Black", "D6"]),
}


@pytest.mark.parametrize("name", SLOPPY)
def test_sloppy_files(name: str) -> None:
    text, expected = SLOPPY[name]
    assert words(text) == expected
    assert words(text.encode()) == expected


def test_a_file_from_a_server() -> None:
    text = r"""(;GM[1]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]
RU[Japanese]SZ[19]HA[2]KM[0.50]TM[1800]OT[5x30 byo-yomi]
PW[strong]PB[weak]WR[3d]BR[1d]DT[2019-04-01]PC[The Server at http://example.org/]C[weak [1d\]: hi
strong [3d\]: have a good game \\o/
]RE[W+Resign]AB[dp][pd]
;W[dd]WL[1795.34]C[strong [3d\]: first]
;B[pp]BL[30]OB[5])"""
    record = read_sgf(text).record()
    assert record.options["handicap"] == 2 and record.options["komi"] == 0.5 and record.origin is None
    assert record.players == (Player("weak", "1d"), Player("strong", "3d"))
    assert record.comment == "weak [1d]: hi\nstrong [3d]: have a good game \\o/\n"
    assert record.moves == (Move("D16", 1795.34, "strong [3d]: first"), Move("Q4", 30.0))
    assert record.result == Result(1, "resign")
    assert record.info["overtime"] == "5x30 byo-yomi"
    tree = read_sgf(text)
    assert tree.main_line()[-1].properties == {"OB": ("5",)}
    assert read_sgf(write_sgf(tree)).record() == record


@pytest.mark.parametrize(
    ("text", "handicap", "origin", "first"),
    [
        ("(;SZ[9]HA[2]AB[cg][gc];W[ee])", 2, None, "E5"),
        ("(;SZ[9]AB[cg][gc];W[ee])", 2, None, "E5"),
        ("(;SZ[9]HA[2];W[ee])", 2, None, "E5"),
        ("(;SZ[9]HA[2];B[ee])", 0, None, "E5"),
        ("(;SZ[9]HA[2];W[gc])", 0, ("9/9/9/9/9/9/9/9/9", 1), "G7"),
        ("(;SZ[9]HA[2];W[cg])", 0, ("9/9/9/9/9/9/9/9/9", 1), "C3"),
        ("(;SZ[9]HA[0];B[ee])", 0, None, "E5"),
        ("(;SZ[9]HA[2]AB[aa][bb];W[ee])", 0, ("X8/1X7/9/9/9/9/9/9/9", 1), "E5"),
        ("(;SZ[9]HA[2]AB[aa][bb])", 0, ("X8/1X7/9/9/9/9/9/9/9", 1), None),
        ("(;SZ[9]AB[aa:cb]AW[ii]PL[W])", 0, ("XXX6/XXX6/9/9/9/9/9/9/8O", 1), None),
        ("(;SZ[9]AB[aa][bb]AE[aa]PL[B])", 0, ("X8/1X7/9/9/9/9/9/9/9", 0), None),
        ("(;SZ[9];AB[aa]AW[bb];B[ee])", 0, ("X8/1O7/9/9/9/9/9/9/9", 0), "E5"),
        ("(;SZ[9]PL[W])", 0, ("9/9/9/9/9/9/9/9/9", 1), None),
        ("(;SZ[9]HA[x];B[ee])", 0, None, "E5"),
        ("(;SZ[3]HA[9];W[bb])", 0, ("3/3/3", 1), "B2"),
    ],
)
def test_setup_and_handicap(
    text: str, handicap: int, origin: tuple[str, int] | None, first: str | None
) -> None:
    record = read_sgf(text).record()
    assert record.options["handicap"] == handicap
    assert record.origin == origin
    assert [move.text for move in record.moves] == ([first] if first else [])
    assert read_sgf(write_sgf(record)).record() == record


@pytest.mark.parametrize(
    "charset", ["UTF-8", "GB2312", "GBK", "gb18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR"]
)
def test_encodings(charset: str) -> None:
    name = {"EUC-KR": "이창호", "Shift_JIS": "表ソ本因坊", "EUC-JP": "本因坊"}.get(charset, "古力")
    data = f"(;CA[{charset}]SZ[9]PB[{name}];B[dd])".encode(charset)
    assert read_sgf(data).players[0].name == name


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("(;PB[André])".encode(), "André"),
        ("(;PB[André])".encode("latin-1"), "André"),
        ("(;CA[nonsense]PB[André])".encode(), "André"),
        ("(;CA[UTF-8]PB[André])".encode("latin-1"), "André"),
        ("(;CA[ISO-8859-1]PB[André])".encode("latin-1"), "André"),
        (b"(;CA[unicode_escape]PB[\\\\x41])", "\\x41"),
        ("(;PB[André])".encode("utf-8-sig"), "André"),
        ("(;PB[André])".encode("utf-16"), "André"),
        ("(;CA[windows-1251]PB[Анна])".encode("cp1251"), "Анна"),
    ],
)
def test_encodings_that_are_wrong_or_missing(data: bytes, name: str) -> None:
    assert read_sgf(data).players[0].name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not SGF"),
        ("hello", "not SGF"),
        ("(;GM[2])", "GM is 2"),
        ("(;SZ[25])", "SZ is '25'"),
        ("(;SZ[9:13])", "SZ is '9:13'"),
        ("(;SZ[x])", "SZ is 'x'"),
        ("(;SZ[9]AB[zz])", "Node 1 sets up a point"),
        ("(;this is no game", "cannot be read"),
        ("hello (;there) you", "cannot be read"),
        ("(;TENGEN[chess])", "no game 'chess'"),
        ("(;TENGEN[kelasu])", "Kelasu has no SGF"),
        ("(;TENGEN[great-kingdom][size])", "not an option"),
        ("(;TENGEN[great-kingdom][size=4])", "cannot be set up"),
        ("(" + ";" * 2_000_000, "more than 200000 nodes"),
        ("(;" + "(" * 2_000_000, "more than 200000 nodes"),
        ("(;AB" + "[aa]" * 1_000_001, "more than 1000000 values"),
        ("(" + ";AB[aa:ss]" * 3000 + ")", "sets up more than 1000000 points"),
        ("(;" + "[" * 2_000_000, "cannot be read"),
        ("(;C[" + "\\" * 1_999_999, "cannot be read"),
    ],
)
def test_what_cannot_be_read(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read_sgf(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(;SZ[9];B[dd];W[dd])", "Move 2, 'D6': There is already a stone"),
        ("(;SZ[9];B[zz])", "Move 1, 'zz'"),
        ("(;SZ[9];B[dd];AW[ee])", "set up after move 1"),
        ("(;SZ[2]AB[aa:bb])", "position set up in node 1 cannot be used"),
    ],
)
def test_what_breaks_the_rules(text: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read_sgf(text).record()


def test_the_other_ko_rule_is_taken_when_the_moves_need_it() -> None:
    """Sending two, returning one: Black's last move brings a board back, which simple ko allows."""
    text = "(;SZ[5]RU[Chinese]AB[ba][ab][ac:ec]AW[da][bb][cb][db]PL[B];B[ca];W[aa];B[ba])"
    options = read_sgf(text).record().options
    assert (options["ko"], options["scoring"]) == ("simple", "area")
    shorter = read_sgf(text.replace(";B[ba])", ")")).record().options
    assert shorter["ko"] == "superko"


# Variations


def test_variations() -> None:
    branches = "(;W[ee]C[main];B[cc])(;W[ff]C[other](;B[aa])(;B[aa];W[aa]C[broken]))(;AW[gg]PL[W])"
    text = f"(;SZ[9]C[root];B[dd]{branches})"
    tree = load_tree(text)
    assert [node.move for node in tree.nodes()] == [None, "D6", "E5", "C7", "F4", "A9", "A9", "A9", None]
    first = tree.root.children[0]
    assert [child.comment for child in first.children] == ["main", "other", ""]
    assert tree.record().moves[-1].text == "C7"
    other = first.children[1]
    assert [move.text for move in tree.record(other.children[0]).moves] == ["D6", "F4", "A9"]
    with pytest.raises(RecordError, match="Move 4, 'A9'"):
        tree.state(other.children[1].children[0])
    setup = tree.state(first.children[2])
    assert setup.to_move == 1 and setup.cells().count(2) == 1
    again = read_sgf(write_sgf(tree))
    assert [(n.move, n.comment, n.setup) for n in again.nodes()] == [
        (n.move, n.comment, n.setup) for n in tree.nodes()
    ]


def test_a_review_adds_variations() -> None:
    tree = GameTree(tengen.game("go", size=9))
    first = tree.add(tree.root, "D4")
    assert tree.add(tree.root, "d4") is first
    second = tree.add(tree.root, "E5")
    assert tree.root.children == [first, second] and tree.add(first, "E5").seat == 1
    with pytest.raises(RecordError, match="Move 2, 'D4'"):
        tree.add(first, "D4")
    assert len(first.children) == 1


def test_very_deep_trees() -> None:
    text = "(;SZ[9]" + ";B[];W[aa]AE[aa]" * 5000 + ")" + "(;B[aa]" * 10
    tree = read_sgf(text)
    assert len(tree.main_line()) == 1 + 5000 * 3
    assert read_sgf("(;SZ[9]" + "(;B[aa]" * 5000 + ")" * 5001).root.children
    assert repr(tree.root)


def test_illegal_moves_are_written_as_they_were() -> None:
    assert "B[zz]" in write_sgf(read_sgf("(;SZ[9];B[zz])"))


# Great Kingdom


def test_great_kingdom_names_itself() -> None:
    game = tengen.game("great-kingdom", rules="published", lead=0)
    state = game.start().play(0)
    text = write_sgf(Record.from_state(state, result=Result(1, "resign")))
    assert "GM[" not in text and "KM[" not in text and "MA[ee]" in text and "AP[tengen" in text
    assert "TENGEN[great-kingdom][rules=published][size=9][neutral=true][lead=0]" in text
    tree = read_sgf(text)
    assert tree.game == game and tree.root.properties == {} and tree.result == Result(1, "resign")
    assert write_sgf(tree) == text


def test_great_kingdom_does_not_go_on_after_the_end() -> None:
    state = tengen.game("great-kingdom").start().play(81).play(81)
    text = write_sgf(Record.from_state(state)).rstrip()[:-1] + ";B[aa])"
    with pytest.raises(RecordError, match="Move 3, 'A9': The game is over"):
        read_sgf(text).record()


def test_nodes_without_a_seat_belong_to_the_mover() -> None:
    tree = GameTree(tengen.game("kelasu"))
    text = tree.game.format(start := tree.game.start(), start.legal_actions()[:1])
    node = tree.root.append(Node(move=text))
    assert tree.state(node).actions == tuple(start.legal_actions()[:1])


pieces = st.sampled_from(
    [
        *"();[]\\:abst",
        "B",
        "W",
        "[aa]",
        "[tt]",
        ";B[dd]",
        ";W[ee]",
        "AB[aa:cc]",
        "SZ[9]",
        "PL[W]",
        "\n",
        "é",
        "HA[3]",
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(pieces, max_size=30).map("".join) | st.text(max_size=40))
def test_garbage_raises_nothing_else(text: str) -> None:
    for data in (text, "(;" + text, "(;SZ[5]" + text + ")"):
        try:
            tree = read_sgf(data)
            written = write_sgf(tree)
            assert [node.move for node in read_sgf(written).nodes()] == [node.move for node in tree.nodes()]
            tree.record()
        except RecordError as error:
            assert str(error).endswith(".")


@settings(max_examples=60)
@given(st.text("\\\n\r\t a]é", max_size=12), st.integers(0, 3), st.booleans())
def test_a_text_in_pieces_means_the_same(part: str, shift: int, one_line: bool) -> None:
    raw = ("x" * shift + part * 900).encode()
    read = sgf_grammar.simpletext_value if one_line else sgf_grammar.text_value
    assert text_of(raw, one_line=one_line) == read(raw)


def test_games_with_thousands_of_values_are_split() -> None:
    game = "(;SZ[9]" + ";B[aa];W[]" * 1500 + "(;B[bb]C[" + "\\]" * 600 + "])(;B[cc]))"
    assert split_sgf(game * 3) == [game] * 3
