"""Is B better than A? Paired tests on the same sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from gecval.corpus import Corpus, System
from gecval.corpus.columns import NestedTexts, Texts
from gecval.errors import InputError
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.results.signature import Signature
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Resampling
from gecval.stats.paired_tests import Correction, Family, Test
from gecval.stats.ranking import Contest
from gecval.stats.resampling import Confidence, few_units_notes, resolve_resampling
from gecval.studies.compare.result import AllPairs, Comparison, Comparisons
from gecval.studies.scores.contests import evaluate_systems
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import (
    Edits,
    Metrics,
    Systems,
    prepare,
    resolve_corpus,
    resolve_metrics,
    resolve_systems,
)
from gecval.studies.scores.result import Score
from gecval.studies.scores.scored_system import (
    ScoredSystem,
    compare_pair,
    correct_comparisons,
    correction_notes,
    few_annotators_notes,
    rank_systems,
    score_systems,
)
from gecval.studies.scores.study import build_signed_score


def compare(
    corpus: Corpus | Texts,
    baseline: System | str | Texts,
    systems: Systems,
    metrics: Metrics = (),
    *,
    references: NestedTexts = (),
    aggregate: Aggregate | Contest = "corpus",
    confidence: Confidence = True,
    test: Test = "studentised",
    correction: Correction = "none",
    family: Family = "all",
    edits: Edits = None,
    run: Run = HERE,
) -> Comparisons:
    """Test each system against the baseline under every metric.

    Parameters
    ----------
    corpus
        Sources and references, or the list of sources alone: then ``references`` go with it.
    baseline
        A system, its list of outputs, or the name of one of ``systems``.
    systems
        Systems, a dict of outputs by name, a data frame with a column for each, or one list of outputs.
    metrics
        Names, metrics or functions; by default those of ``score``.
    references
        The references of texts: ``references[i]`` lists those of sentence *i*, or is the only one.
    aggregate
        As for ``score``. With ``expected-wins`` all systems, the baseline too, meet each other.
    confidence
        The level of the intervals of differences, or a ``Resampling``.
    test
        ``larger`` counts the larger p of paired bootstrap and approximate randomisation instead of the studentised one.
    correction
        ``holm`` (Holm) or ``bh`` (Benjamini & Hochberg) corrects the p-values for the number of tests of a family.
    family
        ``all`` tests of this call, or those under one ``metric``.

    Examples
    --------
    >>> sources, references = ["He go home .", "Fine ."], ["He goes home .", "Fine ."]
    >>> old, new = sources, ["He goes home .", "Fine ."]
    >>> [comparison] = compare(sources, "old", {"old": old, "new": new}, "accuracy", references=references)
    >>> comparison.baseline, comparison.system, comparison.difference, comparison.significant
    ('old', 'new', 0.5, False)
    """
    corpus = resolve_corpus(corpus, references)
    baseline, listed = _split_baseline(corpus, baseline, systems)
    comparisons, _ = compare_with_baseline(
        corpus,
        baseline,
        listed,
        metrics,
        aggregate=aggregate,
        resampling=resolve_resampling(confidence),
        test=test,
        correction=correction,
        family=family,
        edits=edits,
        run=run,
    )
    return comparisons


def _split_baseline(corpus: Corpus, baseline: System | str | Texts, systems: Systems) -> tuple[System, list[System]]:
    """The baseline, and the systems that are compared with it."""
    listed = resolve_systems(systems, corpus, name="system")
    if not isinstance(baseline, str):
        return (baseline if isinstance(baseline, System) else corpus.system("baseline", baseline)), listed
    named = [system for system in listed if system.name == baseline]
    if not named:
        names = ", ".join(system.name for system in listed)
        raise InputError(f"the baseline {baseline!r} is none of the systems: {names}", parameter="baseline")
    others = [system for system in listed if system.name != baseline]
    if not others:
        raise InputError(f"{baseline} is the only system: give another to compare with it", parameter="systems")
    return named[0], others


def compare_with_baseline(
    corpus: Corpus,
    baseline: System,
    systems: Systems,
    metrics: Metrics,
    *,
    aggregate: Aggregate | Contest,
    resampling: Resampling,
    test: Test,
    correction: Correction,
    family: Family,
    edits: Edits,
    run: Run,
) -> tuple[Comparisons, list[tuple[ScoredSystem, ScoredSystem]]]:
    """The comparisons, and the baseline and the system of each."""
    [baseline] = resolve_systems([baseline], corpus)
    listed, wanted = resolve_systems(systems, corpus), resolve_metrics(metrics, corpus)
    corpora = prepare(corpus, [baseline, *listed], wanted, extractor=edits, run=run)
    announce(run.progress, "testing differences")
    comparisons: list[Comparison] = []
    scored_systems: list[tuple[ScoredSystem, ScoredSystem]] = []
    for metric, prepared in zip(wanted, corpora, strict=True):
        first, *others = score_systems(metric, prepared, [baseline, *listed], aggregate, resampling, run=run)
        for second, system in zip(others, listed, strict=True):
            signed = Signature.of_evaluation(first.evaluation, prepared, [baseline, system], resampling=resampling)
            comparisons.append(compare_pair(first, second, signature=signed, test=test))
            scored_systems.append((first, second))
            run.progress(len(comparisons), len(wanted) * len(listed))
    notes = [note for comparison in comparisons for note in comparison.notes]
    notes += correction_notes(comparisons, correction, resampling, family)
    notes += [
        *few_units_notes(resampling, len(corpus)),
        *few_annotators_notes(resampling, corpus),
        *input_notes(corpus, [baseline, *listed], wanted),
        *(note for prepared in corpora for note in prepared.notes),
    ]
    corrected = correct_comparisons(comparisons, correction, family)
    return Comparisons(comparisons=corrected, notes=tuple(dict.fromkeys(notes))), scored_systems


# Who is better than whom? Every pair of systems, with a correction for how many pairs there are, and a ranking.


def compare_all(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics = (),
    *,
    aggregate: Aggregate | Contest = "corpus",
    confidence: Confidence = True,
    test: Test = "studentised",
    correction: Correction = "holm",
    family: Family = "all",
    edits: Edits = None,
    run: Run = HERE,
) -> AllPairs:
    """Rank the systems under every metric, and test every pair. Tests are those of ``compare``.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> outputs = {"copy": corpus.sources, "good": ["He goes home .", "Fine ."], "bad": ["He", "F"]}
    >>> pairs = compare_all(corpus, outputs, ["accuracy"])
    >>> [(score.system, score.ranks, score.cluster) for score in pairs.scores]
    [('good', (1, 2), 1), ('copy', (1, 3), 1), ('bad', (2, 3), 1)]
    >>> [(pair.system, pair.baseline) for pair in pairs]
    [('good', 'copy'), ('good', 'bad'), ('copy', 'bad')]
    """
    listed, wanted = resolve_systems(systems, corpus), resolve_metrics(metrics, corpus)
    if len(listed) < 2:
        raise InputError("there is no pair: give two systems or more", parameter="systems")
    pairs = len(listed) * (len(listed) - 1) // 2
    resampling = resolve_resampling(confidence)
    corpora = prepare(corpus, listed, wanted, extractor=edits, run=run)
    announce(run.progress, "testing differences")
    scores: list[Score] = []
    comparisons: list[Comparison] = []
    for metric, prepared in zip(wanted, corpora, strict=True):
        evaluations = evaluate_systems(metric, prepared, listed, aggregate, run=run)
        of_metric = rank_and_test(evaluations, prepared, listed, resampling, test=test)
        scores += of_metric.scores
        for comparison in of_metric.comparisons:
            comparisons.append(comparison)
            run.progress(len(comparisons), len(wanted) * pairs)
    notes = [note for score in scores for note in score.notes]
    notes += correction_notes(comparisons, correction, resampling, family)
    notes += [*few_units_notes(resampling, len(corpus))]
    notes += [*input_notes(corpus, listed, wanted), *(note for prepared in corpora for note in prepared.notes)]
    return AllPairs(
        correction=correction,
        scores=tuple(scores),
        comparisons=correct_comparisons(comparisons, correction, family),
        notes=tuple(dict.fromkeys(notes)),
    )


class RankedPairs(NamedTuple):
    """Systems under one metric: their scores from best to worst, and every pair, made as it is asked for."""

    scores: list[Score]
    comparisons: Iterator[Comparison]


def rank_and_test(
    evaluations: Sequence[Evaluation],
    corpus: Corpus,
    systems: Sequence[System],
    resampling: Resampling,
    *,
    test: Test = "studentised",
    swaps: bool = True,
) -> RankedPairs:
    """Rank systems under one metric, and test every pair; ``p`` is not yet corrected. See ``compare_pair``."""
    scored_systems = {evaluation.system: ScoredSystem(evaluation, resampling) for evaluation in evaluations}
    places = rank_systems(list(scored_systems.values()))
    by_name = {system.name: system for system in systems}
    scores = [
        build_signed_score(scored_systems[place.system], corpus, by_name[place.system], standing=place)
        for place in places
    ]

    def signed(*pair: ScoredSystem) -> Signature:
        systems_of_pair = [by_name[scored.name] for scored in pair]
        return Signature.of_evaluation(evaluations[0], corpus, systems_of_pair, resampling=resampling)

    pairs = combinations([scored_systems[place.system] for place in places], 2)
    return RankedPairs(
        scores,
        (
            compare_pair(worse, better, signature=signed(worse, better), test=test, swaps=swaps)
            for better, worse in pairs
        ),
    )
