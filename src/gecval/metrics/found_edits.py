"""Metrics that find the edits of hypotheses themselves: by ERRANT in English, by plain rules elsewhere, or as told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.edits.choice import choose_extractor
from gecval.edits.extractors import Extractor, extractor
from gecval.edits.remembered import Finders
from gecval.metrics.base import Metric, Need, all_edits_given
from gecval.metrics.parameters import text


@dataclass(frozen=True, repr=False)
class EditFindingMetric(Metric):
    needs: ClassVar[Need | None] = "edits"

    edits: str = field(default="", kw_only=True)  # who finds them: an extractor's name

    def __post_init__(self) -> None:
        text(self.name, edits=self.edits)

    @property
    def extractor(self) -> Extractor | None:
        return extractor(self.edits) if self.edits else None

    @property
    def finds_edits(self) -> bool:
        return True

    def extractor_for(self, corpus: Corpus) -> Extractor | None:
        return None if all_edits_given(corpus) else self._finder(corpus)

    def _finder(self, corpus: Corpus) -> Extractor:
        return self.extractor or corpus.derived(choose_extractor).extractor

    def hypothesis_edits(self, corpus: Corpus, system: System, *, jobs: int = 1) -> list[tuple[Edit, ...]]:
        """The edits of each hypothesis: its own, where it brings some."""
        if system.edits is not None:
            return list(system.edits)
        return corpus.derived(Finders).edits(self._finder(corpus), system, jobs=jobs)

    def proposed_edits(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, jobs: int = 1
    ) -> list[tuple[Edit, ...]]:
        return self.hypothesis_edits(corpus, system, jobs=jobs)
