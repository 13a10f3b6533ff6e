"""How many points can be had from a metric without merit?

Every adversary is scored like a system, beside the source, the systems and, where sentences have two annotators or
more, people: each annotator against the others. The gain of an adversary is its score minus that of the source against
the same references, turned round for metrics whose lower scores are better.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

import numpy as np

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.progress import Progress, announce, silent
from gecval.studies.attacks.adversaries import ADVERSARIES, SOURCE
from gecval.studies.attacks.arena import LOTTERY, Arena
from gecval.studies.attacks.published import PUBLISHED, published
from gecval.studies.attacks.results import AdversaryEntry, Attack, Attacks, PeopleMark, Price, SystemMark
from gecval.studies.coverage.annotators import against_people
from gecval.studies.inputs import Edits, Metrics, Systems, given_jobs, given_metrics, given_systems
from gecval.studies.oddities import oddities

LOTTERY_ABOUT = "hill climbing: the source with replacements that please half of the annotators under the metric itself"


def attack(
    corpus: Corpus,
    metrics: Metrics,
    *,
    systems: Systems = (),
    seed: int = 1,
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> Attacks:
    """Say how many points can be had from each metric without merit.

    Parameters
    ----------
    corpus
        Sources and references.
    metrics
        Metrics or their names, e.g. ``["m2", "gleu(n=3)"]``.
    systems
        Real systems to set the adversaries beside: systems, or a mapping from a system's name to its list of outputs.
    seed
        Of the random numbers: the order of shuffled words, and the draws of the lottery.
    extractor
        Finds the edits of plain-text references for metrics that need them: an extractor or its name, e.g. ``plain``.
        By default ERRANT where it is installed and the text is English, else plain rules; a note says which.
    jobs
        Threads; by default as many as there are cores.

    Returns
    -------
    Attacks
        It prints as tables.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["He go home .", "Fine ."], [["He goes home ."], ["Fine ."]])
    >>> result = attack(corpus, ["accuracy"], systems={"mine": ["He goes home .", "Fine ,"]})
    >>> result["source", "accuracy"].score, result["empty", "accuracy"].gain
    (0.5, -0.5)
    >>> result.prices[0].points
    0.0
    """
    wanted, listed, workers = given_metrics(metrics), given_systems(systems, corpus, least=0), given_jobs(jobs)
    names = {*(adversary.name for adversary in ADVERSARIES), LOTTERY, *PUBLISHED}
    for system in listed:
        if system.name in names:
            raise InputError(f"{system.name!r} is the name of an adversary; rename the system", parameter="systems")
    outputs, notes = _outputs(corpus, seed)
    arena = Arena(corpus=corpus, systems=listed, extractor=extractor, jobs=workers, progress=progress)
    attacks: list[Attack] = []
    marks: list[SystemMark] = []
    for number, metric in enumerate(wanted):
        progress(number, len(wanted))
        announce(progress, f"attacking {metric!r}")
        marked, scored, said = arena.of_metric(metric, outputs, seed)
        marks += marked
        attacks += scored
        notes += said
    progress(len(wanted), len(wanted))
    people = _people(corpus, wanted, extractor=extractor, jobs=workers)
    performed = {row.adversary for row in attacks}
    about = {**{adversary.name: adversary.about for adversary in ADVERSARIES}, LOTTERY: LOTTERY_ABOUT}
    about |= {name: text for name, (_, text) in PUBLISHED.items()}
    return Attacks(
        sentences=len(corpus),
        references=corpus.reference_count,
        seed=seed,
        adversaries=tuple(AdversaryEntry(name=name, about=text) for name, text in about.items() if name in performed),
        attacks=tuple(attacks),
        prices=tuple(_price([row for row in attacks if row.metric == repr(metric)]) for metric in wanted),
        systems=tuple(marks),
        people=tuple(people),
        notes=tuple(dict.fromkeys([*notes, *oddities(corpus, listed), *corpus.notes])),
    )


def _outputs(corpus: Corpus, seed: int) -> tuple[list[System], list[str]]:
    """The outputs of the adversaries that know no metric. Notes say which are left out, and why."""
    outputs, notes = [], []
    for number, adversary in enumerate(ADVERSARIES):
        try:
            texts = adversary.make(corpus, np.random.default_rng([seed, number]))
        except InputError as error:
            notes.append(f"the adversary {adversary.name!r} is left out: {error}")
            continue
        outputs.append(corpus.system(adversary.name, texts))
    known, lacking = published(corpus)
    return [*outputs, *known], [*notes, *([lacking] if lacking else [])]


def _price(attacks: Sequence[Attack]) -> Price:
    """The best adversary; the first of equals, and so the source where none beats it."""
    best = max((row for row in attacks if row.against == "all" and not isnan(row.gain)), key=lambda row: row.gain)
    gains = {row.against: row.gain for row in attacks if row.adversary == LOTTERY}
    return Price(
        metric=best.metric,
        adversary=best.adversary,
        score=best.score,
        source=best.source,
        points=best.gain,
        beats=best.beats,
        luck=gains["seen"] - gains["held out"] if "seen" in gains else None,
    )


def _people(corpus: Corpus, metrics: Sequence[Metric], *, extractor: Edits, jobs: int) -> list[PeopleMark]:
    """Annotators against each other, over the sentences that have most annotators; nobody where that is one."""
    counts = np.diff(corpus.reference_slots)
    sentences = np.flatnonzero(counts == counts.max())
    if counts.max() < 2:
        return []
    shared = Corpus(
        [corpus.sources[i] for i in sentences.tolist()],
        [corpus.references[i] for i in sentences.tolist()],
        extractor=corpus.extractor,
        language=corpus.language,
    )
    source = shared.system(SOURCE.name, shared.sources)
    return [
        PeopleMark(metric=row.metric, score=row.people, source=row.score, sentences=len(sentences))
        for row in against_people(shared, [source], metrics, extractor=extractor, jobs=jobs)
    ]
