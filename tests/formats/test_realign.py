"""Outputs that break lines elsewhere are cut where the source breaks them; nothing is lost, and all is told."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, load_systems
from gecval.errors import InputError
from gecval.formats import realign
from gecval.formats.realign import BREAK, Moved, line_ends, realign_lines, word_pairs

SOURCE = ["He go home .", "She like it .", "We is here ."]
LINES = st.lists(st.lists(st.sampled_from("abcd."), max_size=5).map(" ".join), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("output", "lines", "moved"),
    [
        (SOURCE, SOURCE, Moved(kept=3)),
        (
            ["He goes home . She likes it .", "We are here ."],
            ["He goes home .", "She likes it .", "We are here ."],
            Moved(kept=1, joined=[1]),
        ),
        (
            ["He goes", "home .", "She likes it .", "We are here ."],
            ["He goes home .", "She likes it .", "We are here ."],
            Moved(kept=2, split=[1]),
        ),
        (["He goes home .", "We are here ."], ["He goes home .", "", "We are here ."], Moved(kept=2, dropped=[2])),
        (
            ["Sure , here you go :", "He goes home .", "", "She likes it .", "We are here ."],
            ["Sure , here you go : He goes home .", "She likes it .", "We are here ."],
            Moved(kept=2, added=[1]),
        ),
        (
            [*SOURCE, "Hope that helps !"],
            [*SOURCE[:2], "We is here . Hope that helps !"],
            Moved(kept=2, added=[4]),
        ),
        (
            ["He goes home .", "She likes it . We", "are here ."],
            ["He goes home .", "She likes it .", "We are here ."],
            Moved(kept=1, split=[3], joined=[2]),
        ),
        ([], ["", "", ""], Moved(dropped=[1, 2, 3])),
        ([SOURCE[0], "", *SOURCE[1:], ""], SOURCE, Moved(kept=3, empty=[2, 5])),
    ],
)
def test_what_is_moved(output: list[str], lines: list[str], moved: Moved) -> None:
    assert realign_lines(output, SOURCE) == (lines, moved)


def test_a_line_that_is_empty_on_both_sides_was_not_moved(tmp_path: Path) -> None:
    path = tmp_path / "same.txt"
    path.write_text("a  b\n\nc\n")
    with pytest.raises(InputError, match="nothing to re-align"):
        load_systems(path, Corpus.from_texts(["a b", "", "d"]), realign=True)


def test_repeated_lines_are_told_from_new_ones() -> None:
    """A line again, where the source has other words: it is a repetition, and stands with the line before."""
    lines, moved = realign_lines(["a b c", "x y z", "x y z", "d e f"], ["a b c", "d e f"])
    assert lines == ["a b c x y z x y z", "d e f"]
    assert (moved.added, moved.repeated, moved.kept) == ([2], [3], 1)


@given(LINES, LINES)
def test_nothing_is_lost_and_order_stays(output: list[str], source: list[str]) -> None:
    lines, moved = realign_lines(output, source)
    assert len(lines) == len(source)
    assert " ".join(lines).split() == " ".join(output).split()
    assert moved.dropped == [number for number, line in enumerate(lines, start=1) if not line]


@given(LINES)
def test_the_source_itself_fits(source: list[str]) -> None:
    lines, moved = realign_lines(source, source)
    assert lines == source
    assert not moved.split
    assert not moved.joined


@given(st.lists(st.integers(1, 4), min_size=1, max_size=8), st.data())
def test_equal_texts_cut_otherwise_are_cut_back(lengths: list[int], data: st.DataObject) -> None:
    """Where every word is its own, only one cut is right."""
    words = iter(f"w{i}x" for i in range(100))
    source = [" ".join(next(words) for _ in range(n)) for n in lengths]
    cut = data.draw(st.lists(st.booleans(), min_size=sum(lengths), max_size=sum(lengths)))
    text = "".join(word + ("\n" if end else " ") for word, end in zip(" ".join(source).split(), cut, strict=True))
    assert realign_lines(text.split("\n"), source)[0] == source


DOCUMENTS = ["# 0001", "a b .", "c d .", "# 0002", "e f .", "g h ."]


def test_documents_are_parts() -> None:
    """Words of one document never go to another, and documents that the source has not are left out."""
    output = ["# 0001", "a b . c d . e f .", "# 0009", "e f .", "# 0002", "g h ."]
    lines, moved = realign_lines(output, DOCUMENTS)
    assert lines == ["# 0001", "a b .", "c d . e f .", "# 0002", "", "g h ."]
    assert (moved.left_out, moved.joined, moved.dropped) == ([3, 4], [2], [5])


def test_documents_in_another_order() -> None:
    output = ["Sure :", "# 0002", "e f . g h .", "# 0001", "a b .", "c d ."]
    lines, moved = realign_lines(output, DOCUMENTS)
    assert lines == ["# 0001", "a b .", "c d .", "Sure : # 0002", "e f .", "g h ."]
    assert moved == Moved(kept=3, joined=[3], added=[1])


def test_a_lost_mark_keeps_its_document() -> None:
    """The output lacks a mark: its document is looked for in the one before."""
    lines, moved = realign_lines(["# 0001", "a b .", "c d .", "e f .", "g h ."], DOCUMENTS)
    assert lines == [*DOCUMENTS[:3], "", *DOCUMENTS[4:]]
    assert moved == Moved(kept=5, dropped=[4])


def test_what_stands_before_the_documents() -> None:
    assert realign_lines(["x y", "z", "# 0001", "a b ."], ["x", "y z", *DOCUMENTS[:2]])[0] == [
        "x",
        "y z",
        "# 0001",
        "a b .",
    ]
    assert realign_lines(["# 0001", "a b ."], ["x", *DOCUMENTS[:2]])[0] == ["", "# 0001", "a b ."]
    assert realign_lines(["x", *DOCUMENTS[:2]], DOCUMENTS[:2])[0] == ["x # 0001", "a b ."]


def test_an_output_of_conll14_is_cut_back(data: Path) -> None:
    """Lines of AMU's output, joined and split at random, are what they were."""
    sources = (data / "conll14/source.txt").read_text("utf-8").splitlines()
    output = [" ".join(line.split()) for line in (data / "conll14/systems/AMU").read_text("utf-8").splitlines()]
    random, lines = Random(1), [""]
    for line in output:
        place = random.randint(0, len(line.split()))
        words = line.split()
        lines[-1] = f"{lines[-1]} {' '.join(words[:place])}"
        lines += [" ".join(words[place:])] if random.random() < 0.5 else [" ".join(words[place:]), ""]
    cut, moved = realign_lines(lines, sources)
    assert cut == output
    assert len(moved.split) > 400


