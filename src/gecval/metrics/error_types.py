"""Types of errors: what metrics can say of each, at which detail, and what an edit of a type is worth.

A type such as ``R:VERB:SVA`` is an operation (``R``) and a category (``VERB:SVA``). ``gecval score --by-type`` asks a
metric for scores (``errant``), recall (``m2``) or the number of errors (``grammaticality``) by type.
"""

from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, get_args

from gecval.corpus import Corpus, System
from gecval.edits.extractors import Extractor
from gecval.errors import InputError, shorten
from gecval.formats.files import parse_json, read_bytes
from gecval.metrics.base import MILLION, ByType, Metric, Statistics
from gecval.runtime.run import SERIAL, Run

Detail = Literal["operation", "category", "full"]
DETAILS: tuple[Detail, ...] = get_args(Detail)
OPERATIONS = ("M", "R", "U")


def at_detail(kind: str, detail: Detail) -> str:
    """The part of a type that a level of detail shows. Types that do not start with an operation stay whole.

    >>> [at_detail("R:VERB:SVA", detail) for detail in DETAILS]
    ['R', 'VERB:SVA', 'R:VERB:SVA']
    """
    operation, _, category = kind.partition(":")
    if detail == "full" or operation not in OPERATIONS:
        return kind
    return operation if detail == "operation" else category or kind


class ScoresByType(Metric):
    """A metric that counts tp, fp and fn, and can do so for each type of error that its extractor gives."""

    by_type: ClassVar[ByType | None] = "scores"

    @property
    @abstractmethod
    def extractor(self) -> Extractor: ...

    @abstractmethod
    def counts_by_type(
        self, corpus: Corpus, system: System, statistics: Statistics, detail: Detail = "full", *, run: Run = SERIAL
    ) -> dict[str, TypeCounts]:
        """The counts of every type that occurs, by name. ``statistics`` are those of the system under the metric.

        A sentence is compared with the annotator whom the whole score chose. A match counts for the reference's type.
        """


def find_scores_by_type(metrics: Iterable[Metric]) -> ScoresByType | None:
    """The first of these metrics that has scores by type of error.

    >>> from gecval.metrics import metric
    >>> find_scores_by_type([metric("gleu"), metric("errant")])
    errant
    """
    return next((metric for metric in metrics if isinstance(metric, ScoresByType)), None)


class TypeCounts(NamedTuple):
    """tp, fp and fn of every sentence for one type, and how many of its fp touch an edit of the reference."""

    statistics: Statistics
    wrong: int


class RecallByType(Metric):
    """A metric that says how many gold edits of each type were made."""

    by_type: ClassVar[ByType | None] = "recall"

    @abstractmethod
    def recall_by_type(
        self, corpus: Corpus, system: System, statistics: Statistics, detail: Detail = "full", *, run: Run = SERIAL
    ) -> dict[str, TypeRecall]:
        """The counts of every type that occurs, by name. ``statistics`` are those of the system under the metric."""


class ErrorsByCategory(Metric):
    """A metric that counts the errors of an output, in the categories of a checker."""

    by_type: ClassVar[ByType | None] = "errors"

    @abstractmethod
    def errors_by_category(self, system: System, *, run: Run = SERIAL) -> dict[str, int]:
        """The number of errors in each category, the most frequent first."""


@dataclass(kw_only=True)
class TypeRecall:
    """How many gold edits of a type there are, how many a system made, and how many within others were added."""

    gold: int = 0
    correct: int = 0
    span: int = 0
    overlap: int = 0
    within: int = 0


class TypeWeights(dict[str, float]):
    """What an edit of each type is worth: ``{"R:SPELL": 2, "PUNCT": 0.5, "U": 0.5}``.

    A key is a full type (``R:NOUN:NUM``), a category (``NOUN:NUM``) or an operation (``R``). The most exact key counts.
    An edit that no key fits is worth 1. The dict is a value, as metrics are: it does not change.
    """

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(frozenset(self.items()))

    @classmethod
    def check(cls, where: str, value: object) -> TypeWeights:
        """Weights from a dict, refused where they are not numbers by type."""
        if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
            raise InputError(
                f'{where} must be prices such as {{"R:SPELL": 2}}, or a JSON file with them, not {value!r}'
            )
        for kind, weight in value.items():
            if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= MILLION:
                raise InputError(f"{where}: the price of {kind} must be a number from 0 to a million, not {weight!r}")
        return cls(value)

    @classmethod
    def read(cls, path: Path) -> TypeWeights:
        """The weights in a JSON file."""
        content = read_bytes(path)
        try:
            value = parse_json(content)
        except UnicodeDecodeError:
            raise InputError(f"{path} is not UTF-8") from None
        except json.JSONDecodeError as error:
            raise InputError(f"{path}: line {error.lineno} is no JSON ({error.msg})") from None
        except RecursionError:
            raise InputError(f"{path} is no JSON with prices: brackets are too deep") from None
        except ValueError as error:  # Python reads no number of over 4,300 digits; or half of a surrogate pair
            said = "a number is too long" if "digits" in str(error) else shorten(error)
            raise InputError(f"{path} is no JSON with prices: {said}") from None
        return cls.check(str(path), value)

    def weight(self, kind: str) -> float:
        """What an edit of this type is worth.

        >>> weights = TypeWeights({"R": 2, "NOUN": 3, "R:NOUN:NUM": 4})
        >>> [weights.weight(kind) for kind in ("R:NOUN:NUM", "R:NOUN", "R:VERB", "M:VERB")]
        [4, 3, 2, 1.0]
        """
        operation, _, category = kind.partition(":")
        fitting = (key for key in (kind, category, operation) if key in self)
        return self.get(next(fitting, kind), 1.0)

    def spelling(self) -> str:
        """For signatures: the same for equal weights, wherever they were written."""
        return ",".join(f"{kind}={float(weight)!r}".removesuffix(".0") for kind, weight in sorted(self.items()))

    def unused(self, kinds: set[str]) -> list[str]:
        """The keys that fit none of these types. They may be misprints."""
        parts = kinds | {kind.partition(":")[0] for kind in kinds} | {kind.partition(":")[2] for kind in kinds}
        return [key for key in self if key not in parts]
