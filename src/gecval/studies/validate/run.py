"""Everything that can be measured about a metric, in one go: the metric's card.

Parts that take long are shared: all metrics see the same lattices, outputs and rankings, and MAEGE takes a few
replicates on a part of the sentences. What fails for one metric does not touch the cards of others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from gecval.backends import check_backend, connected
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.catalogue import metric_entry
from gecval.progress import Progress, announce, silent
from gecval.studies.checkpoint import Checkpoint, Part
from gecval.studies.chunks import Refused, computed
from gecval.studies.inputs import Metrics, Systems, given_jobs, given_metrics, given_systems
from gecval.studies.maege import Maege, maege
from gecval.studies.maege.replicates import MOST_REPLICATES
from gecval.studies.preparation import needs_extractor
from gecval.studies.validate.chunks import COST, COVERAGE, GAMING, MAEGE, CardChunks, one_of
from gecval.studies.validate.edge_cases import EDGES, edge_case
from gecval.studies.validate.grounds import Grounds, conll14_grounds, own_grounds, sample_grounds
from gecval.studies.validate.people import PART, Bench, agreement_with_people, load_benches
from gecval.studies.validate.results import Card, Cards, Lacking, MaegeLevels

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
    jobs: int | None = None,
    checkpoint: Path | str | None = None,
    backend: str | None = None,
    progress: Progress = silent,
) -> Cards:
    """Make the cards of metrics.

    Parameters
    ----------
    metrics
        Metrics or their names, e.g. ``["m2", "my_module:my_metric"]``. Cards of several metrics share what is slow.
    corpus, systems
        What to measure on, in any language: a corpus of your own and outputs for it. There are then no human judgments.
        By default CoNLL-2014, or the sample where that is not at hand.
    sample
        Use the sample corpus inside the package only, whatever data sets are at hand.
    replicates
        How many samples MAEGE draws. Intervals need two or more.
    seed
        Of the random numbers of MAEGE and of the attacks.
    jobs
        Threads; by default as many as there are cores.
    checkpoint
        A file in which finished chunks are kept: a part of a metric's card, a replicate of MAEGE. A study that was
        interrupted goes on from there.
    backend
        Where chunks are computed: ``processes``, ``processes:8``, ``dask://host:port`` or ``ray://host:port``. The
        result is the same, bit for bit, but for the time that a metric takes: this is always taken here.

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
    wanted, workers = given_metrics(metrics), given_jobs(jobs)
    if backend is not None:
        check_backend(backend)
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
    grounds, why = _grounds(sample) if corpus is None else (own_grounds(corpus, given_systems(systems, corpus)), "")
    for name in names:
        lacking[name] += [Lacking(part="CoNLL-2014; the sample corpus stands in", why=why)] if why else []
    announce(progress, "edge cases")
    edges = {
        repr(metric): tuple(edge_case(metric, edge, extractor=_extractor(metric)) for edge in EDGES)
        for metric in wanted
    }
    benches, why_not = ([], "") if sample or corpus is not None else _benches()
    chunks = CardChunks(
        grounds=grounds,
        metrics=dict(zip(names, wanted, strict=True)),
        seed=seed,
        jobs=workers if backend is None else 1,
    )
    kept = Checkpoint(checkpoint, signature=chunks.signature(benches) if checkpoint else "", form=chunks.form())
    with connected(backend):
        part = _Parts(chunks, lacking, kept=kept, progress=progress)
        measured = part.each([COST], jobs=workers)[COST]
        if not measured:  # no metric can score at all: cards of nothing help nobody
            raise InputError(lacking[names[0]][-1].why)
        lattices = part.maege(replicates, jobs=workers, backend=backend)
        others = part.each([COVERAGE, GAMING], jobs=chunks.jobs, backend=backend)
        announce(progress, PART)
        people = agreement_with_people(wanted, benches, jobs=chunks.jobs, backend=backend, kept=kept, progress=progress)
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
                grounds=grounds.name,
                measured=measured.get(name),
                edges=edges[name],
                maege=_levels(lattices[name], name, grounds) if name in lattices else None,
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


