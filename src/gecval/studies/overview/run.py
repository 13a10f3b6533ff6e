"""Everything that a report shows, in one call: each part is a study of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gecval.corpus import Corpus, System
from gecval.edits.annotate import annotate
from gecval.edits.choice import choose_extractor
from gecval.edits.extractors import Extractor
from gecval.edits.retyping import retyped
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric
from gecval.metrics.errant import Errant
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling
from gecval.stats.contest import Contest
from gecval.studies.coverage.own_references import reference_coverage
from gecval.studies.inputs import Edits, Metrics, Systems, given_extractor, given_jobs, given_metrics, given_systems
from gecval.studies.oddities import oddities
from gecval.studies.overview.commands import commands
from gecval.studies.overview.deciding import decisions, default_pairs
from gecval.studies.overview.judged_edits import judged_outputs
from gecval.studies.overview.outputs import distinct_outputs
from gecval.studies.overview.results import Material, Overview, TypeOutcome
from gecval.studies.overview.types import type_outcomes
from gecval.studies.overview.verdicts import verdicts
from gecval.studies.preparation import prepare
from gecval.studies.scores.all_pairs import ranked_pairs
from gecval.studies.scores.deciding_results import DecidingPair
from gecval.studies.scores.duels import evaluations_of
from gecval.studies.scores.pairs import Contender, correction_notes, enough_resamples, with_correction
from gecval.studies.scores.results import Comparison, Score
from gecval.studies.scores.scoring import scored
from gecval.studies.undercorrection.comparison import undercorrection


def overview(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics,
    *,
    aggregate: Aggregate | Contest = "corpus",
    resampling: Resampling | None = None,
    extractor: Edits = None,
    deciding: int | None = None,
    inputs: str = "",
    judging: str = "",
    evaluations: Sequence[Sequence[Evaluation]] | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
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
    resampling
        How intervals and tests are computed.
    extractor
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
    jobs
        Threads; by default as many as there are cores.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> outputs = {"copy": corpus.sources, "good": ["He goes home .", "Fine ."]}
    >>> seen = overview(corpus, outputs, ["accuracy"], extractor="plain")
    >>> seen.systems, seen.verdict
    (('good', 'copy'), ('accuracy cannot tell good and copy apart (p = 1).',))
    """
    listed, wanted, workers = given_systems(systems, corpus), given_metrics(metrics), given_jobs(jobs)
    resampling = resampling or Resampling(enough_resamples(len(listed)))
    known = evaluations is not None
    corpora = prepare(corpus, listed, wanted, extractor=extractor, scored=known, jobs=workers, progress=progress)
    if evaluations is None:
        announce(progress, "scoring")
        evaluations = [
            evaluations_of(metric, prepared, listed, aggregate, jobs=workers)
            for metric, prepared in zip(wanted, corpora, strict=True)
        ]
    else:
        _check(evaluations, listed, wanted, corpus)
    scores, comparisons = _tested(evaluations, corpora, listed, resampling, progress=progress)
    order = [score.system for score in scores if score.metric == repr(wanted[0])]
    places = sorted(range(len(listed)), key=lambda s: order.index(listed[s].name))
    listed = [listed[s] for s in places]
    evaluations = [[of_metric[s] for s in places] for of_metric in evaluations]

    decided: list[tuple[DecidingPair, Array]] = []
    if comparisons:
        announce(progress, "looking for the sentences that decide")
        most = default_pairs(len(corpus)) if deciding is None else deciding
        for number, of_metric in enumerate(evaluations):
            names = [score.system for score in scores if score.metric == repr(wanted[number])]
            ranks = sorted(range(len(listed)), key=lambda s, names=names: names.index(listed[s].name))  # type: ignore[misc]
            decided += decisions(of_metric, ranks, most)
            progress(number + 1, len(evaluations))

    announce(progress, "finding edits")
    outputs = distinct_outputs(listed)
    given = outputs.edits is not None
    finder, annotated = _judge(corpus, wanted, corpora, extractor, given=given, jobs=workers, progress=progress)
    judged = judged_outputs(annotated, outputs, finder, jobs=workers, progress=progress)

    errant = next((metric for metric in wanted if isinstance(metric, Errant)), None)
    types: tuple[TypeOutcome, ...] | None = None
    type_notes: tuple[str, ...] = ()
    if errant is not None:
        rows, type_notes = type_outcomes(
            corpus, listed, errant, resampling=resampling, extractor=extractor, jobs=workers, progress=progress
        )
        types = tuple(rows)
    counts = np.diff(corpus.reference_slots)
    fewest, single = int(counts.min()), int(np.sum(counts == 1))
    notes = [*(note for score in scores for note in score.notes), *correction_notes(comparisons, "holm", resampling)]
    notes += [
        *oddities(corpus, listed, wanted),
        *(note for prepared in corpora for note in prepared.notes),
        *type_notes,
    ]
    if fewest == 1 and single < len(corpus):
        notes.append(
            f"what the references hide is left out: {single} of {len(corpus)} sentences have one reference. Where an "
            '.m2 file leaves out annotators who agree, load it with missing="agreed" (option --missing-annotator)'
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
        changes=undercorrection(corpus, listed, jobs=workers, progress=progress) if fewest else None,
        coverage=reference_coverage(corpus, listed, resampling=resampling, jobs=workers) if fewest > 1 else None,
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
            metrics=[of_metric[0].metric for of_metric in evaluations],
            evaluations=evaluations,
            outputs=outputs,
            judged=judged,
            influences=[influence for _, influence in decided],
        ),
        notes=tuple(dict.fromkeys(notes)),
    )


