"""The max-match kernel against the scorer's goldens, the plain Python oracle and the paper's definition."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gecval import Corpus, Edit, Reference, _native
from gecval.corpus.encoding import Encoded
from gecval.metrics.m2 import MAX_VERTICES
from oracles.m2 import max_match, paper_optimum
from oracles.m2_paper import levenshtein_matrix, max_match_of_paper
from strategies import gold_edits, sentences

Gold = tuple[Edit, ...]


class Kernel:
    """One source, hypothesis and several annotators, asked of the kernel directly."""

    def __init__(self, source: str, hypothesis: str, golds: list[Gold], **options: object) -> None:
        self.corpus = Corpus([source or ""], [[Reference(edits=gold) for gold in golds]])
        self.encoded = Encoded.of(self.corpus)
        self.source = self.encoded.source_tokens()
        self.hypothesis = self.encoded.hypothesis_tokens(self.corpus.system("h", [hypothesis]))
        self.words = source.split(), hypothesis.split()
        folded = [word.lower() for word in self.encoded.vocabulary.tokens()] if options.pop("fold", False) else []
        self.options = {"max_unchanged": 2, "level": "correction", "folded": folded, "max_vertices": MAX_VERTICES}
        self.options |= {"lattice": "tool", "version": "head"} | options

    def counts(self, bonus: bool = False) -> list[list[float]]:
        rows, _ = _native.max_match(
            *self.source, *self.hypothesis, self.encoded.gold_edits, self.corpus.reference_slots,
            bonus=bonus, jobs=1, **self.options,
        )  # fmt: skip
        return rows.tolist()

    def edits(self, annotator: int) -> list[list[object]]:
        source, hypothesis = self.words
        edits = _native.max_match_edits(
            self.source.ids, self.hypothesis.ids, self.encoded.gold_edits, annotator, **self.options
        )
        return [
            [start, end, " ".join(source[i0:i1]), " ".join(hypothesis[j0:j1])]
            for i0, i1, j0, j1, start, end, _ in edits
        ]


def check_micro_case(case: dict) -> None:
    golds = [tuple(Edit(start, end, tuple(texts)) for start, end, _, texts in gold) for _, gold in case["golds"]]
    kernel = Kernel(case["src"], case["hyp"], golds, max_unchanged=case["muw"], fold=case["iwc"])
    expected = case["out"]
    assert kernel.counts() == [[float(n) for n in annotator[1:4]] for annotator in expected]
    assert [kernel.edits(a) for a in range(len(golds))] == [annotator[4] for annotator in expected]


def test_micro_cases_of_the_scorer() -> None:
    """A tenth of golden/m2/micro_fuzz.json, kept here so that it runs without the shared folder."""
    cases = json.loads((Path(__file__).parents[1] / "expected" / "m2_micro.json").read_text())
    assert len(cases) == 300
    for case in cases:
        check_micro_case(case)


def test_all_micro_cases_of_the_scorer(golden: Path) -> None:
    cases = json.loads((golden / "m2" / "micro_fuzz.json").read_text())
    assert len(cases) == 3000
    for case in cases:
        check_micro_case(case)


@st.composite
def annotated_pairs(draw: st.DrawFn, clean: bool = False, max_size: int = 6) -> tuple[list[str], list[str], list[Gold]]:
    source, hypothesis = draw(sentences(max_size)), draw(sentences(max_size))
    golds = draw(st.lists(gold_edits(len(source), clean=clean), min_size=1, max_size=2))
    return source, hypothesis, golds


def as_oracle(gold: Gold) -> list[tuple[int, int, list[str]]]:
    return [(edit.start, edit.end, list(edit.corrections)) for edit in gold]


@given(annotated_pairs(), st.integers(0, 3), st.booleans(), st.sampled_from(["head", "3.2"]))
def test_kernel_equals_oracle(pair: tuple, max_unchanged: int, fold: bool, version: str) -> None:
    check_against_oracle(*pair, max_unchanged=max_unchanged, fold=fold, version=version)


@given(sentences(3), sentences(5), st.data(), st.integers(0, 3))
def test_words_inserted_before_the_first_in_version_3_2(
    source: list[str], inserted: list[str], data: st.DataObject, max_unchanged: int
) -> None:
    """Insertions at all places: those that the search misplaces meet gold edits there."""
    places = [Edit(place, place, (word,)) for place in range(len(source) + 1) for word in ("a", "b", "A b")]
    gold = tuple(sorted(data.draw(st.lists(st.sampled_from(places), max_size=4)), key=lambda edit: edit.start))
    check_against_oracle(source, inserted + source, [gold], max_unchanged=max_unchanged, fold=False, version="3.2")


@given(sentences(7), sentences(7), sentences(2), st.data())
@settings(max_examples=60)
def test_words_that_move(first: list[str], last: list[str], between: list[str], data: st.DataObject) -> None:
    """Two halves change places, so that shortest paths go far from the diagonal, on both sides of it."""
    source = first + last
    gold = data.draw(gold_edits(len(source)))
    moved = (Edit(0, 0, (" ".join(last),)), Edit(len(first), len(source), (" ".join(between),)))
    check_against_oracle(source, last + between + first, [gold, moved], max_unchanged=2, fold=False, version="head")


def test_a_lattice_of_many_vertices() -> None:
    """More than 64 a row of bits, and more than the first band."""
    source = [f"s{i}" for i in range(9)] + ["a", "b"] * 30
    hypothesis = ["a", "b"] * 29 + [f"h{i}" for i in range(8)]
    golds = [(Edit(0, 9, ("",)),), (Edit(9, 11, ("",)), Edit(69, 69, ("h0 h1 h2 h3 h4 h5 h6 h7",)))]
    check_against_oracle(source, hypothesis, golds, max_unchanged=2, fold=False, version="head")


def check_against_oracle(
    source: list[str], hypothesis: list[str], golds: list[Gold], *, max_unchanged: int, fold: bool, version: str
) -> None:
    kernel = Kernel(
        " ".join(source), " ".join(hypothesis), golds, max_unchanged=max_unchanged, fold=fold, version=version
    )
    expected = max_match(source, hypothesis, [as_oracle(gold) for gold in golds], max_unchanged, fold, version)
    assert kernel.counts() == [[float(n) for n in annotator[:3]] for annotator in expected]
    assert [kernel.edits(a) for a in range(len(golds))] == [
        [list(edit) for edit in annotator[3]] for annotator in expected
    ]


@given(annotated_pairs(), st.integers(0, 3), st.booleans())
def test_the_lattice_of_the_paper(pair: tuple, max_unchanged: int, backwards: bool) -> None:
    """Gold edits in both orders, repeated ones and ones that change nothing too."""
    source, hypothesis, golds = pair
    golds = [gold[::-1] for gold in golds] if backwards else golds
    kernel = Kernel(
        " ".join(source), " ".join(hypothesis), golds, lattice="paper", max_unchanged=max_unchanged, max_vertices=0
    )
    expected = max_match_of_paper(source, hypothesis, [as_oracle(gold) for gold in golds], max_unchanged)
    assert kernel.counts() == [[float(n) for n in counts] for counts in expected]


def test_figure_1_of_the_paper() -> None:
    source = "Our baseline system feeds word into PB-SMT pipeline ."
    hypothesis = "Our baseline system feeds a word into PB-SMT pipeline ."
    matrix = levenshtein_matrix(source.split(), hypothesis.split())
    assert matrix[5] == [5, 4, 3, 2, 1, 1, 1, 2, 3, 4, 5]
    assert matrix[9] == [9, 8, 7, 6, 5, 5, 5, 4, 3, 2, 1]


def test_what_only_the_lattice_of_the_tool_finds() -> None:
    """A word replaced: the paper has one edit; the tool may also delete it and insert the other."""
    gold = (Edit(1, 2, ("goes",)), Edit(2, 3, ("",)))
    texts = "He go to home now .", "He goes at home now .", [gold]
    assert Kernel(*texts).counts() == [[2.0, 3.0, 2.0]]
    assert Kernel(*texts, lattice="paper").counts() == [[1.0, 2.0, 2.0]]


def test_the_paper_counts_an_edit_wherever_the_annotation_has_it_and_once() -> None:
    swapped = (Edit(2, 3, ("c",)), Edit(0, 1, ("A",)))
    assert Kernel("a b C", "A b c", [swapped]).counts() == [[1.0, 2.0, 2.0]]
    assert Kernel("a b C", "A b c", [swapped], lattice="paper").counts() == [[2.0, 2.0, 2.0]]
    twice = (Edit(0, 1, ("A",)), Edit(0, 1, ("A", "B")))
    assert Kernel("a b", "A b", [twice]).counts() == [[2.0, 1.0, 2.0]]
    assert Kernel("a b", "A b", [twice], lattice="paper").counts() == [[1.0, 1.0, 2.0]]
    # Of several insertions, the first is not the one that the search has used the gold edit for.
    insertions = (Edit(1, 1, ("b é",)), Edit(1, 1, ("c b",)), Edit(1, 1, ("é",)))
    assert Kernel("a", "a é c b b é", [insertions], lattice="paper").counts() == [[2.0, 4.0, 3.0]]
    very = (Edit(1, 1, ("very",)),)
    assert Kernel("a b", "a very very b", [very], lattice="paper").counts() == [[1.0, 2.0, 1.0]]


def test_row_0_of_version_3_2() -> None:
    """By hand, after specs/m2.md: of two words before the first, the second stands at 1. Both together match none."""
    both, second = (Edit(0, 0, ("In fact",)),), (Edit(1, 1, ("fact",)),)
    expected = {
        "head": ([[1.0, 1.0, 1.0], [0.0, 1.0, 1.0]], [[0, 0, "", "In fact"]]),
        "3.2": ([[0.0, 1.0, 1.0], [1.0, 2.0, 1.0]], [[0, 1, "", "In fact"]]),
    }
    for version, (counts, edits) in expected.items():
        kernel = Kernel("he goes", "In fact he goes", [both, second], max_unchanged=0, version=version)
        assert (kernel.counts(), kernel.edits(0)) == (counts, edits)
    assert kernel.edits(1) == [[0, 0, "", "In"], [1, 1, "", "fact"]]
    # One word stands at 0 in both. The search for large lattices knows no version.
    one = Kernel("he goes", "Now he goes", [(Edit(0, 0, ("Now",)),)], version="3.2")
    assert (one.counts(), one.edits(0)) == ([[1.0, 1.0, 1.0]], [[0, 0, "", "Now"]])
    wide = Kernel("he goes", "In fact he goes", [both], version="3.2", max_unchanged=0, max_vertices=0)
    assert (wide.counts(), wide.edits(0)) == ([[1.0, 1.0, 1.0]], [[0, 0, "", "In fact"]])


@given(annotated_pairs(clean=True, max_size=4), st.integers(0, 2))
def test_wide_search_finds_the_paper_optimum(pair: tuple, max_unchanged: int) -> None:
    source, hypothesis, golds = pair
    # An edit that changes nothing is no edit; the paper's match says nothing about it.
    golds = [tuple(e for e in gold if " ".join(source[e.start : e.end]) not in e.corrections) for gold in golds]
    kernel = Kernel(" ".join(source), " ".join(hypothesis), golds, max_unchanged=max_unchanged, max_vertices=0)
    for (correct, proposed, _), gold in zip(kernel.counts(), golds, strict=True):
        matches, _, unmatched = paper_optimum(source, hypothesis, as_oracle(gold), max_unchanged)
        assert (correct, proposed) == (matches, matches + unmatched)


@given(sentences(2), st.data(), st.integers(0, 2))
@settings(max_examples=60)
def test_wide_search_uses_up_insertions_of_one_place_in_their_order(
    source: list[str], data: st.DataObject, max_unchanged: int
) -> None:
    """Any order of three insertions at a place, of which the hypothesis makes some."""
    orders = [data.draw(st.permutations(["x", "y", "x y"])) for _ in range(len(source) + 1)]
    gold = tuple(Edit(place, place, (text,)) for place, texts in enumerate(orders) for text in texts)
    inserted = [data.draw(st.lists(st.sampled_from("xy"), max_size=3)) for _ in orders]
    hypothesis = [word for place, words in enumerate(inserted) for word in (*words, *source[place : place + 1])]
    kernel = Kernel(" ".join(source), " ".join(hypothesis), [gold], max_unchanged=max_unchanged, max_vertices=0)
    matches, _, unmatched = paper_optimum(source, hypothesis, as_oracle(gold), max_unchanged)
    edits = kernel.edits(0)
    assert len(edits) == matches + unmatched
    made = [[text for start, end, _, text in edits if start == end == place] for place in range(len(orders))]
    assert sum(map(in_order, made, orders)) == matches


def in_order(made: Sequence[object], wanted: Sequence[object]) -> int:
    """The longest common subsequence."""
    if not made or not wanted:
        return 0
    if made[0] == wanted[0]:
        return 1 + in_order(made[1:], wanted[1:])
    return max(in_order(made[1:], wanted), in_order(made, wanted[1:]))


@given(annotated_pairs(clean=True, max_size=4), st.integers(0, 2), st.sampled_from(["recognition", "detection"]))
def test_wide_search_at_laxer_levels(pair: tuple, max_unchanged: int, level: str) -> None:
    """As many edits are right as in the search of the scorer; but for insertions, which that one uses up otherwise."""
    source, hypothesis, golds = pair
    golds = [tuple(edit for edit in gold if edit.start < edit.end) for gold in golds]
    counts = [
        Kernel(
            " ".join(source), " ".join(hypothesis), golds, level=level, max_unchanged=max_unchanged, max_vertices=most
        ).counts()
        for most in (0, MAX_VERTICES)
    ]
    assert [row[0] for row in counts[0]] == [row[0] for row in counts[1]]


def test_wide_search_on_two_unrelated_sentences_of_500_words() -> None:
    """The scorer's arcs would run into the billions; two gold edits stand where the hypothesis has them."""
    source = [f"s{i}" for i in range(500)]
    hypothesis = [f"h{i}" for i in range(500)]
    golds = [(Edit(10, 11, ("h10",)), Edit(200, 202, ("h200 h201",)), Edit(300, 300, ("nowhere",)))]
    kernel = Kernel(" ".join(source), " ".join(hypothesis), golds)
    assert kernel.counts() == [[2.0, 5.0, 3.0]]
    assert [edit[:2] for edit in kernel.edits(0)] == [[0, 10], [10, 11], [11, 200], [200, 202], [202, 500]]


