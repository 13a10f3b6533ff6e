"""M², the MaxMatch score (Dahlmeier & Ng 2012).

    P = Σ|eᵢ ∩ gᵢ| / Σ|eᵢ|      R = Σ|eᵢ ∩ gᵢ| / Σ|gᵢ|      F_β = (1 + β²)PR / (β²P + R)

eᵢ is the sequence of phrase edits from source to hypothesis that overlaps most with the gold edits gᵢ. Without a
proposed edit P = 1, without a gold edit R = 1. Levels and bonus are those of §4. An edit counts if it overlaps a gold
edit (detection), has its span (recognition), or also its correction. With bonus, a missed optional edit counts as made.

``nested="estgec"`` splits annotators whose word-order edits contain others, as Estonian's scorer does (``nested.py``).
``version="3.2"`` misplaces words inserted before the first one, as that version of the released scorer does: the n-th
stands behind word n - 1 of the source.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval import _native
from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.edits.nested import divided_note, nested_note, with_divided
from gecval.encoding import Encoded
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric, Need, Ratio, Statistics
from gecval.metrics.parameters import flag, one_of, positive, whole
from gecval.metrics.ratios import f_score, ratio
from gecval.metrics.running_best import RunningBest

MAX_VERTICES = 2048
LATER = {("nested", "kept"), ("version", "head")}  # parameters that came later


class PathEdit(NamedTuple):
    """Source tokens ``first:last`` become ``correction``. Gold edits at ``start:end`` are compared with it.

    The two places are the same, but for words before the first one in version 3.2.
    """

    first: int
    last: int
    correction: str
    start: int
    end: int

    def makes(self, gold: Edit) -> bool:
        """Whether it is the gold edit: its place, its words and one of its corrections."""
        same_place = (self.start, self.end) == (gold.start, gold.end)
        return same_place and self.last - self.first == gold.end - gold.start and self.correction in gold.corrections


@dataclass(frozen=True, repr=False)
class M2(Metric):
    name: ClassVar[str] = "m2"
    summary: ClassVar[str] = "max-match F over phrase edits"
    paper: ClassVar[str] = "Dahlmeier & Ng 2012"
    needs: ClassVar[Need | None] = "edits"

    beta: float = 0.5
    max_unchanged: int = 2
    ignore_whitespace_casing: bool = False
    level: str = "correction"
    bonus: bool = False
    nested: str = "kept"
    version: str = "head"

    def __post_init__(self) -> None:
        positive(self.name, beta=self.beta)
        whole(self.name, least=0, max_unchanged=self.max_unchanged)
        flag(self.name, bonus=self.bonus, ignore_whitespace_casing=self.ignore_whitespace_casing)
        one_of(self.name, ("detection", "recognition", "correction"), level=self.level)
        one_of(self.name, ("kept", "estgec"), nested=self.nested)
        one_of(self.name, ("head", "3.2"), version=self.version)
        if self.version == "3.2" and self.level != "correction":
            raise InputError("m2: version 3.2 of the scorer has no level but correction", parameter="metrics")

    def parameters(self) -> dict[str, Any]:
        """As signatures have them: what came later is not in those of plain ``m2``."""
        return {name: value for name, value in super().parameters().items() if (name, value) not in LATER}

    def seen(self, corpus: Corpus) -> Corpus:
        """The corpus with the annotators that count."""
        return corpus.derived(with_divided) if self.nested == "estgec" else corpus

    @property
    def rule(self) -> RunningBest:
        return RunningBest(self.beta)

    def statistics(self, corpus: Corpus, system: System, *, jobs: int = 1) -> Statistics:
        notes = list(corpus.derived(divided_note if self.nested == "estgec" else nested_note))
        corpus = self.seen(corpus)
        encoded = Encoded.of(corpus)
        sources, hypotheses = encoded.source_tokens(jobs=jobs), encoded.hypothesis_tokens(system, jobs=jobs)
        golds = encoded.gold_edits
        # Only now does the vocabulary know all words.
        folded = [token.lower() for token in encoded.vocabulary.tokens()] if self.ignore_whitespace_casing else []
        try:
            rows, too_large = _native.max_match(
                *sources,
                *hypotheses,
                golds,
                corpus.reference_slots,
                max_unchanged=self.max_unchanged,
                level=self.level,
                bonus=self.bonus,
                folded=folded,
                max_vertices=MAX_VERTICES,
                version=self.version,
                jobs=jobs,
            )
        except ValueError as error:  # sentences beyond any alignment
            raise InputError(f"m2 cannot score {system.name}: {error}") from None
        if too_large:
            notes.append(
                f"{system.name}: {too_large} sentences have over {MAX_VERTICES} lattice vertices; "
                "see docs/metrics/m2.md"
            )
        if repeated := int((rows[:, 0] > rows[:, 1]).sum()):
            notes.append(
                f"{system.name}: {repeated} annotations repeat a gold edit, and count it more than once; "
                "see docs/metrics/m2.md"
            )
        return Statistics(rows, corpus.reference_slots, tuple(notes))

    def proposed_edits(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, jobs: int = 1
    ) -> list[tuple[Edit, ...]]:
        """The edits of the path through the lattice that matches most of the gold edits."""
        paths = self.paths(corpus, system, slots, jobs=jobs)
        return [tuple(Edit(step.first, step.last, (step.correction,)) for step in path) for path in paths]

    def paths(
        self, corpus: Corpus, system: System, slots: NDArray[np.int64], *, jobs: int = 1
    ) -> Iterator[tuple[PathEdit, ...]]:
        """The path of each sentence, given its annotator, among those of ``seen``."""
        encoded = Encoded.of(self.seen(corpus))
        sources, hypotheses = encoded.source_tokens(jobs=jobs), encoded.hypothesis_tokens(system, jobs=jobs)
        words = encoded.vocabulary.tokens()
        folded = [token.lower() for token in words] if self.ignore_whitespace_casing else []
        for i, slot in enumerate(slots.tolist()):
            output = hypotheses.ids[hypotheses.offsets[i] : hypotheses.offsets[i + 1]]
            path = _native.max_match_edits(
                sources.ids[sources.offsets[i] : sources.offsets[i + 1]],
                output,
                encoded.gold_edits,
                slot,
                max_unchanged=self.max_unchanged,
                level=self.level,
                folded=folded,
                max_vertices=MAX_VERTICES,
                version=self.version,
            )
            yield tuple(
                PathEdit(first, last, " ".join(words[word] for word in output[begin:end]), start, stop)
                for first, last, begin, end, start, stop in path
            )

    def score(self, totals: Array) -> Array:
        correct, proposed, gold = totals[..., 0], totals[..., 1], totals[..., 2]
        return f_score(ratio(correct, proposed, empty=1.0), ratio(correct, gold, empty=1.0), self.beta)

    def as_ratio(self) -> Ratio | None:
        """F = (1 + β²)·C / (P + β²·G)."""
        return (1 + self.beta**2, 0, 0), (0, 1, self.beta**2)

    def parts(self, totals: Array) -> dict[str, float]:
        correct, proposed, gold = totals
        return {
            "precision": float(ratio(correct, proposed, empty=1.0)),
            "recall": float(ratio(correct, gold, empty=1.0)),
            "correct": int(correct),
            "proposed": int(proposed),
            "gold": int(gold),
        }
