"""What the agreement of annotators is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gecval.results.result import ResultSequence
from gecval.stats import Interval
from gecval.stats.resampling import MaybeUndefined


@dataclass(frozen=True, kw_only=True)
class Agreed:
    """Edit-level F and κ over tokens, each with its interval, over ``sentences`` that the annotators share.

    A figure is undefined where nobody edits anything; then there is no interval.
    """

    sentences: int
    f: MaybeUndefined
    f_interval: Interval | None = None
    kappa: MaybeUndefined
    kappa_interval: Interval | None = None


@dataclass(frozen=True, kw_only=True)
class AnnotatorPair(Agreed):
    """Two annotators: how many edits each made in the sentences that both saw, and how many are the same. κ: Cohen."""

    first: str
    second: str
    first_edits: int
    second_edits: int
    same_edits: int


@dataclass(frozen=True, kw_only=True)
class AnnotatorAgreement(Agreed):
    """An annotator against the rest: all pairs with the annotator, together. ``saw`` sentences and made ``edits``.

    ``precision`` is the share of the annotator's edits that another made too, ``recall`` the share of the others' edits
    that the annotator made, each over all pairs. ``among_others`` is F of the pairs without the annotator, and
    ``distance`` is F minus it. ``outlier`` says that the whole interval of the distance lies below −``far``; None where
    there are fewer than three annotators. κ: Cohen, of the pairs together.
    """

    annotator: str
    saw: int
    edits: int
    precision: MaybeUndefined
    recall: MaybeUndefined
    among_others: MaybeUndefined
    distance: MaybeUndefined
    distance_interval: Interval | None = None
    outlier: bool | None = None


@dataclass(frozen=True, kw_only=True)
class TypeAgreement(Agreed):
    """All pairs together, over edits of one type alone. κ: Fleiss, over tokens that have an edit of this type."""

    type: str
    edits: int


@dataclass(frozen=True, kw_only=True, repr=False)
class Agreement(ResultSequence[AnnotatorAgreement]):
    """How far the annotators of a corpus agree: over all, each against the rest, each pair, and by type.

    ``level`` is that of all intervals. Those of ``distance`` are wider: together, they hold at this level.
    """

    kind: ClassVar[str] = "agreement"
    view: ClassVar[str] = "agreement_tables"
    main: ClassVar[str] = "annotators"

    overall: Agreed
    annotators: tuple[AnnotatorAgreement, ...]
    pairs: tuple[AnnotatorPair, ...]
    types: tuple[TypeAgreement, ...]
    level: float
    far: float
    signature: str

    @property
    def outliers(self) -> tuple[str, ...]:
        """The names of annotators who are far from the others."""
        return tuple(row.annotator for row in self.annotators if row.outlier)
