"""Train a linguistic-feature model of grammaticality on judged sentences (Heilman et al. 2014).

    weights = argmin_w  Σ_train (judgment − w·features)² + α‖w‖²      features standardised

α is the one of a grid whose predictions for dev correlate best with the judgments of dev. Ridge regression predicts too
near the mean, so predictions are then stretched to the spread of the training judgments. A sentence counts as
grammatical from 3.5 upwards: its nearest judgment is 4, "perfect".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from gecval.corpus.tokenization import tokenize
from gecval.errors import import_extra
from gecval.formats.ratings import Judged, Split
from gecval.metrics.lfm.features import features, judges, usual_groups
from gecval.metrics.lfm.metric import Weights
from gecval.results.result import Result
from gecval.results.table import Cell, Table, percent
from gecval.results.theme import WIDTH
from gecval.runtime.run import HERE, Run
from gecval.stats import Interval
from gecval.stats.correlation import Correlation, correlate
from gecval.stats.resampling import Array, MaybeUndefined

if TYPE_CHECKING:
    from altair import LayerChart

ALPHAS = tuple(10.0**power for power in range(-5, 6))
GRAMMATICAL = 3.5
LEVEL = 0.95
NO_LINK = "link grammar is not installed (Debian: link-grammar), so the features 'link' are left out"

Row = Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class HeldOutAgreement:
    """How well predictions agree with the judgments of one split, as numbers and as grammatical or not."""

    split: Split
    pearson: Correlation
    spearman: Correlation
    accuracy: float
    majority: float  # the accuracy of always saying what is more frequent


@dataclass(frozen=True, kw_only=True)
class Ablation:
    """Pearson's r on dev with one group of features alone, and with all others. ``judge`` decides the features."""

    features: str
    alone: MaybeUndefined
    without: MaybeUndefined
    judge: str


@dataclass(frozen=True, kw_only=True, repr=False)
class LfmTraining(Result):
    """A trained model of grammaticality, and how well it agrees with people on sentences that it was not trained on.

    All intervals have the confidence ``level``. A judgment of ``grammatical`` or more counts as grammatical.
    """

    kind: ClassVar[str] = "lfm-training"
    view: ClassVar[str] = "training_tables"
    main: ClassVar[str] = "agreement"

    model: Weights
    agreement: tuple[HeldOutAgreement, ...]
    ablations: tuple[Ablation, ...] = ()
    level: float = LEVEL
    grammatical: float = GRAMMATICAL


def train_lfm(
    judged: Sequence[Judged], groups: Sequence[str] | None = None, *, name: str = "", run: Run = HERE
) -> LfmTraining:
    """Train a model of grammaticality on judged sentences.

    Parameters
    ----------
    judged
        Sentences with their judgments, as ``read_judged`` gives them: weights come from the train split, dev chooses
        the regularisation, test says how good the model is.
    groups
        Groups of features. By default all that are available.
    name
        What the judgments are called in the model, e.g. the name of their file.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    LfmTraining
        The model, its agreement with people, and what each group of features brings. ``model.lines()`` is the file
        that ``lfm(model="...")`` reads.

    Examples
    --------
    >>> ratings = {"He went to school.": 4.0, "He goed at schol.": 1.0}
    >>> splits = ("train", "dev", "test")
    >>> judged = [Judged(text, rating, split) for split in splits for text, rating in ratings.items()]
    >>> training = train_lfm(judged, ["ngrams"])
    >>> [(held_out.split, held_out.accuracy) for held_out in training.agreement]
    [('dev', 1.0), ('test', 1.0)]
    """
    chosen = tuple(usual_groups() if groups is None else dict.fromkeys(groups))
    judging = judges(chosen)  # complains at once where one is not installed
    sentences = [" ".join(tokenize(sentence.sentence)) for sentence in judged]
    data = _Data(judged, features(chosen, sentences, run=run))
    fit = _tune(data.split("train", chosen), data.split("dev", chosen))
    ablations = []
    for group in chosen if len(chosen) > 1 else ():
        others = [other for other in chosen if other != group]
        alone, without = (_tune(data.split("train", some), data.split("dev", some)) for some in ([group], others))
        ablations.append(Ablation(features=group, alone=alone.dev, without=without.dev, judge=judging[group]))
    trained: dict[str, str | float] = {
        "on": name,
        "sentences": sum(sentence.split == "train" for sentence in judged),
        "alpha": fit.alpha,
    }
    model = Weights(intercept=fit.intercept, weights=fit.weights, judges=judging, trained=trained)
    splits: tuple[Split, ...] = ("dev", "test")
    return LfmTraining(
        model=model,
        agreement=tuple(_agreement(model, split, data.split(split, chosen)) for split in splits),
        ablations=tuple(ablations),
        notes=(NO_LINK,) if groups is None and "link" not in chosen else (),
    )


class _Data(NamedTuple):
    """Judged sentences and the features of each."""

    judged: Sequence[Judged]
    rows: Sequence[Row]

    def split(self, split: Split, groups: Sequence[str]) -> tuple[list[Row], Array]:
        """The rows of a split with the features of some groups only, and their judgments."""
        prefixes = tuple(f"{group}: " for group in groups)
        here = [i for i, sentence in enumerate(self.judged) if sentence.split == split]
        kept: list[Row] = [
            {name: value for name, value in self.rows[i].items() if name.startswith(prefixes)} for i in here
        ]
        return kept, np.array([self.judged[i].judgment for i in here])


class _Fit(NamedTuple):
    intercept: float
    weights: dict[str, float]
    alpha: float
    dev: float  # Pearson's r


