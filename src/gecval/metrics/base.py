"""What a metric is: statistics that add up, and a pure function from their sum to a score.

    corpus, system ──► statistics ──► S[sentence, reference, k] ──► reference rule ──► sum ──► score

A metric never averages, resamples, prints or reads files. Whoever holds S can do all of that, for every metric alike.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from inspect import cleandoc, isabstract
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.edits.extractors import CorpusEdits, Extractor, choose_extractor, extractor
from gecval.errors import InputError
from gecval.runtime.run import SERIAL, Run

if TYPE_CHECKING:
    from gecval.metrics.reference_rules import ReferenceRule
    from gecval.models.chat import Chat, Workload


Array = NDArray[np.float64]
Ratio = tuple[Sequence[float], Sequence[float]]
ByType = Literal["scores", "recall", "errors"]
Need = Literal["references", "edits", "optional"]  # optional: references where they are given
PageFormula = dict[str, Any]  # what the report page needs in order to compute with rows, as JSON has it


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

    def with_empty_sentence(self) -> Statistics:
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

    def concatenate(self, other: Statistics) -> Statistics:
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
    title: ClassVar[str] = ""  # as papers write the name, where that differs
    summary: ClassVar[str]
    paper: ClassVar[str]
    needs: ClassVar[Need | None] = "references"
    higher_is_better: ClassVar[bool] = True
    scale: ClassVar[tuple[float, float]] = (-math.inf, math.inf)  # the least and the largest score
    is_function: ClassVar[bool] = False  # whether it is a plain function of the user's
    by_type: ClassVar[ByType | None] = None  # what it says of each type of error (``error_types.py``)
    pays: ClassVar[bool] = False  # whether it pays for each answer, so that nobody asks for what is not needed

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        drop_inherited(cls, "page_formula", Metric, decided_by=("score", "sentence_score", "parts"))

    @property
    def proper_name(self) -> str:
        """The name as papers write it, with the parameters that differ from the defaults.

        >>> from gecval.metrics import metric
        >>> metric("m2").proper_name, metric("gleu(n=3)").proper_name
        ('M²', 'GLEU (n=3)')
        """
        spelling = repr(self)
        if not self.title or not spelling.startswith(self.name):
            return spelling
        parameters = spelling.removeprefix(self.name)
        return f"{self.title} {parameters}" if parameters else self.title

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
    def statistics(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> Statistics:
        """The additive numbers of every sentence and reference."""

    def prepare(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> None:
        """Ask slow models about all systems in one go, which fills their batches. Most metrics ask no model."""
        return

    @abstractmethod
    def score(self, totals: Array) -> Array:
        """The score of summed statistics. The last axis is k; all other axes are kept."""

    def sentence_score(self, rows: Array) -> Array:
        """The score of a single sentence, for metrics that smooth it."""
        return self.score(rows)

    def has_score(self, statistics: Statistics) -> NDArray[np.bool_]:
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

    def page_formula(self) -> PageFormula | None:
        """How the report page computes the score of any sentences: a function of ``formulas.js``, and its parameters.

        ``name`` is the name of the function in ``studies/report/assets/formulas.js``, which turns summed rows into the
        score. None: the page holds the sentence scores instead, and some sentences have their mean.

        The declaration counts for the class that makes it, not for its subclasses: they may compute something else. A
        subclass that computes the same declares it again. That of an abstract class counts for all its subclasses that
        leave the score as it is.

        >>> from gecval.metrics import metric
        >>> metric("m2(beta=1.0)").page_formula(), metric("ld").page_formula()
        ({'name': 'm2', 'beta': 1.0}, {'name': 'mean'})
        """
        return None

    @property
    def exact_on_subsets(self) -> bool:
        """Whether the page's score of some sentences is the one that they would have as a corpus of their own."""
        return self.page_formula() is not None and self.rule.page_rule() is not None

    def proposed_edits(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, run: Run = SERIAL
    ) -> list[tuple[Edit, ...]] | None:
        """The edits that the metric sees in each hypothesis, where it is compared with the reference in ``slots``.

        None for metrics that look at no edits.
        """
        return None

    @property
    def components(self) -> tuple[Metric, ...]:
        """The metrics that it is made of: its parameters that are metrics."""
        values = (getattr(self, field.name) for field in self.parameter_fields())
        return tuple(value for value in values if isinstance(value, Metric))

    @property
    def needs_pool(self) -> bool:
        """Whether the other systems that are scored decide its score: ``Corpus.pool`` has them."""
        return any(component.needs_pool for component in self.components)

    @property
    def reads_files(self) -> bool:
        """Whether its parameters name files of the user."""
        return False

    @property
    def chat(self) -> Chat | None:
        """The chat model that it asks, for metrics that ask one."""
        return None

    def workload(self, corpus: Corpus, systems: Sequence[System], *, run: Run = SERIAL) -> Workload | None:
        """What scoring these systems would ask a chat model, without asking; None for metrics that ask none."""
        return None

    @property
    def smooths_sentences(self) -> bool:
        """Whether a sentence alone has another score than a corpus of that one sentence."""
        return type(self).sentence_score is not Metric.sentence_score

    def for_language(self, corpus: Corpus, parses: tuple[str, ...] = (), words: str = "") -> Metric:
        """The metric as the language of a corpus needs it, with files of parses and of words where they are given."""
        return self

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

    def description(self) -> str:
        """The formula and the choices, as the module of the metric has them at its top."""
        return cleandoc(sys.modules[type(self).__module__].__doc__ or type(self).__doc__ or "")

    def spell_in_full(self) -> str:
        """The metric with everything that decides its score, versions of models included, for signatures."""
        return f"{self.name}({','.join(f'{name}:{value}' for name, value in self.parameters().items())})"

    def __repr__(self) -> str:
        changed = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in self.parameter_fields()
            if getattr(self, field.name) != field.default
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name


