"""Whole documents are drawn, swapped and left out: against lists that are made by hand."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, InputError, Resampling, document_starts, score
from gecval.metrics import metric
from gecval.metrics.evaluation import Evaluation
from gecval.sample import load_sample
from gecval.stats.resampling import SentenceMean, jackknife_blocks, resampled_scores
from gecval.studies.coverage.own_references import true_scores

LENGTHS = st.lists(st.integers(1, 4), min_size=2, max_size=6)


def starts(lengths: list[int]) -> tuple[int, ...]:
    return tuple(np.cumsum([0, *lengths[:-1]]).tolist())


@given(LENGTHS, st.integers(0, 5))
def test_lists_are_whole_documents_and_nothing(lengths: list[int], seed: int) -> None:
    size, firsts = sum(lengths), starts(lengths)
    whole = {tuple(range(first, first + length)) for first, length in zip(firsts, lengths, strict=True)}
    resampling = Resampling(7, seed=seed, documents=firsts)
    chosen = np.random.default_rng(seed).integers(len(lengths), size=(7, len(lengths)))
    [drawn] = resampling.draws(size)
    assert len(drawn) == 7
    for row, numbers in zip(drawn.tolist(), chosen.tolist(), strict=True):
        expected = [s for number in numbers for s in range(firsts[number], firsts[number] + lengths[number])]
        assert row == expected + [size] * (drawn.shape[1] - len(expected))
    assert drawn.shape[1] == max(sum(lengths[number] for number in row) for row in chosen.tolist())
    [swaps] = resampling.swaps(size)
    assert swaps.shape == (7, size)
    assert all((swaps[:, list(sentences)] == swaps[:, [sentences[0]]]).all() for sentences in whole)
    assert {tuple(range(size)[block]) for block in resampling.leave_out(size)} == whole


def test_documents_of_one_sentence_are_sentences() -> None:
    corpus, systems = load_sample()
    alone = tuple(range(len(corpus)))
    settings = {"aggregate": "mean"}, {}
    for others in settings:
        by_sentence = score(corpus, systems, ["m2", "gleu"], confidence=Resampling(30), **others)
        by_document = score(corpus, systems, ["m2", "gleu"], confidence=Resampling(30, documents=alone), **others)
        assert [row.interval for row in by_sentence] == [row.interval for row in by_document]
        for a, b in zip(by_sentence, by_document, strict=True):
            assert f"|seed:1|documents:{len(corpus)}|borders:" in b.signature
            assert re.sub(r"\|documents:\d+\|borders:[0-9a-f]{8}", "", b.signature) == a.signature
    first, second = Resampling(30), Resampling(30, documents=alone)
    assert all((a == b).all() for a, b in zip(first.swaps(len(alone)), second.swaps(len(alone)), strict=True))


def test_many_documents_are_left_out_in_blocks() -> None:
    resampling = Resampling(documents=(0, 2, 3, 7, 8), jackknife_blocks=2)
    blocks = resampling.leave_out(12)
    assert blocks == [slice(0, 3), slice(3, 12)]
    assert Resampling(jackknife_blocks=2).leave_out(5) == jackknife_blocks(5, 2)
    assert all(a.stop == b.start for a, b in pairwise(blocks))


@pytest.mark.parametrize("spelling", ["m2", "gleu", "sari", "accuracy", 'errant(model="plain", average="macro")', "ld"])
@pytest.mark.parametrize("aggregate", ["corpus", "mean"])
def test_what_fills_a_list_up_counts_nothing(spelling: str, aggregate: str) -> None:
    corpus, [system, *_] = load_sample()
    evaluation = Evaluation.of(metric(spelling), corpus, system, aggregate=aggregate)
    size = len(corpus)
    lists = [[3, 3, 8], [1, 2, 4, 5, 20, 7], [size - 1]]
    filled = np.array([row + [size] * (6 - len(row)) for row in lists])
    expected = [float(evaluation.scores_over(np.array([row]))[0]) for row in lists]
    assert evaluation.scores_over(filled).tolist() == pytest.approx(expected, abs=1e-12)


def test_other_means_of_whole_documents() -> None:
    """Lists of two documents, of one sentence and of three: the mean is that of four sentences, of two or of six."""
    values = np.array([0.0, 1.0, 0.5, 0.75])
    resampling = Resampling(50, documents=(0, 1))
    drawn = np.random.default_rng(1).integers(2, size=(50, 2))
    sums, counts = np.array([0.0, 2.25])[drawn].sum(axis=1), np.array([1, 3])[drawn].sum(axis=1)
    assert len(set(counts.tolist())) == 3
    assert resampled_scores(SentenceMean(values), resampling).tolist() == pytest.approx((sums / counts).tolist())
    corpus = Corpus.from_texts(["a"] * 4, [["b", "b"], ["b", "c"], ["b", "b"], ["c", "c"]])
    [row] = true_scores(corpus, [corpus.system("mine", ["b", "a", "b", "b"])], resampling=resampling)
    assert row.interval is not None
    assert row.true_interval is not None


def test_documents_may_be_any_list() -> None:
    listed = Resampling(5, documents=[0, 2])
    assert listed == Resampling(5, documents=(0, 2)) == Resampling(5, documents=np.array([0, 2]))
    assert next(listed.draws(3)).shape[0] == 5


def test_intervals_of_alike_sentences_are_wider() -> None:
    """Each document is wholly right or wholly wrong: its sentences say no more than one."""
    sources = [f"{number} a b ." for number in range(60)]
    corpus = Corpus.from_texts(sources, [[f"{number} b b ."] for number in range(60)])
    outputs = [f"{number} b b ." if number // 6 % 2 else source for number, source in enumerate(sources)]
    widths = []
    for documents in (None, tuple(range(0, 60, 6))):
        [row] = score(corpus, {"mine": outputs}, ["accuracy"], confidence=Resampling(400, documents=documents))
        assert (row.score, row.interval is not None) == (0.5, True)
        widths.append(row.interval.high - row.interval.low)
    # A mean of ten documents of 1 or 0 varies √6 times as much as one of sixty sentences.
    assert widths[1] / widths[0] == pytest.approx(6**0.5, rel=0.2)


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ((0,), "resampling documents needs two or more"),
        ((1, 3), "documents begin at sentence 0, each behind the one before"),
        ((0, 3, 3), "documents begin at sentence 0, each behind the one before"),
    ],
)
def test_what_are_no_documents(documents: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Resampling(documents=documents)


def test_documents_behind_the_last_sentence() -> None:
    with pytest.raises(InputError, match="a document begins at sentence 5, and there are 5 sentences"):
        next(Resampling(documents=(0, 5)).draws(5))
    with pytest.raises(InputError, match="a document begins at sentence 9, and there are 5 sentences"):
        next(Resampling(documents=(0, 2, 9)).draws(5))


def test_where_documents_begin() -> None:
    marked = ["Before .", "# 0002", "a .", "b .", "### essay_id = 7", "# no mark at all"]
    assert document_starts(marked) == (0, 1, 4)
    assert document_starts(["a", "b", "c", "d"], ["x", "x", "y", "z"]) == (0, 2, 3)
    for sources, ids, message in [
        (["a", "b"], None, "the source has no lines that mark a document, such as # 0002; name the document of each"),
        (["a", "b"], ["x"], "1 sentences have the name of a document, and there are 2 sentences"),
        (["a", "b", "c"], ["x", "y", "x"], "sentence 3: the document 'x' begins again; its sentences must stand toget"),
    ]:
        with pytest.raises(InputError, match=message):
            document_starts(sources, ids)
