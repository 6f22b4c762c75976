"""Names and texts that hide, turn round or pass for others, and the operator's words."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tengen.server.errors import Refusal
from tengen.server.names import Words, clean_name, clean_text, look_alike, skeleton, told_apart
from tengen.server.protocol import MAX_NAME


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Ａｎｎ", "Ann"),  # full width
        ("𝓐𝓷𝓷", "Ann"),
        ("ﬁn", "fin"),
        ("A\u200bn\u200dn\u2060", "Ann"),
        ("nnA\u202e", "nnA"),
        ("a\u0301\u0301\u0301\u0301\u0301", "á\u0301\u0301"),
        ("\U000e0041\U000e0042x", "x"),
        ("A\ufe0fn\u034fn\U000e0101\u180b", "Ann"),  # marks that show nothing
        ("a\u0488\u0488\u0488\u20dd\u20dd", "a\u0488\u0488"),  # and that pile up, though of class 0
        ("ที่นี่", "ที่นี่"),
        ("हिन्दी", "हिन्दी"),
        ("홍길동", "홍길동"),
        ("Kim 金 김", "Kim 金 김"),
        ("さくらサクラ桜", "さくらサクラ桜"),
        ("Вера", "Вера"),
        ("Ωμέγα", "Ωμέγα"),
        ("José 3♞", "José 3♞"),
        ("مريم", "مريم"),
    ],
)
def test_names_have_one_form(given: str, kept: str) -> None:
    assert clean_name(given) == kept


@pytest.mark.parametrize("name", ["Αnn", "раypal", "Аnn", "Annа", "Ωlaf", "김Вера", "Jоhn"])
def test_scripts_that_pass_for_each_other_are_not_mixed(name: str) -> None:
    with pytest.raises(Refusal, match="scripts"):
        clean_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *("admin", "ADMIN", "Adm1n", "ádmin", "Moderator", "Ten gen", "t.e.n-g_en", "ｓｙｓｔｅｍ"),
        *("ᴀᴅᴍɪɴ", "🅰🅳🅼🅸🅽", "🅐 🅓 🅜 🅘 🅝", "🇸🇪🇷🇻🇪🇷", "øperatør", "ađmin"),
    ],
)
def test_nobody_is_taken_for_the_operator(name: str) -> None:
    with pytest.raises(Refusal):
        clean_name(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann", "ann"),
        ("Ian", "lan"),
        ("Zoe", "Zoё"),
        ("corn", "com"),
        ("Bob", "B0b"),
        ("Bob", "B o b."),
        ("paypal", "раураl"),
        ("Anna", "ᴀɴɴᴀ"),
        ("Anna", "🅰nna"),
        ("Lars", "Łars"),
    ],
)
def test_names_that_look_alike(one: str, other: str) -> None:
    assert look_alike(one, other) and not look_alike(one, one)


@pytest.mark.parametrize(
    ("one", "other"), [("Ann", "Anna"), ("Bob", "Rob"), ("김", "이"), ("🙂", "🙃"), ("!", "?"), ("", "")]
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert not look_alike(one, other)


def test_a_text_keeps_what_it_says() -> None:
    assert (
        clean_text("a\u202eb\n\tc\x07\u2066d\u2069 é 한 👩\u200d🚀 نامه\u200cای")
        == "ab\n\tcd é 한 👩\u200d🚀 نامه\u200cای"
    )


def test_words_are_found_however_they_are_dressed_up() -> None:
    words = Words(["# a remark", "", "darn", "*heck*"])
    for text in (
        "darn",
        "DARN it",
        "d a r n",
        "d.a.r.n",
        "dárn",
        "d\u0430rn",
        "ｄａｒｎ",
        "ᴅᴀʀɴ",
        "🅳 🅰 🆁 🅽",
        "đarn",
        "what the heck",
        "oh-heckers",
    ):
        assert words.are_in(text), text
    for text in ("darning needle", "", "dark", "hectic"):
        assert not words.are_in(text), text
    assert not Words().are_in("darn")


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.text(max_size=60))
def test_whatever_is_typed_is_refused_or_harmless(text: str) -> None:
    try:
        name = clean_name(text)
    except Refusal as refusal:
        assert refusal.message.endswith(".")
        return
    assert len(name) <= MAX_NAME and name == name.strip()
    hidden = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert not any(unicodedata.category(letter) in hidden for letter in name)
    assert clean_name(name) == name, "once is enough"
    skeleton(name)


def test_a_name_with_a_number_is_no_longer_than_others() -> None:
    assert told_apart("Anna", ["", "Bea"]) == "Anna"
    assert told_apart("", ["", ""]) == ""
    long = "n" * MAX_NAME
    assert told_apart(long, [long]) == "n" * (MAX_NAME - 4) + " (2)"
