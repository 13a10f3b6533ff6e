"""Everything that can be measured about a metric, in one go: the metric's card.

Parts that take long are shared: all metrics see the same lattices, outputs and rankings, and MAEGE takes a few
replicates on a part of the sentences. What fails for one metric does not touch the cards of others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.results.checkpoint import (
    Checkpoint,
    Chunk,
    Chunks,
    Part,
    Reader,
    Refused,
    compute_chunks,
    corpus_signature,
    study_signature,
    systems_digest,
    try_chunk,
)
from gecval.runtime.backends import check_backend, connect
from gecval.runtime.run import HERE, Run, announce
from gecval.studies.attack.result import Attacks
from gecval.studies.attack.study import attack
from gecval.studies.maege.lattices import MaegeSettings
from gecval.studies.maege.result import Maege
from gecval.studies.maege.study import MOST_REPLICATES, ReplicateForm, maege
from gecval.studies.metrics.study import metric_entry
from gecval.studies.scores.metric_digest import finder_signature, metric_signature
from gecval.studies.scores.preparation import (
    Metrics,
    Systems,
    needs_extractor,
    resolve_metrics,
    resolve_systems,
)
from gecval.studies.validate.measuring import (
    EDGES,
    ValidationData,
    compute_coverage,
    load_conll14_data,
    load_sample_data,
    measure,
    score_edge_case,
    split_corpus,
)
from gecval.studies.validate.people import PART, AgreementOnSet, JudgedBenchmark, agreement_with_people, load_benchmarks
from gecval.studies.validate.result import Card, Cards, CoveragePoint, Gaming, Lacking, MaegeLevels, Measured

REPLICATES = 3
EXTRACTOR = "plain"  # finds edits for MAEGE and edge cases: in any language, without models


def validate(
    metrics: Metrics,
    corpus: Corpus | None = None,
    systems: Systems = (),
    *,
    sample: bool = False,
    replicates: int = REPLICATES,
    seed: int = 1,
    run: Run = HERE,
    checkpoint: Path | str | None = None,
) -> Cards:
    """Make the cards of metrics.

    Parameters
    ----------
    metrics
        Metrics or their names, e.g. ``["m2", "my_module:my_metric"]``. Cards of several metrics share what is slow.
    corpus, systems
        What to measure on, in any language: a corpus of your own and outputs for it. There are then no human judgments.
        By default CoNLL-2014, or the sample if that is not available.
    sample
        Use the sample corpus inside the package only, whatever data sets are available.
    replicates
        How many samples MAEGE draws. Intervals need two or more.
    seed
        Of the random numbers of MAEGE and of the attacks.
    run
        How it runs: threads, progress, backend.
    checkpoint
        A file for finished chunks: a part of a metric's card, a replicate of MAEGE. A study that was
        interrupted goes on from there.

    Returns
    -------
    Cards
        They print as tables. What could not be measured is in ``lacking``, with what to do.

    Examples
    --------
    >>> [card] = validate(["ld"], sample=True, replicates=1)
    >>> card.gaming.price.adversary, card.edges[1].score
    ('source', 1.0)
    """
    wanted = resolve_metrics(metrics)
    check_backend(run.backend)
    names = [repr(metric) for metric in wanted]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the metric {name} is given twice", parameter="metrics")
    if not 1 <= replicates <= MOST_REPLICATES:
        raise InputError(
            f"replicates is a number from 1 to {MOST_REPLICATES:,}, not {replicates:,}", parameter="replicates"
        )
    lacking: dict[str, list[Lacking]] = {name: [] for name in names}
    if corpus is not None and sample:
        raise InputError("give a corpus of your own, or take the sample", parameter=("corpus", "sample"))
    data, why = _load_data(sample) if corpus is None else (split_corpus(corpus, resolve_systems(systems, corpus)), "")
    for name in names:
        lacking[name] += [Lacking(part="CoNLL-2014; the sample corpus stands in", why=why)] if why else []
    announce(run.progress, "edge cases")
    edges = {
        repr(metric): tuple(score_edge_case(metric, edge, extractor=_extractor(metric)) for edge in EDGES)
        for metric in wanted
    }
    benchmarks, why_not = ([], "") if sample or corpus is not None else _load_benchmarks()
    chunks = CardChunks(
        data=data, metrics=dict(zip(names, wanted, strict=True)), seed=seed, run=run.for_parts().quiet()
    )
    finished = Checkpoint(checkpoint, lambda: chunks.signature(benchmarks), chunks.form())
    with connect(run.backend):
        part = _CardRunner(chunks, lacking, finished=finished, run=run)
        measured = part.each([COST], run=replace(run, backend=None))[COST]  # seconds of this machine
        if not measured:  # no metric can score at all: cards of nothing help nobody
            raise InputError(lacking[names[0]][-1].why)
        lattices = part.maege(replicates, run=run)
        others = part.each([COVERAGE, GAMING], run=run)
        announce(run.progress, PART)
        people = agreement_with_people(wanted, benchmarks, run=run, finished=finished)
    if sample or corpus is not None:
        why_not = f"the {'sample' if sample else 'given'} corpus has no human judgments"
    for name in names:
        lacking[name] += [Lacking(part=PART, why=why_not)] if why_not else people.lacking[name]
    coverage, gaming = others[COVERAGE], others[GAMING]
    return Cards(
        cards=tuple(
            Card(
                metric=name,
                about=metric_entry(metric),
                grounds=data.name,
                measured=measured.get(name),
                edges=edges[name],
                maege=_select_levels(lattices[name], name, data) if name in lattices else None,
                agreement=tuple(people.agreement[name]),
                against=tuple(people.against[name]),
                coverage=coverage.get(name, ()),
                gaming=gaming.get(name),
                lacking=tuple(lacking[name]),
            )
            for metric, name in zip(wanted, names, strict=True)
        ),
        notes=tuple(dict.fromkeys(note for result in gaming.values() for note in result.notes)),
    )


class _CardRunner:
    """Runs parts of the cards for all metrics. What cannot be done for a metric is written down as lacking."""

    def __init__(
        self, chunks: CardChunks, lacking: Mapping[str, list[Lacking]], *, finished: Checkpoint, run: Run
    ) -> None:
        self.chunks, self.lacking, self.finished, self.progress = chunks, lacking, finished, run.progress

    def each(self, parts: Sequence[str], *, run: Run) -> dict[str, dict[str, Any]]:
        """These parts of every metric: what was done, by the part and by the metric's name."""
        todo = [(part, name) for part in parts for name in self.chunks.metrics]
        # What models are asked shows here, and not from another process.
        chunks = replace(self.chunks, run=run.for_parts())
        answers = compute_chunks(chunks, todo, run=run, finished=self.finished, label=" of ".join)
        done: dict[str, dict[str, Any]] = {part: {} for part in parts}
        for (part, name), answer in zip(todo, answers, strict=True):
            if isinstance(answer, Refused):
                self.lacking[name].append(Lacking(part=part, why=answer.why))
            else:
                done[part][name] = answer
        return done

    def maege(self, replicates: int, *, run: Run) -> dict[str, Maege]:
        """All metrics at once, which saves what they share; one by one where that fails."""
        announce(self.progress, MAEGE)
        study = partial(self._maege, replicates=replicates, run=run)
        try:
            return dict.fromkeys(self.chunks.metrics, study(list(self.chunks.metrics.values()), MAEGE))
        except InputError as error:
            _raise_unless_metric(error)
            done = {}
            for name, metric in self.chunks.metrics.items():
                announce(self.progress, name_single_part(name))
                try:
                    done[name] = study([metric], name_single_part(name))
                except InputError as error:
                    _raise_unless_metric(error)
                    self.lacking[name].append(Lacking(part=MAEGE, why=str(error)))
            return done

    def _maege(self, metrics: Sequence[Metric], part: str, *, replicates: int, run: Run) -> Maege:
        return maege(
            self.chunks.data.gold,
            self.chunks.data.references,
            metrics,
            replicates=replicates,
            seed=self.chunks.seed,
            by_type=True,
            edits=EXTRACTOR if any(map(needs_extractor, metrics)) else None,
            checkpoint=Part(self.finished, part),
            run=run.quiet(),
        )


