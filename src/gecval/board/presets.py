"""Benchmarks that a paper used, from data sets that are at hand.

``no-comparison`` is the board of Napoles, Sakaguchi & Tetreault (2016): CoNLL-2014 with twenty references, means of
sentence scores, GLEU, M², I-measure, LT, and the hybrids λ·R + (1 − λ)·LT with the λ of the paper's Table 2 (for ρ).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from gecval.board.benchmarks import Data, GivenFile
from gecval.formats.datasets import dataset_file
from gecval.studies.reproduce.conll14 import SAKAGUCHI

REFERENCE_BASED = {"gleu": 0.04, "m2": 0.0, "imeasure(mix=False)": 0.01}  # and their λ beside LT


@dataclass(frozen=True)
class Preset:
    about: str
    data: Callable[[], Data]


def no_comparison() -> Data:
    references = [dataset_file("conll14", f"official-2014.{annotator}.m2") for annotator in (0, 1)]
    references += [dataset_file("bryant-ng-2015", f"A{annotator}.m2") for annotator in range(1, 11)]
    references += [dataset_file("sakaguchi-2016", name) for name in SAKAGUCHI]
    hybrids = [f"interpolated({based}, lt, {weight})" for based, weight in REFERENCE_BASED.items()]
    return Data(
        source=_given(dataset_file("conll14", "source.txt")),
        references=[_given(path) for path in references],
        metrics=[*REFERENCE_BASED, "lt", *hybrids],
        aggregate="mean",
        missing="unchanged",
        language="en",
        edits="plain",
    )


def _given(path: Path) -> GivenFile:
    return GivenFile(name=path.name, content=path.read_bytes())


PRESETS = {
    "no-comparison": Preset(
        "the 2016 board: CoNLL-2014, 20 references, GLEU, M², I-measure, LT, hybrids", no_comparison
    )
}
