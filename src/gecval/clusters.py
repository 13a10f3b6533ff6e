"""Clusters of edits that correct the same error, as I-measure groups them (Felice & Briscoe 2015).

Edits of several annotators that overlap are alternatives. Edits that do not overlap are independent. A cluster is
*required* if every annotator of the sentence has an alternative in it. Otherwise the source may also stay as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from gecval.edit import Edit


@dataclass(frozen=True, slots=True)
class Cluster:
    """One error: the edits of each annotator who corrects it, and whether it must be corrected."""

    alternatives: tuple[tuple[Edit, ...], ...]
    required: bool

    def choices(self) -> list[tuple[Edit, ...]]:
        """What a reference may do about the error: one of the alternatives, or nothing if that is allowed."""
        return [*self.alternatives, *([] if self.required else [()])]


def cluster_edits(annotations: Sequence[Sequence[Edit]]) -> list[Cluster]:
    """The clusters of a sentence, from the edits of its annotators.

    The longest edits come first. An edit joins the first cluster that it overlaps, or starts a new one.

    >>> [cluster] = cluster_edits([[Edit(3, 4, ("diagnosed",)), Edit(4, 5, ("",))], [Edit(3, 5, ("diagnosed",))]])
    >>> len(cluster.alternatives), cluster.required
    (2, True)
    """
    listed = [(edit, annotator) for annotator, edits in enumerate(annotations) for edit in edits]
    listed.sort(key=lambda item: item[0].start - item[0].end)
    groups: list[list[tuple[Edit, int]]] = []
    reaches: list[tuple[int, int]] = []  # from the first to the last position of a group: most groups are elsewhere
    for edit, annotator in listed:
        for number, (start, end) in enumerate(reaches):
            if edit.start > end or edit.end < start:
                continue
            if any(_overlaps(edit, other) for other, _ in groups[number]):
                groups[number].append((edit, annotator))
                reaches[number] = min(start, edit.start), max(end, edit.end)
                break
        else:
            groups.append([(edit, annotator)])
            reaches.append((edit.start, edit.end))
    groups.sort(key=lambda group: (group[0][0].start, group[0][0].end))
    return [_cluster(group, len(annotations)) for group in groups]


def _cluster(group: list[tuple[Edit, int]], annotators: int) -> Cluster:
    by_annotator: dict[int, list[Edit]] = {}
    for edit, annotator in sorted(group, key=lambda item: (item[1], item[0].start, item[0].end)):
        by_annotator.setdefault(annotator, []).append(edit)
    return Cluster(tuple(tuple(edits) for edits in by_annotator.values()), len(by_annotator) == annotators)


def _overlaps(new: Edit, old: Edit) -> bool:
    """As the original converter tests it: an insertion at the border of another edit is independent of it."""
    if (new.start, new.end) == (old.start, old.end):
        return True
    if new.start == new.end:
        return old.start < new.start < old.end
    if old.start == old.end:
        return new.start < old.start < new.end
    return old.start < new.end <= old.end or old.start <= new.start < old.end