def _raise_unless_metric(error: InputError) -> None:
    """A cluster that is gone, or a disk that is full, is no fault of a metric: it ends the study."""
    if {"backend", "checkpoint"} & set(error.parameters):
        raise error


def _load_benchmarks() -> tuple[list[JudgedBenchmark], str]:
    """What people judged; and, if the corpus is not available, why."""
    try:
        return load_benchmarks(), ""
    except InputError as error:
        return [], str(error)


def _load_data(sample: bool) -> tuple[ValidationData, str]:
    """What to validate on; and, if CoNLL-2014 is wanted and not available, why."""
    if sample:
        return load_sample_data(), ""
    try:
        return load_conll14_data(), ""
    except InputError as error:
        return load_sample_data(), str(error)


def _extractor(metric: Metric) -> str | None:
    return EXTRACTOR if needs_extractor(metric) else None


def _select_levels(result: Maege, name: str, data: ValidationData) -> MaegeLevels:
    return MaegeLevels(
        summary=result[name],
        types=tuple(row for row in result.types if row.metric == name),
        replicates=result.replicates,
        sentences=result.sentences,
        references=data.references.reference_count,
        level=result.level,
    )


# The chunks of cards: for each metric what it costs, its coverage, what can be gained without correcting.
#
# ("cost and range", metric)     always in this process: it takes the time of this machine
# ("coverage", metric)
# ("gaming", metric)
# ("MAEGE", number)              a replicate, all metrics at once
# ("MAEGE of METRIC", number)    where all at once fail
# ("people", benchmark, metric)  see people.py


