"""Studies: what a file becomes, and that it can be written and read again."""

from __future__ import annotations

import msgspec
import pytest

import tengen
from tengen.records import Record
from tengen.server.errors import Refusal
from tengen.server.http import studies
from tengen.server.protocol import Outcome, Person, Study, StudyNode

TREE = (
    "(;GM[1]FF[4]SZ[9]KM[7.5]PB[Ann]BR[3k]PW[Bob]GN[A lesson]RE[B+R]C[The start.];B[ee]C[Centre]"
    "(;W[cc];B[gc])(;W[gg]C[Or this];B[cg](;W[gc])(;W[cc])))"
)


def shape(study: Study) -> list[tuple[int | None, int | None, str]]:
    return [(node.parent, node.seat, node.text) for node in study.nodes]


def test_sgf_with_variations() -> None:
    study = studies.read_study(TREE)
    assert shape(study) == [
        (None, None, ""),
        (0, 0, "E5"),
        (1, 1, "C7"),
        (2, 0, "G7"),
        (1, 1, "G3"),
        (4, 0, "C3"),
        (5, 1, "G7"),
        (5, 1, "C7"),
    ]
    assert study.nodes[1].actions == [40] and study.nodes[1].comment == "Centre"
    assert study.nodes[0].comment == "The start."
    assert study.players == (Person("Ann (3k)"), Person("Bob")) and study.title == "A lesson"
    assert study.result == Outcome(0, "resign") and study.options["komi"] == 7.5
    again = studies.read_study(studies.write_study(study, "sgf"))
    assert again.nodes == study.nodes and again.result == study.result and again.title == study.title


def test_a_comment_is_no_longer_than_can_be_read_again() -> None:
    longest = studies.read_study(f"(;GM[1]SZ[9]C[{'x' * studies.LONGEST_COMMENT}])")
    assert len(longest.nodes[0].comment) == studies.LONGEST_COMMENT
    with pytest.raises(Refusal, match="A comment has at most"):
        studies.read_study(f"(;GM[1]SZ[9]C[{'x' * (studies.LONGEST_COMMENT + 1)}])")


def test_what_else_a_file_says_comes_back() -> None:
    """Clocks, marks, ranks and the margin: what the page shows nothing of is no reason to lose it."""
    sgf = (
        "(;GM[1]SZ[9]KM[6.5]PB[Ann]BR[3d]PW[Bo]WR[2k]RE[B+3.5]ST[2]GC[one\ntwo];B[dd]BL[100]OB[3]WL[90]"
        "LB[aa:x\\]];W[ee]WL[88.5]TR[dd](;B[cc]N[a];CR[cc])(;B[gg]BM[1]))"
    )
    study = studies.read_study(sgf)
    assert study.players == (Person("Ann (3d)"), Person("Bo (2k)"))
    assert study.info["result"] == "B+3.5" and study.nodes[1].sgf["WL"] == ["90"]
    text = studies.write_study(study, "sgf")
    for kept in (
        "BR[3d]",
        "PB[Ann]",
        "WR[2k]",
        "RE[B+3.5]",
        "ST[2]",
        "GC[one\ntwo]",
        "BL[100]",
        "OB[3]",
        "WL[90]",
    ):
        assert kept in text
    for kept in ("LB[aa:x\\]]", "WL[88.5]", "TR[dd]", "N[a]", "CR[cc]", "BM[1]"):
        assert kept in text
    assert studies.read_study(text) == study
    record = Record.from_json(studies.write_study(study, "json"))
    assert [move.clock_s for move in record.moves] == [100, 88.5, None]
    assert record.players[0].rank == "3d" and record.result is not None and record.result.margin == 3.5
    changed = msgspec.structs.replace(study, result=Outcome(1, "resign"))
    assert "RE[W+R]" in studies.write_study(changed, "sgf")


def test_what_a_client_says_of_nodes_stays_within_them() -> None:
    wrong = {
        "X": ["a];B[aa"],
        "B": ["aa"],
        "C": ["no"],
        "a b": ["x"],
        "AB": ["bb"],
        "TR": [],
        "SQ": ["cc\\"],
        "LB": ["aa:1"],
    }
    root = StudyNode(None, sgf=wrong | {"PB": ["no"]})
    study = Study("go", {"size": 9}, [root, StudyNode(0, actions=[40], sgf=wrong)])
    text = studies.write_study(study, "sgf").replace("\n", "")
    assert text == "(;FF[4]AP[tengen:1]CA[UTF-8]GM[1]KM[6.5]LB[aa:1]RU[Japanese]SZ[9];B[ee]LB[aa:1])"


def test_the_main_line_as_a_record() -> None:
    study = studies.read_study(TREE)
    record = Record.from_json(studies.write_study(study, "json"))
    assert [move.text for move in record.moves] == ["E5", "C7", "G7"]
    again = studies.read_study(record.to_json())
    assert shape(again) == shape(study)[:4]


