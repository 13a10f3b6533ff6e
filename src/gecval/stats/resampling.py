"""How far a score can be trusted: bootstrap intervals, over sentences.

Interval, percentile: the α/2 and 1 − α/2 quantiles of the resampled scores θ*. BCa (Efron 1987) shifts them,

    Φ( z₀ + (z₀ + z_α) / (1 − a(z₀ + z_α)) ),   z₀ = Φ⁻¹(share of θ* below θ),   a = Σ dᵢ³ / (6 (Σ dᵢ²)^1.5),

where dᵢ is the mean of the jackknife scores minus the i-th. Scores equal to θ count as half below.

With 5 to 199 sentences or documents both are too narrow (BCa with five documents: .84 instead of .95). The method
``auto`` then takes studentised intervals (``contributions.py``), and BCa otherwise.

Where sentences come from documents, these are drawn, left out and, in ``paired_tests.py``, swapped as wholes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from numbers import Real
from statistics import NormalDist
from typing import Annotated, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gecval.errors import InputError
from gecval.stats.contributions import Contributions

Array = NDArray[np.float64]
# A number that may be undefined, such as a correlation of constants: NaN in Python, null in JSON.
MaybeUndefined = Annotated[float, "may be undefined"]
Draws = NDArray[np.int64]

METHODS = ("auto", "bca", "percentile", "studentised")
ANNOTATORS = "annotators"  # the method where annotators are a sample, too: that of scores and their differences only
ENOUGH = 200  # sentences or documents from which on ``auto`` is BCa
ENOUGH_SENTENCES = 100  # from which on no note says that they are few
FEWEST = 5  # that have a standard error worth the name; below, no method is right, and BCa stays among what was seen
ENOUGH_DOCUMENTS = 20
ANY, SHARE = (-math.inf, math.inf), (0.0, 1.0)  # scales: the least and the largest score
MOST_RESAMPLES = 1_000_000  # they take about a minute for a test set; more only take longer


class Interval(NamedTuple):
    low: float
    high: float

    def clip(self, scale: tuple[float, float], observed: float) -> Interval:
        """Within the least and the largest possible score, or the observed one if that lies outside."""
        return Interval(max(self.low, min(scale[0], observed)), min(self.high, max(scale[1], observed)))


class Resampled(Protocol):
    """Anything with a score over sentences that can be asked for other lists of sentences."""

    @property
    def scale(self) -> tuple[float, float]: ...  # the least and the largest score
    def __len__(self) -> int: ...
    def score(self) -> float: ...
    def scores_over(self, draws: Draws) -> Array: ...
    def scores_without(self, blocks: list[slice]) -> Array: ...


@dataclass(frozen=True)
class Resampling:
    """How to resample. ``jackknife_blocks`` bounds the jackknife: of more sentences, whole blocks are left out.

    The ``method`` of intervals is ``bca``, ``percentile`` or ``studentised``; ``auto`` is ``studentised`` where 5 to
    199 sentences or documents are drawn, else ``bca``. With ``annotators``, which ``score`` and ``compare`` know,
    annotators are a sample like the sentences, and nothing is drawn (``contributions.py``). ``flips`` are the trials of
    random signs in the studentised test (``paired_tests.py``). They are so many that p near .05 is exact to .0014 in 19
    of 20 cases, and that Holm's correction of a thousand tests can show p < .05.

    ``documents`` are the places of the first sentences of documents, from 0, where whole documents are drawn
    (``gecval.document_starts``). Only the number of resamples may go by position: ``Resampling(1000)``.
    """

    resamples: int = 1000
    _: KW_ONLY
    level: float = 0.95
    method: str = "auto"
    seed: int = 1
    jackknife_blocks: int = 2000
    documents: tuple[int, ...] | None = None
    flips: int = 100_000

    def __post_init__(self) -> None:
        if self.method not in (known := (*METHODS, ANNOTATORS)):
            raise InputError(
                f"the interval method must be one of {', '.join(known)}, not {self.method!r}", parameter="method"
            )
        if not 0 < self.level < 1:
            hint = f"; {self.level:g}% is {self.level / 100:g}" if 1 < self.level < 100 else ""
            raise InputError(
                f"the confidence level must lie between 0 and 1, not {self.level}{hint}", parameter="level"
            )
        if not 2 <= self.resamples <= MOST_RESAMPLES:
            raise InputError(
                f"resampling takes from 2 to {MOST_RESAMPLES:,} resamples, not {self.resamples:,}",
                parameter="resamples",
            )
        if self.documents is not None:
            object.__setattr__(self, "documents", tuple(map(int, self.documents)))  # draws are kept by what they are of
            if len(self.documents) < 2:
                raise InputError(
                    "resampling documents needs two or more: one does not show what chance can do",
                    parameter="documents",
                )
            if self.documents[0] != 0 or any(b <= a for a, b in pairwise(self.documents)):
                raise InputError("documents begin at sentence 0, each behind the one before", parameter="documents")

    def method_for(self, size: int) -> str:
        """The method of intervals of so many sentences: what ``auto`` stands for.

        >>> Resampling().method_for(199), Resampling().method_for(200), Resampling(method="bca").method_for(20)
        ('studentised', 'bca', 'bca')
        """
        if self.method != "auto":
            return self.method
        return "studentised" if FEWEST <= len(self.documents or range(size)) < ENOUGH else "bca"

    def signature(self, size: int = ENOUGH) -> str:
        """Everything that decides an interval over so many sentences, by default many, as fields of a signature.

        >>> Resampling(method="percentile", seed=7).signature()
        'percentile:0.95|resamples:1000|seed:7'
        >>> Resampling(documents=(0, 2, 7), jackknife_blocks=100).signature(9)
        'bca:0.95|resamples:1000|seed:1|documents:3|borders:969f809d|jackknife_blocks:100'
        """
        method = self.method_for(size)
        drawn = [] if method == ANNOTATORS else [f"resamples:{self.resamples}", f"seed:{self.seed}"]
        fields = [f"{method}:{self.level}", *drawn]
        if self.documents:
            fields += [f"documents:{len(self.documents)}", f"borders:{self.borders()}"]
        if method != "percentile" and self.jackknife_blocks != Resampling.jackknife_blocks:
            fields.append(f"jackknife_blocks:{self.jackknife_blocks}")
        return "|".join(fields)

    def borders(self) -> str:
        """A hash of where documents begin."""
        return sha256(",".join(map(str, self.documents or ())).encode()).hexdigest()[:8]

    def draws(self, size: int) -> Iterator[Draws]:
        """Lists of sentences drawn with replacement, a block of lists at a time.

        Lists of whole documents differ in length. They are filled up with ``size``, which stands for no sentence.
        """
        if len(list(self._blocks(size))) == 1:
            yield _cache_draws(Resampling(self.resamples, seed=self.seed, documents=self.documents), size)
        else:
            yield from self._draws(size)

    def _draws(self, size: int) -> Iterator[Draws]:
        rng = np.random.default_rng(self.seed)
        lengths = self._lengths(size)
        for count in self._blocks(size):
            drawn = rng.integers(len(lengths), size=(count, len(lengths)), dtype=np.int64)
            yield drawn if self.documents is None else _sentences(drawn, lengths)

    def swaps(self, size: int) -> Iterator[NDArray[np.bool_]]:
        """Which sentences to swap in each trial, a block of trials at a time."""
        rng = np.random.default_rng(self.seed)
        lengths = self._lengths(size)
        for count in self._blocks(size):
            swapped = rng.random((count, len(lengths))) < 0.5
            yield swapped if self.documents is None else np.repeat(swapped, lengths, axis=1)

    def draw_swaps(self, size: int) -> Iterator[tuple[Draws, Draws]]:
        """For each trial what becomes of the two systems, where sentence *i* of the second is number ``i + size``."""
        if len(list(self._blocks(size))) == 1:
            yield _cache_swaps(Resampling(self.resamples, seed=self.seed, documents=self.documents), size)
        else:
            yield from self._draw_swaps(size)

    def _draw_swaps(self, size: int) -> Iterator[tuple[Draws, Draws]]:
        of_first = np.arange(size, dtype=np.int64)
        of_second = of_first + size
        for swap in self.swaps(size):
            yield np.where(swap, of_first, of_second), np.where(swap, of_second, of_first)

    def leave_out(self, size: int) -> list[slice]:
        """What the jackknife leaves out, one after the other: sentences, documents, or blocks of many."""
        blocks = jackknife_blocks(len(self._lengths(size)), self.jackknife_blocks)
        if self.documents is None:
            return blocks
        ends = [*self.documents[1:], size]
        return [slice(self.documents[block.start], ends[block.stop - 1]) for block in blocks]

    def signs(self, size: int) -> NDArray[np.uint8]:
        """Random signs of the units that the jackknife leaves out, [group of eight units, trial]: a bit for each."""
        return _cache_signs(self.seed, len(self.leave_out(size)), self.flips)

    def _lengths(self, size: int) -> NDArray[np.int64]:
        """How many sentences each unit has that is drawn."""
        if self.documents is None:
            return np.ones(size, dtype=np.int64)
        self.check_documents(size)
        return np.diff([*self.documents, size])

    def check_documents(self, size: int) -> None:
        """Refuse documents that begin behind the last sentence."""
        if self.documents is not None and self.documents[-1] >= size:
            raise InputError(
                f"a document begins at sentence {self.documents[-1]}, and there are {size} sentences",
                parameter="documents",
            )

    def _blocks(self, size: int) -> Iterator[int]:
        step = max(1, 4_000_000 // size)
        for first in range(0, self.resamples, step):
            yield min(step, self.resamples - first)


# What the parameter ``confidence`` of every study may be: whether there are intervals, their level, or all about them.

Confidence: TypeAlias = bool | float | Resampling | None


def resolve_optional_resampling(confidence: Confidence) -> Resampling | None:
    """How to compute intervals, for studies that give none unless they are asked for: None, False: none.

    >>> resolve_optional_resampling(False), resolve_optional_resampling(0.99).level
    (None, 0.99)
    """
    return None if confidence is None or confidence is False else resolve_resampling(confidence)


def resolve_resampling(confidence: Confidence, usual: Resampling = Resampling()) -> Resampling:
    """How to compute intervals, for studies that always give some: ``usual`` where nothing is said of them.

    >>> resolve_resampling(True).level, resolve_resampling(0.9).level
    (0.95, 0.9)
    """
    if confidence is None or confidence is True:
        return usual
    if isinstance(confidence, Resampling):
        return confidence
    if confidence is not False and isinstance(confidence, Real) and 0 < confidence < 1:
        return replace(usual, level=float(confidence))
    rule = "a level such as 0.95, or a Resampling"
    raise InputError(f"confidence is True, {rule}, not {confidence!r}", parameter="confidence")


@lru_cache(maxsize=1)
def _cache_draws(resampling: Resampling, size: int) -> Draws:
    """The draws, where they are one block: the same for all systems and metrics, so nobody may write there."""
    [draws] = resampling._draws(size)
    draws.setflags(write=False)
    return draws


@lru_cache(maxsize=1)
def _cache_swaps(resampling: Resampling, size: int) -> tuple[Draws, Draws]:
    """The same for all pairs of systems."""
    [lists] = resampling._draw_swaps(size)
    for draws in lists:
        draws.setflags(write=False)
    return lists


@lru_cache(maxsize=1)
def _cache_signs(seed: int, units: int, trials: int) -> NDArray[np.uint8]:
    """The same for all systems and metrics."""
    signs = np.random.default_rng(seed).integers(256, size=(-(-units // 8), trials), dtype=np.uint8)
    signs.setflags(write=False)
    return signs


def _sentences(drawn: Draws, lengths: NDArray[np.int64]) -> Draws:
    """The sentences of drawn documents, a list in each row, filled up to the longest.

    >>> _sentences(np.array([[0, 0], [1, 0]]), np.array([2, 1]))
    array([[0, 1, 0, 1],
           [2, 0, 1, 3]])
    """
    size, ends = int(lengths.sum()), np.cumsum(lengths)
    documents = [np.arange(end - length, end) for end, length in zip(ends, lengths, strict=True)]
    lists = np.full((len(drawn), int(lengths[drawn].sum(axis=1).max())), size, dtype=np.int64)
    for row, chosen in zip(lists, drawn, strict=True):
        sentences = np.concatenate([documents[number] for number in chosen])
        row[: len(sentences)] = sentences
    return lists


def percentile_interval(resampled: Array, level: float) -> Interval:
    """The middle ``level`` of resampled scores. Undefined scores are left out.

    >>> percentile_interval(np.array([1.0, 2.0, np.nan, 3.0, 4.0, 5.0]), 0.5)
    Interval(low=2.0, high=4.0)
    """
    known = resampled[~np.isnan(resampled)]
    if not len(known):
        return Interval(float("nan"), float("nan"))
    low, high = np.quantile(known, [0.5 - level / 2, 0.5 + level / 2])
    return Interval(float(low), float(high))


def times_drawn(groups: NDArray[np.int64] | NDArray[np.str_], resamples: int, rng: np.random.Generator) -> Array:
    """How often each item counts, [resample, item], where whole groups are drawn with replacement.

    Items of one group, such as all judgments of a sentence, are not independent: they come and go together.
    """
    _, which = np.unique(groups, return_inverse=True)
    size = int(which.max()) + 1
    times: Array = rng.multinomial(size, np.full(size, 1 / size), size=resamples).astype(np.float64)[:, which]
    return times


def resampled_scores(scored: Resampled, resampling: Resampling) -> Array:
    """The score over every resample. The draws depend on the seed and the size alone, so systems can be paired."""
    return np.concatenate([scored.scores_over(draws) for draws in resampling.draws(len(scored))])


def bootstrap_interval(scored: Resampled, resampling: Resampling, *, resampled: Array | None = None) -> Interval:
    """Confidence interval of a score, from ``resampled_scores`` where they are available."""
    scores = resampled_scores(scored, resampling) if resampled is None else resampled
    return resampled_interval(
        scores, scored.score(), scored.scores_without, size=len(scored), resampling=resampling, scale=scored.scale
    )


def resampled_interval(
    resampled: Array,
    observed: float,
    without: Callable[[list[slice]], Array],
    *,
    size: int,
    resampling: Resampling,
    scale: tuple[float, float] = ANY,
) -> Interval:
    """The interval of an observed number, from resampled ones and, for BCa, those ``without`` blocks of sentences."""
    check_annotators(resampling, "this interval")
    method, tails = resampling.method_for(size), [0.5 - resampling.level / 2, 0.5 + resampling.level / 2]
    if method == "studentised":
        blocks = resampling.leave_out(size)
        added = Contributions.of(observed, without(blocks), [block.stop - block.start for block in blocks])
        return Interval(*added.interval(resampling.level)).clip(scale, observed)
    if method == "bca" and resampled.min() < resampled.max():
        jackknife = without(resampling.leave_out(size))
        tails = _bca_tails(tails, resampled, observed, jackknife=jackknife)
    low, high = np.quantile(resampled, tails, method="nearest")
    return Interval(float(low), float(high))


def check_annotators(resampling: Resampling, what: str) -> None:
    """Refuse annotators as a sample where sentences or documents are drawn alone."""
    if resampling.method == ANNOTATORS:
        raise InputError(f"{what} takes sentences or documents as its sample, not annotators", parameter="unit")


def few_units_notes(resampling: Resampling, size: int) -> list[str]:
    """A note where there are so few sentences or documents that intervals and p-values are rough.

    >>> few_units_notes(Resampling(), 100)
    []
    >>> few_units_notes(Resampling(documents=(0, 200)), 500)
    ['2 documents are few: intervals and p-values are rough below 20']
    """
    if resampling.documents is not None:
        drawn, enough, unit = len(resampling.documents), ENOUGH_DOCUMENTS, "documents"
    else:
        drawn, enough, unit = size, ENOUGH_SENTENCES, "sentences"
    if drawn >= enough:
        return []
    return [f"{drawn} {unit} are few: intervals and p-values are rough below {enough}"]


def jackknife_blocks(size: int, most: int) -> list[slice]:
    """Consecutive blocks, or single sentences if there are few. Block sums keep the skewness that a needs."""
    return list(_blocks_of(size, min(size, most)))


@lru_cache(maxsize=1)
def _blocks_of(size: int, count: int) -> tuple[slice, ...]:
    edges = np.linspace(0, size, count + 1).astype(int).tolist()
    return tuple(slice(start, stop) for start, stop in pairwise(edges))


def _bca_tails(tails: list[float], resampled: Array, observed: float, *, jackknife: Array) -> list[float]:
    below = np.mean(resampled < observed) + np.mean(resampled == observed) / 2
    normal = NormalDist()
    # An observed score outside all resampled ones would put z₀ at infinity.
    bias = normal.inv_cdf(float(np.clip(below, 0.5 / len(resampled), 1 - 0.5 / len(resampled))))
    deviations = jackknife.mean() - jackknife
    spread = np.sum(deviations**2) ** 1.5
    acceleration = float(np.sum(deviations**3) / (6 * spread)) if spread > 0 else 0.0
    shifted = [bias + normal.inv_cdf(tail) for tail in tails]
    return [normal.cdf(bias + shift / (1 - acceleration * shift)) for shift in shifted]


# The mean of one value a sentence, ready to be resampled.


@dataclass(frozen=True, eq=False)
class SentenceMean:
    """
    >>> from gecval.stats import Resampling, bootstrap_interval
    >>> bootstrap_interval(SentenceMean(np.array([0.0, 1.0, 1.0, 1.0])), Resampling(level=0.5))
    Interval(low=0.5, high=1.0)
    """

    values: Array
    scale: tuple[float, float] = ANY

    def __len__(self) -> int:
        return len(self.values)

    def score(self) -> float:
        return float(self.values.mean())

    def scores_over(self, draws: Draws) -> Array:
        """Of each list; ``len(self)`` stands for no sentence."""
        kept = draws < len(self)
        if not kept.all():
            return np.asarray(np.append(self.values, 0.0)[draws].sum(axis=1) / kept.sum(axis=1))
        means: Array = self.values[draws].mean(axis=1)
        return means

    def scores_without(self, blocks: list[slice]) -> Array:
        return np.array([np.delete(self.values, block).mean() for block in blocks])


# Many figures of one corpus, each a function of sums over sentences, with an interval for each.
#
# Rows add up over sentences: ``rows[sentence, ...]``. A figure is a function of the totals. The resamples are drawn
# once for all figures, and only their totals are kept.


Figures = Callable[[Array], Array]  # totals [..., rows' axes] to figures, with the leading axes kept


@dataclass(frozen=True, eq=False)
class SentenceSums:
    """Rows of every sentence, and the totals of every resample."""

    rows: Array
    resampling: Resampling
    resampled: Array = field(init=False)

    def __post_init__(self) -> None:
        size, flat = len(self.rows), self.rows.reshape(len(self.rows), -1)
        totals = [_weights(draws, size) @ flat for draws in self.resampling.draws(size)]
        object.__setattr__(self, "resampled", np.concatenate(totals).reshape(-1, *self.rows.shape[1:]))

    def figure(self, of: Figures, *, level: float | None = None) -> tuple[float, Interval | None]:
        """A single figure with its interval. It may be undefined; then it is NaN, and its interval is None.

        Resamples in which the figure is undefined are left out, and the interval is then that of percentiles. A single
        sentence has no interval. ``level`` is by default that of the resampling.

        >>> sums = SentenceSums(np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]]), Resampling(level=0.5))
        >>> sums.figure(lambda totals: totals[..., 0] / totals[..., 1])
        (0.5714285714285714, Interval(low=0.5, high=0.6666666666666666))
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            value, resampled = float(of(self.rows.sum(axis=0))), of(self.resampled)
        if np.isnan(value) or len(self.rows) < 2:
            return value, None
        how = self.resampling if level is None else replace(self.resampling, level=level)
        if np.isnan(resampled).any():
            interval = percentile_interval(resampled, how.level)
        else:
            interval = resampled_interval(
                resampled,
                value,
                lambda blocks: self._without(blocks, of, value),
                size=len(self.rows),
                resampling=how,
            )
        return value, None if np.isnan(interval).any() else interval

    def _without(self, blocks: list[slice], of: Figures, value: float) -> Array:
        left_out = np.add.reduceat(self.rows, [block.start for block in blocks])
        with np.errstate(divide="ignore", invalid="ignore"):
            figures = np.asarray(of(self.rows.sum(axis=0) - left_out))
        return np.where(np.isnan(figures), value, figures)  # a block that holds all edits shifts nothing


def _weights(draws: Draws, size: int) -> Array:
    return np.array([np.bincount(draw, minlength=size)[:size] for draw in draws], dtype=np.float64)


# Ties: the same sum in another order may differ in its last bits, and this must decide nothing.

TOLERANCE = 1e-12


def sign(difference: Array) -> Array:
    """1, −1, or 0 where two scores differ by rounding alone; NaN where one of them is missing.

    >>> sign(np.array([0.1 + 0.2 - 0.3, -0.5, np.nan])).tolist()
    [0.0, -1.0, nan]
    """
    with np.errstate(invalid="ignore"):  # some builds of numpy warn of NaN
        signs: Array = np.where(np.abs(difference) <= TOLERANCE, 0.0, np.sign(difference))
    return signs


def share_as_large(differences: Array, observed: float) -> float:
    """The share of differences that lie as far from 0 as the observed one.

    >>> share_as_large(np.array([-0.3, 0.2, 0.1 + 0.2, 0.0]), -0.3)
    0.5
    """
    return float(np.mean(sign(np.abs(differences) - abs(observed)) >= 0))
