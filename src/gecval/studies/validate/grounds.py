"""What metrics are validated on: the user's corpus, CoNLL-2014 where it is at hand, or the sample in the package.

MAEGE needs lattices by some annotators and references by others; coverage needs many annotators. Both take a part of
the sentences, spread evenly over the corpus, so that a card takes a minute and not an hour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gecval.corpus import Corpus, System
from gecval.edits.annotate import annotate
from gecval.edits.choice import choose_extractor
from gecval.errors import InputError
from gecval.formats import load_corpus
from gecval.formats.datasets import dataset_file
from gecval.formats.judgments import SOURCE_NAMES
from gecval.sample import load_sample
from gecval.studies.reproduce.conll14 import systems, ten_references, two_references

SENTENCES = 200  # for MAEGE and coverage
MAEGE_REFERENCES = ("BN1", "BN2", "BN4", "BN5")  # four of Bryant & Ng's who are not among the two official annotators


@dataclass(frozen=True, kw_only=True)
class Grounds:
    """Corpora for all parts of a card but the agreement with people."""

    name: str
    corpus: Corpus
    systems: Sequence[System]
    gold: Corpus  # whose edits make MAEGE's lattices
    references: Corpus  # the same sentences, by other annotators
    annotators: Corpus  # many annotators of each sentence, for coverage


def sample_grounds() -> Grounds:
    """The sample: its first annotator makes the lattices, the other two are the references."""
    corpus, outputs = load_sample()
    return Grounds(
        name=f"the sample corpus ({len(corpus)} sentences, {corpus.reference_count} annotators)",
        corpus=corpus,
        systems=outputs,
        gold=_annotators(corpus, slice(0, 1)),
        references=_annotators(corpus, slice(1, None)),
        annotators=corpus,
    )


def own_grounds(corpus: Corpus, systems: Sequence[System]) -> Grounds:
    """A corpus of the user's, in any language. The first annotator makes the lattices, the others are the references.

    MAEGE and coverage take sentences that two annotators or more have corrected. Where there are none, the only
    annotator is also the reference.
    """
    if not systems:
        raise InputError("a card needs the output of one system or more", parameter="systems")
    if not corpus.has_edits():
        corpus = annotate(corpus, choose_extractor(corpus).extractor)
    several = [i for i, listed in enumerate(corpus.references) if len(listed) > 1]
    shared = _part(corpus, several or range(len(corpus)))
    fewest = min(map(len, shared.references))
    spread = _spread(shared)
    return Grounds(
        name=f"{corpus.origin} ({len(corpus):,} sentences, {corpus.reference_count} annotators)",
        corpus=corpus,
        systems=systems,
        gold=_annotators(spread, slice(0, 1)),
        references=_annotators(spread, slice(1 if several else 0, None)),
        annotators=_annotators(spread, slice(0, fewest)),
    )


def conll14_grounds() -> Grounds:
    """CoNLL-2014: its official annotators, and Bryant & Ng's. Raises ``InputError`` where a file is not at hand."""
    corpus = two_references()
    others = [dataset_file("references", name) for name in MAEGE_REFERENCES]
    gold = _spread(corpus)
    return Grounds(
        name=f"CoNLL-2014 ({len(corpus):,} sentences, {corpus.reference_count} annotators)",
        corpus=corpus,
        systems=[system for system in systems(corpus, repaired=True) if system.name not in SOURCE_NAMES],
        gold=gold,
        references=_spread(load_corpus(corpus, others)),
        annotators=_spread(ten_references()),
    )


def _annotators(corpus: Corpus, which: slice) -> Corpus:
    return replace(corpus, references=[listed[which] for listed in corpus.references], clusters=None)


def _spread(corpus: Corpus) -> Corpus:
    """Some sentences of a corpus, evenly spread."""
    few = min(SENTENCES, len(corpus))
    return _part(corpus, [number * len(corpus) // few for number in range(few)])


def _part(corpus: Corpus, chosen: Sequence[int]) -> Corpus:
    return replace(
        corpus,
        sources=[corpus.sources[i] for i in chosen],
        references=[corpus.references[i] for i in chosen],
        clusters=None,
        essays=None,
    )
