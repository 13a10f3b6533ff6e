"""Which edits of several annotators correct the same error."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, Edit, Reference
from gecval.corpus.encoding import Encoded
from oracles.clusters import cluster_edits

Alternative = list[tuple[int, int, str]]
SPANS = st.tuples(st.integers(0, 9), st.integers(0, 4)).map(lambda span: (span[0], min(9, sum(span))))
EDITS = st.builds(
    lambda span, *texts: Edit(*span, texts), SPANS, st.sampled_from(["", "x", "y z"]), st.sampled_from(["", "q"])
)
ANNOTATION = st.lists(EDITS, max_size=5).map(tuple)  # in any order; edits of one annotator may overlap


def clusters_of(*sentences: Sequence[Sequence[Edit]]) -> list[list[list[Alternative]]]:
    """For each sentence, its clusters with all choices, as I-measure gets them."""
    references = [[Reference(edits=tuple(edits)) for edits in annotations] for annotations in sentences]
    return shown(Corpus(["a b c d e f g h i"] * len(sentences), references))


def shown(corpus: Corpus) -> list[list[list[Alternative]]]:
    encoded = Encoded.of(corpus)
    clusters, words = encoded.error_clusters, encoded.vocabulary.tokens()
    return [
        [
            [[(start, end, " ".join(words[i] for i in ids)) for start, end, ids in edits] for edits in cluster]
            for cluster in clusters.of_sentence(number)
        ]
        for number in range(len(corpus))
    ]


def plain(annotations: Sequence[Sequence[Edit]]) -> list[list[Alternative]]:
    """By the oracle; corrections of one span are joined."""
    made = []
    for cluster in cluster_edits(annotations):
        choices = []
        for edits in cluster.choices():
            spans = dict.fromkeys((edit.start, edit.end) for edit in edits)
            corrections = {
                span: " ".join(w for e in edits if (e.start, e.end) == span for w in e.correction.split())
                for span in spans
            }
            choices.append([(start, end, text) for (start, end), text in corrections.items()])
        made.append(choices)
    return made


@given(st.lists(st.lists(ANNOTATION, min_size=1, max_size=4), min_size=1, max_size=3))
def test_clusters_equal_those_of_the_oracle(sentences: list[list[tuple[Edit, ...]]]) -> None:
    assert clusters_of(*sentences) == [plain(annotations) for annotations in sentences]


@given(st.lists(st.integers(0, 2), min_size=2, max_size=6), st.lists(ANNOTATION, min_size=3, max_size=3))
def test_sentences_that_share_a_list_of_references(places: list[int], annotations: list[tuple[Edit, ...]]) -> None:
    lists = [[Reference(edits=edits), Reference(edits=annotations[0])] for edits in annotations]
    corpus = Corpus(["a b c d e f g h i"] * len(places), [lists[place] for place in places])
    assert shown(corpus) == [plain([annotations[place], annotations[0]]) for place in places]


@pytest.mark.parametrize(
    ("first", "second", "clusters"),
    [
        ((1, 1), (1, 1), 1),  # two insertions at one place
        ((1, 1), (2, 2), 2),
        ((1, 2), (1, 2), 1),
        ((1, 3), (2, 4), 1),
        ((1, 2), (2, 3), 2),
        ((1, 3), (2, 2), 1),  # within
        ((1, 3), (1, 1), 2),  # at the border
        ((1, 3), (3, 3), 2),
    ],
)
def test_edits_that_overlap_are_alternatives(first: tuple[int, int], second: tuple[int, int], clusters: int) -> None:
    """One error that both correct, or two that may stay: the last choice is no edit."""
    [made] = clusters_of([[Edit(*first, ("a",))], [Edit(*second, ("b",))]])
    if clusters == 1:
        assert made == [[[(*first, "a")], [(*second, "b")]]]
    else:
        assert made == [[[edit], []] for edit in sorted([(*first, "a"), (*second, "b")])]


def alternatives(*annotations: list[tuple[int, int]]) -> list[list[list[tuple[int, int]]]]:
    [made] = clusters_of([[Edit(*span, ("x",)) for span in spans] for spans in annotations])
    return [[[(start, end) for start, end, _ in edits] for edits in cluster if edits] for cluster in made]


@pytest.mark.parametrize("mirror", [False, True])
def test_a_cluster_reaches_as_far_as_its_edits(mirror: bool) -> None:
    """The third edit overlaps the second, and lies beyond the first."""
    spans = [(5 - end, 5 - start) if mirror else (start, end) for start, end in ((0, 3), (2, 5), (4, 5))]
    assert alternatives(*([span] for span in spans)) == [[[span] for span in spans]]


def test_the_longest_edits_come_first() -> None:
    """A short edit joins the long one that holds it, though it stands before it; the edits of one are in order."""
    assert alternatives([(4, 5), (3, 4)], [(3, 7)]) == [[[(3, 4), (4, 5)], [(3, 7)]]]
    assert alternatives([(3, 7)], [(3, 4), (4, 5)]) == [[[(3, 7)], [(3, 4), (4, 5)]]]


def test_clusters_are_in_the_order_of_the_sentence() -> None:
    assert alternatives([(6, 9), (0, 1), (2, 2)], [(6, 7)]) == [[[(0, 1)]], [[(2, 2)]], [[(6, 9)], [(6, 7)]]]


def test_several_corrections_of_one_span_are_joined_and_the_first_alternative_counts() -> None:
    edits = [Edit(1, 1, ("x y", "q")), Edit(2, 3, ("",)), Edit(1, 1, ("z",))]
    assert clusters_of([edits]) == [[[[(1, 1, "x y z")]], [[(2, 3, "")]]]]


def test_a_sentence_that_is_not_there() -> None:
    clusters = Encoded.of(Corpus(["a"], [[Reference(edits=())]])).error_clusters
    assert clusters.of_sentence(0) == []
    with pytest.raises(IndexError, match="there is no sentence of that number"):
        clusters.of_sentence(1)