def find_proper_names(metrics: Iterable[Metric]) -> dict[str, str]:
    """Metrics by their spelling, as papers write their names."""
    return {repr(metric): metric.proper_name for metric in metrics}


def drop_inherited(cls: type, declaration: str, root: type, *, decided_by: Sequence[str] = ()) -> None:
    """Take the root's declaration instead of one that was made for another class, which may compute something else.

    What an abstract class declares counts for its subclasses too, unless they change one of these methods.
    """
    owner = next(parent for parent in cls.__mro__ if declaration in vars(parent))
    changed = any(getattr(cls, name) is not getattr(owner, name) for name in decided_by)
    if owner is not cls and (changed or not isabstract(owner)):
        setattr(cls, declaration, getattr(root, declaration))


def with_count(values: Array) -> Array:
    """Rows (value, 1)."""
    return np.stack([values, np.ones_like(values)], axis=-1)


class AveragedMetric(Metric):
    """A metric whose corpus score is the mean of the sentence scores: Σ value / Σ 1."""

    def score(self, totals: Array) -> Array:
        mean: Array = totals[..., 0] / totals[..., 1]
        return mean

    def as_ratio(self) -> Ratio | None:
        return (1, 0), (0, 1)

    def page_formula(self) -> PageFormula | None:
        return {"name": "mean"}


