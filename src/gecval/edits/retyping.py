"""Gold edits whose types are of another scheme than the extractor's.

NUCLE's types (ArtOrDet, Nn) and ERRANT's (M:DET, R:NOUN:NUM) never match. Where types are compared, such gold is
annotated anew from its texts, as users of errant_parallel do.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import chain

from gecval.corpus import Corpus, Reference
from gecval.edits.annotate import annotate
from gecval.edits.extractors import Extractor, full_signature, short_name
from gecval.progress import Progress, silent

OPERATION = re.compile(r"[MRU](:.+)?|UNK|noop")  # how a type of ERRANT and of its ports starts
MOST = 0.5


def foreign_types(corpus: Corpus, known: tuple[str, ...] = ()) -> list[str]:
    """The most frequent types of the references' edits, where most edits have neither a known type nor one like
    ERRANT's."""
    edits = chain.from_iterable(reference.edits or () for listed in corpus.references for reference in listed)
    types = Counter(edit.type for edit in edits)
    foreign = Counter(
        {kind: count for kind, count in types.items() if kind not in known and not OPERATION.fullmatch(kind)}
    )
    return [kind for kind, _ in foreign.most_common(3)] if foreign.total() > MOST * types.total() else []


def retyped(corpus: Corpus, extractor: Extractor, *, jobs: int = 1, progress: Progress = silent) -> Corpus:
    """The corpus with the extractor's own edits, where its references have edits with other types; else as it is."""
    foreign = foreign_types(corpus, getattr(extractor, "types", ()))
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
        "does not give: they were annotated anew from their texts"
    )
    annotated = annotate(replace(corpus, references=texts), extractor, notes=(note,), jobs=jobs, progress=progress)
    return replace(annotated, extractor=f"re-annotated|{full_signature(extractor)}")