def _check(
    evaluations: Sequence[Sequence[Evaluation]], systems: Sequence[System], metrics: Sequence[Metric], corpus: Corpus
) -> None:
    """Refuse evaluations of other systems, metrics or sentences."""
    asked = [(repr(metric), system.name, len(corpus)) for metric in metrics for system in systems]
    given = [(repr(row.metric), row.system, len(row)) for of_metric in evaluations for row in of_metric]
    if given != asked:
        raise InputError("the evaluations are not those of these metrics and systems", parameter="evaluations")


def _tested(
    evaluations: Sequence[Sequence[Evaluation]],
    corpora: Sequence[Corpus],
    systems: Sequence[System],
    resampling: Resampling,
    *,
    progress: Progress,
) -> tuple[list[Score], list[Comparison]]:
    """Scores from best to worst under each metric, and every pair; only scores where there is nothing to test."""
    announce(progress, "testing differences")
    scores: list[Score] = []
    comparisons: list[Comparison] = []
    for of_metric, prepared in zip(evaluations, corpora, strict=True):
        if len(systems) < 2 or len(prepared) < 2:
            known = resampling if len(prepared) > 1 else None
            unranked = [
                scored(Contender(evaluation, known), prepared, system)
                for evaluation, system in zip(of_metric, systems, strict=True)
            ]
            scores += sorted(unranked, key=lambda score: score.score, reverse=of_metric[0].metric.higher_is_better)
            continue
        ranked = ranked_pairs(of_metric, prepared, systems, resampling)
        scores += ranked.scores
        for comparison in ranked.comparisons:
            comparisons.append(comparison)
            progress(len(comparisons), len(corpora) * len(systems) * (len(systems) - 1) // 2)
    return scores, list(with_correction(comparisons, "holm"))


def _judge(
    corpus: Corpus,
    metrics: Sequence[Metric],
    corpora: Sequence[Corpus],
    extractor: Edits,
    *,
    given: bool,
    jobs: int,
    progress: Progress,
) -> tuple[Extractor, Corpus]:
    """What finds the edits of outputs, and the corpus with edits: as ERRANT sees them where it is among the metrics.

    Gold edits with types of another scheme are found anew, since a reader filters outputs and references by type; but
    not where the outputs bring their edits, since these would then be judged by edits that no score saw.
    """
    for metric, prepared in zip(metrics, corpora, strict=True):
        if isinstance(metric, Errant):
            finder, annotated = metric.extractor, prepared
            break
    else:
        finder = given_extractor(extractor) or choose_extractor(corpus).extractor
        annotated = annotate(corpus, finder, jobs=jobs, progress=progress)
    return finder, annotated if given else retyped(annotated, finder, jobs=jobs, progress=progress)
