"""The lattice of corrections of a sentence (MAEGE, Choshen & Abend 2018, §4).

    E(s, a) = 2^edits(s, a),   x < y  iff  x ⊂ y

Every subset of an annotator's edits makes a correction; applying more of them is better. A chain is a way up, edit by
edit, from the original to the annotator's correction.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, permutations
from math import factorial

import numpy as np

from gecval.edit import Edit, apply_edits


@dataclass(frozen=True)
class Lattice:
    """The corrections that subsets of ``edits`` make of a sentence; ``conflicts`` were left out."""

    tokens: tuple[str, ...]
    edits: tuple[Edit, ...]
    conflicts: int = 0

    @classmethod
    def of(cls, source: str, edits: Iterable[Edit]) -> "Lattice":
        """Edits that share a word cannot be applied independently: of these only the first by position is kept.

        >>> Lattice.of("a b c", [Edit(0, 2, ("x",)), Edit(1, 2, ("y",)), Edit(2, 3, ("z",))]).conflicts
        1
        """
        kept: list[Edit] = []
        conflicts = 0
        for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
            if kept and edit.start < kept[-1].end:
                conflicts += 1
            else:
                kept.append(edit)
        return cls(tuple(source.split()), tuple(kept), conflicts)

    def correction(self, chosen: Iterable[int]) -> str:
        """What a subset of the edits makes of the sentence."""
        return apply_edits(self.tokens, [self.edits[i] for i in sorted(chosen)])

    def chain(self, order: Sequence[int]) -> tuple[str, ...]:
        """The corrections on the way up, edits applied in this order: the original first.

        >>> Lattice.of("he go home", [Edit(0, 1, ("He",)), Edit(1, 2, ("goes",))]).chain([1, 0])
        ('he go home', 'he goes home', 'He goes home')
        """
        prefixes = accumulate(([i] for i in order), initial=[])
        return tuple(self.correction(prefix) for prefix in prefixes)

    def orders(self, count: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
        """So many different ways up, at random; all of them where there are no more."""
        size = len(self.edits)
        if size <= 12 and factorial(size) <= count:  # the factorial of a long list takes long
            return list(permutations(range(size)))
        drawn: dict[tuple[int, ...], None] = {}
        while len(drawn) < count:
            drawn[tuple(rng.permutation(size).tolist())] = None
        return list(drawn)
