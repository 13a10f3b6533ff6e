"""Parts of a corpus that were scored apart, as one: scores, intervals and tests of the whole, bit for bit.

    S[sentence, reference, k] of part 1 … n ──► one S, in the order of the parts ──► everything that S gives

Parts that keep sums only (``totals.py``) give scores and intervals, without gathering rows.

The order counts: the rule ``running-best`` looks at the sentences before, GLEU draws references by their place, and
resamples are drawn by place. So each part says which one it is, and none may lack.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np

from gecval.errors import InputError
from gecval.metrics.base import Statistics
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.result import Result
from gecval.stats import Resampling, bootstrap_interval
from gecval.stats.multiple import Correction
from gecval.studies.inputs import Metrics, given_jobs, given_metrics
from gecval.studies.passport.lines import Entry
from gecval.studies.passport.reading import Passport, read_passport
from gecval.studies.passport.totals import poisson_interval
from gecval.studies.scores.pairs import Contender, compared, correction_notes, with_correction
from gecval.studies.scores.results import Comparison, Score

# Fields of a signature that hash the data, and so differ between parts.
DATA = ("source:", "references:", "pool-hash:")


@dataclass(frozen=True, kw_only=True, repr=False)
class Merged(Result):
    """The scores of the whole, and every further system against the first, or the named baseline."""

    kind: ClassVar[str] = "merged"
    main: ClassVar[str] = "scores"

    shards: int
    sentences: int
    scores: tuple[Score, ...]
    comparisons: tuple[Comparison, ...]


def merge(
    paths: Sequence[str | Path],
    *,
    resampling: Resampling | None = None,
    baseline: str | None = None,
    correction: Correction = "none",
    metrics: Metrics = (),
    jobs: int | None = None,
) -> Merged:
    """Scores, intervals and tests of a corpus from files that ``score(…, save=…, shard=…)`` wrote for its parts.

    Parameters
    ----------
    paths
        The files of all parts, in any order.
    resampling
        Gives intervals, and tests of all systems against the ``baseline``, by default the first system.
    correction
        Corrects the p-values for how many systems are tested: ``holm`` or ``bh``.
    metrics
        Metrics of the parts that name code, files or addresses: a file of statistics alone may not load them.
    """
    vouched = {repr(metric): metric for metric in given_metrics(metrics, least=0)}
    parts = _in_order([(Path(path), read_passport(Path(path), vouched=vouched)) for path in paths])
    if parts[0][1].totals is not None:
        return _merged_totals(parts, resampling)
    named = {entry.key[1] for entry in parts[0][1].entries}
    for spelling in vouched:
        if spelling not in named:
            raise InputError(f"no part has {spelling}", parameter="metrics")
    entries = [_whole(parts, i, jobs=given_jobs(jobs)) for i in range(len(parts[0][1].entries))]
    sentences = len(entries[0].evaluation)
    resampling = resampling if sentences > 1 else None
    contenders = [Contender(entry.evaluation, resampling) for entry in entries]
    scores = [_score(contender, entry.signature) for contender, entry in zip(contenders, entries, strict=True)]
    comparisons = _comparisons(contenders, entries, baseline) if resampling else []
    return Merged(
        shards=len(parts),
        sentences=sentences,
        scores=_by_system(scores),
        comparisons=with_correction(comparisons, correction),
        notes=tuple(correction_notes(comparisons, correction, resampling)) if resampling else (),
    )


def _merged_totals(parts: Sequence[tuple[Path, Passport]], resampling: Resampling | None) -> Merged:
    """Parts without rows: each is like one sentence, and their resamples add up."""
    totals = [passport.totals for _, passport in parts]
    scores = []
    for i in range(len(parts[0][1].entries)):
        entry = _whole(parts, i, jobs=1)
        score = _score(Contender(entry.evaluation, None), entry.signature)
        if resampling:
            sums = np.sum([of_part.sums[i] for of_part in totals if of_part], axis=0)
            how = f"poisson:{resampling.level}|resamples:{len(sums)}|seed:{totals[0].seed if totals[0] else 0}"
            interval = poisson_interval(entry.evaluation, sums, resampling.level)
            signature = _before_version(entry.signature, how)
            score = replace(score, interval=interval, level=resampling.level, signature=signature)
        scores.append(score)
    return Merged(
        shards=len(parts),
        sentences=sum(of_part.sentences for of_part in totals if of_part),
        scores=_by_system(scores),
        comparisons=(),
        notes=("the parts keep totals, so intervals are those of the Poisson bootstrap, and there are no tests",),
    )


def _by_system(scores: Sequence[Score]) -> tuple[Score, ...]:
    """System after system, as ``score`` lists them."""
    by_key = {(score.system, score.metric): score for score in scores}
    systems, metrics = (dict.fromkeys(key[which] for key in by_key) for which in (0, 1))
    return tuple(by_key[system, metric] for system in systems for metric in metrics)


def _in_order(files: Sequence[tuple[Path, Passport]]) -> list[tuple[Path, Passport]]:
    """The parts from the first to the last; a part that lacks, stands twice or does not fit is refused."""
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
    lacking = [number for number in range(1, count + 1) if number not in places]
    if lacking:
        listed = ", ".join(map(str, lacking[:5])) + (", ..." if len(lacking) > 5 else "")
        raise InputError(f"part {listed} of {count} {'is' if len(lacking) == 1 else 'are'} missing")
    ordered = sorted(files, key=lambda file: file[1].shard or (1, 1))
    _check_distinct(ordered)
    return ordered


def _check_same(first: tuple[Path, Passport], other: tuple[Path, Passport]) -> None:
    """Refuse parts that were not scored in the same way."""
    resampled = [of and (of.resamples, of.seed) for of in (first[1].totals, other[1].totals)]
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
        fields = [[_without_data(field) for field in entry.signature.split("|")] for entry in (a, b)]
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
        sources = [field for field in passport.entries[0].signature.split("|") if field.startswith("source:")]
        data = (*sources, *(entry.output for entry in passport.entries))
        if data in seen:
            raise InputError(f"{seen[data]} and {path} hold the same sentences, under two numbers")
        seen[data] = path


def _without_data(field: str) -> str:
    """The field; of one that says what the data are, its name alone."""
    if re.fullmatch(r"refs:\d{1,9}(-\d{1,9})?", field) or field.startswith(DATA):
        return field.partition(":")[0]
    return field


def _whole(parts: Sequence[tuple[Path, Passport]], i: int, *, jobs: int) -> Entry:
    """The i-th score of the whole, with all its rows."""
    entries = [passport.entries[i] for _, passport in parts]
    counts = [np.diff(entry.evaluation.statistics.offsets) for entry in entries]
    statistics = Statistics(
        np.concatenate([entry.evaluation.statistics.rows for entry in entries]),
        np.concatenate([[0], np.cumsum(np.concatenate(counts))]).astype(np.int64),
    )
    first = entries[0].evaluation
    aggregate: Aggregate = first.aggregate
    whole = Evaluation(first.metric, statistics, aggregate=aggregate, jobs=jobs, system=first.system)
    signature = _signature([entry.signature for entry in entries])
    return Entry(evaluation=whole, signature=signature, output="")  # it is that of no single file


def _signature(signatures: Sequence[str]) -> str:
    """What all parts share, with a hash of the parts' hashes. It says so: the whole's own hash would be another."""
    if len(signatures) == 1:
        return signatures[0]
    merged = []
    for fields in zip(*(signature.split("|") for signature in signatures), strict=True):
        name = fields[0].partition(":")[0]
        if fields[0].startswith(DATA):
            merged.append(f"{name}:{len(fields)}-parts-{_digest(fields)}")
        elif name == "refs":
            counts = [int(count) for field in fields for count in field.partition(":")[2].split("-")]
            low, high = min(counts), max(counts)
            merged.append(f"refs:{low}" if low == high else f"refs:{low}-{high}")
        else:
            merged.append(fields[0])
    return "|".join(merged)


def _digest(texts: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:8]


def _score(contender: Contender, signature: str) -> Score:
    evaluation, resampling = contender.evaluation, contender.resampling
    return Score(
        system=evaluation.system,
        metric=repr(evaluation.metric),
        score=contender.score,
        parts=evaluation.parts(),
        interval=bootstrap_interval(evaluation, resampling, resampled=contender.resampled) if resampling else None,
        level=resampling.level if resampling else None,
        signature=signature if resampling is None else _resampled(signature, resampling),
        higher_is_better=evaluation.metric.higher_is_better,
    )


def _resampled(signature: str, resampling: Resampling) -> str:
    return _before_version(signature, resampling.signature())


def _before_version(signature: str, how: str) -> str:
    """The signature with how it was resampled, where a score's signature has it."""
    before, _, made_by = signature.rpartition("|")
    return f"{before}|{how}|{made_by}"


def _comparisons(contenders: Sequence[Contender], entries: Sequence[Entry], baseline: str | None) -> list[Comparison]:
    """Every other system against the baseline, metric after metric."""
    systems = list(dict.fromkeys(contender.name for contender in contenders))
    against = systems[0] if baseline is None else baseline
    if against not in systems:
        raise InputError(f"there is no system {against!r}; there are {', '.join(systems)}", parameter="baseline")
    by_key = {entry.key: (contender, entry) for contender, entry in zip(contenders, entries, strict=True)}
    comparisons = []
    for metric in dict.fromkeys(metric for _, metric in by_key):
        first, _ = by_key[against, metric]
        for system in systems:
            if system == against:
                continue
            second, entry = by_key[system, metric]
            assert second.resampling is not None
            signed = _resampled(entry.signature, second.resampling)
            comparisons.append(compared(first, second, signature=signed))
    return comparisons
