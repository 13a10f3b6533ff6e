"""A passport as lines of JSON. They hold no text of the corpus, only hashes and statistics.

    {"schema": "gecval.passport/1", "gecval": "0.1.0", "sentences": 1312, "aggregate": "corpus", "resampling": {…}}
    {"system": "AMU", "metric": "m2", "output": "3f2a…", "score": 0.35, "parts": {…}, "interval": […], "signature": "…",
     "references": [2, 1, …], "columns": 3, "rows": [1.0, 0.0, …]}
    {"baseline": "AMU", "compared": "CAMB", "metric": "m2", "difference": 0.02, "interval": […], "p": …}

The first line says how everything was computed. Then comes a line for each score, with the array S: how many rows each
sentence has (null: one), and all rows, one after the other. Then come tests of every further system against the first.
The first line of a part of a corpus has ``"shard": [2, 8]``, the second of eight; a part has no intervals and tests.
A number is written so that reading it gives the same number again. So whoever computes a passport again from its rows
must get the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import System
from gecval.errors import InputError
from gecval.formats.files import parse_json, read_bytes
from gecval.metrics import metric as find_metric
from gecval.metrics import metric_names
from gecval.metrics.base import Array, Metric, Statistics
from gecval.metrics.evaluation import AGGREGATES, Aggregate, Evaluation, check_fit
from gecval.results.signature import Signature
from gecval.stats import Interval, Resampling, bootstrap_interval, paired_test
from gecval.stats.paired_tests import studentised_test
from gecval.stats.ranking import Contest
from gecval.stats.resampling import check_annotators, percentile_interval

SCHEMA = "gecval.passport/1"


@dataclass(frozen=True, kw_only=True)
class PassportEntry:
    """A score and what it is computed from. ``output`` is a hash of the hypotheses."""

    evaluation: Evaluation
    signature: str
    output: str

    @property
    def key(self) -> tuple[str, str]:
        return self.evaluation.system, repr(self.evaluation.metric)


def signature_fits(entry: PassportEntry, resampling: Resampling | None, made_by: str) -> bool:
    """Whether a signature names the metric with its parameters, the aggregate, the resampling and the version."""
    try:
        signature = Signature.parse(entry.signature)
    except InputError:
        return False
    evaluation = entry.evaluation
    return signature.names(evaluation.metric, evaluation.aggregate, resampling, made_by, sentences=len(evaluation))


def check_own_metric(metric: Metric) -> Metric:
    """Refuse metrics that name code or files: whoever verifies a passport may lack them, or should not run them."""
    if any(sign in repr(metric) for sign in ":/\\"):
        raise InputError(f"{metric!r} names code, a file or an address, so its scores can have no passport")
    return metric


@dataclass(frozen=True, kw_only=True, eq=False)
class ScoreStatistics:
    """What scores were computed from, metric after metric, and how: all that a file of them needs."""

    aggregate: Aggregate | Contest
    resampling: Resampling | None
    entries: tuple[PassportEntry, ...]

    def passport_lines(self) -> Iterator[str]:
        """The lines of a passport, or a refusal."""
        metrics = [entry.evaluation.metric for entry in self.entries]
        aggregate = check_passport(metrics, self.aggregate, self.resampling)
        return passport_lines(self.entries, aggregate=aggregate, resampling=self.resampling)

    def part_lines(self, shard: tuple[int, int], totals: Resampling | None) -> Iterator[str]:
        """The lines of a file for ``merge``, or a refusal."""
        metrics = [entry.evaluation.metric for entry in self.entries]
        resampled = self.resampling is not None
        aggregate = check_part(metrics, self.aggregate, shard=shard, resampled=resampled, totals=totals is not None)
        if totals is not None:
            return totals_lines(self.entries, shard=shard, resampling=totals)
        return passport_lines(self.entries, aggregate=aggregate, resampling=None, shard=shard)


def check_passport(
    metrics: Sequence[Metric], aggregate: Aggregate | Contest, resampling: Resampling | None
) -> Aggregate:
    """Refuse what can have no passport; return the aggregate of what can."""
    if aggregate != "corpus" and aggregate != "mean":
        raise InputError(f"{aggregate} has no passport: systems meet each other", parameter="passport")
    if resampling is not None and resampling.documents:
        raise InputError("a passport draws sentences, not documents", parameter=("passport", "documents"))
    if resampling is not None:
        check_annotators(resampling, "a passport")
    for metric in metrics:
        check_own_metric(metric)
    return aggregate


def check_part(
    metrics: Sequence[Metric],
    aggregate: Aggregate | Contest,
    *,
    shard: tuple[int, int],
    resampled: bool,
    totals: bool,
) -> Aggregate:
    """Refuse what cannot be computed from parts of a corpus; return the aggregate of what can."""
    if aggregate != "corpus" and aggregate != "mean":
        raise InputError(f"{aggregate} cannot be computed from parts: systems meet each other", parameter="save")
    number, count = shard
    if not 1 <= number <= count:
        raise InputError(f"there is no part {number} of {count}", parameter="shard")
    if resampled:
        raise InputError("a part has no interval: merging gives those of the whole", parameter="save")
    if totals and aggregate != "corpus":
        raise InputError("totals are those of corpus scores, not of means", parameter=("totals", "aggregate"))
    for metric in metrics:
        if metric.whole_corpus:
            raise InputError(f"{metric!r} cannot be computed from parts: {metric.whole_corpus}", parameter="save")
    return aggregate


def output_hash(system: System) -> str:
    digest = hashlib.sha256()
    for text in system.hypotheses:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()[:16]


def passport_lines(
    entries: Sequence[PassportEntry],
    *,
    aggregate: Aggregate,
    resampling: Resampling | None,
    made_by: str | None = None,
    shard: tuple[int, int] | None = None,
) -> Iterator[str]:
    """The lines of a passport, computed from the statistics. ``made_by`` is the version that it names."""
    how = None if resampling is None else asdict(resampling)
    if how is not None:
        how = {name: value for name, value in how.items() if name not in ("_", "documents")}
    sentences = len(entries[0].evaluation)
    head = {"schema": SCHEMA, "gecval": made_by or version("gecval"), "sentences": sentences}
    part = {} if shard is None else {"shard": list(shard)}
    yield json_line({**head, **part, "aggregate": aggregate, "resampling": how})
    for entry in entries:
        yield json_line(score_object(entry, resampling))
    yield from map(json_line, _tests(entries, resampling))


def score_object(entry: PassportEntry, resampling: Resampling | None) -> Mapping[str, Any]:
    """A score, its interval, and the array S from which both can be computed again."""
    evaluation, statistics = entry.evaluation, entry.evaluation.statistics
    counts = np.diff(statistics.offsets)
    return {
        "system": evaluation.system,
        "metric": repr(evaluation.metric),
        "output": entry.output,
        "score": evaluation.score(),
        "parts": {name: float(value) for name, value in evaluation.parts().items()},
        "interval": list(bootstrap_interval(evaluation, resampling)) if resampling else None,
        "signature": entry.signature,
        "references": None if (counts == 1).all() else counts.tolist(),
        "columns": statistics.rows.shape[1],
        "rows": statistics.rows.astype(np.float64).ravel().tolist(),
    }


def _tests(entries: Sequence[PassportEntry], resampling: Resampling | None) -> Iterator[Mapping[str, Any]]:
    if resampling is None:
        return
    first = entries[0].evaluation.system
    baselines = {entry.key[1]: entry.evaluation for entry in entries if entry.evaluation.system == first}
    for entry in entries:
        if entry.evaluation.system == first:
            continue
        a, b = baselines[entry.key[1]], entry.evaluation
        test = paired_test(a, b, a.concatenate(b), resampling)
        yield {
            "baseline": first,
            "compared": b.system,
            "metric": entry.key[1],
            "difference": test.difference,
            "interval": list(test.interval),
            "p": studentised_test(a, b, resampling),
        }


def read_statistics(
    rows: Iterable[float], columns: int, references: Sequence[int] | None, sentences: int
) -> Statistics:
    """The array S that a line of a passport holds."""
    array = np.array(list(rows), dtype=np.float64).reshape(-1, columns)
    counts = np.ones(sentences, dtype=np.int64) if references is None else np.array(references, dtype=np.int64)
    return Statistics(array, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def json_line(content: Mapping[str, Any]) -> str:
    """A line of a passport."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False)


