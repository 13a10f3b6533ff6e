"""An edit, and what a sentence becomes when edits are applied to it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Edit:
    """Source tokens ``start:end`` become one of ``corrections`` (an empty string deletes them).

    ``required`` is false where the source may also stay as it is.
    """

    start: int
    end: int
    corrections: tuple[str, ...]
    type: str = ""
    required: bool = True

    @property
    def correction(self) -> str:
        """The first of the alternatives: what the annotator would write."""
        return self.corrections[0]


def apply_edits(tokens: Sequence[str], edits: Iterable[Edit]) -> str:
    """The corrected sentence.

    >>> apply_edits("He go home".split(), [Edit(1, 2, ("goes",)), Edit(3, 3, (".",))])
    'He goes home .'

    Edits apply one after the other by position, and in the given order where positions are equal. Words that earlier
    edits added or removed shift the later ones. So edits that overlap work on each other's result, as in the texts that
    Bryant & Ng published.
    """
    corrected = list(tokens)
    shift = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        words = edit.correction.split()
        corrected[edit.start + shift : edit.end + shift] = words
        shift += len(words) - (edit.end - edit.start)
    return " ".join(corrected)


def overlap(edits: Iterable[Edit]) -> bool:
    """Whether two of the edits share a source word.

    >>> overlap([Edit(0, 2, ("his",)), Edit(1, 2, ("her",))])
    True
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return any(first.end > second.start for first, second in pairwise(ordered))


def operation(removed: int, added: int) -> str:
    """What an edit does, by the tokens on each side: M (something was missing), U (unneeded) or R (replaced)."""
    return "M" if removed == 0 else "U" if added == 0 else "R"
