"""What a metric is: statistics that add up, and a pure function from their sum to a score.

    corpus, system ──► statistics ──► S[sentence, reference, k] ──► reference rule ──► sum ──► score

A metric never averages, resamples, prints or reads files. Whoever holds S can do all of that, for every metric alike.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import Field, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.errors import InputError
from gecval.progress import Progress, silent

if TYPE_CHECKING:
    from gecval.edits.extractors import Extractor
    from gecval.metrics.rules import ReferenceRule

Array = NDArray[np.float64]
Ratio = tuple[Sequence[float], Sequence[float]]
Need = Literal["references", "edits", "optional"]  # optional: references where they are given


@dataclass(frozen=True)
class Statistics:
    """S as a ragged array: the rows of sentence *i* are ``rows[offsets[i]:offsets[i + 1]]``.

    A sentence has one row per reference, or one row in all. In paired tests the rows of several systems for the same
    sentences lie one after the other; ``copies`` is the number of these systems.
    """

    rows: Array
    offsets: NDArray[np.int64]
    notes: tuple[str, ...] = ()
    copies: int = 1

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @classmethod
    def one_per_sentence(cls, rows: Array, notes: tuple[str, ...] = ()) -> Statistics:
        """The statistics of a metric that sees all references at once."""
        return cls(rows, np.arange(len(rows) + 1, dtype=np.int64), notes)

    def filled_up(self) -> Statistics:
        """With one more sentence, whose row is 0: it stands for no sentence in lists of different length."""
        rows = np.concatenate([self.rows, np.zeros_like(self.rows[:1])])
        return replace(self, rows=rows, offsets=np.append(self.offsets, self.offsets[-1] + 1))

    def take(self, sentences: NDArray[np.int64]) -> Statistics:
        """The statistics of these sentences, in this order. A sentence may be taken several times."""
        counts = np.diff(self.offsets)[sentences]
        offsets = np.concatenate([[0], np.cumsum(counts)])
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], counts)
        rows = self.rows[np.repeat(self.offsets[sentences], counts) + within]
        return Statistics(rows, offsets.astype(np.int64), self.notes)

    def beside(self, other: Statistics) -> Statistics:
        """The two systems' rows as one array: sentence *i* of the other is number ``i + len(self)``."""
        return Statistics(
            np.concatenate([self.rows, other.rows]),
            np.concatenate([self.offsets, other.offsets[1:] + self.offsets[-1]]),
            copies=2,
        )


def all_edits_given(corpus: Corpus) -> bool:
    """Whether references and outputs come with their edits, so that no extractor looks at a text."""
    return corpus.given_edits and corpus.has_edits()


class Metric(ABC):
    """A metric is a value: a frozen dataclass of its parameters. ``repr`` is its spelling on the command line."""

    name: ClassVar[str]
    summary: ClassVar[str]
    paper: ClassVar[str]
    needs: ClassVar[Need | None] = "references"
    higher_is_better: ClassVar[bool] = True
    pays: ClassVar[bool] = False  # whether it pays for each answer, so that nobody asks for what is not needed

    @property
    def direction(self) -> int:
        """1 where a higher score is better, −1 where a lower one is: a score times this rises with quality."""
        return 1 if self.higher_is_better else -1

    @property
    def extractor(self) -> Extractor | None:
        """Finds edits in texts, for metrics that look at the edits of hypotheses."""
        return None

    @property
    def finds_edits(self) -> bool:
        """Whether it finds the edits of hypotheses, and of references that are plain text, by itself."""
        return self.extractor is not None

    def extractor_for(self, corpus: Corpus) -> Extractor | None:
        """The extractor, also of metrics that look at the corpus before they choose one; None where none is needed."""
        return None if all_edits_given(corpus) else self.extractor

    @property
    @abstractmethod
    def rule(self) -> ReferenceRule:
        """How several references of a sentence count. Where it is constant, a class attribute will do."""

    @abstractmethod
    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        """The additive numbers of every sentence and reference."""

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, jobs: int = 1, progress: Progress = silent) -> None:
        """Ask slow models about all systems in one go, which fills their batches. Most metrics ask no model."""
        return

    @abstractmethod
    def score(self, totals: Array) -> Array:
        """The score of summed statistics. The last axis is k; all other axes are kept."""

    def sentence_score(self, rows: Array) -> Array:
        """The score of a single sentence, for metrics that smooth it."""
        return self.score(rows)

    def judged(self, statistics: Statistics) -> NDArray[np.bool_]:
        """Which sentences it has a score for. Contests leave out sentences without one."""
        return np.ones(len(statistics), dtype=np.bool_)

    def as_ratio(self) -> Ratio | None:
        """Weights (u, v) if the score of totals T rises with u·T / v·T wherever v·T > 0; None for other scores.

        This must hold for totals of equally many sentences, and v·row is never negative. With these weights, a set of
        sentences can be proven to be the smallest that decides between two systems.
        """
        return None

    def parts(self, totals: Array) -> dict[str, float]:
        """What the score is made of, by name, for one vector of totals."""
        return {}

    def proposed_edits(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, jobs: int = 1
    ) -> list[tuple[Edit, ...]] | None:
        """The edits that the metric sees in each hypothesis, where it is compared with the reference in ``slots``.

        None for metrics that look at no edits.
        """
        return None

    @property
    def language(self) -> str | None:
        """The only language whose texts the metric can judge, as a code such as ``en``; None: any."""
        return self.extractor.language if self.extractor else None

    @property
    def compares_types(self) -> bool:
        """Whether the types of the references' edits must be those that the metric's own extractor gives."""
        return False

    def check(self, corpus: Corpus) -> None:
        """Refuse a corpus in another language, or one that lacks what this metric needs."""
        if not (self.extractor and all_edits_given(corpus)):
            corpus.check_language(self.name, self.language)
        if self.needs is None or self.needs == "optional":
            return
        counts = np.diff(corpus.reference_slots)
        if not counts.any():
            raise InputError(f"{self.name} needs references", parameter="references")
        if not counts.all():
            number = int(np.argmin(counts)) + 1
            raise InputError(f"{self.name} needs a reference for every sentence; sentence {number} has none")
        if self.needs == "edits" and not corpus.has_edits():
            raise InputError(
                f"{self.name} needs edits, and some references are only text: annotate them, or give an .m2 file",
                parameter="references",
            )

    @property
    def whole_corpus(self) -> str | None:
        """Why its rows depend on more than their sentence, so that a corpus cannot be scored in parts; None: it can."""
        return None

    def data_signature(self, corpus: Corpus) -> list[str]:
        """Fields of a signature for what decides the score besides parameters, sources and references."""
        return []

    @classmethod
    def parameter_fields(cls) -> list[Field[Any]]:
        """The parameters in the order in which a call takes them. Those that go by name only come last."""
        return sorted(fields(cls), key=lambda field: field.kw_only is True)  # type: ignore[arg-type]

    def parameters(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in self.parameter_fields()}

    def in_full(self) -> str:
        """The metric with everything that decides its score, versions of models included, for signatures."""
        return f"{self.name}({','.join(f'{name}:{value}' for name, value in self.parameters().items())})"

    def __repr__(self) -> str:
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in self.parameter_fields()
            if getattr(self, field.name) != field.default
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name
