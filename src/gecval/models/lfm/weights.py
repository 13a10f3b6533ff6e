"""A trained model as a file of JSON that can be read: what a sentence gets for each feature.

judgment = intercept + Σ_f weight_f · feature_f        from 1 (incomprehensible) to 4 (perfect)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.formats.files import read_bytes

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


def read_weights(path: str) -> tuple[Weights, str]:
    """The weights in a file, and a name that changes with its content."""
    try:
        content = read_bytes(Path(path))
    except InputError as error:
        raise InputError(f"{error}; `gecval lfm train` makes such a model") from None
    return _read(path, content)


@lru_cache(maxsize=8)
def _read(path: str, content: bytes) -> tuple[Weights, str]:
    try:
        model = json.loads(content)
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
