"""No false alarm on any real file: lines that do not fit, debris, and files in each other's place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from gecval.corpus.mismatch import check_lines, is_swapped
from gecval.formats.debris import find_debris
from real_sets import RealSet, read_sets

# What really is in the files, each looked at: the set, the file, the finding, and in how many lines.
TRUE = [
    ("CoNLL-14", "RoRo", "lowercase", 1003),  # a system that writes no capitals
    ("JFLEG", "dev.spellchecked.src", "ptb-quotes", 6),  # its source has plain quotes in these lines
    ("GECCC sentences", "nelb.detok", "doubled", 52),  # the corrected sentence twice
    ("GECCC sentences", "nelb", "doubled", 254),  # the same, or the source and then its correction
    # Sentences for which re-alignment finds no output. Up to 32 in a file have a similar line elsewhere in it.
    ("UNLP-2023, fluency", "fine-tuned-r4-1500", "empty", 692),
    ("UNLP-2023, fluency", "fine-tuned-r4-500", "empty", 485),
    ("UNLP-2023, fluency", "fine-tuned-r8-1000", "empty", 586),
    ("UNLP-2023, fluency", "fine-tuned-r8-500", "empty", 234),
    ("UNLP-2023, fluency", "raw-model", "empty", 124),
    # "(Note: …)", "(smiling face …)", "No errors found in the provided text."
    ("UNLP-2023, fluency", "raw-model", "comments", 8),
]


@pytest.mark.slow
def test_real_files_have_no_findings_but_true_ones(data: Path) -> None:
    sets = list(read_sets(data))
    assert [finding for given in sets for finding in find_all(given)] == TRUE
    assert sum(len(given.systems) for given in sets) == 104
    assert sum(1 for given in sets for _ in given.references()) == 99


def find_all(given: RealSet) -> Iterator[tuple[str, str, str, int]]:
    """Every finding: the set, the file or annotator, the kind, and in how many lines."""
    sources = given.corpus.sources
    for system in given.systems:
        if misfit := check_lines(system.hypotheses, sources):
            yield given.name, system.name, misfit.kind, misfit.count
        for debris, lines in find_debris(given.corpus, system.hypotheses):
            yield given.name, system.name, debris.name, len(lines)
    for annotator, texts, own_sources in given.references():
        if misfit := check_lines(texts, own_sources):
            yield given.name, annotator, misfit.kind, misfit.count
        if is_swapped(own_sources, texts):
            yield given.name, annotator, "swapped", len(texts)
