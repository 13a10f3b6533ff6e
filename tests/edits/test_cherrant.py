"""ChERRANT's edits: all M2 of the original tool, its alignments against an oracle, its merging rule by rule."""

from __future__ import annotations

import gzip
from itertools import permutations, product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference
from gecval.corpus.edit import apply_edits
from gecval.edits.alignment import AlignmentStep
from gecval.edits.annotate import annotate
from gecval.edits.cherrant import characters as chinese
from gecval.edits.cherrant import extractor as cherrant
from gecval.edits.cherrant import merging
from gecval.edits.cherrant.characters import Characters, character_tokens, load_characters
from gecval.edits.cherrant.extractor import CherrantExtractor
from gecval.edits.cherrant.merging import cheapest_alignments, merge_steps
from gecval.formats import m2_lines
from oracles.cherrant import cheapest_ways

pytest.importorskip("pypinyin", reason="needs the extra: pip install 'gecval[zh]'")
pytest.importorskip("opencc", reason="needs the extra: pip install 'gecval[zh]'")


def blocks(path: Path, resources: Path) -> list[str]:
    """A para file, annotated as ChERRANT does it."""
    rows = [line.split("\t")[1:] for line in path.read_text("utf-8").strip().split("\n")]
    corpus = Corpus.from_texts([source for source, *_ in rows], [targets for _, *targets in rows], language="zh")
    annotated = annotate(corpus, CherrantExtractor(resources=str(resources)))
    return "\n".join(m2_lines(annotated)).strip().split("\n\n")


@pytest.mark.parametrize(
    ("texts", "m2"), [("example_pred_dev.txt", "example_pred_dev.hyp"), ("MuCGEC_dev.txt", "MuCGEC_dev.ref")]
)
def test_m2_is_that_of_the_original(data: Path, golden: Path, texts: str, m2: str) -> None:
    """1,137 hypotheses and 2,467 references, byte for byte."""
    expected = gzip.decompress((golden / f"multi/cherrant/{m2}.m2.char.gz").read_bytes()).decode().strip().split("\n\n")
    made = blocks(data / "multi/zh/mucgec-dev" / texts, data / "multi/zh/resources")
    assert len(made) == 1137
    assert made == expected


def test_m2_of_the_demo(data: Path) -> None:
    """The files that the tool ships."""
    folder = data / "multi/zh/cherrant-demo"
    expected = (folder / "demo.hyp.m2.char").read_text("utf-8").strip().split("\n\n")
    assert blocks(folder / "demo.hyp.para", data / "multi/zh/resources") == expected


TEXTS = st.text("abcd", max_size=6)
PRICES = st.dictionaries(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")), st.sampled_from([0.0, 0.25, 0.5, 1.0, 1.5, 2.0])
)


@given(TEXTS, TEXTS, PRICES)
def test_alignments_against_every_way(source: str, corrected: str, prices: dict[tuple[str, str], float]) -> None:
    def price(a: str, b: str) -> float:
        return prices.get((a, b), 1.0)

    ways, more = cheapest_alignments(source, corrected, price)
    expected = cheapest_ways(source, corrected, price)
    assert [tuple(step.operation for step in way) for way in ways] == expected[:1000]
    assert more == (len(expected) > 1000)
    for way in ways:
        assert [step[1:] for step in way] == list(_places(step.operation for step in way))


def test_changes_of_order_are_looked_for_where_they_end_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """1,500 unrelated characters took most of a minute, as every cell was searched."""
    looks = []
    search = merging._price_move
    monkeypatch.setattr(merging, "_price_move", lambda *a, **k: looks.append(k) or search(*a, **k))
    random = Random(1)
    one, other = ([random.choice("abcdefghijklmnopqrst") for _ in range(60)] for _ in range(2))
    ways, _ = cheapest_alignments(one, other, lambda a, b: 1.5)
    moved = sum(step.operation[0] == "T" for way in ways for step in way)
    assert moved > 0
    assert 0 < len(looks) < 60 * 60 / 10
    # A long change of order is one step: the last token comes first.
    ways, more = cheapest_alignments("abcdefgh", "habcdefg", lambda a, b: 1.9)
    assert (["".join(step.operation for step in way) for way in ways], more) == (["IMMMMMMMD"], False)
    ways, _ = cheapest_alignments("xbay", "xaby", lambda a, b: 1.9)
    assert [[step.operation for step in way] for way in ways] == [["M", "T2", "M"]]


