"""What an edit does to a sentence, as a vector: the difference of two sentence vectors.

ref-remove   enc(all edits of its side applied) − enc(all but this one)
src-add      enc(the source with this edit) − enc(the source)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from gecval.edit import Edit, apply_edits
from gecval.metrics.base import Array

VECTORS = ("ref-remove", "src-add")
NOISE = 1e-6  # of the numbers of a network, in float32, beside the largest of them: a difference so small is none
NO_EDITS = ("noop", "UNK")  # types of annotations that correct nothing


class Side(NamedTuple):
    """The texts of each edit of a hypothesis or a reference: one that has the edit, and one that lacks it."""

    having: Sequence[str]
    lacking: Sequence[str]


def side(source: Sequence[str], edits: Sequence[Edit], vectors: str) -> Side:
    """The texts that the vectors of the edits need.

    >>> edits = [Edit(1, 2, ("goes",)), Edit(3, 3, (".",))]
    >>> side("He go home".split(), edits, "ref-remove").lacking
    ['He go home .', 'He goes home']
    """
    real = [edit for edit in edits if edit.type not in NO_EDITS]
    if vectors == "src-add":
        return Side([apply_edits(source, [edit]) for edit in real], [" ".join(source)] * len(real))
    without = [apply_edits(source, real[:k] + real[k + 1 :]) for k in range(len(real))]
    return Side([apply_edits(source, real)] * len(real), without)


def differences(texts: Side, encoded: Mapping[str, Array]) -> Array:
    """The vectors of the edits, [edit, number]."""
    if not texts.having:
        return np.zeros((0, 1))
    return np.array([_difference(encoded[a], encoded[b]) for a, b in zip(texts.having, texts.lacking, strict=True)])


def _difference(a: Array, b: Array) -> Array:
    difference: Array = a - b
    return difference if np.abs(difference).max() > NOISE * np.abs(a).max() else np.zeros_like(difference)
