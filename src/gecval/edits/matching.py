"""Edits of outputs compared with those of references: right, wrong or unneeded, and which gold edits were missed.

    right       a reference has the same edit: the same words become the same correction
    wrong       the edit touches words that a reference changes too, but no reference changes them so
    unneeded    no reference changes these words
    missed      a gold edit that the output lacks

The reference that the output follows closest says what was missed: the one with most of the output's edits, then the
one with fewest missed edits, then the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.corpus.references import Reference
from gecval.edits.extractors import Extractor, extract
from gecval.runtime.run import SERIAL, Run

NOT_EDITS = ("noop", "UNK")  # M2's lines for "nothing to correct", and for an error without a correction


class Status(IntEnum):
    RIGHT = 0
    WRONG = 1
    UNNEEDED = 2


@dataclass(frozen=True, slots=True)
class JudgedEdit:
    """An edit of an output. ``agree`` is the number of references that have it."""

    edit: Edit
    status: Status
    agree: int


@dataclass(frozen=True, slots=True)
class JudgedOutput:
    """The edits of one output, the reference that it follows closest, and which of its edits are missed."""

    edits: tuple[JudgedEdit, ...]
    reference: int
    missed: tuple[int, ...]


def judge_outputs(corpus: Corpus, outputs: Outputs, extractor: Extractor, *, run: Run = SERIAL) -> list[JudgedOutput]:
    """Judge the edits of every output, its own where it brings some. References without edits judge nothing."""
    sentences = outputs.sentence.tolist()
    if outputs.edits is not None:
        proposed = [corrections(edits) for edits in outputs.edits]
    else:
        pairs = [(corpus.sources[i], text) for i, text in zip(sentences, outputs.texts, strict=True)]
        proposed = extract(extractor, pairs, run=run)
    golds = [[gold_edits(reference) for reference in references] for references in corpus.references]
    return [judge_edits(edits, golds[i]) for i, edits in zip(sentences, proposed, strict=True)]


def gold_edits(reference: Reference) -> tuple[Edit, ...]:
    """The corrections of a reference."""
    return corrections(reference.edits or ())


def corrections(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """The edits that correct something."""
    return tuple(edit for edit in edits if edit.type not in NOT_EDITS)


def judge_edits(edits: Sequence[Edit], golds: Sequence[Sequence[Edit]]) -> JudgedOutput:
    """The edits of an output compared with those of each reference.

    >>> golds = [[Edit(1, 2, ("went",))], [Edit(1, 2, ("goes",))]]
    >>> output = judge_edits([Edit(1, 2, ("goes",)), Edit(3, 3, ("!",))], golds)
    >>> [(edit.status.name, edit.agree) for edit in output.edits], output.reference, output.missed
    ([('RIGHT', 1), ('UNNEEDED', 0)], 1, ())
    """
    listed = []
    for edit in edits:
        agree = sum(any(same_edit(edit, other) for other in gold) for gold in golds)
        if agree:
            status = Status.RIGHT
        else:
            touched = any(touch(edit, other) for gold in golds for other in gold)
            status = Status.WRONG if touched else Status.UNNEEDED
        listed.append(JudgedEdit(edit, status, agree))
    missed = [tuple(_find_missed(edits, gold)) for gold in golds]
    # An edit of the output that a reference has is one that it does not miss.
    closest = min(range(len(golds)), key=lambda r: (len(missed[r]) - len(golds[r]), len(missed[r])), default=0)
    return JudgedOutput(tuple(listed), closest, missed[closest] if missed else ())


def _find_missed(edits: Sequence[Edit], gold: Sequence[Edit]) -> Iterator[int]:
    for number, other in enumerate(gold):
        if not any(same_edit(edit, other) for edit in edits):
            yield number


def same_edit(edit: Edit, gold: Edit) -> bool:
    """Whether the same words become one of the gold corrections."""
    return (edit.start, edit.end) == (gold.start, gold.end) and edit.correction in gold.corrections


def touch(a: Edit, b: Edit) -> bool:
    """Whether two edits share a word, or insert at the same place.

    >>> touch(Edit(1, 2, ("a",)), Edit(2, 2, ("b",))), touch(Edit(2, 2, ("a",)), Edit(2, 2, ("b",)))
    (False, True)
    """
    return (a.start, a.end) == (b.start, b.end) or (a.start < b.end and b.start < a.end)


# The different outputs of each sentence. Systems often agree, and what is known of an output then is kept once.
#
# Outputs that bring their edits agree if text and edits are the same.


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
