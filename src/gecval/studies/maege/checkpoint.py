"""Finished replicates on disk: one line {"replicate": number, "metrics": {name: result}} each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gecval.result import plain
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
        return {"replicate": item, "metrics": plain(answer)}

    def read(self, line: Any) -> tuple[int, Results]:
        """A replicate with its number, checked."""
        if not isinstance(line, dict) or set(line) != {"replicate", "metrics"}:
            raise ValueError("it is not an object of replicate, metrics")
        return decode(int, line["replicate"], "replicate"), self.results(line["metrics"], "metrics")

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