def _places(operations):
    i = j = 0
    for operation in operations:
        length = int(operation[1:] or 1)
        end, end_corrected = i + length * (operation != "I"), j + length * (operation != "D")
        yield i, end, j, end_corrected
        i, j = end, end_corrected


@pytest.mark.parametrize("price", [1.0, 1.9])
def test_alignments_of_all_short_texts(price: float) -> None:
    """Changes of order at the start, in the middle and at the end among them."""
    texts = ["".join(letters) for size in range(4) for letters in product("ab", repeat=size)]
    texts += ["".join(letters) for letters in permutations("abcd")][:16]
    for source, corrected in product(texts, texts):
        ways, _ = cheapest_alignments(source, corrected, lambda a, b: price)
        expected = cheapest_ways(source, corrected, lambda a, b: price)
        assert [tuple(step.operation for step in way) for way in ways] == expected


def test_texts_of_very_different_length_have_one_alignment() -> None:
    """From 11 more tokens on only the first step of each cell counts."""
    counts = [len(cheapest_alignments("ab", "ca" + "y" * n, lambda a, b: 1.0)[0]) for n in (0, 10, 11)]
    assert counts[0] == 2
    assert counts[1] > 1
    assert counts[2] == 1


def test_the_number_of_alignments_is_bounded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GECVAL_CACHE", str(tmp_path))
    ways, more = cheapest_alignments("a" * 14, "b" * 7, lambda a, b: 1.0)
    assert (len(ways), more) == (1000, True)  # of 3,432
    monkeypatch.setattr(merging, "MOST_WAYS", 2)
    ways, more = cheapest_alignments("aaaa", "bb", lambda a, b: 1.0)
    assert (len(ways), more) == (2, True)
    ways, more = cheapest_alignments("ab", "ca", lambda a, b: 1.0)
    assert (len(ways), more) == (2, False)  # two, and no more
    monkeypatch.setattr(cherrant, "MOST_WAYS", 2)
    pairs = [("甲甲甲甲", "乙乙"), ("甲", "甲")]
    note = "cherrant: 1 pairs are very long or have over 2 equally cheap alignments; the others are left out"
    assert CherrantExtractor("pooled").notes(pairs) == (note,)
    assert CherrantExtractor("first").notes(pairs) == ()
    assert CherrantExtractor("pooled").notes([("甲", "没有错误"), ("甲", "无法标注")]) == ()


def merge(source: str, corrected: str, *operations: str) -> list[tuple[str, str, str]]:
    places = _places(operations)
    steps = [AlignmentStep(name, *place) for name, place in zip(operations, places, strict=True)]
    assert (steps[-1].end, steps[-1].end_corrected) == (len(source), len(corrected))
    return [
        (e.operation, source[e.start : e.end], corrected[e.start_corrected : e.end_corrected])
        for e in merge_steps(steps, source, corrected)
    ]


