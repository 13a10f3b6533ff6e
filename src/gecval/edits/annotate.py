"""From texts to edits: a corpus whose references come with edits, whoever extracts them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Protocol

from gecval.corpus import Corpus, Reference, System
from gecval.edit import Edit
from gecval.edits.errant import ErrantExtractor
from gecval.edits.plain import PlainExtractor
from gecval.progress import Progress, silent


class Extractor(Protocol):
    """Finds the edits between texts. The signature names everything that decides what it finds."""

    @property
    def signature(self) -> str:
        """The names and versions of all parties."""

    def edits(
        self, pairs: Sequence[tuple[str, str]], *, jobs: int = 1, progress: Progress = silent
    ) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""


def extractor(model: str) -> Extractor:
    """By name: ``plain``, ``errant``, or the spaCy model that ERRANT is to use."""
    if model == "plain":
        return PlainExtractor()
    return ErrantExtractor() if model == "errant" else ErrantExtractor(model)


def annotate(
    corpus: Corpus,
    extractor: Extractor,
    *,
    systems: Iterable[System] = (),
    notes: tuple[str, ...] = (),
    jobs: int = 1,
    progress: Progress = silent,
) -> Corpus:
    """The corpus with edits for every reference that has only text, and with these notes besides its own.

    The outputs of ``systems`` are extracted in the same go, so that a sentence that many share is parsed once; the
    extractor knows them from then on.

    >>> corpus = annotate(Corpus.from_texts(["He go home ."], [["He goes home ."]]), PlainExtractor())
    >>> corpus.references[0][0].edits
    (Edit(start=1, end=2, corrections=('goes',), type='R', required=True),)
    """
    lacking = [
        (source, reference.text)
        for source, references in zip(corpus.sources, corpus.references, strict=True)
        for reference in references
        if reference.edits is None and reference.text is not None
    ]
    outputs = chain.from_iterable(zip(corpus.sources, system.hypotheses, strict=True) for system in systems)
    found = iter(extractor.edits([*lacking, *outputs], jobs=jobs, progress=progress))
    if not lacking:
        return corpus
    references = [
        [
            Reference(reference.text, next(found), reference.annotator) if reference.edits is None else reference
            for reference in listed
        ]
        for listed in corpus.references
    ]
    return Corpus(corpus.sources, references, corpus.notes + notes, corpus.origin, extractor.signature)