@pytest.mark.parametrize(
    ("level", "counts"),
    [("detection", [2.0, 2.0, 2.0]), ("recognition", [1.0, 2.0, 2.0]), ("correction", [0.0, 1.0, 2.0])],
)
def test_levels(level: str, counts: list[float]) -> None:
    """One gold edit found with another correction; of the other only a word, too little to stretch over its span.
    At level correction nothing matches, so that one edit over an unchanged word is the cheapest."""
    gold = (Edit(1, 2, ("went",)), Edit(3, 7, ("at night",)))
    kernel = Kernel("He go home in evening of day", "He goes home on evening of day", [gold], level=level)
    assert kernel.counts() == [counts]


@pytest.mark.parametrize(
    ("hypothesis", "gold", "hits"),
    [
        ("a x b c", (1, 2), 1),  # an insertion overlaps what it touches, on either side
        ("a x b c", (0, 1), 1),
        ("a x b c", (2, 3), 0),
        ("a b x c", (0, 1), 0),
        ("x b c", (1, 1), 1),  # as does a word that touches an insertion
        ("x b c", (0, 0), 1),
        ("x b c", (2, 2), 0),
        ("a b x", (1, 1), 0),
        ("x b c", (1, 2), 0),  # two words that touch do not overlap
        ("a x c", (0, 1), 0),
        ("a x c", (0, 3), 1),
    ],
)
def test_detection_by_overlap(hypothesis: str, gold: tuple[int, int], hits: int) -> None:
    kernel = Kernel("a b c", hypothesis, [(Edit(*gold, ("y",)),)], level="detection", max_unchanged=0)
    [[correct, _, _]] = kernel.counts()
    assert correct == hits