class _Parts:
    """Runs parts of the cards for all metrics. What cannot be done for a metric is written down as lacking."""

    def __init__(
        self, chunks: CardChunks, lacking: Mapping[str, list[Lacking]], *, kept: Checkpoint, progress: Progress
    ) -> None:
        self.chunks, self.lacking, self.kept, self.progress = chunks, lacking, kept, progress

    def each(self, parts: Sequence[str], *, jobs: int, backend: str | None = None) -> dict[str, dict[str, Any]]:
        """These parts of every metric: what was done, by the part and by the metric's name."""
        todo = [(part, name) for part in parts for name in self.chunks.metrics]
        # What models are asked shows here, and not from another process.
        chunks = replace(self.chunks, jobs=jobs, progress=self.progress if backend is None else silent)
        answers = computed(chunks, todo, backend=backend, kept=self.kept)
        done: dict[str, dict[str, Any]] = {part: {} for part in parts}
        for number, (part, name) in enumerate(todo):
            self.progress(number, len(todo))
            announce(self.progress, f"{part} of {name}")
            answer = next(answers)
            if isinstance(answer, Refused):
                self.lacking[name].append(Lacking(part=part, why=answer.why))
            else:
                done[part][name] = answer
        return done

    def maege(self, replicates: int, *, jobs: int, backend: str | None) -> dict[str, Maege]:
        """All metrics at once, which saves what they share; one by one where that fails."""
        announce(self.progress, MAEGE)
        study = partial(self._maege, replicates=replicates, jobs=jobs, backend=backend)
        try:
            return dict.fromkeys(self.chunks.metrics, study(list(self.chunks.metrics.values()), MAEGE))
        except InputError as error:
            _end_without_workers(error)
            done = {}
            for name, metric in self.chunks.metrics.items():
                announce(self.progress, one_of(name))
                try:
                    done[name] = study([metric], one_of(name))
                except InputError as error:
                    _end_without_workers(error)
                    self.lacking[name].append(Lacking(part=MAEGE, why=str(error)))
            return done

    def _maege(self, metrics: Sequence[Metric], part: str, *, replicates: int, jobs: int, backend: str | None) -> Maege:
        return maege(
            self.chunks.grounds.gold,
            self.chunks.grounds.references,
            metrics,
            replicates=replicates,
            seed=self.chunks.seed,
            by_type=True,
            extractor=EXTRACTOR if any(map(needs_extractor, metrics)) else None,
            checkpoint=Part(self.kept, part),
            jobs=jobs,
            backend=backend,
        )


def _end_without_workers(error: InputError) -> None:
    """A cluster that is gone, or a disk that is full, is no fault of a metric: it ends the study."""
    if {"backend", "checkpoint"} & set(error.parameters):
        raise error


def _benches() -> tuple[list[Bench], str]:
    """What people judged; and, where the corpus is not at hand, why."""
    try:
        return load_benches(), ""
    except InputError as error:
        return [], str(error)


def _grounds(sample: bool) -> tuple[Grounds, str]:
    """What to validate on; and, where CoNLL-2014 is wanted and not at hand, why."""
    if sample:
        return sample_grounds(), ""
    try:
        return conll14_grounds(), ""
    except InputError as error:
        return sample_grounds(), str(error)


def _extractor(metric: Metric) -> str | None:
    return EXTRACTOR if needs_extractor(metric) else None


def _levels(result: Maege, name: str, grounds: Grounds) -> MaegeLevels:
    return MaegeLevels(
        summary=result[name],
        types=tuple(row for row in result.types if row.metric == name),
        replicates=result.replicates,
        sentences=result.sentences,
        references=grounds.references.reference_count,
        level=result.level,
    )
