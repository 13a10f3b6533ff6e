"""How far do annotators agree: each pair, each against the rest, by type; and who is far from the others?

    F = 2·same / (edits of one + edits of the other),   summed over the sentences that both saw

An annotator who has no reference for a sentence did not see it: the sentence counts for no pair with this annotator.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import combinations
from operator import itemgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from gecval.corpus import Corpus
from gecval.corpus.edit import Edit, apply_edits
from gecval.corpus.mismatch import find_twins
from gecval.edits.annotate import annotate
from gecval.edits.extractors import choose_extractor
from gecval.errors import InputError
from gecval.metrics.base import Array
from gecval.metrics.error_types import DETAILS, Detail, at_detail
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Resampling
from gecval.stats.kappa import cohen_kappa, fleiss_kappa, fleiss_rows
from gecval.stats.resampling import Confidence, SentenceSums, resolve_resampling
from gecval.studies.agreement.result import (
    Agreed,
    Agreement,
    AnnotatorAgreement,
    AnnotatorEdits,
    AnnotatorPair,
    AnnotatorTwins,
    Disagreement,
    TypeAgreement,
)
from gecval.studies.scores.preparation import Edits as GivenEdits
from gecval.studies.scores.preparation import resolve_extractor

FAR = 0.05
MOST_ANNOTATORS = 60  # pairs grow with the square


def agreement(
    corpus: Corpus,
    *,
    far: float = FAR,
    detail: Detail = "category",
    confidence: Confidence = True,
    edits: GivenEdits = None,
    run: Run = HERE,
) -> Agreement:
    """Measure how far the annotators of a corpus agree.

    Parameters
    ----------
    corpus
        References by two annotators or more. An annotator may lack some sentences.
    far
        An annotator is an outlier if F with the others is lower, by more than this and beyond chance, than F among the
        others.
    detail
        How fine types are, as in ``score_by_type``.
    confidence
        How intervals are computed.
    edits
        Finds the edits of plain-text references. By default ERRANT where it is installed and the text is English, else
        plain rules.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    Agreement
        A sequence of ``AnnotatorAgreement``, one for each annotator. It prints as tables.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go .", "A b ."], [["He goes .", "He went ."], ["A c .", "A c ."]])
    >>> agreed = agreement(corpus, edits="plain")
    >>> agreed.overall.f, round(agreed.overall.kappa, 3), agreed.pairs[0].same_edits
    (0.5, 1.0, 1)
    """
    if not far >= 0:
        raise InputError(f"far is a difference of F from 0, not {far}", parameter="far")
    if detail not in DETAILS:
        raise InputError(f"detail is one of {', '.join(DETAILS)}, not {detail!r}", parameter="detail")
    resampling = resolve_resampling(confidence)
    corpus = _with_edits(corpus, edits, run)
    names, sentences = by_annotator(corpus)
    _check(names, sentences)
    announce(run.progress, "comparing annotators")
    pairs = PairRows.of(corpus, names, sentences)
    sums = SentenceSums(pairs.rows, resampling)
    twins = _find_twins(corpus, names, sentences)
    judged = [a for a, name in enumerate(names) if name not in {pair.left_out for pair in twins}]
    f, f_interval = sums.figure(lambda totals: f_score(pairs.all(totals)))
    kappa, kappa_interval = SentenceSums(fleiss_of(corpus, sentences), resampling).figure(fleiss_kappa)
    overall = Agreed(
        sentences=sum(len(seen) > 1 for seen in sentences),
        f=f,
        f_interval=f_interval,
        kappa=kappa,
        kappa_interval=kappa_interval,
    )
    return Agreement(
        overall=overall,
        annotators=tuple(_against_rest(a, sentences, pairs, sums, judged, far=far) for a in range(len(names))),
        twins=tuple(twins),
        pairs=tuple(sorted(_pairs(pairs, sums), key=lambda pair: -np.nan_to_num(pair.f))),
        types=tuple(_types(corpus, sentences, detail, resampling)),
        disagreements=tuple(_disagreements(corpus, sentences)),
        level=resampling.level,
        far=far,
        signature=_signature(corpus, detail, resampling),
        notes=(*corpus.notes, *_notes(names, sentences)),
    )


def _with_edits(corpus: Corpus, extractor: GivenEdits, run: Run) -> Corpus:
    if corpus.has_edits():
        return corpus
    finder, notes = resolve_extractor(extractor), list[str]()
    if finder is None:
        finder, note = choose_extractor(corpus)
        notes = [note]
    return annotate(corpus, finder, notes=tuple(notes), run=run)


def _check(names: Sequence[str], sentences: Annotations) -> None:
    if len(names) < 2:
        raise InputError(
            "agreement needs two annotators or more; here is one: give the files of all", parameter="references"
        )
    if len(names) > MOST_ANNOTATORS:
        raise InputError(f"agreement takes up to {MOST_ANNOTATORS} annotators, not {len(names)}")
    if all(len(seen) < 2 for seen in sentences):
        raise InputError(
            "no sentence has two annotators, so nothing shows whether they agree. For an .m2 file, say with missing "
            "what an annotator without a line did",
            parameter="missing",
        )


def _notes(names: Sequence[str], sentences: Annotations) -> list[str]:
    lacking = sum(len(names) - len(seen) for seen in sentences)
    if not lacking:
        return []
    alone = sum(len(seen) < 2 for seen in sentences)
    return [
        f"annotators lack {lacking:,} of {len(names) * len(sentences):,} annotations; such a sentence does not count "
        f"for the annotator; {alone:,} of {len(sentences):,} sentences have fewer than two annotators "
        "(--missing-annotator agreed: who has no line found nothing wrong)"
    ]


def _find_twins(corpus: Corpus, names: Sequence[str], sentences: Annotations) -> list[AnnotatorTwins]:
    """Annotators who wrote the same or nearly, as the corpus gate defines it. One of each pair is left out."""
    texts = [
        {name: apply_edits(source.split(), edits) for name, edits in seen.items()}
        for source, seen in zip(corpus.sources, sentences, strict=True)
    ]
    found: list[AnnotatorTwins] = []
    left_out: set[str] = set()
    for first, second in combinations(names, 2):
        both = [i for i, seen in enumerate(sentences) if first in seen and second in seen]
        written = {name: [texts[i][name] for i in both] for name in (first, second)}
        for *_, equal in find_twins(written, [corpus.sources[i] for i in both]):
            spare = first if first in left_out else second
            left_out.add(spare)
            found.append(AnnotatorTwins(first=first, second=second, equal=equal, sentences=len(both), left_out=spare))
    return found


def _against_rest(
    a: int, sentences: Annotations, pairs: PairRows, sums: SentenceSums, judged: Sequence[int], *, far: float
) -> AnnotatorAgreement:
    """An annotator against the rest. Those who are ``judged`` are compared with each other, to find outliers."""
    name, count = pairs.names[a], len(judged)
    total = pairs.with_annotator(sums.rows.sum(axis=0), a)
    # Together, the intervals of all annotators hold at the level (Bonferroni).
    together = 1 - (1 - sums.resampling.level) / count
    others = [b for b in judged if b != a]
    among_others = distance = float("nan")
    interval = None
    if a in judged:
        among_others = float(f_score(pairs.without(sums.rows.sum(axis=0), a, others)))
        distance, interval = sums.figure(
            lambda totals: f_score(pairs.with_annotator(totals, a, others)) - f_score(pairs.without(totals, a, others)),
            level=together,
        )
    return AnnotatorAgreement(
        annotator=name,
        saw=sum(name in seen for seen in sentences),
        sentences=sum(name in seen and len(seen) > 1 for seen in sentences),
        edits=sum(len(seen.get(name, ())) for seen in sentences),
        precision=_share(total[AnnotatorPairCounts.SAME], total[AnnotatorPairCounts.FIRST]),
        recall=_share(total[AnnotatorPairCounts.SAME], total[AnnotatorPairCounts.SECOND]),
        **_figures(sums, lambda totals: pairs.with_annotator(totals, a), _cohen),
        among_others=among_others,
        distance=distance,
        distance_interval=interval,
        outlier=None if count < 3 or interval is None else interval.high < -far,
    )


def _figures(sums: SentenceSums, choose: Callable[[Array], Array], kappa: Callable[[Array], Array]) -> dict[str, Any]:
    """F and κ of the totals that ``choose`` takes, each with its interval: the fields of ``Agreed``."""
    f, f_interval = sums.figure(lambda totals: f_score(choose(totals)))
    agreed, kappa_interval = sums.figure(lambda totals: kappa(choose(totals)))
    return {"f": f, "f_interval": f_interval, "kappa": agreed, "kappa_interval": kappa_interval}


def _cohen(totals: Array) -> Array:
    return cohen_kappa(totals[..., AnnotatorPairCounts.TOKENS])


def _share(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")


def _pairs(pairs: PairRows, sums: SentenceSums) -> Iterator[AnnotatorPair]:
    for p, (a, b) in enumerate(pairs.pairs):
        total = sums.rows[:, p].sum(axis=0)
        yield AnnotatorPair(
            first=pairs.names[a],
            second=pairs.names[b],
            sentences=int(total[AnnotatorPairCounts.SHARED]),
            first_edits=int(total[AnnotatorPairCounts.FIRST]),
            second_edits=int(total[AnnotatorPairCounts.SECOND]),
            same_edits=int(total[AnnotatorPairCounts.SAME]),
            **_figures(sums, itemgetter((..., p, slice(None))), _cohen),
        )


def _types(corpus: Corpus, sentences: Annotations, detail: Detail, resampling: Resampling) -> Iterator[TypeAgreement]:
    shared = sum(len(seen) > 1 for seen in sentences)
    for types, counts, rows in type_rows(corpus, sentences, detail):
        sums = SentenceSums(rows, resampling)
        for t, (kind, count) in enumerate(zip(types, counts, strict=True)):
            figures = _figures(sums, itemgetter((..., t, slice(None))), lambda totals: fleiss_kappa(totals[..., 3:]))
            yield TypeAgreement(type=kind, edits=count, sentences=shared, **figures)


def _disagreements(corpus: Corpus, sentences: Annotations) -> list[Disagreement]:
    """The sentences on which annotators differ, the most different first."""
    found: list[Disagreement] = []
    for number, (source, seen) in enumerate(zip(corpus.sources, sentences, strict=True), start=1):
        pairs = combinations(seen.values(), 2)
        differences = sum(len(one) + len(other) - 2 * same_edits(one, other) for one, other in pairs)
        if differences:
            tokens = source.split()
            made = tuple(
                AnnotatorEdits(
                    annotator=name,
                    edits=tuple(
                        _show_edit(edit, tokens)
                        for edit in edits
                        if any(not same_edits([edit], others) for other, others in seen.items() if other != name)
                    ),
                )
                for name, edits in seen.items()
            )
            found.append(Disagreement(sentence=number, source=source, differences=differences, annotators=made))
    return sorted(found, key=lambda row: -row.differences)


def _show_edit(edit: Edit, tokens: Sequence[str]) -> str:
    words = " ".join(tokens[edit.start : edit.end])
    return f"{words or '∅'} → {'/'.join(correction or '∅' for correction in edit.corrections)}"


def _signature(corpus: Corpus, detail: Detail, resampling: Resampling) -> str:
    fields = ["agreement", f"detail:{detail}", f"source:{corpus.source_hash}", f"refs:{corpus.reference_count}"]
    fields += [f"references:{corpus.reference_hash}", *([corpus.extractor] if corpus.extractor else [])]
    return "|".join([*fields, resampling.signature(len(corpus)), f"gecval:{version('gecval')}"])


# The agreement of annotators as rows that add up over sentences.


AT_ONCE = 10_000_000  # numbers of several types that are held at once


class AnnotatorPairCounts:
    """Of two annotators in a sentence: edits that are the same, those of each, tokens that both change, only the first,
    only the second, neither; and 1 where both saw the sentence."""

    SAME, FIRST, SECOND, TOKENS, SHARED = 0, 1, 2, slice(3, 7), 7
    SWAPPED = (0, 2, 1, 3, 5, 4, 6, 7)


def f_score(totals: Array) -> Array:
    """F of SAME, FIRST and SECOND, the first three columns. It is undefined (NaN) where nobody edits anything."""
    with np.errstate(invalid="ignore"):
        f: Array = (
            2
            * totals[..., AnnotatorPairCounts.SAME]
            / (totals[..., AnnotatorPairCounts.FIRST] + totals[..., AnnotatorPairCounts.SECOND])
        )
    return f


@dataclass(frozen=True, eq=False)
class PairRows:
    """``rows[sentence, pair, column]``, and which two annotators each pair is."""

    names: Sequence[str]
    pairs: Sequence[tuple[int, int]]
    rows: Array

    @classmethod
    def of(cls, corpus: Corpus, names: Sequence[str], sentences: Annotations) -> PairRows:
        pairs = list(combinations(range(len(names)), 2))
        rows = np.zeros((len(sentences), len(pairs), 8))
        for i, seen in enumerate(sentences):
            tokens = len(corpus.sources[i].split())
            marks = {name: mark_changed(edits, tokens) for name, edits in seen.items()}
            for p, (first, second) in enumerate((names[a], names[b]) for a, b in pairs):
                if first in seen and second in seen:
                    one, other = marks[first], marks[second]
                    both, first_changes, second_changes = (int(marked.sum()) for marked in (one & other, one, other))
                    counts = [both, first_changes - both, second_changes - both]
                    counts.append(tokens + 1 - first_changes - second_changes + both)
                    same = same_edits(seen[first], seen[second])
                    rows[i, p] = [same, len(seen[first]), len(seen[second]), *counts, 1]
        return cls(names, pairs, rows)

    def all(self, totals: Array) -> Array:
        """The totals of all pairs together."""
        return np.asarray(totals.sum(axis=-2))

    def with_annotator(self, totals: Array, a: int, others: Sequence[int] | None = None) -> Array:
        """The totals of all pairs of an annotator, who is the first of each, with the others, or with some of them."""
        other = set(range(len(self.names)) if others is None else others)
        chosen = list(enumerate(self.pairs))
        first = totals[..., [p for p, pair in chosen if pair[0] == a and pair[1] in other], :].sum(axis=-2)
        second = totals[..., [p for p, pair in chosen if pair[1] == a and pair[0] in other], :].sum(axis=-2)
        return np.asarray(first + second[..., AnnotatorPairCounts.SWAPPED])

    def without(self, totals: Array, a: int, others: Sequence[int]) -> Array:
        """The totals of all pairs of others, without an annotator."""
        among = set(others) - {a}
        return np.asarray(
            totals[..., [p for p, pair in enumerate(self.pairs) if among.issuperset(pair)], :].sum(axis=-2)
        )


def fleiss_of(corpus: Corpus, sentences: Annotations) -> Array:
    """``fleiss_rows`` of every sentence."""
    lengths = [len(source.split()) for source in corpus.sources]
    return np.array([_mark_tokens(list(seen.values()), n) for seen, n in zip(sentences, lengths, strict=True)])


def _mark_tokens(listed: Sequence[Edits], tokens: int) -> Array:
    marks = np.array([mark_changed(edits, tokens) for edits in listed], dtype=np.int64)
    return fleiss_rows(marks.sum(axis=0), len(listed)) if len(listed) > 1 else np.zeros(3)


def type_rows(
    corpus: Corpus, sentences: Annotations, detail: Detail
) -> Iterator[tuple[Sequence[str], Sequence[int], Array]]:
    """Some types, how many edits they have, and of every sentence and type: SAME, FIRST, SECOND, ``fleiss_rows``.

    SAME, FIRST and SECOND are those of all pairs together.
    """
    counts = Counter(at_detail(edit.type, detail) for seen in sentences for edits in seen.values() for edit in edits)
    types, step = sorted(counts), max(1, AT_ONCE // (6 * len(sentences)))
    for start in range(0, len(types), step):
        some = types[start : start + step]
        rows = np.zeros((len(sentences), len(some), 6))
        for i, seen in enumerate(sentences):
            if len(seen) > 1:
                rows[i] = _of_types(list(seen.values()), some, detail, len(corpus.sources[i].split()))
        yield some, [counts[kind] for kind in some], rows


def _of_types(listed: Sequence[Edits], types: Sequence[str], detail: Detail, tokens: int) -> Array:
    rows = np.tile(
        np.array([0, 0, 0, *fleiss_rows(np.zeros(tokens + 1, dtype=np.int64), len(listed))]), (len(types), 1)
    )
    here = {at_detail(edit.type, detail) for edits in listed for edit in edits}
    for t, kind in enumerate(types):
        if kind in here:
            chosen = [[edit for edit in edits if at_detail(edit.type, detail) == kind] for edits in listed]
            same = sum(same_edits(one, other) for one, other in combinations(chosen, 2))
            halves = sum(map(len, chosen)) * (len(listed) - 1) / 2  # of each pair, FIRST and SECOND together
            rows[t] = [same, halves, halves, *_mark_tokens(chosen, tokens)]
    return rows


# What two annotators share in a sentence: the same edits, and tokens that both change.
#
# Two edits are the same if they have the same span and share a correction; each edit is paired once. A token is changed
# if an edit covers it. A word that is inserted changes the token that it stands before; the end of the sentence counts
# as a token for this.


Edits = Sequence[Edit]
Annotations = Sequence[Mapping[str, Edits]]  # of each sentence: the edits of those who saw it


def by_annotator(corpus: Corpus) -> tuple[list[str], Annotations]:
    """The annotators in order, and the edits of those who saw each sentence. Who has no reference did not see it."""
    names: dict[str, None] = {}
    sentences = []
    for number, references in enumerate(corpus.references, start=1):
        seen: dict[str, Edits] = {}
        for reference in references:
            if reference.annotator in seen:
                raise InputError(
                    f"annotator {reference.annotator!r} has two references for sentence {number}; rename one"
                )
            seen[reference.annotator] = reference.edits or ()
            names[reference.annotator] = None
        sentences.append(seen)
    return list(names), sentences


def same_edits(first: Edits, second: Edits) -> int:
    """How many edits of two annotators can be paired.

    >>> same_edits([Edit(0, 1, ("a", "b")), Edit(2, 2, ("x",))], [Edit(0, 1, ("b",)), Edit(2, 3, ("x",))])
    1
    """
    spans: dict[tuple[int, int], tuple[list[Edit], list[Edit]]] = defaultdict(lambda: ([], []))
    for side, edits in enumerate((first, second)):
        for edit in edits:
            spans[edit.start, edit.end][side].append(edit)
    return sum(_count_pairs(a, b) for a, b in spans.values() if a and b)


def _count_pairs(first: list[Edit], second: list[Edit]) -> int:
    """The largest number of pairs. Several edits of one span are rare: insertions at one place."""
    alike = np.array([[not _words(a).isdisjoint(_words(b)) for b in second] for a in first], dtype=np.int8)
    if 1 in alike.shape:
        return int(alike.any())
    return int((maximum_bipartite_matching(csr_array(alike)) >= 0).sum())


def _words(edit: Edit) -> set[str]:
    return {" ".join(correction.split()) for correction in edit.corrections}


def mark_changed(edits: Edits, tokens: int) -> NDArray[np.bool_]:
    """Which tokens an annotator changes; the last is the end of the sentence.

    >>> mark_changed([Edit(0, 2, ("a",)), Edit(3, 3, ("b",))], 3).tolist()
    [True, True, False, True]
    """
    marks = np.zeros(tokens + 1, dtype=np.bool_)
    for edit in edits:
        marks[edit.start : max(edit.end, edit.start + 1)] = True
    return marks
