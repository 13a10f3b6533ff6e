"""Everything that a report shows, in one call: each part is a study of its own."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from gecval.corpus import Corpus, System
from gecval.edits.annotate import annotate, retype
from gecval.edits.errant import ErrantExtractor
from gecval.edits.extractors import CorpusEdits, Extractor, choose_extractor
from gecval.edits.matching import JudgedOutput, Outputs, bring_edits, distinct_outputs, judge_outputs
from gecval.errors import InputError
from gecval.metrics import metric as find_metric
from gecval.metrics.base import Array, Metric
from gecval.metrics.error_types import ScoresByType, find_scores_by_type
from gecval.metrics.evaluation import AGGREGATES, Aggregate, Evaluation
from gecval.runtime.run import HERE, SERIAL, Run, announce
from gecval.stats import Resampling
from gecval.stats.deciding_sentences import deciding_set, influences
from gecval.stats.ranking import Contest
from gecval.stats.resampling import Confidence, few_units_notes, resolve_resampling
from gecval.studies.compare.deciding import DecidingPair
from gecval.studies.compare.result import Comparison
from gecval.studies.compare.study import rank_and_test
from gecval.studies.coverage.own_references import reference_coverage
from gecval.studies.report.result import Material, Overview, TypeOutcome
from gecval.studies.report.verdicts import verdicts
from gecval.studies.scores.by_type import score_types
from gecval.studies.scores.contests import evaluate_systems
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.preparation import (
    Edits,
    Metrics,
    Systems,
    prepare,
    resolve_extractor,
    resolve_metrics,
    resolve_systems,
)
from gecval.studies.scores.result import Score
from gecval.studies.scores.scored_system import ScoredSystem, correct_comparisons, correction_notes, ensure_resamples
from gecval.studies.scores.study import build_signed_score
from gecval.studies.undercorrection.study import Changes, changes, undercorrection

MOST_REFERENCES = 18  # whose changes are shown, as many as the largest public set has


def overview(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics,
    *,
    aggregate: Aggregate | Contest = "corpus",
    confidence: Confidence = True,
    edits: Edits = None,
    deciding: int | None = None,
    inputs: str = "",
    judging: str = "",
    evaluations: Sequence[Sequence[Evaluation]] | None = None,
    for_page: bool = False,
    run: Run = HERE,
) -> Overview:
    """Score, rank, test and look at systems from every side.

    Parameters
    ----------
    corpus
        Sources and references.
    systems
        Systems, or a mapping from a system's name to its list of outputs.
    metrics
        Metrics or their names. With ``errant`` among them there are scores by type of error too.
    aggregate
        ``corpus`` is the score of the whole corpus, ``mean`` the mean of the sentence scores; with
        ``expected-wins`` the systems meet on every sentence.
    confidence
        How intervals and tests are computed.
    edits
        Finds the edits of texts: an extractor or its name, e.g. ``plain``. By default ERRANT where it is installed and
        the text is English, else plain rules.
    deciding
        For how many pairs of systems to find the sentences that decide, under each metric: by default ten for up to
        300 sentences, two for up to 2000, and one for more.
    inputs
        The arguments that name the files on the command line, for the commands that print the same tables.
    judging
        The options that say how texts are judged, for the same commands.
    evaluations
        ``evaluations[m][s]`` is system *s* under metric *m*, where these were scored before. Nothing is scored again.
    for_page
        Leave out what a page does not show: the p-values of approximate randomisation (they are NaN), which take most
        of the time.
    run
        How it runs: threads, progress, backend.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> outputs = {"copy": corpus.sources, "good": ["He goes home .", "Fine ."]}
    >>> seen = overview(corpus, outputs, ["accuracy"], edits="plain")
    >>> seen.systems, seen.verdict
    (('good', 'copy'), ('accuracy cannot tell good and copy apart (p = 1).',))
    """
    listed, wanted = resolve_systems(systems, corpus), resolve_metrics(metrics)
    resampling = resolve_resampling(confidence, Resampling(ensure_resamples(len(listed))))
    corpora = prepare(corpus, listed, wanted, extractor=edits, scored=evaluations is not None, run=run)
    if evaluations is None:
        announce(run.progress, "scoring")
        evaluations = [
            evaluate_systems(metric, prepared, listed, aggregate, run=run)
            for metric, prepared in zip(wanted, corpora, strict=True)
        ]
    else:
        _check(evaluations, listed, wanted, corpus)
    scores, comparisons = _score_and_test(evaluations, corpora, listed, resampling, swaps=not for_page, run=run)
    given = tuple(system.name for system in listed)
    places = _rank_places(listed, scores, wanted[0])
    listed = [listed[s] for s in places]
    evaluations = [[of_metric[s] for s in places] for of_metric in evaluations]
    most = default_pairs(len(corpus)) if deciding is None else deciding
    decided = _find_deciding_pairs(evaluations, listed, wanted, scores, most, run=run) if comparisons else []
    annotated, outputs, judged = _judge_edits(corpus, listed, wanted, corpora, edits, run=run)
    types: tuple[TypeOutcome, ...] | None = None
    if (errant := find_scores_by_type(wanted)) is not None:
        announce(run.progress, "scoring by type")
        place = wanted.index(errant)
        scored_so = annotated is corpora[place] and aggregate in AGGREGATES
        known = evaluations[place] if scored_so else None
        types = type_outcomes(annotated, listed, errant, known, resampling, run=run)
    counts = np.diff(corpus.reference_slots)
    fewest, single = int(counts.min()), int(np.sum(counts == 1))
    notes = [*(note for score in scores for note in score.notes), *correction_notes(comparisons, "holm", resampling)]
    notes += few_units_notes(resampling, len(corpus))
    notes += [
        *input_notes(corpus, listed, wanted),
        *(note for prepared in corpora for note in prepared.notes),
        *(annotated.notes if types is not None else ()),
    ]
    if fewest == 1 and single < len(corpus):
        notes.append(
            f"what the references hide is left out: {single} of {len(corpus)} sentences have one reference. Where an "
            '.m2 file leaves out annotators who agree, say --missing-annotator agreed (in Python missing="agreed")'
        )
    return Overview(
        verdict=tuple(verdicts(scores, comparisons, len(corpus))),
        systems=tuple(system.name for system in listed),
        metrics=tuple(map(repr, wanted)),
        aggregate=aggregate,
        sentences=len(corpus),
        references=corpus.reference_count,
        language=corpus.likely_language,
        correction="holm",
        scores=tuple(scores),
        comparisons=tuple(comparisons),
        types=types,
        deciding=tuple(pair for pair, _ in decided),
        changes=undercorrection(corpus, listed, run=run) if fewest else None,
        coverage=reference_coverage(corpus, listed, confidence=resampling, run=run.quiet()) if fewest > 1 else None,
        commands=tuple(
            commands(
                inputs,
                wanted,
                resampling,
                aggregate=aggregate,
                judging=judging,
                pairs=bool(comparisons),
                references=fewest,
            )
        ),
        material=Material(
            corpus=annotated,
            systems=listed,
            given=given,
            metrics=[of_metric[0].metric for of_metric in evaluations],
            evaluations=evaluations,
            outputs=outputs,
            judged=judged,
            changes=_reference_changes(corpus) if fewest else [],
            influences=[influence for _, influence in decided],
            resamples=resampling.resamples,
        ),
        notes=tuple(dict.fromkeys(notes)),
    )


def _reference_changes(corpus: Corpus) -> list[Changes]:
    """How much the first references of the sentences change, the second ones, and so on."""
    counts = np.diff(corpus.reference_slots)
    rows = []
    for number in range(min(MOST_REFERENCES, int(counts.max()))):
        having = np.flatnonzero(counts > number).tolist()
        texts = [corpus.texts_of(i)[number] for i in having]
        rows.append(changes(f"Reference {number + 1}", [corpus.sources[i] for i in having], texts))
    return rows


def _check(
    evaluations: Sequence[Sequence[Evaluation]], systems: Sequence[System], metrics: Sequence[Metric], corpus: Corpus
) -> None:
    """Refuse evaluations of other systems, metrics or sentences."""
    asked = [(repr(metric), system.name, len(corpus)) for metric in metrics for system in systems]
    given = [(repr(row.metric), row.system, len(row)) for of_metric in evaluations for row in of_metric]
    if given != asked:
        raise InputError("the evaluations are not those of these metrics and systems", parameter="evaluations")


def _score_and_test(
    evaluations: Sequence[Sequence[Evaluation]],
    corpora: Sequence[Corpus],
    systems: Sequence[System],
    resampling: Resampling,
    *,
    swaps: bool,
    run: Run,
) -> tuple[list[Score], list[Comparison]]:
    """Scores from best to worst under each metric, and every pair; only scores where there is nothing to test."""
    announce(run.progress, "testing differences")
    scores: list[Score] = []
    comparisons: list[Comparison] = []
    for of_metric, prepared in zip(evaluations, corpora, strict=True):
        if len(systems) < 2 or len(prepared) < 2:
            known = resampling if len(prepared) > 1 else None
            unranked = [
                build_signed_score(ScoredSystem(evaluation, known), prepared, system)
                for evaluation, system in zip(of_metric, systems, strict=True)
            ]
            scores += sorted(unranked, key=lambda score: score.score, reverse=of_metric[0].metric.higher_is_better)
            continue
        ranked = rank_and_test(of_metric, prepared, systems, resampling, swaps=swaps)
        scores += ranked.scores
        for comparison in ranked.comparisons:
            comparisons.append(comparison)
            run.progress(len(comparisons), len(corpora) * len(systems) * (len(systems) - 1) // 2)
    return scores, list(correct_comparisons(comparisons, "holm"))


def _rank_places(systems: Sequence[System], scores: Sequence[Score], metric: Metric) -> list[int]:
    """The places of the systems, from the best to the worst under a metric."""
    names = [score.system for score in scores if score.metric == repr(metric)]
    return sorted(range(len(systems)), key=lambda s: names.index(systems[s].name))


def _find_deciding_pairs(
    evaluations: Sequence[Sequence[Evaluation]],
    systems: Sequence[System],
    metrics: Sequence[Metric],
    scores: Sequence[Score],
    most: int,
    *,
    run: Run,
) -> list[tuple[DecidingPair, Array]]:
    """The sentences that decide, for the first pairs under each metric."""
    announce(run.progress, "looking for the sentences that decide")
    decided: list[tuple[DecidingPair, Array]] = []
    for number, (metric, of_metric) in enumerate(zip(metrics, evaluations, strict=True), start=1):
        decided += decisions(of_metric, _rank_places(systems, scores, metric), most)
        run.progress(number, len(evaluations))
    return decided


def _judge_edits(
    corpus: Corpus,
    systems: Sequence[System],
    metrics: Sequence[Metric],
    corpora: Sequence[Corpus],
    edits: Edits,
    *,
    run: Run,
) -> tuple[Corpus, Outputs, Sequence[JudgedOutput]]:
    """The corpus with edits, the distinct outputs, and which of their edits are right."""
    announce(run.progress, "finding edits")
    outputs = distinct_outputs(systems)
    errant = find_scores_by_type(metrics)
    finder: Extractor
    if errant is None:
        finder = resolve_extractor(edits) or choose_extractor(corpus).extractor
        annotated = annotate(corpus, finder, run=run)
    else:
        finder, annotated = errant.extractor, corpora[metrics.index(errant)]
    if outputs.edits is None:
        # A reader filters outputs and references by type. Edits that come with outputs are judged by what scores saw.
        annotated = retype(annotated, finder, by_type=errant is not None, run=run)
        finder = annotated.derive(CorpusEdits).cached(finder)
    return annotated, outputs, judge_outputs(annotated, outputs, finder, run=run)


# The commands that print the tables of a report again.


PLACEHOLDER = "SYSTEM... -s SOURCE -r REFERENCE"


def commands(
    inputs: str,
    metrics: Sequence[Metric],
    resampling: Resampling,
    *,
    aggregate: Aggregate | Contest = "corpus",
    judging: str = "",
    pairs: bool = True,
    references: int = 1,
) -> list[str]:
    """``inputs`` are the arguments that name files, as they were typed; ``references`` are those that a sentence has.

    >>> from gecval.metrics import metric as find_metric
    >>> commands("a.txt -s s.txt", [find_metric("ld")], Resampling(), pairs=False, references=0)
    ['gecval score a.txt -s s.txt -m ld --ci']
    """
    inputs = inputs or PLACEHOLDER
    named = " ".join(f"-m {shlex.quote(repr(metric))}" for metric in metrics)
    options = _resampling(resampling)
    together = "" if aggregate == "corpus" else f"--aggregate {aggregate}"
    errant = find_scores_by_type(metrics)

    def command(verb: str, *more: str) -> str:
        return " ".join(["gecval", verb, inputs, *filter(None, more)])

    listed = [command("score", judging, named, together, "--clusters" if pairs else "--ci", options)]
    if pairs:
        listed.append(command("compare", judging, named, together, "--all-pairs", options))
    if errant:
        cut = "--tokenize char" if "--tokenize char" in judging else ""
        listed.append(command("score", cut, f"-m {shlex.quote(repr(errant))}", "--by-type --detail full --ci", options))
    if references:
        listed.append(command("coverage undercorrection"))
    if references > 1:
        listed.append(command("coverage"))
    return listed


def _resampling(resampling: Resampling) -> str:
    """The options that differ from the defaults."""
    fields = {"resamples": "resamples", "level": "level", "interval-method": "method", "seed": "seed"}
    return " ".join(
        f"--{option} {getattr(resampling, field)}"
        for option, field in fields.items()
        if getattr(resampling, field) != getattr(Resampling(), field)
    )


# The sentences that decide between systems, for the few pairs that a reader looks at first.
#
# To find a smallest set takes many scorings. So the number of pairs is bounded, the more so the longer the corpus is.


FEW, SOME = 300, 2000  # sentences up to which ten pairs are looked at, and two
TOO_MANY_DRAWS = 3000  # sentences from which a metric that draws references takes minutes


def default_pairs(sentences: int) -> int:
    """For how many pairs to look under each metric.

    >>> default_pairs(72), default_pairs(1312), default_pairs(5000)
    (10, 2, 1)
    """
    return 10 if sentences <= FEW else 2 if sentences <= SOME else 1


def decisions(
    evaluations: Sequence[Evaluation], ranks: Sequence[int], most: int
) -> Iterator[tuple[DecidingPair, Array]]:
    """Pairs under one metric, each with the influence of every sentence on the lead of the better system.

    ``evaluations`` are in the order of the report; ``ranks`` lists their places from best to worst under this metric.
    """
    if evaluations[0].metric.rule.by_position and len(evaluations[0]) > TOO_MANY_DRAWS:
        return
    for better, worse in _pairs(ranks)[:most]:
        baseline, system = evaluations[worse], evaluations[better]
        smallest = deciding_set(baseline, system)
        pair = DecidingPair(
            metric=repr(system.metric),
            baseline=baseline.system,
            system=system.system,
            difference=smallest.difference,
            higher_is_better=system.metric.higher_is_better,
            sentences=None if smallest.sentences is None else tuple(i + 1 for i in smallest.sentences),
            of=smallest.of,
            difference_without=smallest.difference_without,
            at_least=smallest.at_least,
            influential=(),
        )
        yield pair, influences(baseline, system)


def _pairs(ranks: Sequence[int]) -> list[tuple[int, int]]:
    """The better system first: the best two of the report, then the best two under the metric, and so on.

    >>> _pairs([2, 0, 1])
    [(0, 1), (2, 0), (2, 1)]
    """
    by_closeness = sorted(combinations(range(len(ranks)), 2), key=lambda pair: (pair[1], pair[0]))
    place = {system: rank for rank, system in enumerate(ranks)}
    pairs: dict[tuple[int, int], None] = {}
    for a, b in by_closeness:
        pairs[(a, b) if place[a] < place[b] else (b, a)] = None
        pairs[ranks[a], ranks[b]] = None
    return list(pairs)


# Which metrics a report shows where the user names none.


def default_metrics(corpus: Corpus, systems: Sequence[System] = ()) -> list[Metric]:
    """M² and GLEU, and ERRANT where it is installed and the text may be English, or where all edits are given.

    >>> default_metrics(Corpus.from_texts(["Він пішов додому ."], [["Він пішов додому ."]], language="uk"))
    [m2, gleu]
    """
    if corpus.reference_count == "0":
        raise InputError("without references, metrics must be named that need none, such as ld", parameter="metrics")
    given = bool(systems) and bring_edits(systems) and corpus.has_edits()
    errant = given or isinstance(choose_extractor(corpus).extractor, ErrantExtractor)
    return [find_metric(name) for name in ("m2", *(["errant"] if errant else []), "gleu")]


# Types of errors: what a system gets right, wrong, misses, and changes without need.


def type_outcomes(
    corpus: Corpus,
    systems: Sequence[System],
    metric: ScoresByType,
    evaluations: Sequence[Evaluation] | None,
    resampling: Resampling,
    *,
    run: Run = SERIAL,
) -> tuple[TypeOutcome, ...]:
    """A row for each system and type that occurs. ``evaluations`` are those of the systems, where they are known."""
    if evaluations is None:
        evaluations = [Evaluation.of(metric, corpus, system, run=run.quiet()) for system in systems]
    drawn = resampling if len(corpus) > 1 else None
    return tuple(
        TypeOutcome(
            system=row.system,
            type=row.type,
            right=row.tp,
            wrong=wrong,
            missed=row.fn,
            unneeded=row.fp - wrong,
            precision=row.precision,
            recall=row.recall,
            score=row.score,
            interval=row.interval,
        )
        for system, evaluation in zip(systems, evaluations, strict=True)
        for row, wrong in score_types(
            metric, corpus, system, evaluation.statistics, detail="full", resampling=drawn, run=run
        )
    )
