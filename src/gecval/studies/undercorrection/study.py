"""Do systems correct less than people do? Changes of words, of their order and of sentences, and types of errors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.edits.alignment import match_words
from gecval.edits.extractors import Extractor
from gecval.errors import InputError
from gecval.results.result import ResultSequence
from gecval.results.table import Cell, Table
from gecval.runtime.run import HERE, SERIAL, Run, announce
from gecval.stats.resampling import MaybeUndefined
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import Edits, Systems, resolve_extractor, resolve_systems


def undercorrection(
    corpus: Corpus, systems: Systems, *, annotator: int = 0, types: Edits = None, run: Run = HERE
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
    run
        How it runs: threads, progress, backend.

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
    listed = resolve_systems(systems, corpus, least=0)
    compared = _compare_correctors(corpus, listed, annotator, run)
    finder, ratios = resolve_extractor(types), []
    if finder is not None:
        if not listed:
            raise InputError("types compare systems with references: give the systems' outputs", parameter="types")
        announce(run.progress, "typing edits")
        ratios = type_ratios(*find_typed_edits(corpus, listed, finder, run=run))
    return UnderCorrection(
        annotator=annotator,
        sentences=len(corpus),
        correctors=tuple(compared),
        extractor=finder.signature if finder is not None else "",
        types=tuple(ratios),
        correlation=frequency_correlation(ratios) if len(ratios) >= FEWEST_TYPES else None,
        notes=tuple(dict.fromkeys([*input_notes(corpus, listed), *corpus.notes])),
    )


def _compare_correctors(corpus: Corpus, systems: Sequence[System], annotator: int, run: Run) -> list[Changes]:
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
        run.progress(done, len(correctors))
    return compared


# Changes of words, of their order and of sentences (low-coverage paper, §3.2)
#
#     WORDCHANGE   words that were changed, deleted or added, after an optimal matching of the words
#     word order   Spearman's ρ between the places of matched words in source and correction
#     sentences    split in two, or joined with the next
#
# Only letters and digits count, and case does not: an output that was made lower-case is not a correction.


MOST_CHANGES = 10  # words; sentences with more are counted together
THRESHOLDS = tuple(round(0.8 + 0.01 * step, 2) for step in range(21))  # of ρ, up to 1
_NO_LETTERS = re.compile(r"[\W_]+")
_INNER_END = re.compile(r"[.!?]+['\")\]]*\s+(?=\S*\w)")
_FINAL_END = re.compile(r"[.!?]+[\s'\")\]]*$")


@dataclass(frozen=True, kw_only=True)
class Changes:
    """What one corrector does to the source.

    ``word_changes`` is the mean number of words changed in a sentence. ``sentences[k]`` is the number of sentences with
    k words changed, in the last place k or more. ``order`` is the mean ρ; ``below[t]`` is the share of sentences whose
    ρ is below the t-th of ``THRESHOLDS``. ``split`` and ``joined`` count sentences.
    """

    derived: ClassVar[tuple[str, ...]] = ("reordered",)

    corrector: str
    word_changes: float
    sentences: tuple[int, ...]
    order: float
    below: tuple[float, ...]
    split: int
    joined: int

    @property
    def reordered(self) -> float:
        """The share of sentences in which words changed places: ρ is below 1."""
        return self.below[-1]


def changes(corrector: str, sources: Sequence[str], corrected: Sequence[str]) -> Changes:
    """What one corrector does to the sources.

    >>> changes("mine", ["He go home ."], ["He goes home now ."]).sentences
    (0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
    """
    compared = [_compare(source, text) for source, text in zip(sources, corrected, strict=True)]
    words = np.array([changed for changed, _ in compared], dtype=np.int64)
    order = np.array([rho for _, rho in compared], dtype=np.float64)
    boundaries = [_boundaries(source, text) for source, text in zip(sources, corrected, strict=True)]
    return Changes(
        corrector=corrector,
        word_changes=float(words.mean()),
        sentences=tuple(np.bincount(np.minimum(words, MOST_CHANGES), minlength=MOST_CHANGES + 1).tolist()),
        order=float(order.mean()),
        below=tuple(float(np.mean(order < threshold - 1e-12)) for threshold in THRESHOLDS),
        split=sum(more > 0 for more in boundaries),
        joined=sum(more < 0 for more in boundaries),
    )


def word_changes(sources: Sequence[str], corrected: Sequence[str]) -> NDArray[np.int64]:
    """WORDCHANGE of each sentence.

    >>> word_changes(["He go home ."], ["He goes home now ."]).tolist()
    [2]
    """
    return np.array([_compare(*pair)[0] for pair in zip(sources, corrected, strict=True)], dtype=np.int64)


def _compare(source: str, corrected: str) -> tuple[int, float]:
    """How many words change, and ρ of the words that are matched."""
    before, after = _words(source), _words(corrected)
    if before == after:
        return 0, 1.0
    pairs = match_words(before, after)
    changed = sum(i is None or j is None or before[i] != after[j] for i, j in pairs)
    places = [j for i, j in pairs if i is not None and j is not None]
    return changed, _spearman(np.array(places, dtype=np.int64))


def _words(text: str) -> list[str]:
    tokens = text.lower().split()
    letters = (token if token.isalnum() else _NO_LETTERS.sub("", token) for token in tokens)  # isalnum is fast
    return [word for word in letters if word]


def _spearman(places: NDArray[np.int64]) -> float:
    """ρ between 0, 1, 2, … and places that all differ. It is 1 where there are not two words to compare."""
    n = len(places)
    if n < 2:
        return 1.0
    moved = np.argsort(np.argsort(places)) - np.arange(n)
    return float(1 - 6 * np.sum(moved**2) / (n * (n**2 - 1)))


def _boundaries(source: str, corrected: str) -> int:
    """How many ends of sentences are added. If the last one is lost, the sentence is joined with the next."""
    inner = len(_INNER_END.findall(corrected)) - len(_INNER_END.findall(source))
    lost = bool(_FINAL_END.search(source)) and bool(corrected.strip()) and not _FINAL_END.search(corrected)
    return inner - lost


# Types of errors that systems leave alone (low-coverage paper, §3.4)
#
#     ratio of a type = mean number of edits of that type by the systems / mean number by the references
#
# Edits count whether they are right or not. Errors of an open class have many valid corrections. Any references cover
# few of them, so correcting them does not pay.


# ERRANT's types where any word may be the right one. All others have a few forms or a few words to choose from.
OPEN_CLASS = ("ADJ", "ADV", "NOUN", "OTHER", "VERB")
FEWEST_TYPES = 4  # fewer are not correlated

EditsPerSentence = Sequence[tuple[Edit, ...]]  # one tuple a sentence


@dataclass(frozen=True, kw_only=True)
class TypeRatio:
    """How often systems and references make edits of one type, in the whole corpus."""

    derived: ClassVar[tuple[str, ...]] = ("ratio", "word_class")

    type: str
    systems: float
    references: float

    @property
    def ratio(self) -> float:
        return self.systems / self.references

    @property
    def word_class(self) -> Literal["open", "closed", ""]:
        """``open`` or ``closed``; empty for types that only say what happens (M, U, R)."""
        return "open" if self.type in OPEN_CLASS else "closed" if len(self.type) > 1 else ""


@dataclass(frozen=True, kw_only=True)
class FrequencyCorrelation:
    """Spearman's ρ between how frequent a type is and its ratio, and its p. Undefined where one of them is constant."""

    rho: MaybeUndefined
    p: MaybeUndefined


def type_ratios(references: Sequence[EditsPerSentence], systems: Sequence[EditsPerSentence]) -> list[TypeRatio]:
    """The ratio of each type that references have. The type that is corrected least comes last."""
    wanted, made = (_mean_counts(edits) for edits in (references, systems))
    ratios = [TypeRatio(type=kind, systems=made.get(kind, 0.0), references=count) for kind, count in wanted.items()]
    return sorted(ratios, key=lambda row: (-row.ratio, row.type))


def frequency_correlation(ratios: Sequence[TypeRatio]) -> FrequencyCorrelation:
    """Do systems neglect rare errors? A positive ρ says so."""
    frequencies, made = [row.references for row in ratios], [row.ratio for row in ratios]
    if min(len(set(frequencies)), len(set(made))) < 2:
        return FrequencyCorrelation(rho=float("nan"), p=float("nan"))
    result = spearmanr(frequencies, made)
    return FrequencyCorrelation(rho=float(result.statistic), p=float(result.pvalue))


def find_typed_edits(
    corpus: Corpus, systems: Sequence[System], extractor: Extractor, *, run: Run = SERIAL
) -> tuple[list[EditsPerSentence], list[EditsPerSentence]]:
    """The edits of references and of systems. One extractor finds both, so they are cut and named alike."""
    annotators = int(np.diff(corpus.reference_slots).min())
    references = [corpus.texts_of(i) for i in range(len(corpus))]
    outputs = [[texts[a] for texts in references] for a in range(annotators)]
    outputs += [list(system.hypotheses) for system in systems]
    pairs = [pair for texts in outputs for pair in zip(corpus.sources, texts, strict=True)]
    edits = extractor.edits(pairs, run=run)
    by_corrector: list[EditsPerSentence] = [
        edits[start : start + len(corpus)] for start in range(0, len(edits), len(corpus))
    ]
    return by_corrector[:annotators], by_corrector[annotators:]


def _mean_counts(correctors: Sequence[EditsPerSentence]) -> dict[str, float]:
    counts = Counter(_category(edit) for edits in correctors for sentence in edits for edit in sentence)
    return {kind: count / len(correctors) for kind, count in counts.items()}


def _category(edit: Edit) -> str:
    """ERRANT's type without its operation: R:NOUN:NUM is NOUN:NUM."""
    operation, _, category = edit.type.partition(":")
    return category or operation


# The result


@dataclass(frozen=True, kw_only=True, repr=False)
class UnderCorrection(ResultSequence[Changes]):
    """How much the reference and the systems change: a sequence of ``Changes``, the reference first.

    ``types`` and ``extractor`` (what named the types) are empty where types were not asked for. ``correlation`` is None
    where there are too few types.
    """

    kind: ClassVar[str] = "undercorrection"
    view: ClassVar[str] = "undercorrection_tables"
    main: ClassVar[str] = "correctors"

    annotator: int
    sentences: int
    order_thresholds: tuple[float, ...] = THRESHOLDS
    correctors: tuple[Changes, ...]
    extractor: str = ""
    types: tuple[TypeRatio, ...] = ()
    correlation: FrequencyCorrelation | None = None


# The result as tables.


def undercorrection_tables(result: UnderCorrection, style: str = "text") -> list[Table]:
    """What the reference and the systems change; then their edits by type, where that was asked for."""
    return [changes_table(result), *([type_table(result)] if result.types else [])]


def changes_table(result: UnderCorrection) -> Table:
    """A row per corrector: word changes, their numbers, word order, sentences split and joined."""
    table = Table(
        ["corrector", "words changed", *amounts(len(result[0].sentences)), "mean ρ", "reordered", "split", "joined"],
        title="Words changed per sentence, and sentences by number of words changed",
        digits=3,
        plain=["words changed"],
    )
    for corrector in result:
        row: list[Cell] = [corrector.corrector, corrector.word_changes, *corrector.sentences]
        table.rows.append([*row, corrector.order, corrector.reordered, corrector.split, corrector.joined])
    table.footnotes = [
        f"(reference): annotator {result.annotator}",
        "ρ: Spearman's, of word order; reordered: the share of sentences with ρ < 1",
        "case and punctuation do not count",
    ]
    return table


def type_table(result: UnderCorrection) -> Table:
    """A row per error type, from the least to the most under-corrected."""
    table = Table(["type", "class", "systems", "references", "ratio"], title="Edits by error type", digits=3)
    table.plain = ["systems", "references"]
    table.rows = [[row.type, row.word_class, row.systems, row.references, row.ratio] for row in result.types]
    table.footnotes = ["systems, references: edits of this type, the mean over systems and over references"]
    correlation = result.correlation
    if correlation and isnan(correlation.rho):
        table.footnotes.append("frequency of a type against its ratio: no correlation, since one of them is constant")
    elif correlation:
        p = "p < 0.001" if correlation.p < 0.001 else f"p = {correlation.p:.3f}"
        table.footnotes.append(f"frequency of a type against its ratio: Spearman's ρ = {correlation.rho:.2f}, {p}")
    return table


def amounts(size: int) -> list[str]:
    """Numbers of words changed; the last stands for all above it too.

    >>> amounts(4)
    ['0', '1', '2', '3+']
    """
    return [*map(str, range(size - 1)), f"{size - 1}+"]
