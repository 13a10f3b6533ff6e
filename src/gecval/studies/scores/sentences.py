"""Which sentences does a system get right? Every sentence with its texts, its edits, and what the metrics say of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.reference_rules import RunningBest
from gecval.results.result import Result
from gecval.results.table import Cell, Table
from gecval.runtime.run import HERE, Run, announce
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import Edits, Metrics, Systems, prepare, resolve_metrics, resolve_systems


@dataclass(frozen=True, kw_only=True)
class MetricOfSentence:
    """What one metric says of one sentence.

    ``score`` is that of the sentence alone. All else is about the reference that the score of the whole corpus chose
    for it, so counts add up to those of the corpus. Metrics that choose no reference have no ``reference``; those that
    know no edits have no ``edits``, ``tp``, ``fp`` and ``fn``.
    """

    score: float
    parts: Mapping[str, float]
    reference: int | None = None  # from 1
    tp: int | None = None
    fp: int | None = None
    fn: int | None = None
    edits: tuple[Edit, ...] | None = None
    reference_edits: tuple[Edit, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class SentenceOfSystem:
    """One sentence of one system, with all texts. Sentences count from 1."""

    sentence: int
    system: str
    source: str
    hypothesis: str
    references: tuple[str, ...]
    scores: Mapping[str, MetricOfSentence]


@dataclass(frozen=True, kw_only=True, repr=False)
class SentenceScores(Result):
    """Every sentence of every system, with what each metric says of it."""

    kind: ClassVar[str] = "sentence-scores"
    view: ClassVar[str] = "sentence_score_tables"
    main: ClassVar[str] = "sentences"

    sentences: tuple[SentenceOfSystem, ...]


def score_sentences(
    corpus: Corpus, systems: Systems, metrics: Metrics, *, edits: Edits = None, run: Run = HERE
) -> SentenceScores:
    """Score every sentence of every system under every metric, and keep texts, edits and counts.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    >>> result = score_sentences(corpus, {"mine": ["He goes home ."]}, ["m2"], edits="plain")
    >>> [sentence] = result.sentences
    >>> sentence.scores["m2"].tp, sentence.scores["m2"].edits
    (1, (Edit(start=1, end=2, corrections=('goes',), type='', required=True),))
    """
    listed, wanted = resolve_systems(systems, corpus), resolve_metrics(metrics)
    corpora = prepare(corpus, listed, wanted, extractor=edits, run=run)
    announce(run.progress, "scoring sentences")
    sentences = []
    notes: list[str] = []
    for system in listed:
        evaluations = [
            Evaluation.of(metric, prepared, system, run=run.quiet())
            for metric, prepared in zip(wanted, corpora, strict=True)
        ]
        notes += [note for evaluation in evaluations for note in evaluation.statistics.notes]
        by_metric = {
            repr(metric): _of_sentences(metric, prepared, system, evaluation, run=run)
            for metric, prepared, evaluation in zip(wanted, corpora, evaluations, strict=True)
        }
        sentences += [
            SentenceOfSystem(
                sentence=i + 1,
                system=system.name,
                source=corpus.sources[i],
                hypothesis=system.hypotheses[i],
                references=tuple(corpus.texts_of(i)),
                scores={name: of_sentences[i] for name, of_sentences in by_metric.items()},
            )
            for i in range(len(corpus))
        ]
    notes += [*input_notes(corpus, listed, wanted), *(note for prepared in corpora for note in prepared.notes)]
    return SentenceScores(sentences=tuple(sentences), notes=tuple(dict.fromkeys(notes)))


def _of_sentences(
    metric: Metric, corpus: Corpus, system: System, evaluation: Evaluation, *, run: Run
) -> list[MetricOfSentence]:
    scores, slots = evaluation.sentence_scores(), _choose_rows(metric, evaluation)
    if slots is None:
        return [MetricOfSentence(score=float(score), parts={}) for score in scores]
    parts = [metric.parts(row) for row in evaluation.statistics.rows[slots]]
    edits = metric.proposed_edits(corpus, system, slots, run=run)
    if edits is None:
        return [MetricOfSentence(score=float(score), parts=of_row) for score, of_row in zip(scores, parts, strict=True)]
    of_reference = _references(corpus, slots) if len(evaluation.statistics.rows) == corpus.reference_slots[-1] else {}
    return [
        MetricOfSentence(score=float(scores[i]), parts=parts[i], edits=edits[i], **counts, **of_reference.get(i, {}))
        for i, counts in enumerate(_counts(parts))
    ]


def _references(corpus: Corpus, slots: NDArray[np.int64]) -> dict[int, dict[str, Any]]:
    """The reference of each sentence, where each has a row of its own."""
    numbers = (slots - corpus.reference_slots[:-1]).tolist()
    return {
        i: {"reference": number + 1, "reference_edits": corpus.references[i][number].edits}
        for i, number in enumerate(numbers)
    }


def _choose_rows(metric: Metric, evaluation: Evaluation) -> NDArray[np.int64] | None:
    """The row of the statistics that stands for each sentence, where there is one."""
    statistics = evaluation.statistics
    if isinstance(metric.rule, RunningBest):
        return metric.rule.choose_rows(statistics)
    return np.arange(len(statistics)) if len(statistics.rows) == len(statistics) else None


def _counts(parts: Sequence[Mapping[str, float]]) -> list[dict[str, Any]]:
    """tp, fp and fn of each sentence; M² counts correct, proposed and gold edits. Sums of weights are no counts."""
    rows = []
    for of_row in parts:
        if "tp" in of_row:
            rows.append([of_row[name] for name in ("tp", "fp", "fn")])
        elif "correct" in of_row:
            correct, proposed, gold = (of_row[name] for name in ("correct", "proposed", "gold"))
            rows.append([correct, proposed - correct, gold - correct])
        else:
            return [{} for _ in parts]
    if not all(float(count).is_integer() for row in rows for count in row):
        return [{} for _ in parts]
    return [dict(zip(("tp", "fp", "fn"), map(int, row), strict=True)) for row in rows]


def sentence_score_tables(scores: SentenceScores, style: str = "text") -> list[Table]:
    """A row per sentence, system and metric; texts and edits are in JSON and JSONL only."""
    rows: list[Sequence[Cell]] = [
        [row.sentence, row.system, name, of_metric.score, of_metric.tp, of_metric.fp, of_metric.fn]
        for row in scores.sentences
        for name, of_metric in row.scores.items()
    ]
    return [Table(["sentence", "system", "metric", "score", "tp", "fp", "fn"], rows)]