# Reading a passport that may come from anybody: every value is checked, and nothing in it is run.


MAX_BYTES = 500_000_000
MAX_RESAMPLES = 100_000
MAX_DRAWS = 10_000  # of references, as GLEU draws them
MAX_COLUMNS = 1000
MAX_SHARDS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Totals:
    """How a part without rows was resampled, how many sentences it has, and the sums for each score, [resample, k]."""

    resamples: int
    seed: int
    sentences: int
    documents: int | None = None
    borders: str | None = None
    sums: tuple[NDArray[np.float64], ...]

    def signature(self, level: float) -> str:
        """How an interval is computed from the sums, as fields of a signature."""
        drawn = "" if self.documents is None else f"|documents:{self.documents}|borders:{self.borders}"
        return f"poisson:{level}|resamples:{self.resamples}|seed:{self.seed}{drawn}"


@dataclass(frozen=True, kw_only=True)
class Passport:
    """What a passport says, and its lines as they stand in the file."""

    made_by: str
    aggregate: Aggregate
    resampling: Resampling | None
    entries: tuple[PassportEntry, ...]
    lines: tuple[str, ...]
    shard: tuple[int, int] | None = None  # which part of how many
    totals: Totals | None = None  # of a part that keeps no rows


def read_passport(path: Path, *, vouched: Mapping[str, Metric] | None = None) -> Passport:
    """Read a passport, or refuse it in one line.

    ``vouched`` are metrics that the reader names himself, by their spelling: these may be code or files of his own.
    """
    if path.stat().st_size > MAX_BYTES:
        raise InputError(f"{path}: a passport has up to {MAX_BYTES:,} bytes")
    try:
        lines = read_bytes(path).decode("utf-8").removesuffix("\n").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{path} is no passport: it is not UTF-8") from None
    objects = [_object(path, number, line) for number, line in enumerate(lines, start=1)]
    try:
        return _passport(objects, lines, vouched or {})
    except InputError as error:
        raise InputError(f"{path} is no passport that can be verified: {error}") from None
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise InputError(f"{path} is no passport: {type(error).__name__} {str(error)[:80]}") from None


