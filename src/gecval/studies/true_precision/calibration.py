"""Calibrate the coverage model on edits that people judged.

Each number of references M from ``NUMBERS`` is tried, with some choices of M of the available references, so that the
calibration holds for other numbers of references too. All numbers weigh alike.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from gecval.corpus.edit import Edit
from gecval.errors import InputError
from gecval.stats.resampling import Array, Interval, percentile_interval
from gecval.studies.true_precision.model import (
    BASE,
    Calibration,
    Gold,
    Integers,
    agreement_rows,
    coverage_model,
    coverages,
    features,
    found_shares,
    key_of,
    proposed_edits,
)

NUMBERS = (2, 3, 5, 7, 10)
CHOICES = 3  # of M references, for every M below the number that is available
RIDGE = 3.0  # of the types
FEWEST = 5  # edits of a system that say something about τ
TYPICAL_SPREAD, TYPICAL_VARIANCE = 0.6, 0.2  # τ, and q(1 − q), for the weights of systems
SEED = 1

Labels = Mapping[tuple[int, tuple[int, int, str]], float]  # by sentence and edit: the share of people who find it valid


@dataclass(frozen=True, eq=False)
class Trial:
    """The judged edits that no one of M references has, with the coverage and the share found of their types."""

    references: int
    system: Integers
    sentence: Integers
    kind: Integers
    label: Array
    covered: Array
    found: Array
    least: float  # share of a system's edits that the references have, of the system with the fewest

    def design(self, types: int) -> Array:
        return np.hstack([features(self.covered, self.references), np.eye(types)[self.kind]])

    def take(self, chosen: NDArray[np.bool_]) -> Trial:
        system, sentence, kind = (column[chosen] for column in (self.system, self.sentence, self.kind))
        label, covered, found = (column[chosen] for column in (self.label, self.covered, self.found))
        return Trial(self.references, system, sentence, kind, label, covered, found, self.least)


def trials(
    outputs: Sequence[Sequence[Sequence[Edit]]],
    gold: Gold,
    labels: Labels,
    types: Sequence[str],
    *,
    numbers: Sequence[int] = NUMBERS,
) -> list[Trial]:
    """A trial for each choice of references."""
    rng = np.random.default_rng(SEED)
    available = min(map(len, gold))
    judged = [
        [[edit for edit in edits if (i, key_of(edit)) in labels] for i, edits in enumerate(sentences)]
        for sentences in outputs
    ]
    made: list[Trial] = []
    for number in (number for number in numbers if number <= available):
        for _ in range(CHOICES if number < available else 1):
            chosen = sorted(rng.choice(available, number, replace=False).tolist())
            made.append(_trial(judged, [[references[a] for a in chosen] for references in gold], labels, types))
    return made


def _trial(judged: Sequence[Sequence[Sequence[Edit]]], gold: Gold, labels: Labels, types: Sequence[str]) -> Trial:
    proposed = proposed_edits(judged, gold, types)
    rows, number, share = agreement_rows(gold, types)
    covered = coverages(rows.sum(axis=0), number, share)
    edits, lacking = (
        np.bincount(kinds, minlength=len(types)).astype(np.float64)
        for kinds in (proposed.kind, proposed.kind[proposed.unmatched])
    )
    found = found_shares(edits - lacking, edits)
    label = np.array([labels[i, key] for i, key in zip(proposed.sentence.tolist(), proposed.keys, strict=True)])
    lost = proposed.unmatched
    kind = proposed.kind[lost]
    sizes, gaps = (np.bincount(systems) for systems in (proposed.system, proposed.system[lost]))
    shares = 1 - np.pad(gaps, (0, len(sizes) - len(gaps)))[sizes > 0] / sizes[sizes > 0]
    return Trial(
        number,
        proposed.system[lost],
        proposed.sentence[lost],
        kind,
        label[lost],
        covered[kind],
        found[kind],
        float(shares.min(initial=1.0)),
    )


def calibrate(made: Sequence[Trial], types: Sequence[str]) -> Calibration:
    """Fit the model to all trials, and τ to each number of references: every system in turn is held out."""
    systems = sorted({system for trial in made for system in trial.system.tolist()})
    if not systems:
        raise InputError("no judged edit is without a reference, so there is nothing to calibrate")
    share = float(np.mean(np.concatenate([trial.label for trial in made])))
    if share in (0.0, 1.0):
        said = "valid" if share else "wrong"
        raise InputError(
            f"people found all judged edits {said} that no reference has: judge more of them", parameter="judged"
        )
    fitted = fit(made, types)
    shifts: dict[int, list[float]] = {}
    for system in systems if len(systems) > 1 else ():
        others = fit([trial.take(trial.system != system) for trial in made], types)
        for trial in made:
            own = trial.take(trial.system == system)
            if len(own.label) >= FEWEST:
                shifts.setdefault(trial.references, []).append(_excess(own, others.coefficients, len(types)))
    numbers = dict.fromkeys(trial.references for trial in made)
    spread = {number: float(np.sqrt(max(0.0, float(np.mean(shifts.get(number, [0.0])))))) for number in numbers}
    least = {number: min(trial.least for trial in made if trial.references == number) for number in numbers}
    return Calibration(tuple(types), fitted.coefficients, fitted.covariance, spread, len(systems), least)


def fit(made: Sequence[Trial], types: Sequence[str]) -> Logistic:
    """The coefficients. All numbers of references weigh alike, and systems nearly so, however many edits they have."""
    numbers = [trial.references for trial in made]
    share = {number: 1 / (numbers.count(number) * len(set(numbers))) for number in numbers}
    # All edits of a type have the same features in a trial.
    kinds = [np.unique(trial.kind, return_index=True, return_inverse=True) for trial in made]
    starts = np.cumsum([0, *(len(first) for first, _, _ in kinds)])
    return fit_logistic(
        np.vstack([trial.design(len(types))[first] for trial, (_, first, _) in zip(made, kinds, strict=True)]),
        np.concatenate([start + row for start, (_, _, row) in zip(starts[:-1], kinds, strict=True)]),
        np.concatenate([trial.label for trial in made]),
        weights=np.concatenate([share[trial.references] * _weights(trial.system) for trial in made]),
        ridge=np.array([0.0] + [0.1] * (BASE - 1) + [RIDGE] * len(types)),
        groups=np.concatenate([trial.sentence for trial in made]),
    )


def _weights(system: Integers) -> Array:
    """The weight of every edit. A system with n edits weighs 1 / (τ² + 1/(n·q(1 − q))), as in a random-effects mean."""
    _, which, counts = np.unique(system, return_inverse=True, return_counts=True)
    by_system = 1 / (TYPICAL_SPREAD**2 + 1 / (counts * TYPICAL_VARIANCE)) / counts
    weights = by_system[which]
    return np.asarray(weights * len(system) / max(weights.sum(), 1e-300))


def _excess(trial: Trial, coefficients: Array, types: int) -> float:
    """How far a system lies from the model, squared on the logit scale, less what chance explains."""
    predicted = float(expit(trial.design(types) @ coefficients).mean())
    size = len(trial.label)
    share = (float(trial.label.sum()) + predicted) / (size + 1)  # a share of 0 or 1 has no logit
    return float((logit(share) - logit(predicted)) ** 2 - 1 / (size * share * (1 - share)))


def digest(calibration: Calibration) -> str:
    """A hash for signatures."""
    text = json.dumps(as_json(calibration), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def as_json(calibration: Calibration) -> dict[str, object]:
    """What the shipped file holds: no text and no judgment."""
    return {
        "types": list(calibration.types),
        "coefficients": np.round(calibration.coefficients, 6).tolist(),
        "covariance": np.round(calibration.covariance, 8).tolist(),
        "spread": {str(number): round(value, 6) for number, value in calibration.spread.items()},
        "systems": calibration.systems,
        "least": {str(number): round(value, 6) for number, value in calibration.least.items()},
    }


def shipped_calibration() -> Calibration:
    """That of SEEDA's judgments over Bryant & Ng's ten annotators; `gecval reproduce decisions` fits it again."""
    content = json.loads((files(__package__) / "calibration.json").read_text("utf-8"))
    return Calibration(
        tuple(content["types"]),
        np.array(content["coefficients"]),
        np.array(content["covariance"]),
        {int(number): value for number, value in content["spread"].items()},
        content["systems"],
        {int(number): value for number, value in content["least"].items()},
    )


# How well do predictions hold for judgments that the calibration has not seen?
#
# Sentences are held out in folds, or systems one at a time. Every model is fitted without them, and predicts the judged
# edits of what was held out that no one of M references has.
#
#     constant     the share of valid edits, whatever their type
#     types        the share of each type, drawn towards that of all
#     coverage     the coverage model alone: it sees no judgment
#     calibrated   the model that is used


MODELS = ("constant", "types", "coverage", "calibrated")
FOLDS = 10
DRAWN = 10.0  # edits: types with few are drawn towards all types
DRAWS = 1000


@dataclass(frozen=True, eq=False)
class HeldOut:
    """A trial with what each model predicts for its edits, each without having seen it."""

    trial: Trial
    predicted: dict[str, Array]

    def log_loss(self, model: str) -> float:
        q, y = np.clip(self.predicted[model], 0.01, 0.99), self.trial.label
        return float(-np.mean(y * np.log(q) + (1 - y) * np.log(1 - q)))

    def ranking(self, model: str) -> float:
        """The chance that a valid edit has a higher prediction than one that is not; ties count half. 0.5 is luck."""
        q, valid = self.predicted[model], self.trial.label > 0.5
        good, bad = q[valid][:, None], q[~valid][None]
        return float(np.mean(good > bad) + np.mean(good == bad) / 2)


def folds_of(trial: Trial, by: str) -> Integers:
    return trial.system if by == "system" else trial.sentence % FOLDS


def predict_held_out(made: Sequence[Trial], types: Sequence[str], by: str) -> list[HeldOut]:
    """Predictions for every trial, held out by ``sentence`` or by ``system``."""
    predicted = [{model: np.full(len(trial.label), np.nan) for model in MODELS} for trial in made]
    for fold in sorted(set(np.concatenate([folds_of(trial, by) for trial in made]).tolist())):
        seen = [trial.take(folds_of(trial, by) != fold) for trial in made]
        fitted = fit(seen, types)
        for trial, known, values in zip(made, seen, predicted, strict=True):
            here = folds_of(trial, by) == fold
            asked = trial.take(here)
            together = known.label.mean()
            counts, valid = (
                np.bincount(known.kind, weights=weights, minlength=len(types)) for weights in (None, known.label)
            )
            values["constant"][here] = together
            values["types"][here] = ((valid + DRAWN * together) / (counts + DRAWN))[asked.kind]
            values["coverage"][here] = coverage_model(asked.covered, asked.found)
            values["calibrated"][here] = expit(asked.design(len(types)) @ fitted.coefficients)
    return [HeldOut(trial, values) for trial, values in zip(made, predicted, strict=True)]


def system_interval(trial: Trial, fitted: Calibration, types: Sequence[str], *, level: float) -> tuple[float, Interval]:
    """The share of valid edits that is predicted for a system, and where its judged share should lie.

    The interval has the uncertainty of the calibration, what sets systems apart, and the luck of so few edits.
    """
    rng = np.random.default_rng(SEED)
    design = trial.design(len(types))
    drawn = rng.multivariate_normal(fitted.coefficients, fitted.covariance, size=DRAWS, method="eigh")
    chances = expit(drawn @ design.T + fitted.shifts(trial.references, (DRAWS, 1), rng))
    shares = (rng.random(chances.shape) < chances).mean(axis=1)
    return float(expit(design @ fitted.coefficients).mean()), percentile_interval(shares, level)


# Logistic regression with a ridge, for labels that are shares.
#
#     maximise  Σᵢ wᵢ (yᵢ log qᵢ + (1 − yᵢ) log(1 − qᵢ)) − ½ Σⱼ λⱼ bⱼ²,     q = 1 / (1 + e^{−Xb})
#
# Newton's method finds b. Labels of one group, such as all edits of a sentence, depend on each other. So the covariance
# of b is the sandwich H⁻¹ (Σ_g s_g s_gᵀ) H⁻¹: s_g is the gradient of a group, H the Hessian with the ridge. Many labels
# may share a row of X; each distinct row is worked on once.

STEPS = 100
CLOSE = 1e-10  # of a Newton step
LONGEST = 5.0  # step: far from the optimum a whole one may overshoot


@dataclass(frozen=True, eq=False)
class Logistic:
    """Coefficients and their covariance."""

    coefficients: Array
    covariance: Array


def fit_logistic(
    features: Array, rows: Integers, labels: Array, *, weights: Array, ridge: Array, groups: Integers
) -> Logistic:
    """Fit. ``features[rows[i]]`` are those of label *i*. ``ridge`` is λ; 0 holds a coefficient back by nothing.

    >>> labels, ones = np.array([1.0, 1, 1, 0]), np.ones(4)
    >>> made = fit_logistic(
    ...     ones[:1, None], np.zeros(4, int), labels, weights=ones, ridge=np.zeros(1), groups=np.arange(4)
    ... )
    >>> round(float(expit(made.coefficients[0])), 6)
    0.75
    """
    total: Array = np.bincount(rows, weights=weights, minlength=len(features)).astype(np.float64)
    valid: Array = np.bincount(rows, weights=weights * labels, minlength=len(features)).astype(np.float64)
    b = np.zeros(features.shape[1])
    for _ in range(STEPS):
        q = expit(features @ b)
        step = np.linalg.solve(_hessian(features, q, total, ridge), features.T @ (valid - total * q) - ridge * b)
        b = b + step * (LONGEST / max(float(np.abs(step).max()), LONGEST))
        if np.abs(step).max() < CLOSE:
            break
    q = expit(features @ b)
    bread = np.linalg.inv(_hessian(features, q, total, ridge))
    distinct, which = np.unique(groups, return_inverse=True)
    residuals = np.zeros((len(distinct), len(features)))
    np.add.at(residuals, (which, rows), weights * (labels - q[rows]))
    scores = residuals @ features
    return Logistic(b, bread @ (scores.T @ scores) @ bread)


def _hessian(features: Array, q: Array, total: Array, ridge: Array) -> Array:
    # The small number keeps a feature that no label has, and no ridge holds, from having no solution.
    hessian: Array = features.T @ (features * (total * q * (1 - q))[:, None]) + np.diag(ridge + 1e-12)
    return hessian
