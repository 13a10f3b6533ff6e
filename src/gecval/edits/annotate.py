"""From texts to edits: a corpus whose references come with edits, whoever extracts them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from gecval.corpus import Corpus, Reference, System
from gecval.edits import extractors
from gecval.edits.extractors import Extractor, extract, full_signature
from gecval.progress import Progress, silent


def annotate(
    corpus: Corpus,
    extractor: Extractor | str,
    *,
    systems: Iterable[System] = (),
    notes: tuple[str, ...] = (),
    jobs: int = 1,
    progress: Progress = silent,
) -> Corpus:
    """The corpus with edits for every reference that has only text, and with these notes besides its own.

    ``extractor`` finds the edits: give one, or its name, such as ``errant`` or ``plain``.
    The outputs of ``systems`` are extracted in the same go: a sentence that several share is parsed once, and the
    extractor knows their edits from then on.

    Examples
    --------
    >>> corpus = annotate(Corpus.from_texts(["He go home ."], [["He goes home ."]]), "plain")
    >>> corpus.references[0][0].edits
    (Edit(start=1, end=2, corrections=('goes',), type='R', required=True),)
    """
    if isinstance(extractor, str):
        extractor = extractors.extractor(extractor)
    corpus.check_language(extractor.signature.partition(":")[0], extractor.language)
    lacking = [
        (source, reference.text)
        for source, references in zip(corpus.sources, corpus.references, strict=True)
        for reference in references
        if reference.edits is None and reference.text is not None
    ]
    outputs = chain.from_iterable(zip(corpus.sources, system.hypotheses, strict=True) for system in systems)
    edits = iter(extract(extractor, [*lacking, *outputs], jobs=jobs, progress=progress))
    if not lacking:
        return corpus
    references = [
        [
            Reference(reference.text, next(edits), reference.annotator) if reference.edits is None else reference
            for reference in listed
        ]
        for listed in corpus.references
    ]
    return replace(
        corpus, references=references, notes=corpus.notes + notes, extractor=full_signature(extractor), clusters=None
    )
