"""How good is it? Scores of systems under metrics, with intervals, parts and signatures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.edits.annotate import Extractor
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats import Interval, Resampling, bootstrap_interval
from gecval.studies.preparation import prepare


@dataclass(frozen=True)
class Score:
    """One system's score under one metric, and all that is needed to get it again."""

    system: str
    metric: str
    score: float
    parts: dict[str, float]
    interval: Interval | None
    signature: str
    sentences: Array | None = None
    notes: tuple[str, ...] = ()
    higher_is_better: bool = True


def score(
    corpus: Corpus,
    systems: Iterable[System],
    metrics: Sequence[Metric],
    *,
    aggregate: Aggregate = "corpus",
    resampling: Resampling | None = None,
    sentences: bool = False,
    extractor: Extractor | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> list[Score]:
    """Score every system under every metric; with ``resampling``, give each score an interval.

    ``extractor`` finds the edits of plain-text references for metrics that need them.

    >>> from gecval.metrics import metric
    >>> corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    >>> [result] = score(corpus, [corpus.system("mine", ["He goes home ."])], [metric("gleu")])
    >>> result.system, result.metric, result.score
    ('mine', 'gleu', 1.0)
    """
    listed, workers = list(systems), jobs or cores()
    seen = prepare(corpus, listed, metrics, extractor, jobs=workers, progress=progress)
    announce(progress, "scoring")
    return [
        _score_one(one, system, metric, aggregate, resampling, sentences, workers)
        for system in listed
        for metric, one in zip(metrics, seen, strict=True)
    ]


def _score_one(
    corpus: Corpus,
    system: System,
    metric: Metric,
    aggregate: Aggregate,
    resampling: Resampling | None,
    sentences: bool,
    jobs: int,
) -> Score:
    evaluation = Evaluation.of(metric, corpus, system, aggregate=aggregate, jobs=jobs)
    return Score(
        system=system.name,
        metric=repr(metric),
        score=evaluation.score(),
        parts=evaluation.parts(),
        interval=bootstrap_interval(evaluation, resampling) if resampling and len(corpus) > 1 else None,
        signature=signature(metric, corpus, aggregate, resampling),
        sentences=evaluation.sentence_scores() if sentences else None,
        notes=evaluation.statistics.notes,
        higher_is_better=metric.higher_is_better,
    )


def signature(metric: Metric, corpus: Corpus, aggregate: Aggregate, resampling: Resampling | None = None) -> str:
    """Everything that decides the number, in one line: parameters, rule, references, hashes of the data, version."""
    fields = [metric.name, *(f"{name}:{value}" for name, value in metric.parameters().items())]
    fields += [f"aggregate:{aggregate}", f"source:{corpus.source_hash}"]
    if metric.needs and corpus.reference_count != "0":
        fields += [f"rule:{metric.rule.signature()}", f"refs:{corpus.reference_count}"]
        fields += [f"references:{corpus.reference_hash}"]
    extractors = [corpus.extractor] if metric.needs == "edits" else []
    if metric.extractor is not None:
        extractors.append(metric.extractor.signature)
    fields += [name for name in dict.fromkeys(extractors) if name]
    if resampling:
        fields.append(resampling.signature())
    return "|".join([*fields, f"gecval:{version('gecval')}"])