@dataclass(frozen=True, repr=False)
class EditFindingMetric(Metric):
    """A metric that finds the edits of hypotheses itself: by ERRANT in English, by plain rules elsewhere."""

    needs: ClassVar[Need | None] = "edits"

    edits: str = field(default="", kw_only=True)  # who finds them instead: an extractor's name

    def __post_init__(self) -> None:
        check_text(self.name, edits=self.edits)

    @property
    def extractor(self) -> Extractor | None:
        return extractor(self.edits) if self.edits else None

    @property
    def finds_edits(self) -> bool:
        return True

    def extractor_for(self, corpus: Corpus) -> Extractor | None:
        return None if all_edits_given(corpus) else self._finder(corpus)

    def _finder(self, corpus: Corpus) -> Extractor:
        return self.extractor or corpus.derive(choose_extractor).extractor

    def hypothesis_edits(self, corpus: Corpus, system: System, *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits of each hypothesis: its own, where it brings some."""
        if system.edits is not None:
            return list(system.edits)
        return corpus.derive(CorpusEdits).edits(self._finder(corpus), system, run=run.quiet())

    def proposed_edits(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, run: Run = SERIAL
    ) -> list[tuple[Edit, ...]]:
        return self.hypothesis_edits(corpus, system, run=run)


# What the parameters of metrics may be. A check looks at the type first, so it refuses any value in one clear line.
#
# >>> positive("m2", beta="a")
# Traceback (most recent call last):
# gecval.errors.InputError: m2: beta must be a number above 0 and at most a million, not 'a'


MILLION = 1_000_000


def check_positive(metric: str, **values: float) -> None:
    """Refuse parameters that are not above zero, or beyond any use."""
    for name, value in values.items():
        if not _is_number(value) or not 0 < value <= MILLION:
            raise InputError(f"{metric}: {name} must be a number above 0 and at most a million, not {value!r}")


def check_number(metric: str, *, least: int = -MILLION, most: int = MILLION, **values: float) -> None:
    """Refuse parameters that are no numbers in a range."""
    for name, value in values.items():
        if not _is_number(value) or not least <= value <= most:
            raise InputError(f"{metric}: {name} must be a number from {least} to {most}, not {value!r}")


def check_whole(metric: str, *, least: int = 1, most: int = 1000, **values: int) -> None:
    """Refuse parameters that are no whole numbers in a range."""
    for name, value in values.items():
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise InputError(f"{metric}: {name} must be a whole number from {least} to {most}, not {value!r}")


def check_flag(metric: str, **values: bool) -> None:
    """Refuse parameters that are neither True nor False."""
    for name, value in values.items():
        if not isinstance(value, bool):
            raise InputError(f"{metric}: {name} must be True or False, not {value!r}")


def check_text(metric: str, **values: str) -> None:
    """Refuse parameters that are no text."""
    for name, value in values.items():
        if not isinstance(value, str):
            raise InputError(f"{metric}: {name} must be a text in quotes, not {value!r}")


def check_texts(metric: str, example: str, **values: tuple[str, ...]) -> None:
    """Refuse parameters that are no lists of texts. A single text would count as the list of its letters."""
    for name, value in values.items():
        if not isinstance(value, tuple) or not all(isinstance(item, str) for item in value):
            raise InputError(f'{metric}: {name} must be a list such as ("{example}",), not {value!r}')


def check_numbers(metric: str, *, count: int, **values: tuple[float, ...]) -> None:
    """Refuse parameters that are no lists of so many numbers from 0 on."""
    for name, value in values.items():
        listed = isinstance(value, tuple) and len(value) == count
        if not listed or not all(_is_number(item) and 0 <= item <= MILLION for item in value):
            raise InputError(f"{metric}: {name} must be {count} numbers from 0 on in brackets, not {value!r}")


def check_one_of(metric: str, allowed: tuple[str, ...], **values: str) -> None:
    """Refuse parameters that are none of the allowed texts."""
    for name, value in values.items():
        if not isinstance(value, str) or value not in allowed:
            listed = map(repr, allowed) if str(value) in allowed else allowed  # '3.2', not 3.2
            raise InputError(f"{metric}: {name} must be one of {', '.join(listed)}, not {value!r}")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# Precision, recall and F, and what they are where the denominator is 0. All edit metrics use this page.


def ratio(numerator: Array, denominator: Array, *, empty: float) -> Array:
    """``numerator / denominator``, and ``empty`` where the denominator is 0.

    >>> import numpy as np
    >>> ratio(np.array([1.0, 0.0]), np.array([4.0, 0.0]), empty=1.0).tolist()
    [0.25, 1.0]
    """
    result = np.full(np.broadcast_shapes(np.shape(numerator), np.shape(denominator)), empty)
    np.divide(numerator, denominator, out=result, where=np.asarray(denominator) != 0)
    return result


def precision_recall(counts: Array) -> tuple[Array, Array]:
    """tp / (tp + fp) and tp / (tp + fn), 1 where the denominator is 0; tp, fp and fn are the last axis."""
    tp, fp, fn = counts[..., 0], counts[..., 1], counts[..., 2]
    return ratio(tp, tp + fp, empty=1.0), ratio(tp, tp + fn, empty=1.0)


def f_score(precision: Array, recall: Array, beta: float) -> Array:
    """(1 + β²)·P·R / (β²·P + R), 0 where both are 0."""
    squared = beta * beta
    return ratio((1 + squared) * precision * recall, squared * precision + recall, empty=0.0)
