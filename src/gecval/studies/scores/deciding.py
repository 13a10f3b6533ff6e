"""Which sentences decide? The influence of each on a difference, and the smallest set that turns the verdict around."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling, paired_test
from gecval.stats.contest import Contest
from gecval.stats.deciding import UNTIL, DecidingSet, Until, deciding_set, first_set
from gecval.stats.influence import Sentences, influences
from gecval.stats.multiple import Correction
from gecval.stats.smallest_set import without
from gecval.studies.inputs import Edits, Metrics, Systems, given_systems
from gecval.studies.scores.comparison import compared_to_baseline
from gecval.studies.scores.deciding_results import Deciding, DecidingPair, InfluentialSentence
from gecval.studies.scores.pairs import Contender
from gecval.studies.scores.results import SIGNIFICANT, Comparison


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
    correction: Correction = "none",
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
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
    listed = given_systems(systems, corpus)
    compared, contenders = compared_to_baseline(
        corpus,
        baseline,
        listed,
        metrics,
        aggregate=aggregate,
        resampling=resampling,
        correction=correction,
        extractor=extractor,
        jobs=jobs,
        progress=progress,
    )
    announce(progress, "looking for the sentences that decide")
    by_name = {system.name: system for system in listed}
    pairs = []
    for comparison, contenders_of_pair in zip(compared, contenders, strict=True):
        outputs = baseline, by_name[comparison.system]
        pairs.append(
            deciding_pair(
                corpus, comparison, contenders_of_pair, outputs, most=most, until=until, resampling=resampling
            )
        )
        progress(len(pairs), len(compared))
    return Deciding(pairs=tuple(pairs), comparisons=compared.comparisons, notes=compared.notes)


def check_several(corpus: Corpus) -> None:
    if len(corpus) < 2:
        raise InputError("the sentences that decide are some of several: give two sentences or more")


def deciding_pair(
    corpus: Corpus,
    comparison: Comparison,
    contenders: tuple[Contender, Contender],
    outputs: tuple[System, System],
    *,
    most: int,
    until: Until = "sign",
    resampling: Resampling | None = None,
) -> DecidingPair:
    """The sentences that decide between the baseline and a system."""
    a, b = (contender.evaluation for contender in contenders)
    decisive, p = _decisive(a, b, until, resampling or Resampling())
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


def _decisive(a: Evaluation, b: Evaluation, until: Until, resampling: Resampling) -> tuple[DecidingSet, float | None]:
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
        first, second = a.over(kept), b.over(kept)
        test = paired_test(first, second, first.beside(second), resampling)
        return max(test.bootstrap_p, test.randomisation_p)

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
