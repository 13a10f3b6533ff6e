"""Agreement of annotators against counting by hand; who is absent says nothing."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations
from math import isnan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gecval import Corpus, Edit, InputError, Reference, Resampling, agreement, annotate
from oracles import agreement as oracle

FEW = Resampling(20)
SPANS = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(sorted)
EDIT = st.builds(
    lambda span, corrections, kind: Edit(*span, tuple(corrections), type=kind),
    SPANS,
    st.lists(st.sampled_from("xyz"), min_size=1, max_size=2, unique=True),
    st.sampled_from(["R:NOUN", "M:NOUN", "U:DET", "Wci"]),
)
SEEN = st.dictionaries(st.sampled_from("abc"), st.lists(EDIT, max_size=3), max_size=3)


def corpus_of(sentences) -> Corpus:
    references = [[Reference(edits=tuple(edits), annotator=name) for name, edits in seen.items()] for seen in sentences]
    return Corpus(["t u v"] * len(sentences), references)


def near(ours: float, exact) -> bool:
    return isnan(ours) if exact is None else ours == pytest.approx(float(exact), abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.lists(SEEN, min_size=1, max_size=4).filter(lambda listed: any(len(seen) > 1 for seen in listed)))
def test_all_figures_are_those_of_counting_by_hand(sentences) -> None:
    agreed = agreement(corpus_of(sentences), confidence=FEW)
    names = [row.annotator for row in agreed]
    assert set(names) == {name for seen in sentences for name in seen}
    assert near(agreed.overall.f, oracle.f(sentences, list(combinations(names, 2))))
    units = [
        opinions
        for seen in sentences
        for opinions in zip(*(oracle.marks(edits, 3) for edits in seen.values()), strict=True)
    ]
    assert near(agreed.overall.kappa, oracle.fleiss(units))
    for pair in agreed.pairs:
        both = [(seen[pair.first], seen[pair.second]) for seen in sentences if {pair.first, pair.second} <= set(seen)]
        assert pair.sentences == len(both)
        assert near(pair.f, oracle.f(sentences, [(pair.first, pair.second)]))
        tokens = [zip(oracle.marks(a, 3), oracle.marks(b, 3), strict=True) for a, b in both]
        flat = [opinion for sentence in tokens for opinion in sentence]
        assert near(pair.kappa, oracle.cohen(*zip(*flat, strict=True)) if flat else None)
        assert pair.same_edits == sum(oracle.same(a, b) for a, b in both)
        assert (pair.first_edits, pair.second_edits) == tuple(
            sum(len(edits[side]) for edits in both) for side in (0, 1)
        )
    for row in agreed:
        pairs = [(row.annotator, name) for name in names if name != row.annotator]
        assert near(row.f, oracle.f(sentences, pairs))
        both = [(seen[a], seen[b]) for seen in sentences for a, b in pairs if a in seen and b in seen]
        same, own, theirs = (
            sum(map(count, both))
            for count in (lambda ab: oracle.same(*ab), lambda ab: len(ab[0]), lambda ab: len(ab[1]))
        )
        assert near(row.precision, Fraction(same, own) if own else None)
        assert near(row.recall, Fraction(same, theirs) if theirs else None)
        flat = [tokens for a, b in both for tokens in zip(oracle.marks(a, 3), oracle.marks(b, 3), strict=True)]
        assert near(row.kappa, oracle.cohen(*zip(*flat, strict=True)) if flat else None)
        others = list(combinations([name for name in names if name != row.annotator], 2))
        assert near(row.among_others, oracle.f(sentences, others))
    for row in agreed.types:
        short = {"R:NOUN": "NOUN", "M:NOUN": "NOUN", "U:DET": "DET", "Wci": "Wci"}
        of_type = [
            {name: [edit for edit in edits if short[edit.type] == row.type] for name, edits in seen.items()}
            for seen in sentences
        ]
        assert near(row.f, oracle.f(of_type, list(combinations(names, 2))))
        assert row.edits == sum(len(edits) for seen in of_type for edits in seen.values())
        assert row.sentences == agreed.overall.sentences == sum(len(seen) > 1 for seen in sentences)
        units = [
            opinions
            for seen in of_type
            for opinions in zip(*(oracle.marks(edits, 3) for edits in seen.values()), strict=True)
        ]
        assert near(row.kappa, oracle.fleiss(units))


def test_who_is_absent_did_not_leave_the_sentence_alone() -> None:
    x = [Edit(0, 1, ("x",))]
    shared, alone = {"a": x, "b": x}, {"a": x}
    agreed = agreement(corpus_of([shared, alone, alone]), confidence=FEW)
    assert (agreed.overall.f, agreed.overall.kappa, agreed.overall.sentences) == (1.0, 1.0, 1)
    assert [(row.saw, row.sentences, row.edits) for row in agreed] == [(3, 1, 3), (1, 1, 1)]
    assert agreed.notes == (
        "annotators lack 2 of 6 annotations; such a sentence does not count for the annotator; 2 of 3 sentences have "
        "fewer than two annotators (--missing-annotator agreed: who has no line found nothing wrong)",
    )
    third = agreement(corpus_of([{**shared, "c": x}, shared, shared, {}]), confidence=FEW)
    assert third.notes[0].startswith("annotators lack 5 of 12 annotations; ")
    assert "; 1 of 4 sentences have fewer than two annotators (" in third.notes[0]
    left = agreement(corpus_of([shared, {"a": x, "b": []}, {"a": x, "b": []}]), confidence=FEW)
    assert left.overall.f == pytest.approx(2 * 1 / 4)


def test_sentences_on_which_annotators_differ_stand_first(gecval, tmp_path) -> None:
    """Each with what one annotator made and another did not; two files of one annotator each are two annotators."""
    x, y, gone = Edit(0, 1, ("x", "z")), Edit(2, 2, ("y",)), Edit(1, 2, ("",))
    agreed = agreement(corpus_of([{"a": [x], "b": [x]}, {"a": [x], "b": []}, {"a": [x, y], "b": [x, gone], "c": [x]}]))
    assert [(row.sentence, row.differences) for row in agreed.disagreements] == [(3, 4), (2, 1)]
    assert [(who.annotator, who.edits) for who in agreed.disagreements[0].annotators] == [
        ("a", ("∅ → y",)),
        ("b", ("u → ∅",)),
        ("c", ()),
    ]
    lines = "S t u v\nA 0 1|||R|||{}|||REQUIRED|||-NONE-|||0\n\n"
    for name, word in (("anna", "x"), ("ben", "y")):
        (tmp_path / f"{name}.m2").write_text(lines.format("x") + lines.format(word))
    said = gecval(f"doctor agreement {tmp_path}/anna.m2 {tmp_path}/ben.m2 --resamples 20")
    assert "Where they differ most: 1 of 1 sentences" in said.out
    assert re.search(r"anna +t → x\n +ben +t → y\n", said.out)
    (tmp_path / "ben.m2").write_text(lines.replace("t u", "T u").format("x"))
    twice = gecval(f"doctor agreement {tmp_path}/anna.m2 {tmp_path}/anna.m2").err
    assert "a file is given twice; give one file for each annotator" in twice
    assert "ben.m2 has 1 sentence" in gecval(f"doctor agreement {tmp_path}/anna.m2 {tmp_path}/ben.m2").err


def test_an_annotator_far_from_the_others_is_an_outlier() -> None:
    good, other = [Edit(0, 1, ("x",))], [Edit(1, 2, ("y",))]
    b, c = [Edit(0, 1, ("v", "x"))], [Edit(0, 1, ("w", "x"))]  # the same edit, and not the same text
    seen = [{"a": good, "b": b, "c": c, "d": other if i % 4 else good} for i in range(40)]
    agreed = agreement(corpus_of(seen))
    assert agreed.outliers == ("d",)
    d = agreed[3]
    assert (d.f, d.among_others, d.distance) == (0.25, 1.0, -0.75)
    assert d.distance_interval is not None
    assert -1 <= d.distance_interval.low < -0.75 < d.distance_interval.high < -0.5
    # The others agree in every resample, so this is the interval of F, of 1 − 0.05 / 4 for four annotators.
    wider = agreement(corpus_of(seen), confidence=Resampling(level=1 - 0.05 / 4))[3].f_interval
    assert d.distance_interval == pytest.approx((wider.low - 1, wider.high - 1))
    assert d.f_interval.low > wider.low
    assert agreement(corpus_of(seen), far=0.9).outliers == ()
    assert [row.outlier for row in agreement(corpus_of([{"a": good, "b": other}] * 9))] == [None, None]


def test_one_of_two_annotators_who_are_nearly_the_same_is_left_out_of_the_test() -> None:
    good, other = [Edit(0, 1, ("x",))], [Edit(1, 2, ("y",))]
    seen = [{"a": good, "b": good, "c": good, "d": other if i % 4 else good} for i in range(40)]
    honest = agreement(corpus_of(seen))
    copied = [{**row, "e": row["d"] if i else []} for i, row in enumerate(seen)]
    agreed = agreement(corpus_of(copied))
    assert [
        (twins.first, twins.second, twins.equal, twins.left_out) for twins in agreed.twins if "d" in twins.first
    ] == [("d", "e", 39, "e")]
    assert {twins.left_out for twins in agreed.twins} == {"b", "c", "e"}
    spread = [
        {name: [Edit(i % 3, i % 3 + 1, (name if (i + k) % 3 else "x",))] for k, name in enumerate("abc")}
        | {"d": other if i % 4 else good}
        for i in range(40)
    ]
    alone = agreement(corpus_of(spread))
    doubled = agreement(corpus_of([{**row, "e": row["d"] if i else []} for i, row in enumerate(spread)]))
    assert [twins.left_out for twins in doubled.twins] == ["e"]
    assert [(row.distance, row.among_others, row.outlier) for row in doubled[:4]] == [
        (row.distance, row.among_others, row.outlier) for row in alone
    ]
    assert isnan(doubled[4].distance)
    assert doubled[4].outlier is None
    text = str(doubled)
    assert text.startswith("The same annotations twice, or nearly")
    assert "without e: the same as another annotator, or nearly" in text
    assert "twice" not in str(alone)
    assert honest.outliers == ()  # a, b and c are one annotator, so two are left: none is an outlier


def test_pairs_stand_the_most_alike_first_and_fit_80_columns() -> None:
    x, y = [Edit(0, 1, ("x",))], [Edit(1, 2, ("y",))]
    agreed = agreement(corpus_of([{"a": x, "b": y, "c": x}, {"a": x, "b": x, "c": x}, {"a": [], "b": [], "c": []}]))
    assert [(pair.first, pair.second) for pair in agreed.pairs] == [("a", "c"), ("a", "b"), ("b", "c")]
    pairs = str(agreed).partition("Each pair")[2].partition("By type")[0]
    assert max(map(len, pairs.splitlines())) <= 80


def test_an_outlier_is_lower_by_more_than_far() -> None:
    """Of three annotators one agrees with nobody in any sentence, so F is lower by 1 in every resample."""
    x = [Edit(0, 1, ("x",))]
    corpus = corpus_of([{"a": x, "b": x, "c": []}] * 5)
    assert agreement(corpus, far=0.99, confidence=FEW).outliers == ("c",)
    assert agreement(corpus, far=1.0, confidence=FEW).outliers == ()
    assert agreement(corpus, far=0, confidence=FEW).far == 0


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        (["x"], ["y", "x"], 1),
        (["y", "x"], ["x"], 1),
        (["x", "y"], ["z", "z"], 0),
        (["x", "x"], ["x", "y"], 1),
        (["x", "x"], ["x", "x"], 2),
        (["x", "y/z"], ["y", "x/y"], 2),
        (["x/y", "y/z", "z/x"], ["x", "y", "z"], 3),
    ],
)
def test_insertions_at_one_place_are_paired_once(first: list[str], second: list[str], pairs: int) -> None:
    one, other = ([Edit(1, 1, tuple(words.split("/"))) for words in listed] for listed in (first, second))
    [pair] = agreement(corpus_of([{"a": one, "b": other}])).pairs
    assert (pair.first_edits, pair.second_edits, pair.same_edits) == (len(first), len(second), pairs)


@pytest.mark.parametrize("at_once", [1, 24])
def test_types_are_the_same_a_few_at_once(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    edits = [Edit(i, i + 1, ("x",), type=kind) for i, kind in enumerate(["R:NOUN", "U:DET", "Wci"])]
    corpus = corpus_of([{"a": edits, "b": edits[1:]}, {"a": edits[:2], "b": edits}])
    whole = agreement(corpus, confidence=FEW)
    assert [(row.type, row.edits) for row in whole.types] == [("DET", 4), ("NOUN", 3), ("Wci", 3)]
    monkeypatch.setattr("gecval.studies.agreement.study.AT_ONCE", at_once)
    assert agreement(corpus, confidence=FEW).to_dict() == whole.to_dict()


def test_the_signature_says_what_was_compared_and_how() -> None:
    source = "Він пішов додому , бо було вже пізно ."
    texts = Corpus.from_texts([source], [[source.replace("вже", "дуже")] * 2])
    agreed = agreement(texts, edits="plain", detail="full", confidence=FEW)
    annotated = annotate(texts, "plain")
    assert agreed.signature.split("|")[:-1] == [
        *("agreement", "detail:full", f"source:{texts.source_hash}", "refs:2"),
        *(f"references:{annotated.reference_hash}", "plain", *FEW.signature().split("|")),
    ]
    assert agreed.notes == ()
    chosen = agreement(texts, confidence=FEW)
    assert chosen.notes == ("edits are found by plain rules, since the text looks Ukrainian",)


def test_what_says_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    x = [Edit(0, 1, ("x",))]
    with pytest.raises(InputError, match="needs two annotators"):
        agreement(corpus_of([{"a": x}]))
    with pytest.raises(InputError, match="no sentence has two annotators"):
        agreement(corpus_of([{"a": x}, {"b": x}]))
    twice = Corpus(["t"], [[Reference(edits=(), annotator="0"), Reference(edits=(), annotator="0")]])
    with pytest.raises(InputError, match="'0' has two references for sentence 1"):
        agreement(twice)
    with pytest.raises(InputError, match="up to 60"):
        agreement(corpus_of([{str(number): x for number in range(61)}]))
    monkeypatch.setattr("gecval.studies.agreement.study.MOST_ANNOTATORS", 3)
    assert len(agreement(corpus_of([dict.fromkeys("abc", x)]))) == 3
    with pytest.raises(InputError, match="up to 3 annotators, not 4"):
        agreement(corpus_of([dict.fromkeys("abcd", x)]))
    with pytest.raises(InputError, match="from 0"):
        agreement(corpus_of([{"a": x, "b": x}]), far=float("nan"))


def test_a_single_sentence_has_no_interval() -> None:
    agreed = agreement(corpus_of([{"a": [], "b": []}]))
    assert isnan(agreed.overall.f)
    assert agreed.overall.f_interval is None
    assert agreed.to_dict()["overall"]["f"] is None


# gecval doctor agreement, as typed.


def test_annotators_without_a_line_are_absent(gecval, folder) -> None:
    result = gecval("doctor agreement gold.m2 --format json").json
    # Sentence 3 has no line at all, and sentence 4 one of annotator 0 alone.
    assert result["overall"]["sentences"] == 2
    assert [row["sentences"] for row in result["annotators"]] == [2, 2]
    filled = gecval("doctor agreement gold.m2 --missing-annotator agreed --format json").json
    assert filled["overall"]["sentences"] == 4
    assert [row["edits"] for row in filled["annotators"]] == [6, 3]
    assert filled["overall"]["f"] == 2 * 2 / 9


def test_texts_bring_the_names_of_their_files(gecval, folder) -> None:
    result = gecval("doctor agreement src.txt ref0.txt ref1.txt --edits plain --format json").json
    assert [row["annotator"] for row in result["annotators"]] == ["ref0.txt", "ref1.txt"]
    assert result["types"][0]["type"] == "M"


def test_refusals(answered, refused) -> None:
    assert "needs two annotators" in refused("doctor agreement src.txt ref0.txt --edits plain")
    assert "changes nothing with references that bring" in answered("doctor agreement gold.m2 --edits plain")
    assert "plain text" in refused("doctor agreement src.txt")
