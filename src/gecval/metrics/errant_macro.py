"""ERRANT's macro average: F of each error type, and the mean over the types that occur.

    F_macro = (1/T) Σ_t F_t        P and R likewise; no type at all: 1

A row has tp, fp and fn of every type. ``running_best.py`` has the choice of references. Rare types count as much as
frequent ones, and a type that a system never touches has P = 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

import numpy as np

from gecval.corpus import Corpus
from gecval.metrics.base import Array
from gecval.metrics.ratios import f_score, ratio

_ANY = "ADJ ADV CONJ CONTR DET NOUN NOUN:POSS OTHER PART PREP PRON PUNCT SPACE VERB VERB:FORM VERB:TENSE"
_REPLACED = "ADJ:FORM MORPH NOUN:INFL NOUN:NUM ORTH SPELL VERB:INFL VERB:SVA WO"
KNOWN = [
    *(f"{operation}:{category}" for operation, category in product("MRU", _ANY.split())),
    *(f"R:{category}" for category in _REPLACED.split()),
    *"MRU",
    "UNK",
]
OTHERS = ""  # types that neither ERRANT nor the references have, as one


def columns_of_types(corpus: Corpus) -> dict[str, int]:
    """Where the counts of a type stand in a row: those of ERRANT first, then further ones of the references."""
    gold = sorted({edit.type for listed in corpus.references for r in listed for edit in r.edits or ()})
    return {kind: 3 * place for place, kind in enumerate(dict.fromkeys([*KNOWN, OTHERS, *gold]))}


def rows_by_type(corpus: Corpus, compared: Iterable[Mapping[str, list[int]]]) -> Array:
    """One row for each sentence and reference, given their tp, fp and fn by type."""
    columns = corpus.derived(columns_of_types)
    listed = list(compared)
    rows = np.zeros((len(listed), 3 * len(columns)))
    for row, counts in zip(rows, listed, strict=True):
        for kind, of_type in counts.items():
            column = columns.get(kind, columns[OTHERS])
            row[column : column + 3] += of_type
    return rows


def macro(totals: Array, beta: float) -> tuple[Array, Array, Array]:
    """Precision, recall and F, each the mean over the types that occur."""
    tp, fp, fn = totals[..., 0::3], totals[..., 1::3], totals[..., 2::3]
    seen = tp + fp + fn > 0
    precision, recall = ratio(tp, tp + fp, empty=1.0), ratio(tp, tp + fn, empty=1.0)
    values = precision, recall, f_score(precision, recall, beta)
    p, r, f = (ratio(np.where(seen, value, 0.0).sum(axis=-1), seen.sum(axis=-1), empty=1.0) for value in values)
    return p, r, f
