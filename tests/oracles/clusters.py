"""Which edits of several annotators correct the same error, slow and plain (Felice & Briscoe 2015)."""

from collections.abc import Sequence

from gecval.corpus.corpus import Cluster
from gecval.corpus.edit import Edit


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
    for edit, annotator in listed:
        for group in groups:
            if any(_overlaps(edit, other) for other, _ in group):
                group.append((edit, annotator))
                break
        else:
            groups.append([(edit, annotator)])
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
