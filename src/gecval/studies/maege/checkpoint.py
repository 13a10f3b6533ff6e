"""Finished replicates on disk: one line {"replicate": number, "metrics": {name: result}, "digest": …} each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gecval.result import plain
from gecval.studies.checkpoint import line_digest
from gecval.studies.decoding import decode
from gecval.studies.maege.levels import MetricResult

Results = dict[str, MetricResult]


@dataclass(frozen=True, kw_only=True)
class ReplicateForm:
    """Replicates of these metrics, over corpora of these models."""

    metrics: Sequence[str]
    models: Sequence[float]
    what: str = "replicate"

    def line(self, item: int, answer: Results) -> dict[str, Any]:
        metrics = plain(answer)
        return {"replicate": item, "metrics": metrics, "digest": line_digest(item, metrics)}

    def read(self, line: Any) -> tuple[int, Results]:
        """A replicate with its number, checked."""
        if not isinstance(line, dict) or set(line) != {"replicate", "metrics", "digest"}:
            raise ValueError("it is not an object of replicate, metrics, digest")
        number, results = decode(int, line["replicate"], "replicate"), self.results(line["metrics"], "metrics")
        if line["digest"] != line_digest(line["replicate"], line["metrics"]):
            raise ValueError("somebody changed it")
        return number, results

    def results(self, value: Any, where: str) -> Results:
        """The results of one replicate, checked."""
        results: Results = decode(Results, value, where)
        if set(results) != set(self.metrics):
            raise ValueError(f"its metrics are not {', '.join(self.metrics)}")
        types = set(results[self.metrics[0]].types)
        for metric, result in results.items():
            if len(result.corpus.scores) != len(self.models):
                raise ValueError(f"{metric} has {len(result.corpus.scores)} corpora, not {len(self.models)}")
            if not result.sentence.counts.pairs:
                raise ValueError(f"{metric} has no pairs")
            if set(result.types) != types or not all(kind.edits for kind in result.types.values()):
                raise ValueError(f"the types of edits of {metric} are not those of the other metrics")
        return results
