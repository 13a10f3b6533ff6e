"""The statistics array by hand, and what every metric says of itself unless it says otherwise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gecval import Corpus, Edit, InputError, Statistics, metric
from gecval.corpus.references import Reference
from gecval.metrics.base import all_edits_given

RAGGED = Statistics(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), np.array([0, 1, 3]), ("a note",))


def listed(statistics: Statistics) -> tuple[list[list[float]], list[int]]:
    return statistics.rows.tolist(), statistics.offsets.tolist()


def test_sentences_are_taken_with_all_their_rows() -> None:
    taken = RAGGED.take(np.array([1, 0, 1]))
    assert listed(taken) == ([[3, 4], [5, 6], [1, 2], [3, 4], [5, 6]], [0, 2, 3, 5])
    assert (len(taken), taken.notes, taken.copies) == (3, ("a note",), 1)


def test_one_more_sentence_that_counts_nothing() -> None:
    assert listed(RAGGED.with_empty_sentence()) == ([[1, 2], [3, 4], [5, 6], [0, 0]], [0, 1, 3, 4])


def test_two_systems_beside_each_other() -> None:
    both = RAGGED.concatenate(RAGGED.take(np.array([1, 0])))
    assert listed(both) == ([[1, 2], [3, 4], [5, 6], [3, 4], [5, 6], [1, 2]], [0, 1, 3, 5, 6])
    assert both.copies == 2


def test_a_score_times_its_direction_rises_with_quality() -> None:
    assert metric("accuracy").direction == 1
    assert metric('from-file(path="x", lower_is_better=True)').direction == -1


def test_metrics_compare_no_types_and_find_no_edits_of_their_own() -> None:
    plain = metric("sari")
    assert (plain.compares_types, plain.finds_edits, plain.extractor, plain.whole_corpus) == (False, False, None, None)


EDIT = (Edit(0, 1, ("Ich",)),)
TEXTS = Corpus(["ich gehe ."], [[Reference(text="Ich gehe .")]], language="de")
EDITS = Corpus(["ich gehe ."], [[Reference(edits=EDIT)]], language="de")


@pytest.mark.parametrize("corpus", [TEXTS, EDITS])
def test_edits_are_given_where_references_and_outputs_have_them(corpus: Corpus) -> None:
    assert not all_edits_given(corpus)
    assert all_edits_given(replace(corpus, given_edits=True)) == (corpus is EDITS)


def test_only_who_looks_at_a_text_must_know_its_language() -> None:
    """ERRANT looks at no text where all edits are given, and the model of LFM always does."""
    given = replace(EDITS, given_edits=True)
    metric("errant").check(given)
    for scored, corpus in (("errant", EDITS), ("errant", TEXTS), ('lfm(model="x")', EDITS), ('lfm(model="x")', given)):
        with pytest.raises(InputError, match="English"):
            metric(scored).check(corpus)
