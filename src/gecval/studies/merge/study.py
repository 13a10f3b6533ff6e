"""Scores, intervals and tests of a corpus whose parts were scored separately: those of the whole, bit for bit.

    S[sentence, reference, k] of part 1 … n ──► one S, in the order of the parts ──► everything that S gives

Parts that keep sums only (``Totals`` of a passport) give scores and intervals, without gathering rows.

The order counts: the rule ``running-best`` looks at the sentences before, GLEU draws references by their place, and
resamples are drawn by place. So each part says which one it is, and none may be missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import numpy as np

from gecval.errors import InputError, list_first
from gecval.metrics.base import Statistics
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.results.result import Result
from gecval.results.signature import Signature
from gecval.results.table import DELIMITED, Table
from gecval.runtime.run import HERE, SERIAL, Run
from gecval.stats import Resampling
from gecval.stats.paired_tests import Correction
from gecval.stats.resampling import Confidence, resolve_optional_resampling
from gecval.studies.compare.result import Comparison, Comparisons, comparison_tables
from gecval.studies.scores.passport import Passport, PassportEntry, Totals, poisson_interval, read_passport
from gecval.studies.scores.preparation import Metrics, resolve_metrics
from gecval.studies.scores.result import Score, Scores, score_tables
from gecval.studies.scores.scored_system import (
    ScoredSystem,
    build_score,
    compare_pair,
    correct_comparisons,
    correction_notes,
)


@dataclass(frozen=True, kw_only=True, repr=False)
class Merged(Result):
    """The scores of the whole, and every further system against the first, or the named baseline."""

    kind: ClassVar[str] = "merged"
    view: ClassVar[str] = "merged_tables"
    main: ClassVar[str] = "scores"

    shards: int
    sentences: int
    scores: tuple[Score, ...]
    comparisons: tuple[Comparison, ...]


def merge(
    paths: Sequence[str | Path],
    *,
    confidence: Confidence = False,
    baseline: str | None = None,
    correction: Correction = "none",
    metrics: Metrics = (),
    run: Run = HERE,
) -> Merged:
    """Scores, intervals and tests of a corpus from files that ``Scores.save_part`` wrote for its parts.

    Parameters
    ----------
    paths
        The files of all parts, in any order.
    confidence
        Gives intervals, and tests of all systems against the baseline.
    baseline
        The system that all others are tested against, by default the first.
    correction
        Corrects the p-values for how many systems are tested: ``holm`` or ``bh``.
    metrics
        Metrics of the parts that name code, files or addresses: a file of statistics alone may not load them.

    Returns
    -------
    Merged
        The scores of the whole corpus, and the tests where ``confidence`` asks for intervals.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import gecval
    >>> texts = {"He go home .": "He goes home .", "Fine .": "Fine ."}
    >>> with TemporaryDirectory() as folder:
    ...     paths = [f"{folder}/{number}" for number in (1, 2)]
    ...     for number, (source, reference) in enumerate(texts.items(), start=1):
    ...         part = gecval.Corpus.from_texts([source], [[reference]])
    ...         scores = gecval.score(part, {"copy": [source]}, ["accuracy"])
    ...         scores.save_part(paths[number - 1], shard=(number, 2))
    ...     merged = merge(paths)
    >>> merged.sentences, merged.scores[0].score
    (2, 0.5)
    """
    vouched = {repr(metric): metric for metric in resolve_metrics(metrics, least=0)}
    parts = _sort_parts([(Path(path), read_passport(Path(path), vouched=vouched)) for path in paths])
    resampling = resolve_optional_resampling(confidence)
    if parts[0][1].totals is not None:
        return _merge_totals(parts, resampling)
    named = {entry.key[1] for entry in parts[0][1].entries}
    for spelling in vouched:
        if spelling not in named:
            raise InputError(f"no part has {spelling}", parameter="metrics")
    entries = [_merge_entry(parts, i, run=run) for i in range(len(parts[0][1].entries))]
    sentences = len(entries[0].evaluation)
    resampling = resampling if sentences > 1 else None
    scored_systems = [ScoredSystem(entry.evaluation, resampling) for entry in entries]
    signatures = [_sign(entry, resampling.signature(sentences) if resampling else None) for entry in entries]
    scores = list(map(build_score, scored_systems, signatures))
    comparisons = _compare_all(scored_systems, signatures, baseline) if resampling else []
    return Merged(
        shards=len(parts),
        sentences=sentences,
        scores=_sort_by_system(scores),
        comparisons=correct_comparisons(comparisons, correction),
        notes=tuple(correction_notes(comparisons, correction, resampling)) if resampling else (),
    )


def _merge_totals(parts: Sequence[tuple[Path, Passport]], resampling: Resampling | None) -> Merged:
    """Parts without rows: each is like one sentence, and their resamples add up."""
    totals = [passport.totals for _, passport in parts if passport.totals is not None]
    whole = _merge_drawn(totals)
    scores = []
    for i in range(len(parts[0][1].entries)):
        entry = _merge_entry(parts, i, run=SERIAL)
        signature = _sign(entry, whole.signature(resampling.level) if resampling else None)
        score = build_score(ScoredSystem(entry.evaluation, None), signature)
        if resampling:
            sums = np.sum([part.sums[i] for part in totals], axis=0)
            interval = poisson_interval(entry.evaluation, sums, resampling.level)
            score = replace(score, interval=interval, level=resampling.level)
        scores.append(score)
    return Merged(
        shards=len(parts),
        sentences=sum(part.sentences for part in totals),
        scores=_sort_by_system(scores),
        comparisons=(),
        notes=("the parts keep totals, so intervals are those of the Poisson bootstrap, and there are no tests",),
    )


def _merge_drawn(totals: Sequence[Totals]) -> Totals:
    """How the whole was resampled: with the documents of all parts, where these were drawn."""
    first = totals[0]
    if len(totals) == 1 or first.documents is None:
        return first
    borders = sha256("\n".join(str(part.borders) for part in totals).encode()).hexdigest()[:8]
    documents = sum(part.documents or 0 for part in totals)
    return replace(first, documents=documents, borders=f"{len(totals)}-parts-{borders}")


def _sort_by_system(scores: Sequence[Score]) -> tuple[Score, ...]:
    """System after system, as ``score`` lists them."""
    by_key = {(score.system, score.metric): score for score in scores}
    systems, metrics = (dict.fromkeys(key[which] for key in by_key) for which in (0, 1))
    return tuple(by_key[system, metric] for system in systems for metric in metrics)


def _sort_parts(files: Sequence[tuple[Path, Passport]]) -> list[tuple[Path, Passport]]:
    """The parts from the first to the last. A part that is missing, there twice or of another scoring is refused."""
    if not files:
        raise InputError("there is no part to merge", parameter="paths")
    places: dict[int, Path] = {}
    first = files[0]
    for path, passport in files:
        if passport.shard is None:
            raise InputError(f"{path} does not say which part it is: save it as one", parameter=("save", "shard"))
        number, count = passport.shard
        if count != (first[1].shard or (1, 1))[1]:
            raise InputError(f"{path} is one of {count} parts, {first[0]} one of {(first[1].shard or (1, 1))[1]}")
        if number in places:
            raise InputError(f"{places[number]} and {path} are both part {number} of {count}", parameter="shard")
        places[number] = path
        _check_same(first, (path, passport))
    missing = [number for number in range(1, count + 1) if number not in places]
    if missing:
        raise InputError(f"part {list_first(missing, 5)} of {count} {'is' if len(missing) == 1 else 'are'} missing")
    ordered = sorted(files, key=lambda file: file[1].shard or (1, 1))
    _check_distinct(ordered)
    return ordered


def _check_same(first: tuple[Path, Passport], other: tuple[Path, Passport]) -> None:
    """Refuse parts that were not scored in the same way."""
    resampled = [of and (of.resamples, of.seed, of.documents is None) for of in (first[1].totals, other[1].totals)]
    if resampled[0] != resampled[1]:
        raise InputError(f"{other[0]} keeps other totals than {first[0]}: save all parts in the same way")
    for what in ("made_by", "aggregate"):
        a, b = (getattr(passport, what) for _, passport in (first, other))
        if a != b:
            named = "gecval" if what == "made_by" else what
            raise InputError(f"{other[0]} has {named} {b}, {first[0]} {a}: score all parts in the same way")
    if [entry.key for entry in first[1].entries] != [entry.key for entry in other[1].entries]:
        raise InputError(f"{other[0]} has other systems or metrics than {first[0]}, or in another order")
    for a, b in zip(first[1].entries, other[1].entries, strict=True):
        fields = [Signature.parse(entry.signature).fields_without_data() for entry in (a, b)]
        if fields[0] != fields[1]:
            differing = [field for field in fields[1] if field not in fields[0]] or ["fewer fields"]
            raise InputError(
                f"{other[0]}: {a.key[1]} was computed in another way than in {first[0]}: {', '.join(differing)[:200]}"
            )
        if a.evaluation.statistics.rows.shape[1] != b.evaluation.statistics.rows.shape[1]:
            raise InputError(f"{other[0]}: {a.key[1]} has other statistics than in {first[0]}")


def _check_distinct(ordered: Sequence[tuple[Path, Passport]]) -> None:
    """Refuse the same data under two numbers."""
    seen: dict[tuple[str, ...], Path] = {}
    for path, passport in ordered:
        source = Signature.parse(passport.entries[0].signature).fields.get("source")
        if source is None:
            raise InputError(f"{path}: the signature {passport.entries[0].signature!r} names no source")
        data = (source, *(entry.output for entry in passport.entries))
        if data in seen:
            raise InputError(f"{seen[data]} and {path} hold the same sentences, under two numbers")
        seen[data] = path


def _merge_entry(parts: Sequence[tuple[Path, Passport]], i: int, *, run: Run) -> PassportEntry:
    """The i-th score of the whole corpus, with all its rows."""
    entries = [passport.entries[i] for _, passport in parts]
    counts = [np.diff(entry.evaluation.statistics.offsets) for entry in entries]
    statistics = Statistics(
        np.concatenate([entry.evaluation.statistics.rows for entry in entries]),
        np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64),
    )
    first = entries[0].evaluation
    aggregate: Aggregate = first.aggregate
    whole = Evaluation(first.metric, statistics, aggregate=aggregate, run=run, system=first.system)
    signature = Signature.merge([Signature.parse(entry.signature) for entry in entries])
    return PassportEntry(evaluation=whole, signature=str(signature), output="")  # it is that of no single file


def _sign(entry: PassportEntry, resampling: str | None) -> Signature:
    """The signature of a merged score, with how it was resampled."""
    signature = Signature.parse(entry.signature)
    return signature if resampling is None else signature.with_resampling(resampling)


def _compare_all(
    scored_systems: Sequence[ScoredSystem], signatures: Sequence[Signature], baseline: str | None
) -> list[Comparison]:
    """Every other system against the baseline, metric after metric."""
    systems = list(dict.fromkeys(scored.name for scored in scored_systems))
    against = systems[0] if baseline is None else baseline
    if against not in systems:
        raise InputError(f"there is no system {against!r}; there are {', '.join(systems)}", parameter="baseline")
    by_key = {
        (scored.name, repr(scored.evaluation.metric)): (scored, signature)
        for scored, signature in zip(scored_systems, signatures, strict=True)
    }
    comparisons = []
    for metric in dict.fromkeys(metric for _, metric in by_key):
        first, _ = by_key[against, metric]
        for system in systems:
            if system != against:
                second, signature = by_key[system, metric]
                comparisons.append(compare_pair(first, second, signature=signature))
    return comparisons


def merged_tables(result: Merged, style: str = "text") -> list[Table]:
    """The tables of ``score`` and of ``compare``; programs that read one table get the scores."""
    scores = score_tables(Scores(scores=result.scores), style)
    if style in DELIMITED or not result.comparisons:
        return scores
    return [*scores, *comparison_tables(Comparisons(comparisons=result.comparisons), style)]