def test_nodes_that_are_no_moves_leave_their_comments() -> None:
    study = studies.read_study("(;GM[1]SZ[9];C[one];B[ee];C[two];C[three];W[cc])")
    assert shape(study) == [(None, None, ""), (0, 0, "E5"), (1, 1, "C7")]
    assert study.nodes[0].comment == "one" and study.nodes[1].comment == "two\nthree"


def test_a_position_to_begin_with() -> None:
    study = studies.read_study("(;GM[1]SZ[9]AB[ee][gc]AW[cc]PL[W];W[cg])")
    assert study.origin is not None and study.origin[1] == 1
    assert shape(study) == [(None, None, ""), (0, 1, "C3")]
    again = studies.read_study(studies.write_study(study, "sgf"))
    assert (again.origin, again.nodes) == (study.origin, study.nodes)


def test_an_old_study_tells_its_resumption_as_one() -> None:
    old = b'{"game":"go","options":{},"nodes":[{"parent":null},{"parent":0,"seat":0,"actions":[-2]}]}'
    node = msgspec.json.decode(studies.modern(old), type=Study).nodes[1]
    assert (node.seat, node.actions, node.resumed) == (None, [], 1)
    new = b'{"game":"go","options":{},"nodes":[{"parent":null}]}'
    assert studies.modern(new) is new


def test_a_move_out_of_turn_gets_a_pass_before_it() -> None:
    study = studies.read_study("(;GM[1]SZ[9];B[ee];B[cc])")
    assert shape(study) == [(None, None, ""), (0, 0, "E5"), (1, 1, "pass"), (2, 0, "C7")]


def test_play_that_goes_on_after_two_passes() -> None:
    sgf = "(;GM[1]SZ[9]RU[Japanese];B[ee];W[];B[];W[cc];B[gc])"
    study = studies.read_study(sgf)
    assert [node.text for node in study.nodes][-3:] == ["resume White", "C7", "G7"]
    assert studies.read_study(studies.write_study(study, "sgf")).nodes == study.nodes
    area = studies.read_study(sgf.replace("Japanese", "Chinese"))
    assert [node.text for node in area.nodes if node.actions][-2:] == ["C7", "G7"]
    assert studies.read_study(studies.write_study(area, "sgf")).nodes == area.nodes


def test_what_the_rules_forbid_ends_a_branch_with_a_word() -> None:
    study = studies.read_study("(;GM[1]SZ[9];B[ee](;W[ee];B[aa])(;W[cc]))")
    assert shape(study) == [(None, None, ""), (0, 0, "E5"), (1, 1, "C7")]
    assert "cannot be shown" in study.nodes[1].comment
    assert study.notice.startswith("The file cannot be followed after move 1: ") and study.notice.endswith(
        "."
    )


def test_pieces_set_up_on_the_way_are_a_node_that_goes_on_from_there() -> None:
    text = "(;GM[1]SZ[9];B[ee];AB[aa]AE[ee]PL[W]C[now];W[cc](;B[dd])(;AW[dd]))"
    study = studies.read_study(text)
    assert shape(study)[2:4] == [(1, None, ""), (2, 1, "C7")] and not study.notice
    assert study.nodes[2].origin == ("X8/9/9/9/9/9/9/9/9", 1) and study.nodes[2].comment == "now"
    assert study.nodes[5].origin == ("X8/9/2O6/3O5/9/9/9/9/9", 0)
    assert studies.read_study(studies.write_study(study, "sgf")).nodes == study.nodes
    assert [(move.node, move.number) for move in studies.moves_of(study)] == [(1, 1), (3, 3), (4, 4)]
    with pytest.raises(Refusal, match="set up after move 1"):
        studies.write_study(study, "json")
    broken = studies.read_study("(;SZ[5];B[aa];AW[ab][ba];W[cc])")
    assert "no liberty" in broken.notice and len(broken.nodes) == 2


def test_a_file_is_read_in_the_encoding_that_it_is_in() -> None:
    names = "조훈현 이창호 바둑 대국 해설"
    sgf = f"(;GM[1]SZ[9]PB[{names}];B[ee])"
    for data in (sgf.encode("cp949"), sgf.encode("utf-16"), sgf.encode()):
        assert studies.read_study(data).players[0].name == names


def test_the_games_of_a_collection_are_listed() -> None:
    one = b"(;GM[1]SZ[9]PB[Ada]PW[Bo]RE[B+3]GN[One];B[ee])"
    found = studies.read_collection(one + b"(;GM[1]SZ[19])(;GM[1]SZ[99])")
    assert (found.games, [entry.number for entry in found.entries]) == (3, [1, 2, 3])
    first, second, third = found.entries
    assert (first.game, first.title, first.players) == ("go", "One", ("Ada", "Bo"))
    assert first.result is not None and first.result.winner == 0
    assert second.result is None and not second.problem and third.problem.endswith(".")
    with pytest.raises(Refusal):
        studies.read_collection(b"nothing")


