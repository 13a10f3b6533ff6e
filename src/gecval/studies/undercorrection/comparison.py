"""Do systems correct less than people do? Changes of words, of their order and of sentences, and types of errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.progress import Progress, announce, silent
from gecval.studies.inputs import Edits, Systems, given_extractor, given_jobs, given_systems
from gecval.studies.oddities import oddities
from gecval.studies.undercorrection.changes import Changes, changes
from gecval.studies.undercorrection.error_types import FEWEST_TYPES, frequency_correlation, type_ratios, typed_edits
from gecval.studies.undercorrection.results import UnderCorrection


def undercorrection(
    corpus: Corpus,
    systems: Systems,
    *,
    annotator: int = 0,
    types: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> UnderCorrection:
    """Compare how much systems and a reference change.

    Parameters
    ----------
    corpus
        Sources and references.
    systems
        Systems, or a mapping from a system's name to its list of outputs.
    annotator
        Which reference to compare with; the first is 0.
    types
        Also count edits by type. This is what finds and names them: ``errant``, a spaCy model for it, ``plain``, or an
        extractor.
    jobs
        Threads; by default as many as there are cores.

    Returns
    -------
    UnderCorrection
        A sequence of ``Changes``, the reference first. It prints as a table.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "She like apple ."], [["He goes home ."], ["She likes an apple ."]])
    >>> reference, mine = undercorrection(corpus, {"mine": ["He go home .", "She likes apple ."]})
    >>> reference.word_changes, mine.word_changes
    (1.5, 0.5)
    """
    listed = given_systems(systems, corpus, least=0)
    compared = _compared(corpus, listed, annotator, progress)
    finder, ratios = given_extractor(types), []
    if finder is not None:
        if not listed:
            raise InputError("types compare systems with references: give the systems' outputs", parameter="types")
        announce(progress, "typing edits")
        ratios = type_ratios(*typed_edits(corpus, listed, finder, jobs=given_jobs(jobs), progress=progress))
    return UnderCorrection(
        annotator=annotator,
        sentences=len(corpus),
        correctors=tuple(compared),
        extractor=finder.signature if finder is not None else "",
        types=tuple(ratios),
        correlation=frequency_correlation(ratios) if len(ratios) >= FEWEST_TYPES else None,
        notes=tuple(dict.fromkeys([*oddities(corpus, listed), *corpus.notes])),
    )


def _compared(corpus: Corpus, systems: Sequence[System], annotator: int, progress: Progress) -> list[Changes]:
    """The changes of one annotator, then those of each system."""
    counts = np.diff(corpus.reference_slots)
    if not 0 <= annotator < counts.min():
        raise InputError(
            f"there is no annotator {annotator} for sentence {int(np.argmin(counts)) + 1}, which has "
            f"{counts.min()} references",
            parameter="annotator" if counts.min() else "references",
        )
    texts = [corpus.texts_of(i)[annotator] for i in range(len(corpus))]
    correctors = [System("(reference)", texts), *systems]
    compared = []
    for done, corrector in enumerate(correctors, start=1):
        compared.append(changes(corrector.name, corpus.sources, corrector.hypotheses))
        progress(done, len(correctors))
    return compared
