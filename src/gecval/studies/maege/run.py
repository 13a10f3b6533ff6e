"""MAEGE (Choshen & Abend 2018): does a metric prefer corrections that are better by construction?

Each replicate draws new chains and corpora from the lattices of the gold edits, and every metric is judged on the same
ones. One replicate is what the paper reports; how much its figures owe to chance shows only over many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from importlib.metadata import version
from itertools import chain
from pathlib import Path

from gecval.backends import check_backend
from gecval.corpus import Corpus
from gecval.edits.choice import choose_extractor
from gecval.edits.extractors import Extractor
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.progress import Progress, silent
from gecval.studies.checkpoint import Checkpoint, Kept
from gecval.studies.chunks import computed
from gecval.studies.inputs import Edits, Metrics, given_extractor, given_jobs, given_metrics
from gecval.studies.maege.checkpoint import ReplicateForm
from gecval.studies.maege.replicates import MOST_REPLICATES, Replicates
from gecval.studies.maege.results import Maege
from gecval.studies.maege.sampling import lattices
from gecval.studies.maege.scoring import Replication, Study
from gecval.studies.maege.settings import Settings
from gecval.studies.maege.summary import (
    FEWEST_FOR_P,
    LEVEL,
    corpus_scores,
    metric_differences,
    metric_replicates,
    metric_summaries,
    originals_scores,
    type_deltas,
)
from gecval.studies.metric_signature import metric_signature
from gecval.studies.preparation import needs_extractor

FEWEST_MODELS = 3  # a correlation of two points is always 1 or -1
SAME = 0.9  # the share of gold corrections from which references are taken for the gold itself
EXAMPLE_EDITS = 3  # a lattice with fewer is not worth a picture


def maege(
    gold: Corpus,
    references: Corpus,
    metrics: Metrics,
    *,
    settings: Settings | None = None,
    replicates: int = 1,
    seed: int = 1,
    by_type: bool = False,
    extractor: Edits = None,
    checkpoint: Path | str | Kept | None = None,
    jobs: int | None = None,
    backend: str | None = None,
    progress: Progress = silent,
) -> Maege:
    """Validate metrics without human rankings: on corrections whose order is known.

    Parameters
    ----------
    gold
        Sources with the edits from which lattices of corrections are built.
    references
        The same sources with the references that metrics get: corrections of other annotators than those of ``gold``.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu"]``.
    settings
        How to sample and judge; ``gecval.MaegeSettings.preset`` makes those of the paper and of its code.
    replicates
        How many samples to draw. Intervals need two or more, p-values 40 or more.
    seed
        Of the random numbers.
    by_type
        Also say how edits of each type change the scores.
    extractor
        Finds the edits for metrics that need them, as every replicate has new sources: an extractor or its name, e.g.
        ``plain``. By default ERRANT where it is installed and the text is English, else plain rules; a note says which.
    checkpoint
        A file in which finished replicates are kept. A study that was interrupted goes on from there. A study that
        MAEGE is a part of gives its own checkpoint.
    jobs
        Threads; by default as many as there are cores.
    backend
        Where replicates are computed: ``processes``, ``processes:8``, ``dask://host:port`` or ``ray://host:port``. The
        result is the same, bit for bit.

    Returns
    -------
    Maege
        It prints as a table.

    Examples
    --------
    >>> from gecval.sample import load_sample
    >>> corpus, _ = load_sample()
    >>> result = maege(corpus, corpus, ["ld", "gleu"], replicates=3)
    >>> [summary.metric for summary in result]
    ['gleu', 'ld']
    >>> 0 < result["gleu"].sentence_tau.mean < 1
    True
    """
    settings, wanted = settings or Settings(), given_metrics(metrics)
    if backend is not None:
        check_backend(backend)
    _check(gold, references, wanted, settings=settings, replicates=replicates)
    finder, notes = _extractor(gold, wanted, extractor)
    notes += _same_people(gold, references)
    by_sentence = lattices(gold, settings)
    if not by_sentence:
        raise InputError("no sentence is edited by all its annotators: there are no lattices to draw from")
    if max(map(len, by_sentence.values())) < settings.annotators:
        raise InputError(f"no sentence is edited by {settings.annotators} annotators: there are no chains to draw")
    study = Study(
        gold=gold,
        references=references,
        metrics=wanted,
        settings=settings,
        extractor=finder,
        jobs=given_jobs(jobs) if backend is None else 1,
    )
    signature, names = _signature(study, seed), [repr(metric) for metric in wanted]
    on_disk = (
        Checkpoint(
            checkpoint,
            signature="|".join([signature, *map(metric_signature, wanted)]) if checkpoint else "",
            form=ReplicateForm(metrics=names, models=settings.models),
        )
        if checkpoint is None or isinstance(checkpoint, Path | str)
        else checkpoint
    )
    kept = Replicates(names, settings.models)
    replicated = computed(
        Replication(study=study, lattices=by_sentence, seed=seed), range(replicates), backend=backend, kept=on_disk
    )
    progress(0, replicates)
    for done, results in enumerate(replicated, start=1):
        kept.add(results)
        progress(done, replicates)
    every_lattice = list(chain.from_iterable(by_sentence.values()))
    summaries = metric_summaries(kept, {repr(metric): metric.higher_is_better for metric in wanted})
    differences = metric_differences(kept, [summary.metric for summary in summaries])
    if any(difference.p is None for difference in differences):
        notes.append(f"no p for differences of metrics: one below 0.05 needs {FEWEST_FOR_P} replicates or more")
    return Maege(
        settings=settings,
        replicates=replicates,
        seed=seed,
        sentences=len(by_sentence),
        conflicts=sum(lattice.conflicts for lattice in every_lattice),
        level=LEVEL,
        metrics=summaries,
        differences=differences,
        types=type_deltas(kept) if by_type else (),
        corpora=corpus_scores(kept),
        originals=originals_scores(kept),
        by_replicate=metric_replicates(kept),
        example=next((lattice for lattice in every_lattice if len(lattice.edits) >= EXAMPLE_EDITS), None),
        signature=signature,
        notes=tuple(dict.fromkeys([*notes, *gold.notes, *references.notes])),
    )


def _check(gold: Corpus, references: Corpus, metrics: Sequence[Metric], *, settings: Settings, replicates: int) -> None:
    """Refuse what cannot be studied before anything slow begins."""
    if not gold.has_edits():
        raise InputError(
            "MAEGE builds lattices from edits, and gold has none: load it from an .m2 file, or annotate it",
            parameter="gold",
        )
    if len(gold) != len(references):
        raise InputError(
            f"{gold.origin} has {len(gold)} sentences, the references {len(references)}", parameter="references"
        )
    if len(settings.models) < FEWEST_MODELS:
        raise InputError(f"models needs three numbers or more, not {len(settings.models)}", parameter="models")
    if not 1 <= replicates <= MOST_REPLICATES:
        raise InputError(
            f"replicates is a number from 1 to {MOST_REPLICATES:,}, not {replicates:,}", parameter="replicates"
        )
    for name, count in Counter(map(repr, metrics)).items():
        if count > 1:
            raise InputError(f"the metric {name} is given twice", parameter="metrics")
    for metric in metrics:
        if metric.needs != "edits":
            metric.check(references)


def _same_people(gold: Corpus, references: Corpus) -> list[str]:
    """A note where the references are the gold corrections themselves: metrics then look better than they are."""
    changed = equal = 0
    for i, source in enumerate(gold.sources):
        given = {" ".join(text.split()) for text in references.texts_of(i)}
        texts = {" ".join(text.split()) for text in gold.texts_of(i)} - {" ".join(source.split())}
        changed += len(texts)
        equal += len(texts & given)
    if not changed or equal < SAME * changed:
        return []
    return [
        f"{equal} of {changed} gold corrections are among the references, so metrics look better than they are; "
        "give references by other annotators"
    ]


def _extractor(gold: Corpus, metrics: Sequence[Metric], given: Edits) -> tuple[Extractor | None, list[str]]:
    """Who finds edits, where a metric needs somebody; and a note, where nobody was named."""
    lacking = [metric for metric in metrics if needs_extractor(metric)]
    finder = given_extractor(given)
    if finder is not None and not lacking:
        raise InputError(
            "an extractor finds edits, and none of these metrics needs one; leave it out",
            parameter=("extractor", "edits"),  # as the command line calls it
        )
    if finder is not None or not lacking:
        return finder, []
    choice = choose_extractor(gold)
    return choice.extractor, [choice.note]


def _signature(study: Study, seed: int) -> str:
    """Everything that decides a replicate; a checkpoint of another study is refused by it."""
    parts = ["maege", study.settings.signature(), *(f"metric:{metric!r}" for metric in study.metrics)]
    parts += [f"gold:{study.gold.source_hash}{study.gold.reference_hash}"]
    parts += [f"references:{study.references.reference_hash}", f"seed:{seed}"]
    parts += [study.extractor.signature] if study.extractor else []
    return "|".join([*parts, f"gecval:{version('gecval')}"])
