"""From texts to edits: a corpus whose references come with edits, whoever extracts them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import chain

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.corpus.references import Reference
from gecval.corpus.tokenization import cut_texts
from gecval.edits import extractors
from gecval.edits.extractors import (
    CorpusEdits,
    Extractor,
    extract_alternatives,
    extractor_types,
    full_signature,
    has_alternatives,
    only_types,
    short_name,
    token_cutter,
)
from gecval.errors import InputError
from gecval.runtime.run import SERIAL, Run


def annotate(
    corpus: Corpus,
    extractor: Extractor | str,
    *,
    systems: Iterable[System] = (),
    notes: tuple[str, ...] = (),
    run: Run = SERIAL,
) -> Corpus:
    """Find edits for every reference that has only text.

    Parameters
    ----------
    corpus
        Sources and references.
    extractor
        What finds the edits, or its name, such as ``errant`` or ``plain``.
    systems
        Systems whose outputs are extracted in the same go, so that a text that several share is parsed once. Their
        edits are cached with the corpus.
    notes
        Notes that the new corpus has besides those of the old one.
    run
        Threads and progress.

    Returns
    -------
    Corpus
        The corpus with edits, in the tokens that they count.

    Examples
    --------
    >>> corpus = annotate(Corpus.from_texts(["He go home ."], [["He goes home ."]]), "plain")
    >>> corpus.references[0][0].edits
    (Edit(start=1, end=2, corrections=('goes',), type='R', required=True),)
    """
    if isinstance(extractor, str):
        extractor = extractors.extractor(extractor)
    corpus.check_language(extractors.short_name(extractor), extractor.language, finds_edits=True)
    corpus = retokenize(corpus, extractor)
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
    found = extract_alternatives(extractor, [*lacking, *outputs], run=run)
    if lacking:
        edits = iter(found)
        annotated = {
            key: [
                made
                for reference in listed
                for made in ([reference] if reference.edits is not None else _make_references(reference, next(edits)))
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
    if outputs and not has_alternatives(extractor):  # its edits need not be the first of these
        of_outputs = zip(outputs, found[len(lacking) :], strict=True)
        corpus.derive(CorpusEdits).cached(extractor).store({pair: edits for pair, [edits] in of_outputs})
    return corpus


def _make_references(reference: Reference, alternatives: list[tuple[Edit, ...]]) -> list[Reference]:
    """A reference for each list of edits. The first keeps the annotator's name."""
    names = [reference.annotator, *(f"{reference.annotator}.{k}" for k in range(1, len(alternatives)))]
    return [Reference(reference.text, edits, name) for edits, name in zip(alternatives, names, strict=True)]


def retokenize(corpus: Corpus, extractor: Extractor) -> Corpus:
    """The corpus in the tokens that the extractor's edits count, where these are not what blanks separate."""
    cut = token_cutter(extractor)
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
    cut = token_cutter(extractor)
    if cut is not None and any(text.split() != cut(text) for text in texts):
        raise InputError(
            f"the edits of {extractors.short_name(extractor)} count other tokens than {judge} compares; choose other "
            "edits, or cut all texts into characters",
            parameter=("edits", "tokenize"),
        )


# Gold edits whose types are of another scheme than the extractor's. NUCLE's types (ArtOrDet, Nn) and ERRANT's (M:DET,
# R:NOUN:NUM) never match. Where types are compared, such gold is annotated again from its texts, as users of
# errant_parallel do.


OPERATION = re.compile(r"[MRU](:.+)?|UNK|noop")  # how a type of ERRANT and of its ports starts
NO_ERRORS = ("UNK", "noop")
MOST = 0.5


def foreign_types(corpus: Corpus, known: tuple[str, ...] = (), *, only: tuple[str, ...] = ()) -> list[str]:
    """The most frequent types of the references' edits, where most edits have neither a known type nor one like
    ERRANT's. With ``only``, the types that are none of these, however few edits have them."""
    edits = chain.from_iterable(reference.edits or () for listed in corpus.references for reference in listed)
    types = Counter(edit.type for edit in edits)
    if only:
        return [kind for kind, _ in types.most_common() if kind not in (*only, *NO_ERRORS)][:3]
    foreign = Counter(
        {kind: count for kind, count in types.items() if kind not in known and not OPERATION.fullmatch(kind)}
    )
    return [kind for kind, _ in foreign.most_common(3)] if foreign.total() > MOST * types.total() else []


def retype(corpus: Corpus, extractor: Extractor, *, by_type: bool = False, run: Run = SERIAL) -> Corpus:
    """The corpus with the extractor's own edits, where its references have edits with other types; else as it is.

    ``by_type``: each type gets a score. Then no type may be one that the extractor never gives: it would have no false
    positive, and a precision of 1.
    """
    only = only_types(extractor) if by_type else ()
    foreign = foreign_types(corpus, extractor_types(extractor), only=only)
    if not foreign:
        return corpus
    texts = [
        [
            Reference(text, annotator=reference.annotator)
            for text, reference in zip(corpus.texts_of(i), corpus.references[i], strict=True)
        ]
        for i in range(len(corpus))
    ]
    note = (
        f"the references' edits have types such as {', '.join(foreign)}, which {short_name(extractor)} "
        "does not give: they were annotated again from their texts"
    )
    annotated = annotate(replace(corpus, references=texts), extractor, notes=(note,), run=run)
    retyped = replace(annotated, extractor=f"re-annotated|{full_signature(extractor)}")
    retyped.derive(CorpusEdits).share(corpus.derive(CorpusEdits))
    return retyped
