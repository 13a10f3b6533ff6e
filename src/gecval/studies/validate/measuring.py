"""What a metric costs, and between which scores it moves; and what more references do to the score of people."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import nan
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

from gecval.corpus import Corpus, System
from gecval.edits.annotate import annotate
from gecval.edits.extractors import choose_extractor
from gecval.errors import InputError
from gecval.formats import load_corpus
from gecval.formats.datasets import dataset_file
from gecval.formats.judgments import SOURCE_NAMES
from gecval.metrics.base import Array, Metric
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import SERIAL, Run
from gecval.sample import load_sample
from gecval.studies.reproduce.conll14 import load_participants, load_ten_references, load_two_references
from gecval.studies.scores.preparation import Edits, prepare
from gecval.studies.validate.result import CoveragePoint, EdgeCase, Measured

FEW = 100  # sentences whose time tells whether all can be timed
PEOPLE = 3  # annotators who take turns as a system


def measure(metric: Metric, data: ValidationData, *, run: Run = SERIAL) -> Measured:
    """Score the source, the first reference and the first system, then take the time of an output never seen before."""
    corpus, known = data.corpus, data.systems[0]
    first = corpus.system("reference", [corpus.texts_of(i)[0] for i in range(len(corpus))])
    outputs = [corpus.system("source", corpus.sources), first, known]
    scores = [_sentence_scores(metric, corpus, system, run=run) for system in outputs]
    few = min(FEW, len(corpus))
    # Models are loaded, which is not timed: by so many sentences that each process of a grammar checker gets some.
    _time_output(metric, corpus, known, few, run=run)
    for timed in (few, len(corpus)):
        taken = _time_output(metric, corpus, known, timed, run=run)
        if taken.clock > 1:  # a slow model would take minutes for all
            break
    return Measured(
        lowest=float(min(of_system.min() for of_system in scores)),
        highest=float(max(of_system.max() for of_system in scores)),
        seconds=float(f"{1000 * taken.clock / timed:.0e}"),
        cpu_seconds=float(f"{1000 * taken.cpu / timed:.0e}"),
        sentences=len(corpus),
        jobs=run.threads,
    )


def _time_output(metric: Metric, corpus: Corpus, known: System, size: int, *, run: Run) -> Duration:
    """The time for the first sentences of an output, each with a word that no cache of a model can know."""
    word = secrets.token_hex(4)
    first = Corpus(
        corpus.sources[:size], [corpus.references[i] for i in range(size)], extractor=corpus.extractor,
        language=corpus.likely_language,
    )  # fmt: skip
    fresh = first.system("fresh", [f"{text} {word}" for text in known.hypotheses[:size]])
    return measure_time(lambda: _sentence_scores(metric, first, fresh, run=run))


def _sentence_scores(metric: Metric, corpus: Corpus, system: System, *, run: Run) -> Array:
    [prepared] = prepare(corpus, [system], [metric], run=run.quiet())
    return Evaluation.of(metric, prepared, system, run=run.quiet()).sentence_scores()


def compute_coverage(metric: Metric, corpus: Corpus, *, run: Run = SERIAL) -> Iterator[CoveragePoint]:
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
            [prepared] = prepare(with_others, [people[a], source], [metric], run=run.quiet())
            for name, system in (("people", people[a]), ("source", source)):
                scores[name].append(Evaluation.of(metric, prepared, system, run=run.quiet()).score())
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


# What metrics are validated on: the user's corpus, CoNLL-2014 if it is available, or the sample in the package.
#
# MAEGE needs lattices by some annotators and references by others; coverage needs many annotators. Both take a part of
# the sentences, spread evenly over the corpus, so that a card takes a minute and not an hour.


SENTENCES = 200  # for MAEGE and coverage
MAEGE_REFERENCES = ("BN1", "BN2", "BN4", "BN5")  # four of Bryant & Ng's who are not among the two official annotators


@dataclass(frozen=True, kw_only=True)
class ValidationData:
    """Corpora for all parts of a card but the agreement with people."""

    name: str
    corpus: Corpus
    systems: Sequence[System]
    gold: Corpus  # whose edits make MAEGE's lattices
    references: Corpus  # the same sentences, by other annotators
    annotators: Corpus  # many annotators of each sentence, for coverage


def load_sample_data() -> ValidationData:
    """The sample: its first annotator makes the lattices, the other two are the references."""
    corpus, outputs = load_sample()
    return ValidationData(
        name=f"the sample corpus ({len(corpus)} sentences, {corpus.reference_count} annotators)",
        corpus=corpus,
        systems=outputs,
        gold=_annotators(corpus, slice(0, 1)),
        references=_annotators(corpus, slice(1, None)),
        annotators=corpus,
    )


def split_corpus(corpus: Corpus, systems: Sequence[System]) -> ValidationData:
    """A corpus of the user's, in any language. The first annotator makes the lattices, the others are the references.

    MAEGE and coverage take sentences that two annotators or more have corrected. Where there are none, the only
    annotator is also the reference.
    """
    if not systems:
        raise InputError("a card needs the output of one system or more", parameter="systems")
    if not corpus.has_edits():
        corpus = annotate(corpus, choose_extractor(corpus).extractor)
    several = [i for i, listed in enumerate(corpus.references) if len(listed) > 1]
    shared = _part(corpus, several or range(len(corpus)))
    fewest = min(map(len, shared.references))
    spread = _spread(shared)
    return ValidationData(
        name=f"{corpus.origin} ({len(corpus):,} sentences, {corpus.reference_count} annotators)",
        corpus=corpus,
        systems=systems,
        gold=_annotators(spread, slice(0, 1)),
        references=_annotators(spread, slice(1 if several else 0, None)),
        annotators=_annotators(spread, slice(0, fewest)),
    )


def load_conll14_data() -> ValidationData:
    """CoNLL-2014: its official annotators, and Bryant & Ng's. Raises ``InputError`` where a file is missing."""
    corpus = load_two_references()
    others = [dataset_file("references", name) for name in MAEGE_REFERENCES]
    gold = _spread(corpus)
    return ValidationData(
        name=f"CoNLL-2014 ({len(corpus):,} sentences, {corpus.reference_count} annotators)",
        corpus=corpus,
        systems=[system for system in load_participants(corpus, repaired=True) if system.name not in SOURCE_NAMES],
        gold=gold,
        references=_spread(load_corpus(corpus, others)),
        annotators=_spread(load_ten_references()),
    )


