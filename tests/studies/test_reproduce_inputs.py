"""What a reproduction hands to the study behind it, which is replaced by one that looks at its arguments and stops."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pytest

from gecval import Corpus, Metric
from gecval.metrics.base import Array
from gecval.progress import silent
from gecval.studies.reproduce import maege, no_comparison


class SeenError(Exception):
    """The study was called, and its arguments are right."""


@pytest.mark.usefixtures("data")
def test_lattices_are_of_the_official_annotators_and_references_of_eight_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def study(gold: Corpus, references: Corpus, metrics: Sequence[Metric], **options: object) -> None:
        assert gold.sources == references.sources
        assert (gold.reference_count, references.reference_count) == ("1-2", "8")
        assert gold.has_edits()
        assert {metric.name for metric in metrics} >= {"m2", "gleu", "sari"}
        raise SeenError

    monkeypatch.setattr(maege, "maege", study)
    with pytest.raises(SeenError):
        maege.parts()["random source"](silent)


@pytest.mark.usefixtures("data")
def test_people_come_before_the_means_of_metrics(monkeypatch: pytest.MonkeyPatch) -> None:
    def table(people: Array, means: Mapping[str, Array], notes: Sequence[str]) -> None:
        assert people.shape == (13,)
        assert np.all(np.diff(np.sort(people)) > 0)
        assert means == {}
        assert notes == ["none at hand", "no model"]
        raise SeenError

    monkeypatch.setattr(no_comparison, "evaluate", lambda labels, corpus, outputs, **_: ({}, ["none at hand"]))
    quick = partial(no_comparison.rank, method="expected-wins")
    monkeypatch.setattr(no_comparison, "rank", lambda judged, method, ranker, **options: quick(judged, ranker=ranker))
    monkeypatch.setattr(no_comparison, "lfm_or_reason", lambda progress: (None, ["no model"]))
    monkeypatch.setattr(no_comparison, "_table_1", table)
    with pytest.raises(SeenError):
        no_comparison.run(silent)
