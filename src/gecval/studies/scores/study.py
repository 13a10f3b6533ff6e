"""How good is it? Scores of systems under metrics, with intervals, parts and signatures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats import write_files
from gecval.formats.loading import preset_named
from gecval.metrics.base import Metric
from gecval.metrics.evaluation import Aggregate, Evaluation
from gecval.results.signature import Signature
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Resampling
from gecval.stats.ranking import CONTESTS, Contest, Standing
from gecval.studies.scores.contests import evaluate_systems, skill_scores
from gecval.studies.scores.input_notes import input_notes, nothing_right_note
from gecval.studies.scores.passport import Entry, check_part, output_hash, own_metric, passport_lines, totals_lines
from gecval.studies.scores.preparation import Edits, Metrics, Systems, prepare, resolve_metrics, resolve_systems
from gecval.studies.scores.result import Score, Scores
from gecval.studies.scores.scored_system import ScoredSystem, build_score, rank_systems


def score(
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics = (),
    *,
    preset: str | None = None,
    aggregate: Aggregate | Contest = "corpus",
    resampling: Resampling | None = None,
    sentences: bool = False,
    clusters: bool = False,
    passport: str | Path | None = None,
    save: str | Path | None = None,
    shard: tuple[int, int] = (1, 1),
    totals: Resampling | None = None,
    extractor: Edits = None,
    run: Run = HERE,
) -> Scores:
    """Score every system under every metric.

    Parameters
    ----------
    corpus
        Sources and references.
    systems
        Systems, or a mapping from a system's name to its list of outputs.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu(n=3)"]``.
    preset
        A shared task's protocol, such as ``multigec``: its metrics, where ``metrics`` names none. Load the corpus with
        the same preset.
    aggregate
        ``corpus`` is the score of the whole corpus, ``mean`` the mean of the sentence scores. ``expected-wins``,
        ``trueskill`` and ``trueskill-pass`` let the systems meet on every sentence (``gecval.stats.ranking``).
    resampling
        Gives each score a confidence interval.
    sentences
        Keep the score of every sentence too.
    clusters
        Give each system the range of its ranks, and the cluster of systems that it cannot be told apart from. This
        takes resamples, so every score gets an interval too.
    passport
        Write a passport to this file: the statistics from which ``verify`` computes everything again.
    save
        Write the statistics to this file, for ``merge``: the corpus is one part of a larger one. ``shard=(2, 8)`` says
        that it is the second of eight. Intervals and tests are those of the whole, so there is no ``resampling`` here.
    totals
        Save sums only, and those of so many Poisson resamples: for corpora whose rows are too many to be gathered.
    extractor
        Finds the edits of plain-text references for metrics that need them: an extractor or its name, e.g. ``plain``.
        By default ERRANT where it is installed and the text is English, else plain rules; a note says which.
    run
        How it runs: threads, progress, backend.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home ."], [["He goes home ."]])
    >>> [result] = score(corpus, {"mine": ["He goes home ."]}, ["gleu"])
    >>> result.system, result.metric, result.score
    ('mine', 'gleu', 1.0)
    """
    if preset is not None:
        metrics = metrics or preset_named(preset).metrics
    listed, wanted = resolve_systems(systems, corpus), resolve_metrics(metrics)
    witness: list[Entry] | None = None if passport is None and save is None else []
    if save is not None:
        check_part(wanted, aggregate, shard=shard, resampled=resampling is not None or clusters)
        if totals and aggregate != "corpus":
            raise InputError("totals are those of corpus scores, not of means", parameter=("totals", "aggregate"))
    if passport is not None:
        if aggregate in CONTESTS:
            raise InputError(f"{aggregate} has no passport: systems meet each other", parameter="passport")
        if resampling is not None and resampling.documents:
            raise InputError("a passport draws sentences, not documents", parameter=("passport", "documents"))
        for item in wanted:
            own_metric(item)
    corpora = prepare(corpus, listed, wanted, extractor=extractor, run=run)
    announce(run.progress, "scoring")
    if clusters:
        resampling = resampling or Resampling()
    if len(corpus) < 2 and not clusters:
        resampling = None
    table = [
        _of_metric(
            prepared,
            listed,
            metric,
            aggregate=aggregate,
            resampling=resampling,
            sentences=sentences,
            clusters=clusters,
            witness=witness,
            run=run,
        )
        for metric, prepared in zip(wanted, corpora, strict=True)
    ]
    scores = tuple(of_metric[s] for s in range(len(listed)) for of_metric in table)
    if passport is not None and witness is not None and (aggregate == "corpus" or aggregate == "mean"):
        write_files({Path(passport): passport_lines(witness, aggregate=aggregate, resampling=resampling)})
    if save is not None and witness is not None and (aggregate == "corpus" or aggregate == "mean"):
        lines = (
            totals_lines(witness, shard=shard, resampling=totals)
            if totals
            else passport_lines(witness, aggregate=aggregate, resampling=None, shard=shard)
        )
        write_files({Path(save): lines})
    notes = [*(note for result in scores for note in result.notes), *input_notes(corpus, listed, wanted)]
    notes += [note for prepared in corpora for note in prepared.notes]
    return Scores(scores=scores, notes=tuple(dict.fromkeys(notes)))


def _of_metric(
    corpus: Corpus,
    systems: Sequence[System],
    metric: Metric,
    *,
    aggregate: Aggregate | Contest,
    resampling: Resampling | None,
    sentences: bool,
    clusters: bool,
    witness: list[Entry] | None,
    run: Run,
) -> list[Score]:
    """The score of every system under one metric."""
    if aggregate == "trueskill" or aggregate == "trueskill-pass":
        if resampling:
            asked = ("aggregate", "clusters" if clusters else "confidence")
            raise InputError(f"{aggregate} has no interval; choose expected-wins", parameter=asked)
        return skill_scores(metric, corpus, systems, aggregate, sentences=sentences, run=run)
    scored_systems = evaluate_each(metric, corpus, systems, aggregate=aggregate, resampling=resampling, run=run)
    if witness is not None:
        scored_systems = _witnessed(scored_systems, systems, corpus, witness)
    if not clusters:  # one at a time: statistics of all systems at once may be large
        return [
            build_signed_score(scored, corpus, system, sentences=sentences)
            for scored, system in zip(scored_systems, systems, strict=True)
        ]
    listed = list(scored_systems)
    places = {place.system: place for place in rank_systems(listed)}
    return [
        build_signed_score(scored, corpus, system, sentences=sentences, standing=places[system.name])
        for scored, system in zip(listed, systems, strict=True)
    ]


def evaluate_each(
    metric: Metric,
    corpus: Corpus,
    systems: Sequence[System],
    *,
    aggregate: Aggregate | Literal["expected-wins"],
    resampling: Resampling | None,
    run: Run,
) -> Iterator[ScoredSystem]:
    """Every system under one metric, on a prepared corpus. ``scored`` makes a score of each."""
    if aggregate == "expected-wins":
        for evaluation in evaluate_systems(metric, corpus, systems, aggregate, run=run):
            yield ScoredSystem(evaluation, resampling)
        return
    for system in systems:
        yield ScoredSystem(Evaluation.of(metric, corpus, system, aggregate=aggregate, run=run.quiet()), resampling)


def _witnessed(
    scored_systems: Iterable[ScoredSystem], systems: Sequence[System], corpus: Corpus, witness: list[Entry]
) -> Iterator[ScoredSystem]:
    """The same scored_systems; what a passport needs of them is kept."""
    for scored, system in zip(scored_systems, systems, strict=True):
        signed = Signature.of_evaluation(scored.evaluation, corpus, [system], resampling=scored.resampling)
        witness.append(Entry(evaluation=scored.evaluation, signature=str(signed), output=output_hash(system)))
        yield scored


def build_signed_score(
    scored: ScoredSystem,
    corpus: Corpus,
    system: System,
    *,
    sentences: bool = False,
    standing: Standing | None = None,
) -> Score:
    """One system's score under one metric."""
    suspicion = nothing_right_note(scored.evaluation.parts(), corpus, system)
    return build_score(
        scored,
        Signature.of_evaluation(scored.evaluation, corpus, [system], resampling=scored.resampling),
        notes=(suspicion,) if suspicion else (),
        sentences=sentences,
        standing=standing,
    )


# From lists of strings to scores in one call.


def evaluate(
    sources: Sequence[str],
    hypotheses: Sequence[str] | Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]] = (),
    *,
    metrics: Metrics,
    confidence: bool | Resampling = False,
    aggregate: Aggregate = "corpus",
    sentences: bool = False,
    edits: Edits = None,
    run: Run = HERE,
) -> Scores:
    """Score texts under metrics.

    Parameters
    ----------
    sources
        The sentences before correction, their tokens separated by blanks.
    hypotheses
        The system's output for each source, or a dict of several systems' outputs by name.
    references
        ``references[i]`` lists the references of sentence *i*.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu"]``.
    confidence
        True gives every score a 95% interval; a ``Resampling`` says how.
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
    systems = hypotheses if isinstance(hypotheses, Mapping) else {"hypothesis": hypotheses}
    if isinstance(confidence, bool):
        resampling = Resampling() if confidence else None
    elif isinstance(confidence, Resampling):
        resampling = confidence
    else:
        raise InputError(f"confidence is True, False or a Resampling, not {confidence!r}")
    return score(
        corpus,
        systems,
        metrics,
        aggregate=aggregate,
        resampling=resampling,
        sentences=sentences,
        extractor=edits,
        run=run,
    )
