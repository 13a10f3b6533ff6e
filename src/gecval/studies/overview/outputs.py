"""The different outputs of each sentence. Systems often agree, and what is known of an output then is kept once.

Outputs that bring their edits agree if text and edits are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import System
from gecval.edit import Edit


@dataclass(frozen=True, kw_only=True, eq=False)
class Outputs:
    """``texts`` lists the different outputs of the first sentence, then those of the second, and so on.

    ``sentence[u]`` is the sentence of output *u*; ``of[i, s]`` is the output of system *s* for sentence *i*.
    """

    texts: Sequence[str]
    sentence: NDArray[np.int64]
    of: NDArray[np.int64]
    edits: Sequence[tuple[Edit, ...]] | None = None  # of each output, where all systems bring theirs

    def first_systems(self) -> NDArray[np.int64]:
        """For each output, the first system that gave it."""
        _, places = np.unique(self.of, return_index=True)
        first: NDArray[np.int64] = places % self.of.shape[1]
        return first


def distinct_outputs(systems: Sequence[System]) -> Outputs:
    """The different outputs of each sentence.

    >>> outputs = distinct_outputs([System("a", ["He", "x"]), System("b", ["He", "y"]), System("c", ["She", "y"])])
    >>> outputs.texts, outputs.of.tolist()
    (['He', 'She', 'x', 'y'], [[0, 0, 1], [2, 3, 3]])
    """
    given = bring_edits(systems)
    outputs: list[tuple[str, tuple[Edit, ...]]] = []
    sentences: list[int] = []
    table = np.empty((len(systems[0].hypotheses), len(systems)), dtype=np.int64)
    for i in range(len(table)):
        numbers: dict[tuple[str, tuple[Edit, ...]], int] = {}
        for s, system in enumerate(systems):
            output = (system.hypotheses[i], system.edits[i] if given and system.edits else ())
            if output not in numbers:
                numbers[output] = len(outputs)
                outputs.append(output)
                sentences.append(i)
            table[i, s] = numbers[output]
    return Outputs(
        texts=[text for text, _ in outputs],
        sentence=np.array(sentences, dtype=np.int64),
        of=table,
        edits=[edits for _, edits in outputs] if given else None,
    )


def bring_edits(systems: Sequence[System]) -> bool:
    """Whether the outputs of all systems bring their edits."""
    return all(system.edits is not None for system in systems)
