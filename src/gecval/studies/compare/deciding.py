"""Which sentences decide? The influence of each on a difference, and the smallest set that turns the verdict around."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.results.result import ResultSequence
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Resampling
from gecval.stats.deciding import UNTIL, DecidingSet, Sentences, Until, deciding_set, first_set, influences, without
from gecval.stats.paired import Correction, Family, Test, contributions, flipped, paired_test, studentised_p
from gecval.stats.ranking import Contest
from gecval.studies.compare.result import SIGNIFICANT, Comparison
from gecval.studies.compare.study import compare_with_baseline
from gecval.studies.scores.preparation import Edits, Metrics, Systems, resolve_systems
from gecval.studies.scores.scored_system import ScoredSystem


def deciding(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    most: int = 10,
    until: Until = "sign",
    aggregate: Aggregate | Contest = "corpus",
    resampling: Resampling | None = None,
    test: Test = "studentised",
    correction: Correction = "none",
    family: Family = "all",
    extractor: Edits = None,
    run: Run = HERE,
) -> Deciding:
    """Compare each system with the baseline, and find the sentences that decide. All else is as in ``compare``.

    Parameters
    ----------
    most
        How many of the most influential sentences to show in full.
    until
        ``sign``: the smallest set without which the better system is no longer better. ``significance``: sentences in
        the order of their influence, as many as it takes until the difference is no longer significant (p ≥ 0.05, not
        corrected); empty where it is not significant from the start.

    Examples
    --------
    >>> corpus = Corpus.from_texts(list("abcd"), [["A"], ["B"], ["C"], ["D"]])
    >>> [pair] = deciding(corpus, corpus.system("old", list("abcD")), {"new": list("ABCd")}, ["accuracy"], most=1)
    >>> pair.sentences, pair.difference, pair.difference_without, pair.proven
    ((1, 2), 0.5, 0.0, True)
    >>> pair.influential[0].sentence, pair.influential[0].source
    (4, 'd')
    """
    if most < 0:
        raise InputError(f"the number of sentences to show is 0 or more, not {most}", parameter="most")
    check_several(corpus)
    listed = resolve_systems(systems, corpus)
    compared, scored_systems = compare_with_baseline(
        corpus,
        baseline,
        listed,
        metrics,
        aggregate=aggregate,
        resampling=resampling,
        test=test,
        correction=correction,
        family=family,
        extractor=extractor,
        run=run,
    )
    announce(run.progress, "looking for the sentences that decide")
    by_name = {system.name: system for system in listed}
    pairs = []
    for comparison, both in zip(compared, scored_systems, strict=True):
        outputs = baseline, by_name[comparison.system]
        pairs.append(deciding_pair(corpus, comparison, both, outputs, most=most, until=until, resampling=resampling))
        run.progress(len(pairs), len(compared))
    return Deciding(pairs=tuple(pairs), comparisons=compared.comparisons, notes=compared.notes)


def check_several(corpus: Corpus) -> None:
    if len(corpus) < 2:
        raise InputError("the sentences that decide are some of several: give two sentences or more")


def deciding_pair(
    corpus: Corpus,
    comparison: Comparison,
    scored_systems: tuple[ScoredSystem, ScoredSystem],
    outputs: tuple[System, System],
    *,
    most: int,
    until: Until = "sign",
    resampling: Resampling | None = None,
) -> DecidingPair:
    """The sentences that decide between the baseline and a system."""
    a, b = (scored.evaluation for scored in scored_systems)
    decisive, p = _decisive(a, b, until, resampling or Resampling(), comparison.test)
    numbers = None if decisive.sentences is None else tuple(i + 1 for i in decisive.sentences)
    texts = outputs[0].hypotheses, outputs[1].hypotheses
    return DecidingPair(
        metric=comparison.metric,
        baseline=comparison.baseline,
        system=comparison.system,
        difference=decisive.difference,
        higher_is_better=comparison.higher_is_better,
        until=until,
        sentences=numbers,
        of=decisive.of,
        difference_without=decisive.difference_without,
        p_without=p,
        at_least=decisive.at_least,
        proven_as_chosen=decisive.proven_as_chosen,
        influential=_influential(a, b, corpus.sources, texts, most=most, numbers=numbers or ()),
    )


def _decisive(
    a: Evaluation, b: Evaluation, until: Until, resampling: Resampling, test: Test
) -> tuple[DecidingSet, float | None]:
    """The set, and p without it where p is what counts."""
    if until == "sign":
        return deciding_set(a, b), None
    if resampling.documents:
        raise InputError(
            "until significance, sentences are left out one by one, so no documents are left to draw",
            parameter=("until", "documents"),
        )
    if until != "significance":
        raise InputError(f"until is {' or '.join(UNTIL)}, not {until!r}", parameter="until")

    def p_over(kept: Sentences) -> float:
        pair = a.over(kept), b.over(kept)
        if test == "larger":
            tested = paired_test(*pair, pair[0].concatenate(pair[1]), resampling)
            return max(tested.bootstrap_p, tested.randomisation_p)
        of_pair = [flipped(contributions(side, resampling), resampling, len(kept)) for side in pair]
        return studentised_p(of_pair[0], of_pair[1], pair[1].score() - pair[0].score())

    decisive = first_set(a, b, lambda kept: p_over(kept) >= SIGNIFICANT)
    return decisive, None if decisive.sentences is None else p_over(without(len(a), decisive.sentences))


def _influential(
    a: Evaluation,
    b: Evaluation,
    sources: Sequence[str],
    outputs: tuple[Sequence[str], Sequence[str]],
    *,
    most: int,
    numbers: Sequence[int],
) -> tuple[InfluentialSentence, ...]:
    """The sentences that move the difference most, either way."""
    moves, of_a, of_b = influences(a, b), a.sentence_scores(), b.sentence_scores()
    return tuple(
        InfluentialSentence(
            sentence=i + 1,
            influence=float(moves[i]),
            decides=i + 1 in numbers,
            source=sources[i],
            baseline_hypothesis=outputs[0][i],
            hypothesis=outputs[1][i],
            baseline_score=float(of_a[i]),
            score=float(of_b[i]),
        )
        for i in np.argsort(-np.abs(moves), kind="stable")[:most].tolist()
    )


# What the search for the sentences that decide gives.


@dataclass(frozen=True, kw_only=True)
class InfluentialSentence:
    """A sentence, from 1, and how far it moves the difference: the difference minus that without the sentence.

    ``decides`` says whether it is one of the deciding set. ``baseline_score`` and ``score`` are those of the sentence
    alone.
    """

    sentence: int
    influence: float
    decides: bool
    source: str
    baseline_hypothesis: str
    hypothesis: str
    baseline_score: float
    score: float


@dataclass(frozen=True, kw_only=True)
class DecidingPair:
    """A system against the baseline under one metric, and the sentences that decide between them.

    ``sentences`` are the numbers, from 1, of the smallest set found whose removal changes the result, the most
    influential first; None where none was found, empty where the two tie. ``difference_without`` is the difference over
    all others, and ``p_without`` its p where the verdict is whether p < 0.05. No set of fewer than ``at_least`` of all
    ``of`` sentences does it; ``proven_as_chosen`` says so of the set found, while every sentence keeps the reference
    that the score of the whole corpus chose. ``influential`` are the sentences that move the difference
    most, either way.
    """

    derived: ClassVar[tuple[str, ...]] = ("count", "proven", "verdict")

    metric: str
    baseline: str
    system: str
    difference: float
    higher_is_better: bool = True
    until: Until = "sign"
    sentences: tuple[int, ...] | None
    of: int
    difference_without: float | None
    p_without: float | None = None
    at_least: int
    proven_as_chosen: bool = False
    influential: tuple[InfluentialSentence, ...]

    @property
    def count(self) -> int | None:
        """How many sentences decide."""
        return None if self.sentences is None else len(self.sentences)

    @property
    def proven(self) -> bool:
        """Whether no smaller set exists; where none was found, whether there is none."""
        return self.at_least == (self.of if self.sentences is None else len(self.sentences))

    @property
    def better(self) -> str:
        """The name of the better system."""
        return self.system if (self.difference > 0) == self.higher_is_better else self.baseline

    @property
    def worse(self) -> str:
        return self.baseline if self.better == self.system else self.system

    @property
    def verdict(self) -> str:
        """In one sentence, how many sentences decide."""
        beaten = f"{self.better} no longer beats {self.worse}"
        if self.until == "significance":
            beaten = f"{self.better} no longer beats {self.worse} beyond chance"
        if self.count == 0:
            tie = f"{self.system} and {self.baseline} tie" if self.until == "sign" else "the difference may be chance"
            return f"no sentence decides: {tie}"
        if self.count is None:
            beats = beaten.replace("no longer ", "")
            return f"no sentences decide: {beats} without any of them" if self.proven else f"{beats}: no set turns this"
        decide, them = ("sentence of {:,} decides", "it") if self.count == 1 else ("of {:,} sentences decide", "them")
        return f"{self.count:,} {decide.format(self.of)}: without {them} {beaten}"


@dataclass(frozen=True, kw_only=True, repr=False)
class Deciding(ResultSequence[DecidingPair]):
    """Systems against a baseline, and the sentences that decide between each two."""

    kind: ClassVar[str] = "deciding"
    view: ClassVar[str] = "deciding_tables"
    main: ClassVar[str] = "pairs"

    pairs: tuple[DecidingPair, ...]
    comparisons: tuple[Comparison, ...]
