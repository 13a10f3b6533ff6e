"""Statistics of pairs that an earlier replicate had: computed once, and the same bit by bit."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from sys import getsizeof
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gecval import Corpus, InputError, load_sample
from gecval.corpus import System
from gecval.metrics import metric
from gecval.metrics.base import AveragedMetric, Metric, Statistics, with_count
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.runtime.run import SERIAL, Run
from gecval.studies.maege.lattices import MaegeSettings, build_lattices
from gecval.studies.maege.pair_cache import LIMIT, PairCache, pack
from gecval.studies.maege.study import ReplicatePlan, Replication, maege

ANY = metric("ld")
Asked = list[tuple[int, str, str]]


def rows_of(pairs: Sequence[tuple[int, str, str]], factor: float = 1.0) -> Statistics:
    """As many rows as the source has letters, all different."""
    counts = [len(source) for _, source, _ in pairs]
    rows = [
        [factor * (sentence * 10 + n), len(text)]
        for (sentence, _, text), count in zip(pairs, counts, strict=True)
        for n in range(count)
    ]
    return Statistics(np.array(rows, dtype=np.float64), np.append(0, np.cumsum(counts)).astype(np.int64))


def equal(a: Statistics, b: Statistics) -> bool:
    same = a.rows.dtype == b.rows.dtype and a.rows.shape == b.rows.shape and a.rows.tobytes() == b.rows.tobytes()
    return same and a.offsets.tolist() == b.offsets.tolist()


PAIRS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["a", "bb"]), st.sampled_from(["", "x", "yy"])))


@given(batches=st.lists(PAIRS.filter(bool), min_size=1, max_size=5), limit=st.sampled_from([0, 2000, 10**9]))
def test_the_rows_are_those_of_computing_anew(batches: list[Asked], limit: int) -> None:
    known, asked = PairCache([ANY, ANY], limit=limit), []

    def compute(new: Sequence[tuple[int, str, str]]) -> list[Statistics]:
        asked.extend(new)
        return [rows_of(new), rows_of(new, factor=0.1)]

    for batch in batches:
        whole, tenths = known.statistics(batch, compute)
        assert equal(whole, rows_of(batch))
        assert equal(tenths, rows_of(batch, factor=0.1))
    different = {pair for batch in batches for pair in batch}
    if limit == 10**9:
        assert len(asked) == len(different) == len(known)
    if limit == 0:
        assert len(known) == 0
        assert len(asked) == sum(len(set(batch)) for batch in batches)


def test_memory_has_a_limit() -> None:
    def compute(new: Asked) -> list[Statistics]:
        return [rows_of(new, factor=0.3)]

    known = PairCache([ANY], limit=1_000_000)
    for start in range(0, 20_000, 500):
        known.statistics([(i, "a", "b") for i in range(start, start + 500)], compute)
        assert known.size <= 1_000_000
    kept = len(known)
    assert kept == 2_000  # 400 bytes each, and their rows
    [rows] = known.statistics([(0, "a", "b"), (19_999, "a", "b"), (0, "a", "b")], compute)
    assert equal(rows, rows_of([(0, "a", "b"), (19_999, "a", "b"), (0, "a", "b")], factor=0.3))
    assert len(known) == kept + 1  # a single pair has room


def test_long_texts_take_memory_too() -> None:
    """Essays: their texts are larger than their rows."""
    known = PairCache([ANY], limit=1_000_000)
    for start in range(0, 400, 20):
        batch = [(i, "a", f"{i}" + 10_000 * "b") for i in range(start, start + 20)]
        [rows] = known.statistics(batch, lambda new: [rows_of(new)])
        assert equal(rows, rows_of(batch))
        assert sum(len(text) for _, _, text in known._pairs) <= known.size <= 1_000_000
    assert len(known) == 80


def test_the_limit_may_be_reached_and_not_passed() -> None:
    """A pair takes 400 bytes, its texts, a byte for each small count of its rows, and eight for where they end."""

    def compute(new: Asked) -> list[Statistics]:
        return [rows_of(new)]

    def filled(limit: int, pairs: int = 1) -> PairCache:
        known = PairCache([ANY], limit=limit)
        for i in range(pairs):
            known.statistics([(i, "a", "b")], compute)
        return known

    size = 400 + getsizeof("a") + getsizeof("b") + 2 + 2 * 8
    assert filled(10**9).size == size
    assert [len(filled(limit)) for limit in (size, size - 1)] == [1, 0]
    # Rows grow by a quarter at least, so that few appends copy: 1, 2, 3, 4, 5, 6, 7, 8, 10, 10 rows of two counts.
    assert filled(10**9, pairs=10).size == 10 * 400 + getsizeof("a") + getsizeof("b") + 2 * 10 + 11 * 8
    assert filled(10**9, pairs=9).size == 9 * 400 + getsizeof("a") + getsizeof("b") + 2 * 10 + 10 * 8
    assert LIMIT == 400_000_000


def test_numbers_of_another_kind_do_not_pass_the_limit() -> None:
    """A single fraction would make all counts, a byte each, eight times as large."""

    def compute(new: Asked) -> list[Statistics]:
        return [Statistics.one_per_sentence(np.array([[0.1 if text == "c" else 1.0] * 100 for _, _, text in new]))]

    known = PairCache([ANY], limit=1_000_000)
    for start in range(0, 4_000, 500):
        known.statistics([(i, "a", "b") for i in range(start, start + 500)], compute)
    kept = len(known)
    assert kept == 1_500
    mixed = [(7, "a", "b"), (7, "a", "c"), (8, "a", "b"), (7, "a", "c"), (7, "a", "b")]
    [statistics] = known.statistics(mixed, compute)
    assert statistics.rows[:, 0].tolist() == [1.0, 0.1, 1.0, 0.1, 1.0]
    assert len(known) == kept
    assert known.size <= 1_000_000


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([0.0, 255.0], np.uint8),
        ([0.0, 256.0], np.uint16),
        ([65536.0, -3.5], np.float32),
        ([0.1], np.float64),
        ([-0.0], np.float32),
        ([2.0**24 + 1], np.float64),
        ([1e300], np.float64),
    ],
)
def test_packed(values: list[float], kind: type) -> None:
    rows = np.array([values])
    assert pack(rows).dtype == kind
    assert pack(rows).astype(np.float64).tobytes() == rows.tobytes()


@dataclass(frozen=True, repr=False)
class Counting(AveragedMetric):
    """The length of a correction; it notes what it was asked."""

    name: ClassVar[str] = "counting"
    summary: ClassVar[str] = "length"
    paper: ClassVar[str] = ""
    rule: ClassVar[ReferenceRule] = Pooled()
    asked: ClassVar[list[tuple[str, str]]] = []

    whole: bool = False

    @property
    def whole_corpus(self) -> str | None:
        return "it says so" if self.whole else None

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        self.asked.extend(zip(corpus.sources, system.hypotheses, strict=True))
        return Statistics.one_per_sentence(with_count(np.array([len(text) / 7 for text in system.hypotheses])))


def run(replicates: int, *metrics: Metric, **options: object):
    gold, _ = load_sample()
    settings = MaegeSettings(models=(0.0, 1.0, 2.0))
    return maege(gold, gold, list(metrics), settings=settings, replicates=replicates, **options)  # type: ignore[arg-type]


def test_a_metric_is_asked_once_for_a_pair() -> None:
    Counting.asked.clear()
    once = run(6, Counting())
    assert len(Counting.asked) == len(set(Counting.asked)) > 20
    pairs = set(Counting.asked)
    Counting.asked.clear()
    always = run(6, Counting(whole=True))
    assert set(Counting.asked) == pairs
    assert len(Counting.asked) > 1.2 * len(pairs)
    assert always.by_replicate[0].sentence_tau == once.by_replicate[0].sentence_tau
    assert [score.score for score in always.corpora] == [score.score for score in once.corpora]


def test_both_kinds_of_metrics_in_one_study() -> None:
    metrics = [metric(name) for name in ("imeasure(optimise='corpus')", "gleu", "errant(average='macro')", "m2")]
    together = run(2, *metrics, edits="plain")
    for alone in metrics:
        result = run(2, alone, edits=None if alone.finds_edits or alone.needs != "edits" else "plain")
        assert result[repr(alone)].sentence_tau == together[repr(alone)].sentence_tau
        assert result[repr(alone)].corpus_pearson == together[repr(alone)].corpus_pearson


def test_nothing_is_reused_where_a_few_texts_could_look_like_another_language() -> None:
    gold, _ = load_sample()
    named = Corpus(gold.sources, gold.references, language="en")
    unclear = Corpus(gold.sources[:1], gold.references[:1])
    assert unclear.likely_language is None

    def metrics(corpus: Corpus, *names: str) -> list[str]:
        chosen = tuple(map(metric, names))
        study = ReplicatePlan(
            gold=corpus, references=corpus, metrics=chosen, settings=MaegeSettings(), extractor=None, run=Run(jobs=1)
        )
        return [repr(judge) for judge in study.by_pair]

    assert metrics(named, "gleu", "errant", "imeasure(optimise='corpus')") == ["gleu", "errant"]
    assert metrics(unclear, "gleu", "ld") == ["gleu", "ld"]
    assert metrics(unclear, "gleu", "errant") == []
    english = SimpleNamespace(language="en", signature="mine")
    for corpus, reused in ((unclear, 0), (named, 1)):
        study = ReplicatePlan(
            gold=corpus, references=corpus, metrics=(ANY,), settings=MaegeSettings(), extractor=english, run=Run(jobs=1)
        )
        assert len(study.by_pair) == reused


def test_a_worker_begins_with_nothing_known() -> None:
    gold, _ = load_sample()
    settings = MaegeSettings(models=(0.0, 1.0, 2.0))
    study = ReplicatePlan(
        gold=gold, references=gold, metrics=(metric("gleu"),), settings=settings, extractor=None, run=Run(jobs=1)
    )
    work = Replication(study=study, lattices=build_lattices(gold, settings), seed=1)
    small = len(pickle.dumps(work))
    first = work(0)
    assert len(work.known) > 20
    sent = pickle.dumps(work)
    assert len(sent) == small
    elsewhere: Replication = pickle.loads(sent)
    assert len(elsewhere.known) == 0
    assert elsewhere(1) == work(1)
    assert elsewhere(0) == first


def test_rows_of_another_width_are_refused() -> None:
    known = PairCache([ANY])
    known.statistics([(0, "a", "b")], lambda new: [Statistics.one_per_sentence(np.ones((1, 2)))])
    with pytest.raises(InputError, match="ld has rows of 2 numbers for some sentences and of 3 for others: if they"):
        known.statistics([(1, "a", "b")], lambda new: [Statistics.one_per_sentence(np.ones((1, 3)))])
