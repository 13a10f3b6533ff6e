"""Sentence scores that were made elsewhere: by a model on another machine, by a service, by another tool.

    scores/AMU.txt, scores/CAMB.txt, …      one number a line, as many lines as sentences

``path`` names the files: ``{system}`` stands for the name of a system, or the path is a folder with a file for each.
Where one system is scored, the path of its file will do. The corpus score is the mean of the sentence scores. ``label``
is what tables call the metric. ``lower_is_better`` turns its direction, as for a perplexity.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError, shorten
from gecval.formats.files import read_lines, readable
from gecval.formats.outputs import system_name
from gecval.metrics.base import AveragedMetric, Need, Statistics, check_flag, check_text, with_count
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.runtime.run import SERIAL, Run

PLACE = "{system}"


@dataclass(frozen=True, repr=False)
class FromFile(AveragedMetric):
    name: ClassVar[str] = "from-file"
    title: ClassVar[str] = "From file"
    summary: ClassVar[str] = "sentence scores made elsewhere, read from files"
    paper: ClassVar[str] = "any"
    needs: ClassVar[Need | None] = None
    rule: ClassVar[ReferenceRule] = Pooled()

    path: str = ""
    label: str = ""
    lower_is_better: bool = False

    def __post_init__(self) -> None:
        check_text(self.name, path=self.path, label=self.label)
        check_flag(self.name, lower_is_better=self.lower_is_better)

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return not self.lower_is_better

    @property
    def whole_corpus(self) -> str | None:
        return "its files hold the scores of one corpus"

    def check(self, corpus: Corpus) -> None:
        super().check(corpus)
        if not self.path:
            raise InputError(f'{self.name} needs files of scores: {self.name}(path="scores/{PLACE}.txt")')

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Refuse files that do not fit before anything slow begins."""
        self.check(corpus)
        files = {self._file(system.name) for system in systems}
        if len(files) < len(systems):
            raise InputError(
                f"{self.path} is one file, and there are {len(systems)} systems: name a folder, or write {PLACE} into "
                "the path where the name of a system stands"
            )
        for system in systems:
            self.statistics(corpus, system)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        self.check(corpus)
        scores = read_scores(self._file(system.name), len(corpus), origin=corpus.origin)
        return Statistics.one_per_sentence(with_count(np.array(scores)))

    def _file(self, system: str) -> Path:
        """The file with the scores of a system."""
        if PLACE in self.path:
            return Path(self.path.replace(PLACE, system))
        path = Path(self.path)
        with readable(path):
            if not path.is_dir():
                return path
            fitting = sorted(file for file in path.iterdir() if system in (file.name, file.stem, system_name(file)))
        if len(fitting) != 1:
            named = " and ".join(file.name for file in fitting)
            wrong = f"several files for {system}: {named}" if named else f"no file for {system}"
            raise InputError(f"{path} has {wrong}")
        return fitting[0]

    def __repr__(self) -> str:
        return self.label or super().__repr__()


def read_scores(path: Path, sentences: int, *, origin: str) -> list[float]:
    """The scores in a file, one a line. A line that is missing, too many or no number is refused."""
    scores = []
    for number, line in enumerate(read_lines(path), start=1):
        if number > sentences:
            raise InputError(f"{path}: line {number} is one too many; {origin} has {sentences} sentences")
        try:
            score = math.nan if "_" in line else float(line)  # Python reads 1_0 as 10
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            raise InputError(f"{path}: line {number} is no number: {shorten(line.strip(), 40)!r}")
        scores.append(score)
    if len(scores) < sentences:
        raise InputError(f"{path}: line {len(scores) + 1} is missing; {origin} has {sentences} sentences")
    return scores