@pytest.mark.parametrize(
    ("source", "corrected", "operations", "expected"),
    [
        ("abc", "", "DDD", [("D", "abc", "")]),
        ("", "abc", "III", [("I", "", "abc")]),
        ("a", "b", "ID", [("I", "", "b"), ("D", "a", "")]),  # without a substitution they stay apart
        ("ab", "cd", "SS", [("S", "ab", "cd")]),
        ("ab", "c", "SD", [("S", "ab", "c")]),
        ("axb", "bxa", "SMS", [("T3", "axb", "bxa")]),
        ("axb", "bxc", "SMS", [("S", "a", "b"), ("S", "b", "c")]),
        ("abxcd", "cdxab", "SSMSS", [("T5", "abxcd", "cdxab")]),
        ("abxcd", "cexaf", "SSMSS", [("T5", "abxcd", "cexaf")]),  # one letter of two may differ
        ("abxcd", "efxaf", "SSMSS", [("S", "ab", "ef"), ("S", "cd", "af")]),
        ("axy", "xya", "DMMI", [("T3", "axy", "xya")]),
        ("xya", "axy", "IMMD", [("T3", "xya", "axy")]),
        ("axy", "xyb", "DMMI", [("D", "a", ""), ("I", "", "b")]),
        ("abx", "xba", "DDMII", [("T3", "abx", "xba")]),  # a rotation
        ("abcx", "xcba", "DDDMIII", [("D", "abc", ""), ("I", "", "cba")]),
        ("abcx", "xab", "DDDMII", [("T4", "abcx", "xab")]),
        ("abcx", "xa", "DDDMI", [("D", "abc", ""), ("I", "", "a")]),
        ("，x", "x，", "DMI", [("D", "，", ""), ("I", "", "，")]),  # a mark that moves
        ("。x", "x。", "DMI", [("T2", "。x", "x。")]),
        ("abc", "axc", "SSS", [("S", "b", "x")]),  # what the sides share goes
        ("abc", "ac", "SDS", [("D", "b", "")]),
        ("ac", "abc", "SIS", [("I", "", "b")]),
        ("axbyc", "bxayd", "SMSMS", [("T3", "axb", "bxa"), ("S", "c", "d")]),  # what follows changes nothing
        ("abx", "xa", "DDMI", [("D", "ab", ""), ("I", "", "a")]),  # one letter must be the same
        ("abb", "acb", "SSM", [("S", "b", "c")]),
        ("axbc", "aybc", "SSSS", [("S", "x", "y")]),
        ("abab", "ab", "SSDD", [("D", "ab", "")]),  # the end would reach into the common start
        ("ab", "ab", "SS", []),
        ("ab", "aab", "SIS", [("I", "", "a")]),
        ("ba", "bxba", "ISIS", [("I", "", "xb")]),
    ],
)
def test_merging(source: str, corrected: str, operations: str, expected: list[tuple[str, str, str]]) -> None:
    assert merge(source, corrected, *operations) == expected


def test_merging_around_a_change_of_order() -> None:
    assert merge("axy", "yxa", "D", "T2", "I") == [("T3", "axy", "yxa")]
    assert merge("xya", "ayx", "I", "T2", "D") == [("T3", "xya", "ayx")]
    assert merge("xyzw", "yxwz", "T2", "T2") == [("T2", "xy", "yx"), ("T2", "zw", "wz")]


@pytest.mark.parametrize(
    ("a", "b", "cost"),
    [
        ("在", "再", 4 / 6 + 0.25),  # one sound
        ("在", "大", 4 / 6 + 0.25 + 0.5),
        ("在", "a", 4 / 6 + 0.25 + 0.5),
        ("，", "、", 4 / 6 + 0.5),
        ("，", "。", 4 / 6 + 0.499 + 0.5),  # 。 is no punctuation here
        ("人", "士", 0.25 + 0.5),
        ("人", "口", 2 / 6 + 0.25),
        ("口", "人", 2 / 6 + 0.25),
        ("人", "狗", 4 / 6 + 0.25 + 0.5),
        ("人", "走", 1 + 0.25 + 0.5),
    ],
)
def test_costs(a: str, b: str, cost: float) -> None:
    classes = {"人": ("A", "a", "01"), "士": ("A", "a", "01"), "口": ("A", "a", "02"), "狗": ("A", "b", "02")}
    characters = Characters(classes | {"走": ("B", "c", "03")}, {"人": frozenset("口")})
    assert characters.substitution(a, b) == pytest.approx(cost)


def test_dictionaries(tmp_path: Path) -> None:
    (tmp_path / "cilin.gbk.txt.gz").write_bytes(gzip.compress("Aa01A01= 人 士\nBb02B03# 人\n\n".encode("gbk")))
    with pytest.raises(InputError, match=r"holds no confusion\*.txt"):
        load_characters(str(tmp_path))
    (tmp_path / "confusion.txt").write_text("人 入 八\n\n", encoding="utf-8")
    load_characters.cache_clear()
    loaded = load_characters(str(tmp_path))
    assert loaded.cilin == {"人": ("B", "b", "02"), "士": ("A", "a", "01")}  # the last line counts
    assert loaded.confusions == {"人": frozenset("入八")}
    assert len(loaded.hash) == 8
    assert f"|dictionaries:{loaded.hash}|" in CherrantExtractor(resources=str(tmp_path)).signature
    with pytest.raises(InputError, match="no such file"):
        load_characters(str(tmp_path / "none"))


def test_tokens() -> None:
    assert character_tokens(" 他 有[缺失成分]A10\u3000。") == ["他", "有", "[缺失成分]", "A", "1", "0", "。"]
    assert character_tokens("") == []