@pytest.mark.parametrize("name", ["great-kingdom", "kelasu", "dominion-duel"])
def test_records_of_every_game(name: str) -> None:
    game = tengen.game(name)
    state = game.start()
    for _ in range(12):
        if state.outcome is not None:
            break
        state = state.play(state.legal_actions()[0])
        while game.mid_move(state):
            state = state.play(state.legal_actions()[0])
    study = studies.read_study(Record.from_state(state).to_json())
    assert study.game == name and len(study.nodes) > 1
    assert studies.read_study(studies.write_study(study, "json")).nodes == study.nodes


@pytest.mark.parametrize(
    "text",
    ["", "  \n", "hello", "{", "{}", "/etc/passwd", "(;GM[2])", "(;SZ[99])", "\ud800", "(" * 5000],
)
def test_what_is_no_game(text: str) -> None:
    with pytest.raises(Refusal) as refused:
        studies.read_study(text)
    assert refused.value.code == "malformed" and "Traceback" not in refused.value.message


GO = Study(game="go", options={"size": 9}, nodes=[StudyNode(None)])


@pytest.mark.parametrize(
    ("study", "code"),
    [
        (msgspec.structs.replace(GO, nodes=[]), "malformed"),
        (msgspec.structs.replace(GO, nodes=[StudyNode(0)]), "malformed"),
        (msgspec.structs.replace(GO, nodes=[StudyNode(None), StudyNode(1, actions=[3])]), "malformed"),
        (msgspec.structs.replace(GO, nodes=[StudyNode(None), StudyNode(-1, actions=[3])]), "malformed"),
        (msgspec.structs.replace(GO, nodes=[StudyNode(None), StudyNode(None)]), "malformed"),
        (msgspec.structs.replace(GO, nodes=[StudyNode(None), StudyNode(0, actions=[999])]), "illegal"),
        (msgspec.structs.replace(GO, nodes=[StudyNode(None), StudyNode(0, actions=[10**30])]), "illegal"),
        (msgspec.structs.replace(GO, nodes=[StudyNode(None), StudyNode(0, actions=[-1])]), "illegal"),
        (msgspec.structs.replace(GO, nodes=[StudyNode(None), StudyNode(0, text="Z99")]), "illegal"),
        (msgspec.structs.replace(GO, nodes=[StudyNode(None), StudyNode(0)]), "illegal"),
        (msgspec.structs.replace(GO, nodes=[StudyNode(None), StudyNode(0, actions=[3, 4])]), "malformed"),
        (msgspec.structs.replace(GO, game="chess"), "malformed"),
        (msgspec.structs.replace(GO, options={"size": "nine"}), "malformed"),
        (msgspec.structs.replace(GO, origin=("x", 0)), "malformed"),
        (msgspec.structs.replace(GO, result=Outcome(7, "resign")), "malformed"),
        (msgspec.structs.replace(GO, result=Outcome(0, "\n")), "malformed"),
        (Study(game="dominion-duel", options={"n": 100_000}, nodes=[StudyNode(None)]), "malformed"),
        (Study(game="kelasu", options={}, nodes=[StudyNode(None), StudyNode(0, actions=[1])]), "illegal"),
    ],
)
def test_a_study_that_makes_no_sense(study: Study, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        studies.write_study(study, "json")
    assert refused.value.code == code


def test_moves_may_be_given_as_text() -> None:
    nodes = [StudyNode(None), StudyNode(0, text="e5"), StudyNode(1, text="pass", comment="hm")]
    record = Record.from_json(studies.write_study(msgspec.structs.replace(GO, nodes=nodes), "json"))
    assert [move.text for move in record.moves] == ["E5", "pass"] and record.moves[1].comment == "hm"


def test_games_without_sgf_say_so() -> None:
    with pytest.raises(Refusal, match="has no SGF"):
        studies.write_study(Study(game="kelasu", options={}, nodes=[StudyNode(None)]), "sgf")


def test_a_huge_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "MAX_NODES", 10)
    with pytest.raises(Refusal, match="more than 11 nodes"):
        studies.read_study("(;GM[1]SZ[9]" + "".join(f";B[{c}a];W[{c}i]" for c in "abcdef") + ")")


def test_every_game_of_a_collection_can_be_had() -> None:
    text = "(;GM[1]SZ[9]GN[one];B[ee])(;GM[1]SZ[9]GN[two];B[cc];W[cc])"
    first, second = studies.read_study(text), studies.read_study(text, 2)
    assert [(one.title, one.number, one.games) for one in (first, second)] == [("one", 1, 2), ("two", 2, 2)]
    assert "Move 2" in second.nodes[1].comment
    with pytest.raises(Refusal, match="There is no game 3: the SGF text has 2"):
        studies.read_study(text, 3)
