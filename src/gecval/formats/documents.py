"""Which sentences belong to one document, such as a learner's essay: by marks in the source, or by a list of ids.

Sentences of one essay share its writer and its topic, so they are not independent. Where whole documents are drawn
(``Resampling(documents=...)``), intervals and tests allow for that.
"""

from __future__ import annotations

from collections.abc import Sequence

from gecval.errors import InputError, shortened
from gecval.formats.realign_parts import is_mark


def document_starts(sources: Sequence[str], ids: Sequence[str] | None = None) -> tuple[int, ...]:
    """The place of each document's first sentence, from 0.

    A line such as ``# 0002`` or ``### essay_id = 7`` starts a document, and belongs to it. ``ids`` names the document
    of each sentence instead.

    >>> document_starts(["# 1", "He go home .", "# 2", "Fine .", "Good ."])
    (0, 2)
    >>> document_starts(["He go home .", "Fine .", "Good ."], ["a", "a", "b"])
    (0, 2)
    """
    if ids is None:
        starts = [place for place, source in enumerate(sources) if is_mark(source.split())]
        if not starts:
            raise InputError(
                "the source has no lines that mark a document, such as # 0002; name the document of each sentence",
                parameter="documents",
            )
        return tuple(sorted({0, *starts}))
    if len(ids) != len(sources):
        raise InputError(
            f"{len(ids)} sentences have the name of a document, and there are {len(sources)} sentences",
            parameter="documents",
        )
    starts = [place for place in range(len(ids)) if not place or ids[place] != ids[place - 1]]
    seen: set[str] = set()
    for place in starts:
        if ids[place] in seen:
            raise InputError(
                f"sentence {place + 1}: the document {shortened(ids[place])!r} begins again; its sentences must stand "
                "together",
                parameter="documents",
            )
        seen.add(ids[place])
    return tuple(starts)