def _object(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        value = parse_json(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise InputError(f"{path}: line {number} is no JSON object, so this is no passport")
    return value


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _passport(objects: list[dict[str, Any]], lines: list[str], vouched: Mapping[str, Metric]) -> Passport:
    head, *others = objects
    if head.get("schema") != SCHEMA:
        raise InputError(f"its first line does not name {SCHEMA}")
    aggregate, sentences = head["aggregate"], _check_whole_number(head["sentences"], 1, 100_000_000)
    if aggregate not in AGGREGATES:
        raise InputError(f"aggregate is {' or '.join(AGGREGATES)}")
    entries = tuple(_entries(others, sentences, aggregate, vouched=vouched))
    keys = [entry.key for entry in entries]
    systems, metrics = dict.fromkeys(key[0] for key in keys), dict.fromkeys(key[1] for key in keys)
    if not keys or len(set(keys)) < len(keys) or len(keys) != len(systems) * len(metrics):
        raise InputError("every system needs one score under every metric")
    return Passport(
        made_by=_text(head["gecval"]),
        aggregate=aggregate,
        resampling=None if head["resampling"] is None else _resampling(head["resampling"]),
        entries=entries,
        lines=tuple(lines),
        shard=_shard(head["shard"]) if "shard" in head else None,
        totals=_totals(head["totals"], others, entries) if "totals" in head else None,
    )


def _totals(given: dict[str, Any], objects: list[dict[str, Any]], entries: tuple[PassportEntry, ...]) -> Totals:
    resamples = _check_whole_number(given["resamples"], 2, MAX_RESAMPLES)
    sums = []
    for of_score, entry in zip(objects, entries, strict=True):
        array = np.array(of_score["resampled"], dtype=np.float64)
        if array.shape != (resamples, entry.evaluation.statistics.rows.shape[1]) or not np.isfinite(array).all():
            raise InputError("the sums of resamples do not fit")
        sums.append(array)
    seed, sentences = _check_whole_number(given["seed"], 0, 2**63), _check_whole_number(given["sentences"], 1, 10**12)
    documents, borders = given.get("documents"), given.get("borders")
    if documents is not None:
        documents, borders = _check_whole_number(documents, 2, sentences), _text(borders)
    return Totals(
        resamples=resamples, seed=seed, sentences=sentences, documents=documents, borders=borders, sums=tuple(sums)
    )


def _shard(given: Any) -> tuple[int, int]:
    number, count = given
    return _check_whole_number(number, 1, _check_whole_number(count, 1, MAX_SHARDS)), count


def _resampling(given: dict[str, Any]) -> Resampling:
    return Resampling(
        _check_whole_number(given["resamples"], 2, MAX_RESAMPLES),
        level=float(given["level"]),
        method=_text(given["method"]),
        seed=_check_whole_number(given["seed"], 0, 2**63),
        jackknife_blocks=_check_whole_number(given["jackknife_blocks"], 2, 100_000),
        flips=_check_whole_number(given.get("flips", Resampling.flips), 1, MAX_RESAMPLES),
    )


def _entries(
    objects: list[dict[str, Any]], sentences: int, aggregate: Aggregate, *, vouched: Mapping[str, Metric]
) -> Iterator[PassportEntry]:
    for given in objects:
        if "rows" in given:  # a test is computed again
            yield read_entry(given, sentences, aggregate, vouched=vouched)


def read_entry(
    given: dict[str, Any], sentences: int, aggregate: Aggregate, *, vouched: Mapping[str, Metric] | None = None
) -> PassportEntry:
    """A score with its statistics, every value of it checked."""
    spelling, rows, references = _text(given["metric"]), given["rows"], given["references"]
    scored = (vouched or {}).get(spelling) or _own_metric(spelling)
    if getattr(scored, "iterations", 0) > MAX_DRAWS:
        raise InputError(f"{spelling[:60]!r} draws more than {MAX_DRAWS:,} references")
    columns = _check_whole_number(given["columns"], 1, MAX_COLUMNS)
    counts = [1] * sentences if references is None else [_check_whole_number(count, 1, 100_000) for count in references]
    if len(counts) != sentences or not isinstance(rows, list) or len(rows) != columns * sum(counts):
        raise InputError("the number of rows is not what its sentences and references need")
    if not all(isinstance(value, float) and isfinite(value) for value in rows):
        raise InputError("rows hold something that is no number")
    statistics = read_statistics(rows, columns, None if references is None else counts, sentences)
    check_fit(statistics, scored, sentences)
    evaluation = Evaluation(scored, statistics, aggregate=aggregate, system=_text(given["system"]))
    return PassportEntry(evaluation=evaluation, signature=_text(given["signature"]), output=_text(given["output"]))


def _own_metric(spelling: str) -> Metric:
    if spelling.partition("(")[0].strip() not in metric_names() or any(sign in spelling for sign in ":/\\"):
        raise InputError(f"{spelling[:60]!r} is no metric of gecval's own")
    return check_own_metric(find_metric(spelling))


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > 100_000:
        raise InputError("a text is missing or too long")
    return value


def _check_whole_number(value: Any, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not low <= value <= high:
        raise InputError(f"a whole number from {low:,} to {high:,} is missing")
    return int(value)


# Parts of a corpus too large for its rows to be gathered: their sums, and the sums of Poisson resamples.
#
#     part ──► Σ rows, and Σ wᵢᵦ·rowᵢ for b = 1 … B, with wᵢᵦ ~ Poisson(1) ──► add up over parts ──► score and interval
#
# In a bootstrap resample a sentence counts Binomial(n, 1/n) times, which is nearly Poisson(1) where n is large. Poisson
# weights are independent, so no part needs to know the others (Chamandy et al. 2012). The interval is a percentile
# interval. A file has the size of B rows, however many sentences there are. Where documents are drawn, all sentences of
# one have the same weight; so no part may cut a document.
#
# This needs one row for each sentence, whatever the others: all metrics with single references, and those that pool
# references or take the best of each sentence. Where statistics are counts, the score is that of the whole, bit for
# bit; sums of fractions differ in the last bits.


AT_ONCE = 4_000_000  # weights that are drawn together: 32 MB


def totals_lines(entries: Sequence[PassportEntry], *, shard: tuple[int, int], resampling: Resampling) -> Iterator[str]:
    """A file as a passport has it, in which the whole part is one sentence, with the sums of resamples too."""
    size = len(entries[0].evaluation)
    how: dict[str, Any] = {"resamples": resampling.resamples, "seed": resampling.seed, "sentences": size}
    if resampling.documents is not None:
        how |= {"documents": len(resampling.documents), "borders": resampling.borders()}
    head = {"schema": SCHEMA, "gecval": version("gecval"), "sentences": 1, "shard": list(shard), "totals": how}
    yield json_line({**head, "aggregate": "corpus", "resampling": None})
    for entry in entries:
        rows = independent_rows(entry.evaluation)
        summed = Statistics.one_per_sentence(rows.sum(axis=0, keepdims=True))
        alone = replace(entry, evaluation=Evaluation(entry.evaluation.metric, summed, system=entry.evaluation.system))
        resampled = poisson_totals(rows, resampling, part=shard[0])
        yield json_line({**score_object(alone, None), "resampled": resampled.tolist()})


def independent_rows(evaluation: Evaluation) -> Array:
    """The row of each sentence, where the other sentences have no say in it."""
    metric, statistics, rule = evaluation.metric, evaluation.statistics, evaluation.metric.rule
    if len(statistics.rows) == len(statistics):
        return statistics.rows
    rows = rule.sentence_rows(metric, statistics) if rule.fixed_row else None
    if rows is not None:
        return rows
    raise InputError(
        f"{metric!r} with several references has no totals of a part: other sentences or places have a say in which "
        "reference counts; keep all rows",
        parameter="totals",
    )


def poisson_totals(rows: Array, resampling: Resampling, *, part: int) -> Array:
    """The sum of the rows under each resample's weights. They depend on the seed and the part alone.

    Sentences of one document have one weight.
    """
    if resampling.documents is not None:
        resampling.check_documents(len(rows))
        rows = np.add.reduceat(rows, resampling.documents)
    rng = np.random.default_rng([resampling.seed, part])
    totals = np.zeros((resampling.resamples, rows.shape[1]))
    step = max(1, AT_ONCE // resampling.resamples)
    for first in range(0, len(rows), step):
        some = rows[first : first + step]
        totals += rng.poisson(1.0, size=(resampling.resamples, len(some))).astype(np.float64) @ some
    return totals


def poisson_interval(evaluation: Evaluation, resampled: Array, level: float) -> Interval:
    with np.errstate(all="ignore"):
        return percentile_interval(evaluation.metric.score(resampled), level)
