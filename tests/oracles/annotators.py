"""What the annotators of an M2 file mean, sentence by sentence: the slow way to what M2File does with columns."""

from __future__ import annotations

from collections.abc import Sequence

from gecval import Edit, Reference
from gecval.corpus.edit import overlap

Annotations = dict[str, tuple[Edit, ...]]


def references(
    annotations: Sequence[Annotations], annotators: list[str], noops: int, missing: str
) -> list[list[Reference]]:
    """A reference for each annotator, in order; ``missing`` as in M2File.references."""
    if missing == "inferred":
        missing = "agreed" if noops else "unchanged"
    by_sentence = []
    for listed in annotations:
        fill: tuple[Edit, ...] | None = None if missing == "absent" else ()
        if missing == "agreed" and listed:
            fill = listed[min(listed, key=annotators.index)]
        made = listed or {annotators[0]: ()}
        chosen = [(name, made.get(name, fill)) for name in annotators]
        by_sentence.append([Reference(edits=edits, annotator=name) for name, edits in chosen if edits is not None])
    return by_sentence


def silent(annotations: Sequence[Annotations], annotators: list[str]) -> int:
    """How many annotators have no line where others have one."""
    return sum(len(annotators) - len(listed) for listed in annotations if listed)


def overlapping(annotations: Sequence[Annotations]) -> int:
    return sum(overlap(edits) for listed in annotations for edits in listed.values())