def test_essays_are_parts() -> None:
    source = ["### essay_id = a1", "x y .", "### essay_id = a2", "z ."]
    lines, moved = realign_lines(["### essay_id = a1", "x", "y .", "### essay_id = a2", "z ."], source)
    assert lines == source
    assert moved == Moved(kept=3, split=[2])


def test_a_missing_document_is_dropped() -> None:
    lines, moved = realign_lines(["# 0001", "a b .", "c d ."], DOCUMENTS)
    assert lines == [*DOCUMENTS[:3], "", "", ""]
    assert moved.dropped == [4, 5, 6]


def test_a_hash_is_no_document() -> None:
    lines, moved = realign_lines(["# no 1 fan", "a b"], ["# so cool 2", "a b"])
    assert lines[1] == "a b"
    assert moved.left_out == []


def test_long_texts_are_cut_at_lines_that_both_have(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(realign, "LONG", 0)
    source = [f"w{i} x{i} y{i} z{i}" for i in range(6)]
    output = [source[0], f"{source[1]} {source[2]}", source[3], "w4 x4", "y4 z4", source[5]]
    lines, moved = realign_lines(output, source)
    assert lines == source
    assert (moved.joined, moved.split, moved.kept) == ([2], [5], 3)


def test_where_long_texts_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """At lines of four words or more that occur once in both, and only where the texts are too long."""
    lines = [line.split() for line in ("a", "b b b", "c c c c", "d", "e e e e e", "e e e e e", "f f f f")]
    words = sum(map(len, lines))
    monkeypatch.setattr(realign, "LONG", words * words)
    assert realign.text_parts(lines, lines) == [((0, 7), (0, 7))]
    monkeypatch.setattr(realign, "LONG", words * words - 1)
    assert realign.text_parts(lines, lines) == [((0, 2), (0, 2)), ((2, 6), (2, 6)), ((6, 7), (6, 7))]


def test_a_mark_of_another_shape_starts_no_document() -> None:
    lines, moved = realign_lines(["# 0001", "a b .", "## 7", "c d .", *DOCUMENTS[3:]], DOCUMENTS)
    assert (lines, moved.left_out) == (["# 0001", "a b . ## 7", *DOCUMENTS[2:]], [])


def test_texts_too_long_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(realign, "MOST", 42)  # six words, and six with the break between two lines
    assert realign_lines(["a b c d e f"], ["a b c", "d e f"])[0] == ["a b c", "d e f"]
    monkeypatch.setattr(realign, "MOST", 41)
    with pytest.raises(InputError, match="the lines from 1 on are too many to re-align in one piece"):
        realign_lines(["a b c d e f"], ["a b c", "d e f"])
    monkeypatch.setattr(realign, "MOST", 5)
    with pytest.raises(InputError, match="the lines from 2 on are too many to re-align in one piece"):
        realign_lines(["x", "# 1", "a"], ["x", "# 1", "a"])


def test_from_files(tmp_path: Path) -> None:
    corpus = Corpus.from_texts(SOURCE)
    path = tmp_path / "mine.txt"
    path.write_text("He goes home . She likes it .\nWe are here .\n")
    with pytest.raises(InputError, match=r"mine.txt has 2 lines, the source 3; they part") as refused:
        load_systems(path, corpus)
    assert refused.value.parameters == ("realign",)
    [system] = load_systems(path, corpus, realign=True)
    assert system.hypotheses == ["He goes home .", "She likes it .", "We are here ."]
    assert system.notes == (
        f"{path} is re-aligned to the source: 1 lines fit; 1 output lines were joined from several (1)",
    )
    path.write_text("\n".join(SOURCE))
    with pytest.raises(InputError, match="all outputs break their lines where the source does: nothing to re-align"):
        load_systems(path, corpus, realign=True)


def test_a_note_names_five_lines() -> None:
    note = Moved(kept=1234, dropped=[1, 2, 3, 4, 5, 6]).note("mine", "src")
    assert note == "mine is re-aligned to src: 1,234 lines fit; 6 source lines have no output (1, 2, 3, 4, 5, …)"
    assert Moved(dropped=[1, 2, 3, 4, 5]).note("mine", "src").endswith("5 source lines have no output (1, 2, 3, 4, 5)")


def test_an_empty_line_that_both_texts_have_is_not_left_out() -> None:
    assert realign_lines(["a", "", "c"], ["a", "", "c"])[1].empty == []


def test_words_are_known_by_their_first_four_letters() -> None:
    """A line whose words begin otherwise is new, though it stands in the place of another."""
    assert realign_lines(["walked"], ["walking"])[1] == Moved(kept=1)
    assert realign_lines(["Walked"], ["walking"])[1] == Moved(kept=1)
    assert realign_lines(["waltz"], ["walking"])[1] == Moved(kept=1, added=[1])


def test_of_equal_lines_the_later_one_is_new() -> None:
    """What only the output has is moved along equal words until it is whole lines."""
    assert realign_lines(["a .", "b ."], ["a ."]) == (["a . b ."], Moved(added=[2]))
    assert realign_lines(["b .", "a ."], ["a ."]) == (["b . a ."], Moved(added=[1]))
    assert realign_lines(["a .", "b .", "c ."], ["a .", "c ."]) == (["a . b .", "c ."], Moved(kept=1, added=[2]))


@pytest.mark.parametrize(
    ("output", "source", "lines"),
    [
        (["— y ."], ["— x .", "— y ."], ["", "— y ."]),
        (["— x ."], ["— x .", "— y ."], ["— x .", ""]),
        (["— x .", "— z ."], ["— x .", "— y .", "— z ."], ["— x .", "", "— z ."]),
        (["— a ."], ["— a .", "— b .", "— c ."], ["— a .", "", ""]),
        (["— x .", "— q .", "— y ."], ["— x .", "— y ."], ["— x . — q .", "— y ."]),
        (["— x . — q . — y ."], ["— x .", "— y ."], ["— x . — q .", "— y ."]),
    ],
)
def test_words_that_lines_share_stay_in_their_lines(output: list[str], source: list[str], lines: list[str]) -> None:
    """Lines begin and end alike: of equally cheap alignments the one that drops or adds whole lines is taken."""
    assert realign_lines(output, source)[0] == lines


def test_characters_are_cut_before_they_are_aligned(tmp_path: Path) -> None:
    """Outputs come without blanks, and sources that were cut into characters with them."""
    sources = ["他明天昨天去学校。", "我喜欢吃苹果和香蕉。", "你们好吗？"]
    corpus = Corpus.from_texts(sources, tokenize="char")
    path = tmp_path / "joined.txt"
    path.write_text("他昨天去了学校。我喜欢吃苹果、香蕉。\n你们好吗？\n", encoding="utf-8")
    [system] = load_systems(path, corpus, realign=True)
    assert ["".join(text.split()) for text in system.hypotheses] == [
        "他昨天去了学校。",
        "我喜欢吃苹果、香蕉。",
        "你们好吗？",
    ]
    path.write_text("\n".join(sources) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="nothing to re-align"):
        load_systems(path, corpus, realign=True)


# What one text has alone becomes whole lines: by hand, and against moving it word by word.


Pairs = list[int | None]
B, LETTERS = BREAK, "|abc"


def made(source: list[int], output: list[int], pairs: Pairs) -> Pairs:
    """The kernel counts places from 1."""
    places = np.array([0 if j is None else j + 1 for j in pairs], dtype=np.int32)
    paired = np.array([j is not None for j in pairs], dtype=np.uint8)
    return word_pairs(np.array(source, dtype=np.int32), np.array(output, dtype=np.int32), places, paired)


@pytest.mark.parametrize(
    ("source", "output", "pairs", "expected"),
    [
        # p | q r | q s: the line "q r" is gone, and not "r | q"
        ([9, B, 1, 2, B, 1, 3], [9, B, 1, 3], [0, 1, 2, None, None, None, 3], [0, None, None, None, 1, 2, 3]),
        # p x q | r x q | s: the line "r x q" is gone, and not "x q | r"
        (
            [9, 1, 2, B, 3, 1, 2, B, 4],
            [9, 1, 2, B, 4],
            [0, None, None, None, None, 1, 2, 3, 4],
            [0, 1, 2, None, None, None, None, 3, 4],
        ),
        # the first line and its break, as they stand
        ([1, 2, B, 1, 2], [1, 2], [None, None, None, 0, 1], [None, None, None, 0, 1]),
        # no line is gone, only words: nothing moves
        ([1, 2, 1], [1], [0, None, None], [0, None, None]),
        # the same for a line that only the output has
        ([9, B, 1, 3], [9, B, 1, 2, B, 1, 3], [0, 1, 2, 6], [0, 4, 5, 6]),
    ],
)
def test_by_hand(source: list[int], output: list[int], pairs: Pairs, expected: Pairs) -> None:
    assert made(source, output, pairs) == expected


def slid(words: list[int], pairs: Pairs) -> Pairs:
    """One stretch after the other: where it stands, moved to the left, moved to the right, a word at a time."""
    at = 0
    while at < len(words):
        end = at
        while end < len(words) and pairs[end] is None:
            end += 1
        length = end - at
        ways = [(at, pairs), *moves(words, pairs, at, end, left=True), *moves(words, pairs, at, end, left=False)]
        whole = (way for way in ways if BREAK in words[at:end] and is_whole(words, way[0], way[0] + length))
        start, pairs = next(whole, (at, pairs))
        at = max(start + length, at + 1)
    return pairs


def moves(words: list[int], pairs: Pairs, start: int, end: int, *, left: bool) -> list[tuple[int, Pairs]]:
    ways = []
    while True:
        if left:
            start, end = start - 1, end - 1
        loses, gets = (start, end) if left else (end, start)
        if min(loses, gets) < 0 or max(loses, gets) >= len(words) or words[loses] != words[gets]:
            return ways
        if pairs[loses] is None:
            return ways
        pairs = [pairs[loses] if k == gets else None if k == loses else pair for k, pair in enumerate(pairs)]
        if not left:
            start, end = start + 1, end + 1
        ways.append((start, pairs))


def is_whole(words: list[int], start: int, end: int) -> bool:
    text = "".join(LETTERS[word + 1] for word in words)
    before, part, after = text[:start], text[start:end], text[end:]
    return (part[0] == "|" and after[:1] in ("", "|")) or (not before and part[-1] == "|")


def turned(pairs: Pairs, length: int) -> Pairs:
    back: Pairs = [None] * length
    for i, j in enumerate(pairs):
        if j is not None:
            back[j] = i
    return back


def test_against_moving_word_by_word() -> None:
    random, moved = Random(1), 0
    for _ in range(1000):
        source, output = ([random.choice((B, B, 0, 1)) for _ in range(random.randint(1, 9))] for _ in range(2))
        count = random.randint(0, min(len(source), len(output)))
        places = sorted(random.sample(range(len(source)), count)), sorted(random.sample(range(len(output)), count))
        pairs: Pairs = [None] * len(source)
        for i, j in zip(*places, strict=True):
            pairs[i] = j
        back = slid(output, turned(slid(source, pairs), len(output)))
        expected = turned(back, len(source))
        assert made(source, output, pairs) == expected
        moved += expected != pairs
    assert moved > 100


def test_where_lines_end() -> None:
    """a | b | c, of which the output has a x c: what it has alone lies before the first break that it lacks."""
    source = np.array([0, B, 1, B, 2], dtype=np.int32)
    assert line_ends(source, [0, None, None, None, 2], 3) == [2, 2, 3]
    assert line_ends(source, [0, 2, None, None, 3], 4) == [3, 3, 4]
