"""Finished replicates on disk, so that a long study can be interrupted: one JSON line each, after one for the study."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gecval.errors import InputError
from gecval.stats import Interval
from gecval.stats.correlation import Correlation
from gecval.studies.maege.levels import CorpusLevel, MetricResult, Originals, PairCounts, Sensitivity, SentenceLevel


class Checkpoint:
    """Replicates by number. Without a path nothing is kept."""

    def __init__(self, path: Path | None, signature: str) -> None:
        self._path = path
        self._known: dict[int, dict[str, MetricResult]] = {}
        if path is None:
            return
        if not path.exists():
            self._append({"study": signature})
            return
        try:
            header, *lines = path.read_text(encoding="utf-8").splitlines()
            if json.loads(header)["study"] != signature:
                raise InputError(f"{path} belongs to a study with other settings, metrics or data; choose another file")
            for line in lines:
                self._read(line)
        except (ValueError, KeyError, OSError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(f"{path} is no checkpoint of gecval maege: {error}") from None

    def _read(self, line: str) -> None:
        try:
            item = json.loads(line)
        except json.JSONDecodeError:
            return  # the line that an interrupt cut short
        self._known[item["replicate"]] = {name: _result(one) for name, one in item["metrics"].items()}

    def get(self, number: int) -> dict[str, MetricResult] | None:
        return self._known.get(number)

    def add(self, number: int, results: dict[str, MetricResult]) -> None:
        if self._path is not None:
            self._append({"replicate": number, "metrics": {name: asdict(one) for name, one in results.items()}})

    def _append(self, item: dict[str, Any]) -> None:
        assert self._path is not None
        try:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(item) + "\n")
        except OSError as error:
            raise InputError(f"cannot write {self._path}: {error.strerror}") from None


def _result(item: dict[str, Any]) -> MetricResult:
    sentence, corpus = item["sentence"], item["corpus"]
    return MetricResult(
        SentenceLevel(PairCounts(**sentence["counts"]), _correlation(sentence["pearson"])),
        CorpusLevel(tuple(corpus["scores"]), _correlation(corpus["spearman"]), _correlation(corpus["pearson"])),
        {kind: Sensitivity(**one) for kind, one in item["types"].items()},
        tuple(Originals(**one) for one in item["originals"]),
    )


def _correlation(item: dict[str, Any]) -> Correlation:
    return Correlation(item["value"], item["p"], Interval(*item["interval"]), item["n"])
