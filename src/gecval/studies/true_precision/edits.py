"""The edits of outputs beside those of all references.

    agree       how many references have the same edit: the same words become the same correction
    settled     a gold edit of the chosen reference that the output lacks, but where another edit of the output that
                some reference has touches its words: the error is mended in another way
    open        such a gold edit that only an edit without any reference touches; if that is valid, the error is mended

Edits of outputs and of references are found by the same extractor, so that their spans agree.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.edits.extractors import Extractor, extract
from gecval.metrics.errant_types import at_detail
from gecval.progress import Progress, silent
from gecval.stats.reference_agreement import ReferenceAgreement
from gecval.stats.resampling import Array
from gecval.studies.coverage.agreement import subset_pmf
from gecval.studies.overview.judged_edits import touch

Gold = Sequence[Sequence[Sequence[Edit]]]  # the edits of each reference of each sentence
Integers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class ProposedEdits:
    """All edits of all systems: whose, where, of which type, and how many references have each."""

    system: Integers
    sentence: Integers
    kind: Integers
    agree: Integers
    keys: Sequence[tuple[int, int, str]]

    @property
    def unmatched(self) -> NDArray[np.bool_]:
        return np.asarray(self.agree == 0)


def type_of(edit: Edit) -> str:
    """The category of an edit's type, such as NOUN:NUM."""
    return at_detail(edit.type, "category")


def key_of(edit: Edit) -> tuple[int, int, str]:
    return edit.start, edit.end, edit.correction


def gold_edits(
    corpus: Corpus, extractor: Extractor, *, jobs: int = 1, progress: Progress = silent
) -> list[list[tuple[Edit, ...]]]:
    """The edits of every reference, found anew from its text."""
    counts = np.diff(corpus.reference_slots).tolist()
    pairs = [(source, text) for i, source in enumerate(corpus.sources) for text in corpus.texts_of(i)]
    found = iter(extract(extractor, pairs, jobs=jobs, progress=progress))
    return [[next(found) for _ in range(count)] for count in counts]


def system_edits(
    corpus: Corpus, systems: Sequence[System], extractor: Extractor, *, jobs: int = 1, progress: Progress = silent
) -> list[list[tuple[Edit, ...]]]:
    """The edits of every output, ``[system][sentence]``."""
    pairs = [pair for system in systems for pair in zip(corpus.sources, system.hypotheses, strict=True)]
    found = iter(extract(extractor, pairs, jobs=jobs, progress=progress))
    return [[next(found) for _ in corpus.sources] for _ in systems]


def proposed_edits(outputs: Sequence[Sequence[Sequence[Edit]]], gold: Gold, types: Sequence[str]) -> ProposedEdits:
    """The edits of all outputs, each with the number of references that have it."""
    number = {name: t for t, name in enumerate(types)}
    agree = [Counter(key for edits in references for key in set(map(key_of, edits))) for references in gold]
    rows = [
        (s, i, number[type_of(edit)], agree[i][key_of(edit)], key_of(edit))
        for s, of_system in enumerate(outputs)
        for i, edits in enumerate(of_system)
        for edit in edits
    ]
    columns = np.array([row[:4] for row in rows], dtype=np.int64).reshape(-1, 4).T
    return ProposedEdits(columns[0], columns[1], columns[2], columns[3], [row[4] for row in rows])


def agreement_rows(gold: Gold, types: Sequence[str]) -> tuple[Array, int, float]:
    """How the references agree: ``rows[sentence, type]`` of ``ReferenceAgreement``, M, and ρ of all types together."""
    least = min(map(len, gold))
    number = {name: t for t, name in enumerate(types)}
    fingerprints = np.zeros((len(gold), len(types), least))
    for i, references in enumerate(gold):
        kinds = {key_of(edit): number[type_of(edit)] for edits in references for edit in edits}
        counts = Counter(key for edits in references for key in set(map(key_of, edits)))
        for key, times in counts.items():
            fingerprints[i, kinds[key]] += subset_pmf(len(references), times, least)
    together = ReferenceAgreement(fingerprints.sum(axis=1))
    given = together.rows[:, 0].sum()
    share = together.remaining_share(together.histogram()) if given > 1 else 0.0
    rows = np.stack([ReferenceAgreement(fingerprints[:, t]).rows for t in range(len(types))], axis=1)
    return rows, least, share


def missed_edits(
    proposed: Sequence[Edit], agree: Sequence[int], gold: Sequence[Edit], kinds: Sequence[int], types: int
) -> tuple[int, Array]:
    """How many gold edits of a reference nothing mends, and how many are open, by type of the first edit there."""
    have = set(map(key_of, proposed))
    missed, opened = 0, np.zeros(types)
    for edit in gold:
        if key_of(edit) in have:
            continue
        touching = [e for e, other in enumerate(proposed) if touch(edit, other)]
        if any(agree[e] for e in touching):
            continue
        if touching:
            opened[kinds[touching[0]]] += 1
        else:
            missed += 1
    return missed, opened
