"""How well do predictions hold for judgments that the calibration has not seen?

Sentences are held out in folds, or systems one at a time. Every model is fitted without them, and predicts the judged
edits of what was held out that no one of M references has.

    constant     the share of valid edits, whatever their type
    types        the share of each type, drawn towards that of all
    coverage     the coverage model alone: it sees no judgment
    calibrated   the model that is used
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from gecval.stats.resampling import Array, Interval, percentile_interval
from gecval.studies.true_precision.calibration import Trial, fit
from gecval.studies.true_precision.edits import Integers
from gecval.studies.true_precision.model import Calibration, coverage_model

MODELS = ("constant", "types", "coverage", "calibrated")
FOLDS = 10
DRAWN = 10.0  # edits: types with few are drawn towards all types
DRAWS = 1000
SEED = 1


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


def held_out(made: Sequence[Trial], types: Sequence[str], by: str) -> list[HeldOut]:
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
