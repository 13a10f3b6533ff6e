"""What a metric costs, and between which scores it moves; and what more references do to the score of people."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Evaluation
from gecval.studies.inputs import Edits
from gecval.studies.preparation import prepare
from gecval.studies.validate.grounds import Grounds
from gecval.studies.validate.results import CoveragePoint, Measured
from gecval.studies.validate.stopwatch import Taken, take_time

FEW = 100  # sentences whose time tells whether all can be timed
PEOPLE = 3  # annotators who take turns as a system


def measure(metric: Metric, grounds: Grounds, *, extractor: Edits = None, jobs: int = 1) -> Measured:
    """Score the source, the first reference and the first system, then take the time of an output never seen before."""
    corpus, known = grounds.corpus, grounds.systems[0]
    first = corpus.system("reference", [corpus.texts_of(i)[0] for i in range(len(corpus))])
    outputs = [corpus.system("source", corpus.sources), first, known]
    scores = [_sentence_scores(metric, corpus, system, extractor=extractor, jobs=jobs) for system in outputs]
    few = min(FEW, len(corpus))
    # Models are loaded, which is not timed: by so many sentences that each process of a grammar checker gets some.
    _taken(metric, corpus, known, few, extractor=extractor, jobs=jobs)
    for timed in (few, len(corpus)):
        taken = _taken(metric, corpus, known, timed, extractor=extractor, jobs=jobs)
        if taken.clock > 1:  # a slow model would take minutes for all
            break
    return Measured(
        lowest=float(min(of_system.min() for of_system in scores)),
        highest=float(max(of_system.max() for of_system in scores)),
        seconds=float(f"{1000 * taken.clock / timed:.0e}"),
        cpu_seconds=float(f"{1000 * taken.cpu / timed:.0e}"),
        sentences=len(corpus),
        jobs=jobs,
    )


def _taken(metric: Metric, corpus: Corpus, known: System, size: int, *, extractor: Edits, jobs: int) -> Taken:
    """The time for the first sentences of an output, each with a word that no cache of a model can know."""
    word = secrets.token_hex(4)
    first = Corpus(
        corpus.sources[:size], [corpus.references[i] for i in range(size)], extractor=corpus.extractor,
        language=corpus.likely_language,
    )  # fmt: skip
    fresh = first.system("fresh", [f"{text} {word}" for text in known.hypotheses[:size]])
    return take_time(lambda: _sentence_scores(metric, first, fresh, extractor=extractor, jobs=jobs))


def _sentence_scores(metric: Metric, corpus: Corpus, system: System, *, extractor: Edits, jobs: int) -> Array:
    [prepared] = prepare(corpus, [system], [metric], extractor=extractor, jobs=jobs)
    return Evaluation.of(metric, prepared, system, jobs=jobs).sentence_scores()


def coverage_points(
    metric: Metric, corpus: Corpus, *, extractor: Edits = None, jobs: int = 1
) -> Iterator[CoveragePoint]:
    """People against 1, 2, 4, ... others and against all others. Each annotator's references are those next in turn."""
    if metric.needs is None:
        raise InputError(f"{metric!r} looks at no references, so that these cannot be too few")
    texts = [corpus.texts_of(i) for i in range(len(corpus))]
    annotators = len(texts[0])
    if annotators < 2:
        raise InputError("what few references hide needs two annotators or more")
    turns = range(min(PEOPLE, annotators))
    people = [System(f"annotator {a}", [listed[a] for listed in texts]) for a in turns]
    source = System("source", corpus.sources)
    for count in _counts(annotators - 1):
        scores: dict[str, list[float]] = {"people": [], "source": []}
        for a in turns:
            others = [(a + step) % annotators for step in range(1, count + 1)]
            with_others = Corpus(
                corpus.sources,
                [[listed[o] for o in others] for listed in corpus.references],
                extractor=corpus.extractor,
                language=corpus.language,
            )
            [prepared] = prepare(with_others, [people[a], source], [metric], extractor=extractor, jobs=jobs)
            for name, system in (("people", people[a]), ("source", source)):
                scores[name].append(Evaluation.of(metric, prepared, system, jobs=jobs).score())
        yield CoveragePoint(
            references=count,
            people=sum(scores["people"]) / len(turns),
            source=sum(scores["source"]) / len(turns),
        )


def _counts(most: int) -> list[int]:
    """1, 2, 4, ... and the most.

    >>> _counts(9), _counts(2)
    ([1, 2, 4, 8, 9], [1, 2])
    """
    doubling = [2**power for power in range(most.bit_length()) if 2**power <= most]
    return [*doubling, *([most] if doubling[-1] < most else [])]