def test_corrections_are_simplified_and_sources_are_not() -> None:
    extractor = CherrantExtractor()
    assert extractor.edits([("漢字", "漢字"), ("汉字", "漢字")]) == [(Edit(0, 1, ("汉",), "S"),), ()]
    [note] = extractor.notes([("漢字", "漢字"), ("漢字", "x"), ("汉字", "漢字")])
    assert note.startswith("cherrant: 1 sources have traditional characters")


def test_what_becomes_of_several_alignments() -> None:
    """One letter before and one in the place of another, or the other way round."""
    pair = ("甲甲", "乙甲乙")
    first = (Edit(0, 0, ("乙",), "M"), Edit(1, 2, ("乙",), "S"))
    second = (Edit(0, 1, ("乙",), "S"), Edit(2, 2, ("乙",), "M"))
    assert CherrantExtractor("pooled").edits([pair]) == [first + second]
    assert CherrantExtractor("first").edits([pair]) == CherrantExtractor("best").edits([pair]) == [first]
    assert CherrantExtractor("pooled").alternatives([pair]) == [[first + second]]
    assert CherrantExtractor("first").alternatives([pair]) == [[first]]
    assert CherrantExtractor("best").alternatives([pair]) == [[first, second]]
    annotated = annotate(Corpus.from_texts([pair[0]], [[pair[1]]], language="zh"), CherrantExtractor("best"))
    assert [(r.annotator, r.edits) for r in annotated.references[0]] == [("0", first), ("0.1", second)]


def test_words_of_command() -> None:
    """Words of command among the references."""
    source = ["我 喜 欢 你", "好"]
    corpus = Corpus.from_texts(source, [["你喜欢我", "没有错误"], ["好", "无法标注"]])
    annotated = annotate(corpus, CherrantExtractor("pooled"))
    assert [[r.edits for r in listed] for listed in annotated.references] == [
        [(Edit(0, 4, ("你 喜 欢 我",), "W"),), ()],
        [(), (cherrant.NOT_AN_EDIT,)],
    ]


def test_every_alignment_may_be_a_reference(data: Path) -> None:
    lines = (data / "multi/zh/mucgec-dev/MuCGEC_dev.txt").read_text("utf-8").strip().split("\n")
    pairs = [
        (source, target) for _, source, *targets in (line.split("\t") for line in lines[:120]) for target in targets
    ]
    extractor = CherrantExtractor("best")
    several = [
        (pair, listed) for pair, listed in zip(pairs, extractor.alternatives(pairs), strict=True) if len(listed) > 1
    ]
    assert several
    (source, target), listed = several[0]
    annotated = annotate(Corpus.from_texts([source], [[target]]), extractor)
    assert [reference.edits for reference in annotated.references[0]] == listed
    assert [reference.annotator for reference in annotated.references[0]][:2] == ["0", "0.1"]
    assert annotated.sources == [" ".join(character_tokens(source))]
    pooled = CherrantExtractor("pooled").edits([(source, target)])
    assert pooled == [tuple(edit for found in listed for edit in found)]
    assert CherrantExtractor("first").edits([(source, target)]) == extractor.edits([(source, target)]) == [listed[0]]
    for found in listed:
        assert apply_edits(character_tokens(source), found).replace(" ", "") == chinese.simplify(target)


def test_edits_of_words_are_refused() -> None:
    corpus = Corpus(["好", "我们 走"], [[Reference(edits=())], [Reference(edits=(Edit(0, 1, ("他们",)),))]])
    with pytest.raises(InputError, match="sentence 2: the references' edits count words, not characters"):
        annotate(corpus, CherrantExtractor())


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chinese, "version", _absent)
    with pytest.raises(InputError, match=r"pip install 'gecval\[zh\]'"):
        CherrantExtractor().signature  # noqa: B018


def _absent(name: str) -> str:
    raise chinese.PackageNotFoundError(name)


def test_a_long_text_is_aligned_in_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    source, corrected = "我昨天去了学校看书。他们也去了。", "我今天去学校看书。她们也都去了。"
    [whole], more = cherrant.cherrant_alignments(source, corrected)
    assert not more
    monkeypatch.setattr(merging, "MOST_CELLS", 100)
    assert cherrant.cherrant_alignments(source, corrected) == ([whole], True)
    monkeypatch.setattr(merging, "MOST_CELLS", 3)
    [edits], _ = cherrant.cherrant_alignments("一二三四", "五六七四")
    assert [(e.start, e.end, e.correction) for e in edits] == [(0, 3, "五 六 七")]
