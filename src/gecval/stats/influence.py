"""How much does each sentence matter? The jackknife, sentence by sentence.

    influence of sentence i on a score θ          θ − θ₍₋ᵢ₎
    influence of sentence i on a lead B − A       δ − δ₍₋ᵢ₎,   δ = θ(B) − θ(A)

θ₍₋ᵢ₎ is the score without sentence i. A positive influence says that the sentence raises the score, or speaks for B.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.stats.resampling import Array, Resampled

Sentences = NDArray[np.int64]


class Reducible(Resampled, Protocol):
    """A score over sentences that can be asked for again over some of them. ``Evaluation`` is one."""

    @property
    def by_position(self) -> bool:
        """Whether ``scores_over`` some sentences only comes near the score of ``over`` them."""

    def over(self, sentences: Sentences) -> Reducible:
        """What scoring these sentences from scratch gives."""

    def fractions(self, *, as_chosen: bool = ...) -> tuple[Array, Array] | None:
        """Numerators n and denominators d of all sentences, where the score of any of them rises with Σn / Σd.

        ``as_chosen``: with the references that the score of all sentences chose.
        """


def influence(scored: Resampled) -> Array:
    """The influence of every sentence on a score: the score minus that without the sentence."""
    if len(scored) < 2:
        raise InputError("the influence of a sentence needs a second one: there is no score without the only sentence")
    without: Array = scored.score() - scored.scores_without([slice(i, i + 1) for i in range(len(scored))])
    return without


def influences(a: Resampled, b: Resampled) -> Array:
    """The influence of every sentence on the lead of ``b`` over ``a``, b − a. Positive: the sentence speaks for ``b``.

    >>> from gecval import Corpus, metric
    >>> from gecval.metrics.evaluation import Evaluation
    >>> corpus = Corpus.from_texts(["a", "b", "c"], [["A"], ["B"], ["C"]])
    >>> first, second = (corpus.system(name, list(name)) for name in ("abC", "ABc"))
    >>> a, b = (Evaluation.of(metric("accuracy"), corpus, system) for system in (first, second))
    >>> influences(a, b).round(4).tolist()
    [0.3333, 0.3333, -0.6667]
    """
    return influence(b) - influence(a)