COST, COVERAGE, GAMING, MAEGE = "cost and range", "coverage", "gaming", "MAEGE"


@dataclass(frozen=True, kw_only=True)
class CardChunks:
    """What a worker needs for a part of a card."""

    data: ValidationData
    metrics: Mapping[str, Metric]
    seed: int
    run: Run

    def __call__(self, chunk: Chunk) -> Measured | tuple[CoveragePoint, ...] | Gaming | Refused:
        part, name = chunk
        return try_chunk(lambda: self._compute(part, self.metrics[name]))

    def _compute(self, part: str, metric: Metric) -> Any:
        data = self.data
        if part == COST:
            return measure(metric, data, run=self.run)
        if part == COVERAGE:
            return tuple(compute_coverage(metric, data.annotators, run=self.run))
        attacks = attack(data.corpus, [metric], systems=data.systems, seed=self.seed, run=self.run)
        return _summarise_gaming(attacks)

    def form(self) -> Chunks:
        """How the chunks stand in a checkpoint."""
        names, models = list(self.metrics), MaegeSettings().models
        alone = {name_single_part(name): Reader(ReplicateForm(metrics=[name], models=models).results) for name in names}
        return Chunks(
            {
                COST: Measured,
                COVERAGE: tuple[CoveragePoint, ...],
                GAMING: Gaming,
                MAEGE: Reader(ReplicateForm(metrics=names, models=models).results),
                **alone,
                "people": tuple[AgreementOnSet, ...],
            }
        )

    def signature(self, benchmarks: Sequence[JudgedBenchmark]) -> str:
        """Everything that decides a chunk, but for how fast this machine is."""
        data = self.data
        corpora = (data.corpus, data.gold, data.references, data.annotators)
        return study_signature(
            "validate",
            *map(metric_signature, self.metrics.values()),
            *finder_signature(data.corpus, list(self.metrics.values()), None),
            *map(corpus_signature, corpora),
            f"systems:{systems_digest(data.systems)}",
            *(benchmark.signature() for benchmark in benchmarks),
            f"seed:{self.seed}",
        )


def name_single_part(name: str) -> str:
    """The part of a checkpoint that has MAEGE's replicates of one metric alone."""
    return f"{MAEGE} of {name}"


def _summarise_gaming(result: Attacks) -> Gaming:
    [price] = result.prices
    return Gaming(
        price=price,
        attacks=result.attacks,
        systems=result.systems,
        people=result.people[0] if result.people else None,
        notes=result.notes,
    )
