"""Fixes: what each name changes and what it leaves alone, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference
from gecval.formats.fixes import TEXT_FIXES, fix_corpus, fix_text, is_idle, shares_words


@pytest.mark.parametrize(
    ("name", "text", "fixed"),
    [
        ("nfc", "cafe\u0301", "café"),
        ("width", "Ａ～！\u3000ｂ", "A~! b"),
        ("width", "＀｟「", "＀｟「"),  # before and behind the forms of ASCII
        ("invisible", "a\u00adb\u200bc\u2060d\ufeffe\u180ef", "abcdef"),
        ("invisible", "a\u200cb\u200d", "a\u200cb\u200d"),  # joiners: some scripts need them
        ("marks", "\u061ca\u200eb\u200f \u202ac\u2066d\u2069", "ab cd"),
        ("tokens", "He's gone-by, now: 3.5!", "He's gone-by , now : 3 . 5 !"),
        ("tokens", "Huntington 's disease isn't bad, is n't it?", "Huntington 's disease isn't bad , is n't it ?"),
        ("tokens", "They 'll see... Mr. Smith 's dog.", "They 'll see . . . Mr . Smith 's dog ."),
        ("tokens", "Mr. Smith 's 'dog' has 3.5 ''lives'' .", "Mr. Smith 's 'dog' has 3.5 ''lives'' ."),  # it is
        ("tokens", "Keeping the Secret", "Keeping the Secret"),
        ("entities", "&amp;lt;b&amp;gt;", "<b>"),
        ("tokens", "cafe\u0301-bar, n\u200cm", "cafe\u0301-bar , n\u200cm"),  # a mark belongs to its letter
        ("tokens", "हिन्दी।", "हिन्दी ।"),
        ("tokens", "(“Yes”)", "( “ Yes ” )"),
    ],
)
def test_texts(name: str, text: str, fixed: str) -> None:
    assert fix_text(text, [name]) == fixed
    assert fix_text(text, []) == text
    assert fix_text(fixed, [name]) == fixed


@given(
    st.text(st.sampled_from("aé .,'!s&#;mp x\u0301\u200b\xa0Ａ；*-3"), max_size=12),
    st.sets(st.sampled_from(list(TEXT_FIXES))),
)
def test_what_is_fixed_stays(text: str, names: set[str]) -> None:
    fixed = fix_text(text, names)
    assert fix_text(fixed, names) == fixed
    corpus = fix_corpus(Corpus([text], [[Reference(text)]]), names)
    again = fix_corpus(corpus, names)
    assert (again.sources, again.references) == (corpus.sources, corpus.references)


def edits(names: list[str], *listed: Edit, source: str = "a b c d e") -> list[Edit]:
    [[reference]] = fix_corpus(Corpus([source], [[Reference(edits=listed, annotator="x")]]), names).references
    assert reference.annotator == "x"
    return list(reference.edits or ())


WIDE, NARROW, LATER = Edit(0, 2, ("x",), "R"), Edit(1, 3, ("y",), "R"), Edit(3, 4, ("z",), "R")


def test_edits() -> None:
    again = Edit(0, 2, (" x ",), "other")  # blanks and types do not make another edit
    assert edits(["duplicates"], WIDE, NARROW, again) == [WIDE, NARROW]
    assert edits([], WIDE, NARROW, again) == [WIDE, NARROW, again]
    idle, half = Edit(0, 2, (" a  b ",)), Edit(0, 2, ("a b", "x"))
    assert edits(["idle"], idle, half, WIDE) == [half, WIDE]
    assert edits(["duplicates"], idle, WIDE) == [idle, WIDE]
    assert edits(["order"], LATER, NARROW, Edit(1, 2, ("q",)), WIDE) == [WIDE, Edit(1, 2, ("q",)), NARROW, LATER]
    assert edits(["duplicates"], LATER, WIDE) == [LATER, WIDE]


def test_overlaps() -> None:
    """The widest stays, of equally wide ones the first; the others where there is room, in their order."""
    widest = Edit(0, 3, ("w",))
    assert edits(["overlaps"], NARROW, widest, LATER) == [widest, LATER]
    assert edits(["overlaps"], NARROW, WIDE) == [NARROW]
    assert edits(["overlaps"], WIDE, NARROW) == [WIDE]
    border, inside = Edit(2, 2, ("i",)), Edit(1, 1, ("i",))
    assert edits(["overlaps"], inside, border, WIDE) == [border, WIDE]
    assert edits(["order"], WIDE, NARROW) == [WIDE, NARROW]


@pytest.mark.parametrize(
    ("first", "second", "shared"),
    [((0, 2), (1, 3), True), ((0, 2), (2, 3), False), ((2, 3), (0, 2), False), ((0, 2), (0, 0), False)],
)
def test_words_that_edits_share(first: tuple[int, int], second: tuple[int, int], shared: bool) -> None:
    assert shares_words(Edit(*first, ("",)), Edit(*second, ("",))) is shared


def test_edits_follow_the_words_of_their_source() -> None:
    """A word that vanishes moves the places behind it; an edit that is left nothing to change goes."""
    source = "He \u200b go home\u200b ."
    listed = (Edit(1, 2, ("",)), Edit(2, 3, ("go\u200bes",)), Edit(3, 4, ("home",)), Edit(5, 5, ("!",)))
    corpus = Corpus([source], [[Reference(edits=listed), Reference("He goes home\u200b .")]])
    fixed = fix_corpus(corpus, ["invisible"])
    assert fixed.sources == ["He go home ."]
    assert fixed.references[0][0].edits == (Edit(1, 2, ("goes",)), Edit(4, 4, ("!",)))
    assert fixed.references[0][1] == Reference("He goes home .")
    same = fix_corpus(corpus, ["idle"])
    assert (same.sources, same.references[0][0].edits) == ([source], listed)
    idle = Edit(0, 1, ("He",))  # it changed nothing before either: only `idle` drops it
    assert edits(["invisible"], idle, source="He go") == [idle]


def test_blanks_stay_where_no_text_is_fixed() -> None:
    corpus = Corpus(["a  b"], [[Reference(edits=(WIDE,)), Reference("a  c", None)]])
    fixed = fix_corpus(corpus, ["order"])
    assert (fixed.sources, fixed.references[0][1].text) == (["a  b"], "a  c")


def test_refusals() -> None:
    """Words of a text may be set apart; those that edits count may not."""
    plain = fix_corpus(Corpus(["a, b"], [[Reference("a, c")]]), ["tokens"])
    assert (plain.sources, plain.references[0][0].text) == (["a , b"], "a , c")
    mixed = Corpus(["a b", "c"], [[Reference(edits=(WIDE,))], [Reference("d")]])
    with pytest.raises(InputError, match=r"^'tokens' would move the words that edits count") as refusal:
        fix_corpus(mixed, ["tokens"])
    assert refusal.value.parameters == ("fixes",)
    with pytest.raises(InputError, match=r"^'all' is not a fix; there is duplicates, idle, order, overlaps, nfc"):
        fix_text("a", ["nfc", "all"])


@pytest.mark.parametrize(("texts", "idle"), [(("a b",), True), (("a b", "a b "), True), (("a b", "a"), False)])
def test_idle_edits_change_nothing_by_any_correction(texts: tuple[str, ...], idle: bool) -> None:
    assert is_idle(Edit(0, 2, texts), ["a", "b", "c"]) is idle
