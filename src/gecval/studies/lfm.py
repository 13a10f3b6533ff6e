"""Train a linguistic-feature model of grammaticality on judged sentences (Heilman et al. 2014).

    weights = argmin_w  Σ_train (judgment − w·features)² + α‖w‖²      features standardised

α is that of a grid whose predictions for dev correlate best with its judgments. Ridge regression predicts too near the
mean, so predictions are then stretched to the spread of the training judgments. A sentence counts as grammatical from
3.5 upwards: its nearest judgment is 4, "perfect".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from gecval.errors import MissingExtraError
from gecval.formats.ratings import Judged, Split
from gecval.models.lfm import Weights, features, judges
from gecval.models.tokenize import tokenize
from gecval.progress import Progress, silent
from gecval.stats.correlation import Correlation, correlate
from gecval.stats.resampling import Array

ALPHAS = tuple(10.0**power for power in range(-5, 6))
GRAMMATICAL = 3.5

Row = Mapping[str, float]


@dataclass(frozen=True)
class HeldOutAgreement:
    """How well predictions meet judgments, as numbers and as grammatical or not."""

    pearson: Correlation
    spearman: Correlation
    accuracy: float
    majority: float  # the accuracy of always saying what is more frequent


class Ablation(NamedTuple):
    """Pearson's r on dev with one group of features alone, and with all others."""

    alone: float
    without: float


@dataclass(frozen=True)
class Training:
    weights: Weights
    agreement: Mapping[Split, HeldOutAgreement]
    ablations: Mapping[str, Ablation]


def train(
    judged: Sequence[Judged], groups: Sequence[str], *, name: str = "", jobs: int = 1, progress: Progress = silent
) -> Training:
    """Weights from the train sentences, tuned on dev; ``name`` says which judgments they are."""
    judging = judges(groups)  # complains at once where one is not installed
    sentences = [" ".join(tokenize(one.sentence)) for one in judged]
    rows = features(groups, sentences, jobs=jobs, progress=progress)

    def part(split: Split, chosen: Sequence[str]) -> tuple[Sequence[Row], Array]:
        """Rows with the features of some groups only, and their judgments."""
        prefixes = tuple(f"{group}: " for group in chosen)
        here = [i for i, one in enumerate(judged) if one.split == split]
        kept = [{name: value for name, value in rows[i].items() if name.startswith(prefixes)} for i in here]
        return kept, np.array([judged[i].judgment for i in here])

    def fit(chosen: Sequence[str]) -> _Fit:
        return _tuned(part("train", chosen), part("dev", chosen))

    found = fit(groups)
    ablations = {}
    for group in groups if len(groups) > 1 else ():
        others = [other for other in groups if other != group]
        ablations[group] = Ablation(fit([group]).dev, fit(others).dev)
    trained: dict[str, str | float] = {"on": name, "sentences": len(part("train", groups)[1]), "alpha": found.alpha}
    weights = Weights(found.intercept, found.weights, judging, trained)
    splits: tuple[Split, ...] = ("dev", "test")
    return Training(weights, {split: _agreement(weights, *part(split, groups)) for split in splits}, ablations)


class _Fit(NamedTuple):
    intercept: float
    weights: dict[str, float]
    alpha: float
    dev: float  # Pearson's r


def _tuned(train: tuple[Sequence[Row], Array], dev: tuple[Sequence[Row], Array]) -> _Fit:
    rows, judgments = train
    linear, extraction, preprocessing = _sklearn()
    vectorizer = extraction.DictVectorizer(sparse=False)
    scaler = preprocessing.StandardScaler()
    x = scaler.fit_transform(vectorizer.fit_transform(rows))
    x_dev = scaler.transform(vectorizer.transform(dev[0]))
    ridges = [linear.Ridge(alpha).fit(x, judgments) for alpha in ALPHAS]
    agreement = [np.nan_to_num(correlate(ridge.predict(x_dev), dev[1]).value, nan=-1.0) for ridge in ridges]
    best = int(np.argmax(agreement))
    # Standardising and stretching are linear: what is left are weights of the features as they come.
    predicted = ridges[best].predict(x)
    weights = ridges[best].coef_ / scaler.scale_ * (judgments.std() / max(predicted.std(), 1e-9))
    intercept = float(judgments.mean() - weights @ scaler.mean_)
    names = map(str, vectorizer.get_feature_names_out())
    return _Fit(intercept, dict(zip(names, map(float, weights), strict=True)), ALPHAS[best], float(agreement[best]))


def _agreement(weights: Weights, rows: Sequence[Row], judgments: Array) -> HeldOutAgreement:
    predicted = weights.judgments(rows)
    grammatical = judgments >= GRAMMATICAL
    return HeldOutAgreement(
        correlate(predicted, judgments, "pearson"),
        correlate(predicted, judgments, "spearman"),
        float(((predicted >= GRAMMATICAL) == grammatical).mean()),
        float(max(grammatical.mean(), 1 - grammatical.mean())),
    )


def _sklearn() -> tuple[Any, Any, Any]:
    try:
        parts = ("linear_model", "feature_extraction", "preprocessing")
        linear, extraction, preprocessing = (import_module(f"sklearn.{part}") for part in parts)
    except ImportError:
        raise MissingExtraError("training a model (scikit-learn)", "lfm") from None
    return linear, extraction, preprocessing
