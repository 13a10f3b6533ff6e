"""The Ladder (Blum & Hardt 2015): a shown score moves only where a new one is better by more than chance.

    climbs  ⟺  d · (s − s_shown) > k · σ  and  d · ([s] − [s_shown]) > 0,        σ² = Var_b (s*_b − s_shown*_b)

``s_shown`` is the score of the best system shown so far; d is 1 where higher is better, else −1; [s] is rounded as it
is shown. Both are scored over the same resamples b, so σ is the standard error of the paired difference. With k = 1
this is the step of the paper's parameter-free Ladder: for a mean of n losses, σ = std(ℓ − ℓ_shown) / √n. A corpus score
is no such mean, and the bootstrap gives σ for it too.

One sentence that is better moves the score by about σ, whatever it gains, and m such
sentences by √m · σ. So k = 1 lets about half of all better sentences through one by one; k = 2 asks for four at once.

What cannot be told from chance does not climb: a difference of nothing, or resamples that are missing or undefined.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gecval.stats.resampling import Array

FEWEST, MOST = 1.0, 10.0  # standard errors that a step may have


@dataclass(frozen=True)
class Rung:
    """A score, and the score over every resample; None where there are no resamples."""

    score: float
    resampled: Array | None


def climbs(new: Rung, shown: Rung | None, *, steps: float, digits: int, higher_is_better: bool = True) -> bool:
    """Whether a new score is shown, rounded to ``digits``. The first one is, if it is a number.

    >>> shown, new = (Rung(mean, mean + np.array([-0.1, 0.0, 0.1])) for mean in (0.6, 0.7))
    >>> climbs(new, shown, steps=1.0, digits=3), climbs(new, shown, steps=1.0, digits=0)
    (True, False)
    """
    if shown is None:
        return bool(np.isfinite(new.score))
    if new.resampled is None or shown.resampled is None or len(new.resampled) != len(shown.resampled):
        return False
    direction = 1 if higher_is_better else -1
    if not direction * (round(new.score, digits) - round(shown.score, digits)) > 0:
        return False
    error = np.std(new.resampled - shown.resampled, ddof=1)
    return bool(direction * (new.score - shown.score) > steps * error)  # never where something is NaN
