"""LFM, a linguistic-feature model (Heilman et al. 2014; Napoles, Sakaguchi & Tetreault 2016): how people would judge
the grammaticality of the output by itself, predicted from its features by ridge regression.

    score = mean of (judgment − 1) / 3       judgments go from 1 (incomprehensible) to 4 (perfect)

No model comes with gecval, since the judgments are not for commercial use: ``gecval lfm train`` makes one. For a very
good or very bad sentence it may predict a judgment beyond 1 to 4. An empty sentence scores 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Need, Ratio, Statistics
from gecval.metrics.parameters import text
from gecval.metrics.ratios import ratio
from gecval.metrics.rules import Pooled, ReferenceRule
from gecval.models.cache import open_cache
from gecval.models.lfm import features, judges, read_weights
from gecval.models.lfm.weights import HIGHEST, LOWEST
from gecval.progress import Progress, silent


@dataclass(frozen=True, repr=False)
class LFM(Metric):
    """``model`` is a file that ``gecval lfm train`` wrote."""

    name: ClassVar[str] = "lfm"
    summary: ClassVar[str] = "how grammatical people would find the output, predicted from its features"
    paper: ClassVar[str] = "Heilman et al. 2014"
    needs: ClassVar[Need | None] = None
    rule: ClassVar[ReferenceRule] = Pooled()

    model: str = ""

    def __post_init__(self) -> None:
        text(self.name, model=self.model)

    @property
    def language(self) -> str | None:
        """Its judges know English."""
        return "en"

    def check(self, corpus: Corpus) -> None:
        super().check(corpus)
        if not self.model:
            raise InputError(
                "lfm needs a model of your own: train one with `gecval lfm train gug_annotations.tsv -o lfm.json`, "
                'then name it: lfm(model="lfm.json")'
            )

    def parameters(self) -> dict[str, Any]:
        weights, name = read_weights(self.model)
        return {"model": name, "judges": "+".join(dict.fromkeys(judges(list(weights.judges)).values()))}

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1, progress: Progress = silent) -> None:
        """Ask the judges about the outputs of all systems in one go, which fills their batches."""
        self.check(corpus)
        self._scores([text for system in systems for text in system.hypotheses], jobs, progress)

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        scores = self._scores(system.hypotheses, jobs)
        return Statistics.one_per_sentence(np.column_stack([scores, np.ones(len(scores))]), self._notes())

    def _scores(self, sentences: Sequence[str], jobs: int, progress: Progress = silent) -> Array:
        """The predictions are kept in the cache too: to read a number is faster than to look at a parse again."""
        weights, _ = read_weights(self.model)

        def ask(new: list[str]) -> Iterator[dict[str, str]]:
            rows = features(list(weights.judges), new, jobs=jobs, progress=progress)
            yield dict(zip(new, map(repr, weights.judgments(rows).tolist()), strict=True))

        keys = [" ".join(sentence.split()) for sentence in sentences]
        cache = open_cache("|".join(["lfm-1", *self.parameters().values()]))
        judgments = cache.answers(filter(None, keys), ask, progress=progress) | {"": str(LOWEST)}
        return (np.array([float(judgments[key]) for key in keys]) - LOWEST) / (HIGHEST - LOWEST)

    def _notes(self) -> tuple[str, ...]:
        """A note where the judges are no longer those of the training."""
        weights, name = read_weights(self.model)
        here = judges(list(weights.judges))
        changed = [f"{here[group]} for {judge}" for group, judge in weights.judges.items() if here[group] != judge]
        return (f"{name} was trained with other judges: {', '.join(changed)}; train it again",) if changed else ()

    def score(self, totals: Array) -> Array:
        return ratio(totals[..., 0], totals[..., 1], empty=0.0)

    def as_ratio(self) -> Ratio | None:
        return (1, 0), (0, 1)
