"""A passport as lines of JSON. They hold no text of the corpus, only hashes and statistics.

    {"schema": "gecval.passport/1", "gecval": "0.1.0", "sentences": 1312, "aggregate": "corpus", "resampling": {…}}
    {"system": "AMU", "metric": "m2", "output": "3f2a…", "score": 0.35, "parts": {…}, "interval": […], "signature": "…",
     "references": [2, 1, …], "columns": 3, "rows": [1.0, 0.0, …]}
    {"baseline": "AMU", "compared": "CAMB", "metric": "m2", "difference": 0.02, "interval": […], "p_bootstrap": …, …}

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
from dataclasses import asdict, dataclass
from importlib.metadata import version
from typing import Any

import numpy as np

from gecval.corpus import System
from gecval.errors import InputError
from gecval.metrics.base import Metric, Statistics
from gecval.metrics.evaluation import AGGREGATES, Aggregate, Evaluation
from gecval.stats import Resampling, bootstrap_interval, paired_test
from gecval.studies.scores.signature import FINDERS

SCHEMA = "gecval.passport/1"


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A score and what it is computed from. ``output`` is a hash of the hypotheses."""

    evaluation: Evaluation
    signature: str
    output: str

    @property
    def key(self) -> tuple[str, str]:
        return self.evaluation.system, repr(self.evaluation.metric)


def signature_fits(entry: Entry, resampling: Resampling | None, made_by: str) -> bool:
    """Whether a signature names the metric with its parameters, the aggregate, the resampling and the version."""
    metric = entry.evaluation.metric
    # Where outputs came with their edits, nobody found them.
    idle = FINDERS if "|hypotheses:given|" in entry.signature else ()
    parameters = [(name, f"{name}:{value}") for name, value in metric.parameters().items()]
    firsts = {
        "|".join([metric.name, *(field for name, field in parameters if name not in left_out)])
        for left_out in ((), idle)
    }
    last = "|".join([*([resampling.signature()] if resampling else []), f"gecval:{made_by}"])
    signed = f"{entry.signature}|"
    return (
        any(signed.startswith(f"{first}|") for first in firsts)
        and signed.endswith(f"|{last}|")
        and f"|aggregate:{entry.evaluation.aggregate}|" in signed
    )


def own_metric(metric: Metric) -> Metric:
    """Refuse metrics that name code or files: whoever verifies a passport may lack them, or should not run them."""
    if any(sign in repr(metric) for sign in ":/\\"):
        raise InputError(f"{metric!r} names code, a file or an address, so its scores can have no passport")
    return metric


def check_part(metrics: Sequence[Metric], aggregate: str, *, shard: tuple[int, int], resampled: bool) -> None:
    """Refuse what cannot be computed from parts of a corpus."""
    if aggregate not in AGGREGATES:
        raise InputError(f"{aggregate} cannot be computed from parts: systems meet each other", parameter="save")
    number, count = shard
    if not 1 <= number <= count:
        raise InputError(f"there is no part {number} of {count}", parameter="shard")
    if resampled:
        raise InputError("a part has no interval: merging gives those of the whole", parameter="save")
    for metric in metrics:
        if metric.whole_corpus:
            raise InputError(f"{metric!r} cannot be computed from parts: {metric.whole_corpus}", parameter="save")


def output_hash(system: System) -> str:
    digest = hashlib.sha256()
    for text in system.hypotheses:
        digest.update(text.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()[:16]


def passport_lines(
    entries: Sequence[Entry],
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


def score_object(entry: Entry, resampling: Resampling | None) -> Mapping[str, Any]:
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


def _tests(entries: Sequence[Entry], resampling: Resampling | None) -> Iterator[Mapping[str, Any]]:
    if resampling is None:
        return
    first = entries[0].evaluation.system
    baselines = {entry.key[1]: entry.evaluation for entry in entries if entry.evaluation.system == first}
    for entry in entries:
        if entry.evaluation.system == first:
            continue
        a, b = baselines[entry.key[1]], entry.evaluation
        test = paired_test(a, b, a.beside(b), resampling)
        yield {
            "baseline": first,
            "compared": b.system,
            "metric": entry.key[1],
            "difference": test.difference,
            "interval": list(test.interval),
            "p_bootstrap": test.bootstrap_p,
            "p_randomisation": test.randomisation_p,
        }


def statistics_of(rows: Iterable[float], columns: int, references: Sequence[int] | None, sentences: int) -> Statistics:
    """The array S that a line of a passport holds."""
    array = np.array(list(rows), dtype=np.float64).reshape(-1, columns)
    counts = np.ones(sentences, dtype=np.int64) if references is None else np.array(references, dtype=np.int64)
    return Statistics(array, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64))


def json_line(content: Mapping[str, Any]) -> str:
    """A line of a passport."""
    return json.dumps(content, ensure_ascii=False, allow_nan=False)
