"""How good is it? Scores of systems under metrics, with intervals, parts and signatures."""

from __future__ import annotations

from gecval.corpus import Corpus, System
from gecval.corpus.columns import NestedTexts, Texts
from gecval.errors import InputError
from gecval.formats.loading import preset_named
from gecval.metrics.evaluation import Aggregate
from gecval.results.signature import Signature
from gecval.runtime.run import HERE, Run, announce
from gecval.stats.ranking import Contest, Standing
from gecval.stats.resampling import Confidence, few_units_notes, resolve_optional_resampling
from gecval.studies.scores.contests import skill_scores
from gecval.studies.scores.input_notes import input_notes, nothing_right_note
from gecval.studies.scores.passport import PassportEntry, ScoreStatistics, output_hash
from gecval.studies.scores.preparation import Edits, Metrics, Systems, prepare, resolve_metrics, resolve_systems
from gecval.studies.scores.result import Score, Scores
from gecval.studies.scores.scored_system import (
    ScoredSystem,
    build_score,
    few_annotators_notes,
    rank_systems,
    score_systems,
)


def score(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics = (),
    *,
    preset: str | None = None,
    aggregate: Aggregate | Contest = "corpus",
    confidence: Confidence = False,
    sentences: bool = False,
    clusters: bool = False,
    edits: Edits = None,
    run: Run = HERE,
) -> Scores:
    """Score every system under every metric.

    Parameters
    ----------
    corpus
        Sources and references.
    systems
        Systems, a dict of outputs by name, a data frame with a column for each, or one list of outputs.
    metrics
        Names, metrics or functions, e.g. ``"gleu"`` or ``["m2", "gleu(n=3)"]``. By default ERRANT where it is
        installed and the text is English, M² where the references have edits, and GLEU.
    preset
        A shared task's protocol, such as ``multigec``: its metrics, where ``metrics`` names none. Load the corpus with
        the same preset.
    aggregate
        ``corpus`` is the score of the whole corpus, ``mean`` the mean of the sentence scores. ``expected-wins``,
        ``trueskill`` and ``trueskill-pass`` let the systems meet on every sentence (``gecval.stats.ranking``).
    confidence
        True gives every score a 95% interval, 0.99 one at that level; a ``Resampling`` says how.
    sentences
        Keep the score of every sentence too.
    clusters
        Give each system the range of its ranks, and its cluster: the systems that are not significantly different from
        it. This takes resamples, so every score gets an interval too.
    edits
        Finds the edits of plain-text references for metrics that need them: an extractor or its name, e.g. ``plain``.
        By default ERRANT where it is installed and the text is English, else plain rules; a note says which.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    Scores
        A sequence of ``Score``. It prints as a table. ``save_passport`` and ``save_part`` write its statistics.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    >>> [result] = score(corpus, {"mine": ["He goes home ."]}, ["gleu"])
    >>> result.system, result.metric, result.score
    ('mine', 'gleu', 1.0)
    """
    if preset is not None:
        metrics = metrics or preset_named(preset).metrics
    listed, wanted = resolve_systems(systems, corpus), resolve_metrics(metrics, corpus)
    corpora = prepare(corpus, listed, wanted, extractor=edits, run=run)
    announce(run.progress, "scoring")
    resampling = resolve_optional_resampling(True if clusters and not confidence else confidence)
    if len(corpus) < 2 and not clusters:
        resampling = None
    hashes = list(map(output_hash, listed))
    table: list[list[Score]] = []
    entries: list[PassportEntry] = []
    for metric, prepared in zip(wanted, corpora, strict=True):
        if aggregate == "trueskill" or aggregate == "trueskill-pass":
            if resampling:
                asked = ("aggregate", "clusters" if clusters else "confidence")
                raise InputError(f"{aggregate} has no interval; choose expected-wins", parameter=asked)
            table.append(skill_scores(metric, prepared, listed, aggregate, sentences=sentences, run=run))
            continue
        scored_systems = score_systems(metric, prepared, listed, aggregate, resampling, run=run)
        places = {place.system: place for place in rank_systems(scored_systems)} if clusters else {}
        of_metric = [
            build_signed_score(scored, prepared, system, sentences=sentences, standing=places.get(system.name))
            for scored, system in zip(scored_systems, listed, strict=True)
        ]
        entries += [
            PassportEntry(evaluation=scored.evaluation, signature=made.signature, output=output)
            for scored, made, output in zip(scored_systems, of_metric, hashes, strict=True)
        ]
        table.append(of_metric)
    scores = tuple(of_metric[s] for s in range(len(listed)) for of_metric in table)
    notes = [*(note for result in scores for note in result.notes), *input_notes(corpus, listed, wanted)]
    notes += (
        [*few_units_notes(resampling, len(corpus)), *few_annotators_notes(resampling, corpus)] if resampling else []
    )
    notes += [note for prepared in corpora for note in prepared.notes]
    return Scores(
        scores=scores,
        statistics=ScoreStatistics(aggregate=aggregate, resampling=resampling, entries=tuple(entries)),
        notes=tuple(dict.fromkeys(notes)),
    )


def build_signed_score(
    scored: ScoredSystem,
    corpus: Corpus,
    system: System,
    *,
    sentences: bool = False,
    standing: Standing | None = None,
) -> Score:
    """One system's score under one metric."""
    weighs = scored.evaluation.metric.needs_pool  # its parts are sums of weights, not counts of edits
    suspicion = None if weighs else nothing_right_note(scored.evaluation.parts(), corpus, system)
    return build_score(
        scored,
        Signature.of_evaluation(scored.evaluation, corpus, [system], resampling=scored.resampling),
        notes=(suspicion,) if suspicion else (),
        sentences=sentences,
        standing=standing,
    )


# From lists of strings to scores in one call.


def evaluate(
    sources: Texts,
    hypotheses: Systems,
    references: NestedTexts = (),
    *,
    metrics: Metrics = (),
    confidence: Confidence = False,
    aggregate: Aggregate = "corpus",
    sentences: bool = False,
    edits: Edits = None,
    run: Run = HERE,
) -> Scores:
    """Score texts under metrics.

    Parameters
    ----------
    sources
        The sentences before correction, their tokens separated by blanks. Lists will do, and columns of numpy, pandas,
        polars, Arrow and Hugging Face, here as everywhere.
    hypotheses
        The system's output for each source, or several systems' outputs: a dict by name, or a data frame.
    references
        ``references[i]`` lists the references of sentence *i*, or is the only one.
    metrics
        Names, metrics or functions, e.g. ``"gleu"`` or ``["m2", "gleu"]``. By default ERRANT where it is installed and
        the text is English, and GLEU.
    confidence
        True gives every score a 95% interval, 0.99 one at that level; a ``Resampling`` says how.
    edits
        What finds the edits for metrics that need them: ``errant``, a spaCy model for it, ``plain``, or an extractor.
        By default ERRANT where it is installed and the text is English, else plain rules; a note says which.

    Returns
    -------
    Scores
        What ``gecval.score`` returns. It prints as a table.

    Examples
    --------
    >>> sources = ["He go home .", "She like it ."]
    >>> references = [["He goes home .", "He went home ."], ["She likes it ."]]
    >>> scores = evaluate(sources, {"mine": ["He goes home .", "She like it ."]}, references, metrics=["accuracy"])
    >>> scores["mine", "accuracy"].score
    0.5
    """
    corpus = Corpus.from_texts(sources, references)
    return score(
        corpus,
        hypotheses,
        metrics,
        aggregate=aggregate,
        confidence=confidence,
        sentences=sentences,
        edits=edits,
        run=run,
    )
