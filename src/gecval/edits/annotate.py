"""From texts to edits: a corpus whose references come with edits, whoever extracts them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gecval.corpus import Corpus, Reference, System
from gecval.edit import Edit
from gecval.edits import extractors
from gecval.edits.extractors import Extractor, extract_alternatives, full_signature
from gecval.edits.remembered import Finders
from gecval.errors import InputError
from gecval.progress import Progress, silent
from gecval.tokenization import cut_texts


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
    corpus.check_language(extractors.short_name(extractor), extractor.language)
    corpus = retokenized(corpus, extractor)
    # In studies many outputs share a source and its references: these get their edits once.
    keys = [(source, id(listed)) for source, listed in zip(corpus.sources, corpus.references, strict=True)]
    shared = dict(zip(keys, corpus.references, strict=True))
    lacking = [
        (source, reference.text)
        for (source, _), listed in shared.items()
        for reference in listed
        if reference.edits is None and reference.text is not None
    ]
    outputs = [pair for system in systems for pair in zip(corpus.sources, system.hypotheses, strict=True)]
    found = extract_alternatives(extractor, [*lacking, *outputs], jobs=jobs, progress=progress)
    if lacking:
        edits = iter(found)
        annotated = {
            key: [
                made
                for reference in listed
                for made in ([reference] if reference.edits is not None else _made(reference, next(edits)))
            ]
            for key, listed in shared.items()
        }
        corpus = replace(
            corpus,
            references=[annotated[key] for key in keys],
            notes=corpus.notes + notes,
            extractor=full_signature(extractor),
            clusters=None,
        )
    if outputs and not hasattr(extractor, "alternatives"):  # its edits need not be the first of these
        of_outputs = zip(outputs, found[len(lacking) :], strict=True)
        corpus.derived(Finders).remembered(extractor).keep({pair: edits for pair, [edits] in of_outputs})
    return corpus


def _made(reference: Reference, alternatives: list[tuple[Edit, ...]]) -> list[Reference]:
    """A reference for each list of edits. The first keeps the annotator's name."""
    names = [reference.annotator, *(f"{reference.annotator}.{k}" for k in range(1, len(alternatives)))]
    return [Reference(reference.text, edits, name) for edits, name in zip(alternatives, names, strict=True)]


def retokenized(corpus: Corpus, extractor: Extractor) -> Corpus:
    """The corpus in the tokens that the extractor's edits count, where these are not what blanks separate."""
    cut = getattr(extractor, "tokens", None)
    if cut is None:
        return corpus
    if corpus.has_edits() and all(source.split() == cut(source) for source in corpus.sources):
        return corpus
    sources, references = cut_texts(corpus.sources, corpus.references, cut)
    same = all(a.split() == b.split() for a, b in zip(corpus.sources, sources, strict=True))
    tokenize = corpus.tokenize if same else None
    return replace(corpus, sources=sources, references=references, clusters=None, tokenize=tokenize)


def check_tokens(texts: Iterable[str], extractor: Extractor, judge: str) -> None:
    """Refuse edits of other tokens than those that a metric compares, such as characters where it sees words."""
    cut = getattr(extractor, "tokens", None)
    if cut is not None and any(text.split() != cut(text) for text in texts):
        raise InputError(
            f"the edits of {extractors.short_name(extractor)} count other tokens than {judge} compares; choose other "
            "edits, or cut all texts into characters",
            parameter=("edits", "tokenize"),
        )
