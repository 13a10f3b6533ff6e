"""Corpus and System: the one gate that everything scored has passed.

``references[i]`` are the references of sentence *i*; their number may differ from sentence to sentence. Behind the gate
nothing checks shapes again, so the constructors refuse whatever does not fit, in one line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gecval._native import ErrorClusters, GoldEdits, Vocabulary, corrected_texts
from gecval.clusters import Cluster, cluster_edits
from gecval.edit import Edit, apply_edits
from gecval.errors import InputError
from gecval.references import Reference, ReferenceTable, offsets_of

__all__ = ["Blanks", "Corpus", "Reference", "System", "Tokens", "offsets_of"]

# What separates tokens: every Unicode blank, the ASCII ones, or each single space (as in split(" "): empty tokens).
Blanks = Literal["unicode", "ascii", "space"]


class Tokens(NamedTuple):
    """Sentences as integers: sentence *i* is ``ids[offsets[i]:offsets[i + 1]]``."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class System:
    """A system's output: one hypothesis per source sentence."""

    name: str
    hypotheses: Sequence[str]


@dataclass(frozen=True, eq=False)
class Corpus:
    """Source sentences and their references.

    >>> corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    >>> len(corpus), corpus.references[0][0].text
    (1, 'He goes home .')
    """

    sources: Sequence[str]
    references: Sequence[Sequence[Reference]]
    notes: tuple[str, ...] = ()
    origin: str = "the source"  # where the source was read, for messages
    extractor: str = ""  # what found the edits, where the references came as text
    clusters: Sequence[Sequence[Cluster]] | None = None  # where the format groups edits itself (I-measure)
    _encoded: dict[tuple[str, str], Tokens] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        if not self.sources:
            raise InputError("the source has no sentences")
        if len(self.sources) != len(self.references):
            raise InputError(f"{len(self.sources)} sources but references for {len(self.references)} sentences")
        if isinstance(self.references, ReferenceTable) and self.references.sources is self.sources:
            return  # the reader has checked them against each other
        for number, (source, references) in enumerate(zip(self.sources, self.references, strict=True), start=1):
            if not isinstance(source, str):
                raise InputError(f"sentence {number}: the source is {type(source).__name__}, not text")
            for reference in references:
                _check_reference(reference, source, number)

    def __len__(self) -> int:
        return len(self.sources)

    @classmethod
    def from_texts(cls, sources: Sequence[str], references: Sequence[Sequence[str]] = ()) -> Corpus:
        """Plain sentences; ``references[i]`` lists the references of sentence *i* (none at all: no references)."""
        per_sentence = references or [[] for _ in sources]
        if any(isinstance(texts, str) for texts in per_sentence):
            raise InputError("references[i] must be the list of references of sentence i, not a text")
        return cls(
            sources,
            [[Reference(text, annotator=str(a)) for a, text in enumerate(texts)] for texts in per_sentence],
        )

    def system(self, name: str, hypotheses: Sequence[str]) -> System:
        """Let a system's output through the gate."""
        if len(hypotheses) != len(self):
            raise InputError(f"{name} has {len(hypotheses)} sentences, {self.origin} {len(self)}")
        if isinstance(hypotheses, str) or not all(isinstance(text, str) for text in hypotheses):
            raise InputError(f"the output of {name} must be a list of texts")
        return System(name, hypotheses)

    @cached_property
    def reference_texts(self) -> list[str]:
        """The text of every reference, sentence after sentence."""
        return [text for number in range(len(self)) for text in self.texts_of(number)]

    def texts_of(self, i: int) -> list[str]:
        """The texts of the references of sentence *i*, made from edits where only these are known."""
        return [
            reference.text
            if reference.text is not None
            else apply_edits(self.sources[i].split(), reference.edits or ())
            for reference in self.references[i]
        ]

    @cached_property
    def reference_slots(self) -> NDArray[np.int64]:
        """The references of sentence *i* are number ``slots[i]`` to ``slots[i + 1]``."""
        return self._table.slots if self._table else offsets_of(map(len, self.references))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary()

    def source_tokens(self, blanks: Blanks = "unicode", *, jobs: int = 1) -> Tokens:
        return self._tokens("source", self.sources, blanks, jobs)

    def reference_tokens(self, blanks: Blanks = "unicode", *, jobs: int = 1) -> Tokens:
        if self._table:
            return self._corrected_tokens(blanks, jobs)
        return self._tokens("reference", self.reference_texts, blanks, jobs)

    def hypothesis_tokens(self, system: System, blanks: Blanks = "unicode", *, jobs: int = 1) -> Tokens:
        ids, offsets, _ = self.vocabulary.encode(list(system.hypotheses), blanks=blanks, jobs=jobs)
        return Tokens(ids, offsets)

    def _tokens(self, which: str, lines: Sequence[str], blanks: Blanks, jobs: int) -> Tokens:
        """Kept for the next system; in one copy where it makes no difference what counts as a blank."""
        for key in ((which, "any"), (which, blanks)):
            if key in self._encoded:
                return self._encoded[key]
        ids, offsets, same_for_all = self.vocabulary.encode(list(lines), blanks=blanks, jobs=jobs)
        return self._encoded.setdefault((which, "any" if same_for_all else blanks), Tokens(ids, offsets))

    def _corrected_tokens(self, blanks: Blanks, jobs: int) -> Tokens:
        """The tokens of ``reference_texts``, from edits without the detour over text."""
        key = "corrected", "any"
        if key not in self._encoded:
            sources = self.source_tokens(jobs=jobs)
            found = corrected_texts(*sources, self.gold_edits, self.reference_slots, jobs=jobs)
            self._encoded[key] = Tokens(*found)
        ids, offsets = self._encoded[key]
        empty = np.diff(offsets) == 0
        if blanks != "space" or not empty.any():
            return Tokens(ids, offsets)
        # Parted at each single space, an empty text is one empty token.
        [token], _, _ = self.vocabulary.encode([""], blanks="space")
        return Tokens(np.insert(ids, offsets[:-1][empty], token), offsets + np.append(0, np.cumsum(empty)))

    @cached_property
    def gold_edits(self) -> GoldEdits:
        """The edits of every reference, laid out for the native search."""
        return (self._table or ReferenceTable.of(self.references)).gold_edits(self.vocabulary)

    @property
    def _table(self) -> ReferenceTable | None:
        """The references, where they came as columns."""
        return self.references if isinstance(self.references, ReferenceTable) else None

    @cached_property
    def error_clusters(self) -> ErrorClusters:
        """The clusters of alternative edits, laid out for the native search; corrections of one span are joined."""
        clusters = self.clusters or self._clusters_of_references()
        listed = list(chain.from_iterable(clusters))
        choices = [cluster.choices() for cluster in listed]
        alternatives = [_joined(choice) for choice in chain.from_iterable(choices)]
        spans = [span for alternative in alternatives for span in alternative]
        corrections = [text for alternative in alternatives for text in alternative.values()]
        ids, offsets, _ = self.vocabulary.encode(corrections)
        return ErrorClusters(
            offsets_of(map(len, clusters)),
            offsets_of(map(len, choices)),
            offsets_of(map(len, alternatives)),
            np.array([start for start, _ in spans], dtype=np.int32),
            np.array([end for _, end in spans], dtype=np.int32),
            ids,
            offsets,
        )

    def _clusters_of_references(self) -> list[list[Cluster]]:
        # In studies many hypotheses share a source and its references: what was grouped once is not grouped again.
        known: dict[tuple[tuple[Edit, ...], ...], list[Cluster]] = {}
        clusters = []
        for references in self.references:
            annotations = tuple(reference.edits or () for reference in references)
            if annotations not in known:
                known[annotations] = cluster_edits(annotations)
            clusters.append(known[annotations])
        return clusters

    def has_edits(self) -> bool:
        """Whether every reference comes with edits."""
        if self._table:
            return True
        return all(reference.edits is not None for references in self.references for reference in references)

    @cached_property
    def reference_count(self) -> str:
        """How many references a sentence has: ``"2"``, or ``"1-2"`` where it varies."""
        counts = np.diff(self.reference_slots)
        low, high = int(counts.min()), int(counts.max())
        return str(low) if low == high else f"{low}-{high}"

    @cached_property
    def source_hash(self) -> str:
        return _digest(self.sources)

    @cached_property
    def reference_hash(self) -> str:
        """Of the edits where there are any (they are more than the text they lead to), else of the texts."""
        if self._table:
            digest = hashlib.sha256()
            self._table.print(digest.update)
            return digest.hexdigest()[:8]
        return _digest(
            f"{slot}\t{reference.text if reference.edits is None else reference.edits}"
            for slot, references in enumerate(self.references)
            for reference in references
        )


def _check_reference(reference: Reference, source: str, number: int) -> None:
    if reference.edits is None:
        if not isinstance(reference.text, str):
            raise InputError(f"sentence {number}: a reference has neither text nor edits")
        return
    if not reference.edits:
        return
    length = len(source.split())
    for edit in reference.edits:
        if not 0 <= edit.start <= edit.end <= length:
            raise InputError(f"sentence {number}: edit {edit.start} {edit.end} is out of range; it has {length} tokens")


def _joined(edits: Iterable[Edit]) -> dict[tuple[int, int], str]:
    """Correction by span."""
    spans: dict[tuple[int, int], str] = {}
    for edit in edits:
        span = edit.start, edit.end
        spans[span] = f"{spans[span]} {edit.correction}" if span in spans else edit.correction
    return spans


def _digest(lines: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for line in lines:
        digest.update(line.encode("utf-8", "surrogatepass"))
        digest.update(b"\n")
    return digest.hexdigest()[:8]