def _tune(train: tuple[Sequence[Row], Array], dev: tuple[Sequence[Row], Array]) -> _Fit:
    rows, judgments = train
    linear, extraction, preprocessing = _sklearn()
    vectorizer = extraction.DictVectorizer(sparse=False)
    scaler = preprocessing.StandardScaler()
    x = scaler.fit_transform(vectorizer.fit_transform(rows))
    x_dev = scaler.transform(vectorizer.transform(dev[0]))
    ridges = [linear.Ridge(alpha).fit(x, judgments) for alpha in ALPHAS]
    agreement = [correlate(ridge.predict(x_dev), dev[1]).value for ridge in ridges]
    best = int(np.argmax(np.nan_to_num(agreement, nan=-1.0)))
    # Standardising and stretching are linear: what is left are weights of the features as they come.
    predicted = ridges[best].predict(x)
    weights = ridges[best].coef_ / scaler.scale_ * (judgments.std() / max(predicted.std(), 1e-9))
    intercept = float(judgments.mean() - weights @ scaler.mean_)
    names = map(str, vectorizer.get_feature_names_out())
    return _Fit(intercept, dict(zip(names, map(float, weights), strict=True)), alpha=ALPHAS[best], dev=agreement[best])


def _agreement(model: Weights, split: Split, data: tuple[Sequence[Row], Array]) -> HeldOutAgreement:
    rows, judgments = data
    predicted = model.judgments(rows)
    grammatical = judgments >= GRAMMATICAL
    return HeldOutAgreement(
        split=split,
        pearson=correlate(predicted, judgments, "pearson", level=LEVEL),
        spearman=correlate(predicted, judgments, "spearman", level=LEVEL),
        accuracy=float(((predicted >= GRAMMATICAL) == grammatical).mean()),
        majority=float(max(grammatical.mean(), 1 - grammatical.mean())),
    )


def _sklearn() -> tuple[Any, Any, Any]:
    parts = ("linear_model", "feature_extraction", "preprocessing")
    linear, extraction, preprocessing = (
        import_extra(f"sklearn.{part}", "training a model (scikit-learn)", "lfm") for part in parts
    )
    return linear, extraction, preprocessing


# The tables and the chart that show it.


ROW = 20  # pixels from one line to the next


def training_tables(training: LfmTraining, style: str = "text") -> list[Table]:
    """The agreement with people and, where there are several groups of features, what each brings."""
    return [_agreement_table(training), *([_ablation_table(training)] if training.ablations else [])]


def _agreement_table(training: LfmTraining) -> Table:
    """A row for dev, by which the model was tuned, and for test, which it has not seen."""
    interval = f"{percent(training.level)} interval"
    columns = ["split", "sentences", "r", f"r {interval}", "ρ", f"ρ {interval}", "accuracy", "majority"]
    rows: list[Sequence[Cell]] = [
        [
            agreement.split,
            agreement.pearson.n,
            agreement.pearson.value,
            agreement.pearson.interval,
            agreement.spearman.value,
            agreement.spearman.interval,
            agreement.accuracy,
            agreement.majority,
        ]
        for agreement in training.agreement
    ]
    trained = training.model.trained
    notes = [
        f"r is Pearson's, ρ Spearman's; accuracy: grammatical (judgment of {training.grammatical:g} or more) or not; "
        "majority: always saying the more frequent",
        f"ridge regression on {trained['sentences']} sentences, {len(training.model.weights)} features, "
        f"α = {trained['alpha']:g}, tuned on dev",
    ]
    title = "Predicted and human judgments of grammaticality"
    return Table(columns, rows, title=title, digits=3, footnotes=notes, level=training.level)


def _ablation_table(training: LfmTraining) -> Table:
    """What each group of features does alone, and what is lost without it."""
    rows: list[Sequence[Cell]] = [
        [ablation.features, ablation.alone, ablation.without, ablation.judge] for ablation in training.ablations
    ]
    return Table(["features", "alone", "without", "judge"], rows, title="Pearson's r on dev", digits=3)


def training_chart(training: LfmTraining) -> LayerChart:
    """Pearson's r of the whole model, of each group of features alone, and of all others."""
    import altair as alt

    rows: list[dict[str, Any]] = [
        # Where there is no interval, a line of no length shows none.
        {"model": name, "features": which, "r": r, "low": low, "high": high}
        for name, which, r, interval in _points(training)
        for low, high in [(r, r) if interval is None or isnan(interval.low) else interval]
        if not isnan(r)
    ]
    kinds = ["all", *(["alone", "all others"] if training.ablations else [])]
    title = alt.TitleParams(
        "Predicted and human judgments of grammaticality",
        subtitle=[f"lines: {percent(training.level)} intervals of r", "groups of features: r on dev"],
    )
    base: Any = alt.Chart({"values": rows}, title=title, width=WIDTH, height=ROW * len(rows)).encode(
        y=alt.Y("model:N", sort=[row["model"] for row in rows], title=None),
        color=alt.Color("features:N", sort=kinds, scale=alt.Scale(domain=kinds)),
    )
    free = alt.Scale(zero=False)
    lines = base.mark_rule().encode(x=alt.X("low:Q", title="Pearson's r", scale=free), x2="high:Q")
    chart: LayerChart = lines + base.mark_point().encode(x=alt.X("r:Q", scale=free))
    return chart


def _points(training: LfmTraining) -> Iterator[tuple[str, str, float, Interval | None]]:
    """Name, kind, r, and its interval where there is one."""
    for agreement in training.agreement:
        yield agreement.split, "all", agreement.pearson.value, agreement.pearson.interval
    for ablation in training.ablations:
        yield f"{ablation.features} alone", "alone", ablation.alone, None
        yield f"without {ablation.features}", "all others", ablation.without, None