def _annotators(corpus: Corpus, which: slice) -> Corpus:
    return replace(corpus, references=[listed[which] for listed in corpus.references], clusters=None)


def _spread(corpus: Corpus) -> Corpus:
    """Some sentences of a corpus, evenly spread."""
    few = min(SENTENCES, len(corpus))
    return _part(corpus, [number * len(corpus) // few for number in range(few)])


def _part(corpus: Corpus, chosen: Sequence[int]) -> Corpus:
    return replace(
        corpus,
        sources=[corpus.sources[i] for i in chosen],
        references=[corpus.references[i] for i in chosen],
        clusters=None,
        essays=None,
    )


# Sentences at the edge of what a metric may meet, each scored alone.


class Edge(NamedTuple):
    name: str
    source: str
    hypothesis: str
    reference: str


EDGES = (
    Edge("all right", "She like apples .", "She likes apples .", "She likes apples ."),
    Edge("unchanged, rightly", "She likes apples .", "She likes apples .", "She likes apples ."),
    Edge("unchanged, wrongly", "She like apples .", "She like apples .", "She likes apples ."),
    Edge("changed, wrongly", "She likes apples .", "She like apples .", "She likes apples ."),
    Edge("empty output", "She like apples .", "", "She likes apples ."),
    Edge("all empty", "", "", ""),
    Edge("one word, right", "Helo", "Hello", "Hello"),
    Edge("one word, unchanged", "Hello", "Hello", "Hello"),
    Edge("one word, wrong", "Hello", "Helo", "Hello"),
)


def score_edge_case(metric: Metric, edge: Edge, *, extractor: Edits = None) -> EdgeCase:
    """The score of one sentence as a corpus of its own; NaN where the metric gives none.

    >>> from gecval.metrics import metric
    >>> [score_edge_case(metric("accuracy"), edge).score for edge in EDGES]
    [1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]
    """
    corpus = Corpus.from_texts([edge.source], [[edge.reference]])
    system = corpus.system("output", [edge.hypothesis])
    failed = None
    try:
        [prepared] = prepare(corpus, [system], [metric], extractor=extractor)
        score = Evaluation.of(metric, prepared, system).score()
    except InputError as error:
        score, failed = nan, str(error)
    return EdgeCase(**edge._asdict(), score=score, failed=failed)


# What work takes: seconds of the clock, and CPU seconds, which a busy machine hardly changes.
#
#     CPU = user and system time of all threads of this process, and of the processes that it started and that still run
#
# LanguageTool is such a process. Its time can be read on Linux only. The work of a GPU or of a service is not in it.
# Threads of torch wait for each other at full speed, so that their CPU seconds do grow on a busy machine.


PROCESSES = Path("/proc")


@dataclass(frozen=True)
class Duration:
    """Seconds that a piece of work took."""

    clock: float
    cpu: float


def measure_time(work: Callable[[], object]) -> Duration:
    """Do the work, and say how long it took."""
    clock, cpu = perf_counter(), cpu_seconds()
    work()
    return Duration(perf_counter() - clock, cpu_seconds() - cpu)


def cpu_seconds() -> float:
    """CPU seconds so far, of this process and of those below it."""
    return process_time() + _sum_descendants(os.getpid())


def _sum_descendants(ancestor: int) -> float:
    """Seconds of all running processes below one. A system without /proc tells of none."""
    children: dict[int, list[int]] = {}
    seconds: dict[int, float] = {}
    for entry in PROCESSES.glob("[0-9]*/stat"):
        try:
            stat = entry.read_bytes()
        except OSError:  # it has just ended
            continue
        # "pid (name) state parent ...": the name may hold blanks and brackets; times are fields 14 and 15, in ticks
        fields = stat[stat.rindex(b")") + 2 :].split()
        pid = int(entry.parent.name)
        children.setdefault(int(fields[1]), []).append(pid)
        seconds[pid] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    below = list(children.get(ancestor, ()))
    for pid in below:  # grows while it is read: children's children
        below += children.get(pid, ())
    return sum(seconds[pid] for pid in below)
