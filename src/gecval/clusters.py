"""Clusters of edits that correct the same error, as I-measure's own files have them (Felice & Briscoe 2015).

Edits of several annotators that overlap are alternatives. Edits that do not overlap are independent. A cluster is
*required* if every annotator of the sentence has an alternative in it. Otherwise the source may also stay as it is.
Where only references are given, ``native/imeasure_clusters.cpp`` groups their edits in this way.
"""

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