@given(annotated_pairs(clean=True))
@example((["a", "a", "b", "b"], ["b"], [(Edit(3, 4, ("",)),)]))  # a kept word has the span of the edit that deletes it
def test_laxer_levels_never_count_less(pair: tuple) -> None:
    """But for insertions: they use up gold insertions in the scorer's order, whatever they insert."""
    source, hypothesis, golds = pair
    golds = [tuple(edit for edit in gold if edit.start < edit.end) for gold in golds]
    by_level = [
        [row[0] for row in Kernel(" ".join(source), " ".join(hypothesis), golds, level=level).counts()]
        for level in ("correction", "recognition", "detection")
    ]
    for correction, recognition, detection in zip(*by_level, strict=True):
        assert correction <= recognition <= detection


def test_bonus_counts_missed_optional_edits_as_made() -> None:
    gold = (Edit(0, 1, ("A",), required=False), Edit(1, 2, ("B",)))
    kernel = Kernel("a b", "a b", [gold])
    assert kernel.counts() == [[0.0, 0.0, 2.0]]
    assert kernel.counts(bonus=True) == [[1.0, 1.0, 2.0]]
    made = Kernel("a b", "A b", [gold])
    assert made.counts(bonus=True) == made.counts() == [[1.0, 1.0, 2.0]]


def test_more_states_than_can_be_numbered() -> None:
    """Refused before memory is asked for: 2100 by 2100 cells with a state for each of up to 1000 unchanged words."""
    words = [" ".join(f"{letter}{i}" for i in range(2100)) for letter in "sh"]
    with pytest.raises(ValueError, match="a sentence of 2100 words and its output of 2100 have too little in common"):
        Kernel(*words, [()], max_unchanged=1000).counts()


def test_sentences_beyond_the_search_are_counted_each_once() -> None:
    """An unchanged sentence after a large one has no lattice, so it is not too large."""
    corpus = Corpus(["a b c", "a b"], [[Reference(edits=())], [Reference(edits=())]])
    encoded = Encoded.of(corpus)
    _, too_large = _native.max_match(
        *encoded.source_tokens(), *encoded.hypothesis_tokens(corpus.system("h", ["x y z", "a b"])), encoded.gold_edits,
        corpus.reference_slots, max_unchanged=2, level="correction", bonus=False, folded=[], max_vertices=1,
        lattice="tool", version="head", jobs=1,
    )  # fmt: skip
    assert too_large == 1
