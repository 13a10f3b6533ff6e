"""An edit, and what a sentence becomes when edits are applied to it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gecval.errors import InputError


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

    Edits at one place apply in the order given, so that two insertions stand in that order.
    """
    corrected: list[str] = []
    done = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < done:
            raise InputError(f"edits overlap at tokens {edit.start}-{done}; a corrected text would be ambiguous")
        corrected.extend(tokens[done : edit.start])
        if edit.correction:
            corrected.append(edit.correction)
        done = edit.end
    corrected.extend(tokens[done:])
    return " ".join(corrected)
