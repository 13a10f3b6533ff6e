"""Names, texts and passwords that people give, each limit met exactly; what is kept of a secret."""

from __future__ import annotations

import pytest

from gecval.board import accounts
from gecval.board.clock import format_moment, parse_moment
from gecval.board.form_fields import check_text_file, clean_name, clean_text, file_name, slug
from gecval.errors import InputError


@pytest.mark.parametrize(
    ("given", "kept"),
    [("a" * 80, "a" * 80), (" " * 799 + "a", "a"), ("Cafe\u0301", "Café"), ("a \u3000\n b", "a b")],
)
def test_names_are_cleaned(given: str, kept: str) -> None:
    assert clean_name(given, "a system") == kept


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("a" * 81, "a system: a name has at most 80 letters, this one 81"),
        (" " * 800 + "a", "a system: a name has at most 80 letters"),
        (" \n ", "a system needs a name"),
        ("a\u200bb", "a system: a name has no control characters"),
    ],
)
def test_names_are_refused(given: str, why: str) -> None:
    with pytest.raises(InputError) as refused:
        clean_name(given, "a system")
    assert str(refused.value) == why


def test_texts_of_forms() -> None:
    assert clean_text(" one\r\ntwo\tthree\u200d ", "the note") == "one\ntwo\tthree\u200d"
    assert clean_text("a" * 4000, "the note") == "a" * 4000
    for given, why in (
        ("a" * 4001, "the note has 4001 letters; at most 4000 are allowed"),
        ("ring\aring", "the note holds control characters"),
        ("half a pair: \ud800", "the note holds control characters"),
    ):
        with pytest.raises(InputError) as refused:
            clean_text(given, "the note")
        assert str(refused.value) == why


def test_addresses_and_names_of_files_are_cut() -> None:
    assert slug("a" * 61) == "a" * 60
    assert slug("a" * 59 + " b") == "a" * 59  # no line at the end
    assert slug("--a--") == "a"
    assert file_name("a" + "b" * 80, "x") == "b" * 80
    assert file_name("-.x.txt.", "x") == "x.txt."
    assert file_name("C:\\data\\mine.txt", "x") == "mine.txt"
    # Of a very long name, the last 400 letters are looked at.
    assert file_name("b" + 398 * "é" + "a", "x") == "b_a"
    assert file_name("b" + 399 * "é" + "a", "x") == "_a"


def test_moments_of_forms() -> None:
    assert parse_moment("1970-01-01T01:00+01:00", "the start") == 0.0
    assert parse_moment(" 1970-01-01T00:00Z ", "the start") == 0.0
    assert format_moment(None) == ""
    with pytest.raises(InputError, match=r"^the start: write a date such as 2026-05-31 or 2026-05-31T12:00$"):
        parse_moment("tomorrow", "the start")


def test_passwords() -> None:
    for length in (10, 1000):
        hashed = accounts.hash_password("ä" * length, cost=2)
        assert hashed.startswith("$argon2id$v=19$m=16,t=1,p=1$")
        assert accounts.password_fits(hashed, "ä" * length, cost=2) is True
        assert accounts.password_fits(hashed, "ä" * (length - 1), cost=2) is False
    assert accounts.password_fits(hashed, "ä" * 1001, cost=2) is True  # what is behind the longest is not looked at
    assert accounts.password_fits("nonsense", "ä" * 10, cost=2) is False
    for length, why in ((9, "at least 10"), (1001, "at most 1000")):
        with pytest.raises(InputError, match=f"^a password has {why} letters$"):
            accounts.hash_password("a" * length, cost=2)
    assert "$m=65536," in accounts.hash_password("a" * 10)  # argon2's own cost
    assert len(accounts.new_secret()) == 43  # 32 random bytes


def test_nobody_has_no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even the one that is compared with, so that it takes as long."""
    monkeypatch.setattr(accounts, "_hash_nothing", lambda cost: accounts.hash_password("guessed it", cost=cost))
    assert accounts.password_fits(None, "guessed it", cost=1) is False


def test_files_that_are_no_text() -> None:
    check_text_file(b"ten bytes.", "mine.txt", max_bytes=10)
    check_text_file(b"\xef\xbb\xbfbyte order mark", "mine.txt", max_bytes=100)
    for content, why in (
        (b"ten bytes..", "mine.txt has more than 10 bytes; no file may be larger"),
        (b" \n ", "mine.txt is empty"),
        (b"a\nb\n\xff\n\n", "mine.txt: line 3 is not UTF-8; convert the file, e.g. with iconv"),
        (b"a\0b", "mine.txt is no text: it holds NUL bytes"),
        (b"PK is bad", "mine.txt is compressed; unpack it first"),
    ):
        with pytest.raises(InputError) as refused:
            check_text_file(content, "mine.txt", max_bytes=10)
        assert str(refused.value) == why
