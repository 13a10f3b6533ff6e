"""ERRANT's score (Bryant, Felice & Briscoe 2017): F over typed edits, those of the hypothesis found automatically.

    P = tp / (tp + fp)      R = tp / (tp + fn)      F_β = (1 + β²)PR / (β²P + R)

Without a false positive P = 1, without a false negative R = 1. ``level`` says in what two edits must agree:
``correction`` (span and correction), ``classification`` (also type), ``detection`` (span), or ``token-detection`` (the
tokens of the span; an insertion marks the token on its right). These are -cs, -cse, -ds and -dt of errant_compare.

``average="macro"`` is the mean of F over all types (``errant_macro.py``). ``weights`` says what an edit of each type is
worth: ``{"R:SPELL": 2}``, or a JSON file with such prices (``prices.py``). ``lang`` and
what goes with it are for other languages than English (``errant_languages.py``).
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.edits.extractors import Extractor
from gecval.edits.remembered import Finders
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Need, Ratio, Statistics
from gecval.metrics.errant_languages import NOT_ANNOTATED, OF_EXTRACTOR, check_languages, extractor_for
from gecval.metrics.errant_macro import macro, rows_by_type
from gecval.metrics.parameters import one_of, positive, texts
from gecval.metrics.prices import Prices, checked_prices, read_prices
from gecval.metrics.ratios import f_score, precision_recall
from gecval.metrics.running_best import MacroBest, RunningBest
from gecval.models.spacy_parser import DEFAULT_MODEL

LEVELS = ("correction", "classification", "detection", "token-detection")
SIZES = ("any", "single", "multi")
AVERAGES = ("micro", "macro")
UNCORRECTED = "UNK"  # an error that was seen but not corrected: it counts for detection only

TypesByKey = dict[Hashable, list[str]]


@dataclass(frozen=True, repr=False)
class Errant(Metric):
    name: ClassVar[str] = "errant"
    summary: ClassVar[str] = "F over typed edits, extracted from text"
    paper: ClassVar[str] = "Bryant, Felice & Briscoe 2017"
    needs: ClassVar[Need | None] = "edits"

    beta: float = 0.5
    level: str = "correction"
    model: str = DEFAULT_MODEL  # a spaCy model, or "plain"
    size: str = "any"
    ignore: tuple[str, ...] = ()
    average: str = "micro"
    weights: Prices | str = ""
    lang: str = ""
    alignments: str = "pooled"
    resources: str = ""
    parses: tuple[str, ...] = ()
    words: str = ""

    def __post_init__(self) -> None:
        positive(self.name, beta=self.beta)
        one_of(self.name, LEVELS, level=self.level)
        one_of(self.name, SIZES, size=self.size)
        texts(self.name, "R:SPELL", ignore=self.ignore)
        one_of(self.name, AVERAGES, average=self.average)
        check_languages(self.name, self._language_parameters)
        if not isinstance(self.weights, str):
            object.__setattr__(self, "weights", checked_prices(f"{self.name}: weights", self.weights))
        if self.weights and self.average == "macro":
            raise InputError(f"{self.name}: the macro average counts all types alike, so it takes no weights")

    @property
    def rule(self) -> RunningBest | MacroBest:
        return MacroBest(self.beta) if self.average == "macro" else RunningBest(self.beta, "errant")

    @property
    def compares_types(self) -> bool:
        return self.level == "classification" or self.average == "macro" or bool(self.weights)

    @property
    def whole_corpus(self) -> str | None:
        return "its columns are the types of the whole corpus" if self.average == "macro" else None

    @cached_property
    def prices(self) -> Prices:
        """What an edit of each type is worth."""
        if isinstance(self.weights, str):
            return read_prices(Path(self.weights)) if self.weights else Prices()
        return self.weights

    def check(self, corpus: Corpus) -> None:
        super().check(corpus)
        _ = self.prices  # a file that cannot be read is refused before anything slow

    def parameters(self) -> dict[str, Any]:
        """As signatures have them: what came later is not in those of plain ``errant``."""
        parameters = super().parameters() | {"weights": self.prices.spelled()}
        new = {"average": "micro", "weights": ""}
        kept = () if self.lang else ("model",)
        elsewhere = set(OF_EXTRACTOR) - set(kept)
        return {k: value for k, value in parameters.items() if new.get(k) != value and k not in elsewhere}

    @property
    def extractor(self) -> Extractor:
        """Finds the edits of hypotheses, and of references that are plain text."""
        return extractor_for(self._language_parameters)

    @property
    def _language_parameters(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in OF_EXTRACTOR}

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        edits = self.hypothesis_edits(corpus, system, jobs=jobs)
        by_type = (compared(proposed, gold) for proposed, golds in self.matched(corpus, edits) for gold in golds)
        rows = rows_by_type(corpus, by_type) if self.average == "macro" else self._rows(by_type)
        notes = self._notes(corpus, edits) + self._extractor_notes(corpus, system)
        return Statistics(rows, corpus.reference_slots, notes)

    def _rows(self, by_type: Iterator[dict[str, list[int]]]) -> Array:
        """tp, fp and fn, each edit at its price."""
        prices = self.prices
        if not prices:
            rows = [[sum(counts) for counts in zip((0, 0, 0), *types.values(), strict=True)] for types in by_type]
        else:
            worth = ([(prices.of(kind), counts) for kind, counts in types.items()] for types in by_type)
            rows = [[sum(price * counts[k] for price, counts in priced) for k in range(3)] for priced in worth]
        return np.array(rows, dtype=np.float64)

    def hypothesis_edits(self, corpus: Corpus, system: System, *, jobs: int = 1) -> list[tuple[Edit, ...]]:
        """The edits of each hypothesis: its own, where it brings some."""
        if system.edits is not None:
            return list(system.edits)
        return corpus.derived(Finders).edits(self.extractor, system, jobs=jobs)

    def proposed_edits(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, jobs: int = 1
    ) -> list[tuple[Edit, ...]]:
        return [self.counted(edits) for edits in self.hypothesis_edits(corpus, system, jobs=jobs)]

    def counted(self, edits: Iterable[Edit]) -> tuple[Edit, ...]:
        """The edits that are looked at."""
        return tuple(filter(self._counts, edits))

    def matched(
        self, corpus: Corpus, hypothesis_edits: list[tuple[Edit, ...]]
    ) -> Iterator[tuple[TypesByKey, list[TypesByKey]]]:
        """For each sentence, the edits of the hypothesis by what must agree, and those of each reference."""
        for proposed, references in zip(hypothesis_edits, corpus.references, strict=True):
            golds = [reference.edits or () for reference in references]
            if golds == [NOT_ANNOTATED]:
                yield {}, [{}]
                continue
            # An unchanged hypothesis says of itself what such an annotator says.
            golds = [() if gold == NOT_ANNOTATED and not proposed else gold for gold in golds]
            yield self._by_key(proposed), list(map(self._by_key, golds))

    def _notes(self, corpus: Corpus, hypothesis_edits: list[tuple[Edit, ...]]) -> tuple[str, ...]:
        """Types to ignore or with a price that no edit has: misprints, or the types of another annotation scheme."""
        if not self.ignore and not self.prices:
            return ()
        gold = (reference.edits or () for references in corpus.references for reference in references)
        seen = {edit.type for edits in chain(hypothesis_edits, gold) for edit in edits}
        unseen = " or ".join(kind for kind in self.ignore if kind not in seen)
        notes = [f"errant is to ignore the type {unseen}, and no reference has such an edit"] if unseen else []
        if unpriced := " or ".join(self.prices.unused(seen)):
            notes.append(f"errant has a price for {unpriced}, and no edit is of that type")
        return tuple(notes)

    def _extractor_notes(self, corpus: Corpus, system: System) -> tuple[str, ...]:
        notes = getattr(self.extractor, "notes", None)
        return notes(list(zip(corpus.sources, system.hypotheses, strict=True))) if notes else ()

    def _by_key(self, edits: tuple[Edit, ...]) -> TypesByKey:
        types: TypesByKey = {}
        for edit in edits:
            if self._counts(edit):
                for key in self._keys(edit):
                    types.setdefault(key, []).append(edit.type)
        return types

    def _counts(self, edit: Edit) -> bool:
        """Whether an edit is looked at (-single, -multi and -filt of errant_compare leave some out)."""
        if edit.type in self.ignore or (edit.type == UNCORRECTED and "detection" not in self.level):
            return False
        added = 0 if self.lang == "zh" else len(edit.correction.split())  # ChERRANT looks at the source side only
        single = edit.end - edit.start < 2 and added < 2
        return self.size == "any" or single == (self.size == "single")

    def key(self, edit: Edit) -> Hashable:
        """What must agree, at a level where an edit has one key."""
        [key] = self._keys(edit)
        return key

    def _keys(self, edit: Edit) -> list[Hashable]:
        if self.level == "token-detection":
            return list(range(edit.start, max(edit.end, edit.start + 1)))
        if self.level == "detection":
            return [(edit.start, edit.end)]
        if self.level == "classification":
            return [(edit.start, edit.end, edit.corrections, edit.type)]
        return [(edit.start, edit.end, edit.corrections)]

    def score(self, totals: Array) -> Array:
        return self._precision_recall_f(totals)[2]

    def as_ratio(self) -> Ratio | None:
        """F = (1 + β²)·tp / ((1 + β²)·tp + fp + β²·fn)."""
        squared = self.beta**2
        return None if self.average == "macro" else ((1 + squared, 0, 0), (1 + squared, 1, squared))

    def parts(self, totals: Array) -> dict[str, float]:
        precision, recall, _ = self._precision_recall_f(totals)
        tp, fp, fn = (totals[k::3].sum() for k in range(3))
        number = float if self.prices else int
        return {
            "precision": float(precision),
            "recall": float(recall),
            "tp": number(tp),
            "fp": number(fp),
            "fn": number(fn),
        }

    def _precision_recall_f(self, totals: Array) -> tuple[Array, Array, Array]:
        if self.average == "macro":
            return macro(totals, self.beta)
        precision, recall = precision_recall(totals)
        return precision, recall, f_score(precision, recall, self.beta)


def compared(proposed: TypesByKey, gold: TypesByKey) -> dict[str, list[int]]:
    """tp, fp and fn by type. A match counts as often as the reference has it, and for the reference's types.

    >>> compared({"a": ["R:VERB"], "b": ["U:DET"]}, {"a": ["R:NOUN", "R:NOUN"], "c": ["M:PREP"]})
    {'R:NOUN': [2, 0, 0], 'U:DET': [0, 1, 0], 'M:PREP': [0, 0, 1]}
    """
    counts: dict[str, list[int]] = {}
    for key, types in proposed.items():
        for kind in gold.get(key, types):
            counts.setdefault(kind, [0, 0, 0])[key not in gold] += 1
    for key, types in gold.items():
        if key not in proposed:
            for kind in types:
                counts.setdefault(kind, [0, 0, 0])[2] += 1
    return counts
