"""LFM, a linguistic-feature model (Heilman et al. 2014; Napoles, Sakaguchi & Tetreault 2016): how people would judge
the grammaticality of the output by itself, predicted from its features by ridge regression.

    score = mean of (judgment − 1) / 3       judgments go from 1 (incomprehensible) to 4 (perfect)

No model comes with gecval, since the judgments are not for commercial use: ``gecval lfm train`` makes one. For a very
good or very bad sentence it may predict a judgment beyond 1 to 4. An empty sentence scores 0.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.files import parse_json, read_bytes
from gecval.metrics.base import Array, Metric, Need, PageFormula, Ratio, Statistics, check_text, ratio
from gecval.metrics.lfm.features import features, judges
from gecval.metrics.reference_rules import Pooled, ReferenceRule
from gecval.models.cache import open_cache
from gecval.runtime.run import SERIAL, Run


@dataclass(frozen=True, repr=False)
class LFM(Metric):
    """``model`` is a file that ``gecval lfm train`` wrote. ``GECVAL_MODELS`` may name a folder with such files."""

    name: ClassVar[str] = "lfm"
    title: ClassVar[str] = "LFM"
    summary: ClassVar[str] = "how grammatical people would find the output, predicted from its features"
    paper: ClassVar[str] = "Heilman et al. 2014"
    needs: ClassVar[Need | None] = None
    rule: ClassVar[ReferenceRule] = Pooled()

    model: str = ""

    def __post_init__(self) -> None:
        check_text(self.name, model=self.model)

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

    @property
    def reads_files(self) -> bool:
        """Whether its model may lie elsewhere than in the folder of models."""
        return bool(self.model) and not _is_plain_name(self.model)

    def parameters(self) -> dict[str, Any]:
        weights, name = read_weights(self.model)
        return {"model": name, "judges": "+".join(dict.fromkeys(judges(list(weights.judges)).values()))}

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Ask the judges about the outputs of all systems in one go, which fills their batches."""
        self.check(corpus)
        self._scores([text for system in systems for text in system.hypotheses], run)

    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        scores = self._scores(system.hypotheses, run)
        return Statistics.one_per_sentence(np.column_stack([scores, np.ones(len(scores))]), self._notes())

    def _scores(self, sentences: Sequence[str], run: Run) -> Array:
        """The predictions are kept in the cache too: to read a number is faster than to look at a parse again."""
        weights, _ = read_weights(self.model)

        def ask(new: list[str]) -> Iterator[dict[str, str]]:
            rows = features(list(weights.judges), new, run=run)
            yield dict(zip(new, map(repr, weights.judgments(rows).tolist()), strict=True))

        keys = [" ".join(sentence.split()) for sentence in sentences]
        cache = open_cache("|".join(["lfm-1", *self.parameters().values()]))
        judgments = cache.answers(filter(None, keys), ask, run=run) | {"": str(LOWEST)}
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

    def page_formula(self) -> PageFormula | None:
        return {"name": "mean"}


# A trained model as a file of JSON that can be read: what a sentence gets for each feature.
#
# judgment = intercept + Σ_f weight_f · feature_f        from 1 (incomprehensible) to 4 (perfect)


LOWEST, HIGHEST = 1.0, 4.0  # judgments of the GUG data


@dataclass(frozen=True, kw_only=True)
class Weights:
    """Weights of features. ``judges`` names what decided each group of features in training, ``trained`` says how."""

    intercept: float
    weights: Mapping[str, float]
    judges: Mapping[str, str]
    trained: Mapping[str, str | float]

    def judgments(self, rows: Sequence[Mapping[str, float]]) -> NDArray[np.float64]:
        """The judgment of each row of features. A feature that training never saw has no weight."""
        products = ([self.weights.get(name, 0.0) * value for name, value in row.items()] for row in rows)
        return self.intercept + np.array([sum(terms) for terms in products], dtype=np.float64)

    def lines(self) -> list[str]:
        """The lines of the model's file."""
        return json.dumps({"gecval": "lfm", **asdict(self)}, indent=1, ensure_ascii=False).split("\n")


MODELS = "GECVAL_MODELS"  # the environment variable that names a folder of models


def _is_plain_name(path: str) -> bool:
    return Path(path).name == path and path not in (".", "..")


def _find_model(path: str) -> Path:
    """Where the file is: a plain name may be that of a file in the folder of models."""
    inside = Path(os.environ.get(MODELS, ""), path)
    return inside if _is_plain_name(path) and inside.is_file() else Path(path)


def read_weights(path: str) -> tuple[Weights, str]:
    """The weights in a file, and a name that changes with its content."""
    try:
        content = read_bytes(_find_model(path))
    except InputError as error:
        raise InputError(f"{error}; `gecval lfm train` makes such a model") from None
    return _read(path, content)


@lru_cache(maxsize=8)
def _read(path: str, content: bytes) -> tuple[Weights, str]:
    try:
        model = parse_json(content)
        weights = Weights(
            intercept=float(model["intercept"]),
            weights={name: float(weight) for name, weight in model["weights"].items()},
            judges={group: str(judge) for group, judge in model["judges"].items()},
            trained=dict(model["trained"]),
        )
        if model["gecval"] != "lfm" or not np.isfinite([weights.intercept, *weights.weights.values()]).all():
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        raise InputError(f"{path} is no model that `gecval lfm train` made") from None
    return weights, f"{Path(path).name}:{hashlib.sha256(content).hexdigest()[:8]}"
