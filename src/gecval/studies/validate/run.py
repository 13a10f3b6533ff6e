"""Everything that can be measured about a metric, in one go: the metric's card.

Parts that take long are shared: all metrics see the same lattices, outputs and rankings, and MAEGE takes a few
replicates on a part of the sentences. What fails for one metric does not touch the cards of others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.catalogue import metric_entry
from gecval.progress import Progress, announce, silent
from gecval.studies.attacks.results import Attacks
from gecval.studies.attacks.run import attack
from gecval.studies.inputs import Metrics, Systems, given_jobs, given_metrics, given_systems
from gecval.studies.maege import Maege, maege
from gecval.studies.maege.replicates import MOST_REPLICATES
from gecval.studies.preparation import needs_extractor
from gecval.studies.validate.edge_cases import EDGES, edge_case
from gecval.studies.validate.grounds import Grounds, conll14_grounds, own_grounds, sample_grounds
from gecval.studies.validate.measuring import coverage_points, measure
from gecval.studies.validate.people import PART, agreement_with_people
from gecval.studies.validate.results import Card, Cards, Gaming, Lacking, MaegeLevels

REPLICATES = 3
EXTRACTOR = "plain"  # finds edits for MAEGE and edge cases: in any language, without models

Value = TypeVar("Value")


def validate(
    metrics: Metrics,
    corpus: Corpus | None = None,
    systems: Systems = (),
    *,
    sample: bool = False,
    replicates: int = REPLICATES,
    seed: int = 1,
    jobs: int | None = None,
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
    part = _Parts(wanted, lacking, progress)
    measured = part.each("cost and range", lambda metric: measure(metric, grounds, jobs=workers))
    if not measured:  # no metric can score at all: cards of nothing help nobody
        raise InputError(lacking[names[0]][-1].why)
    lattices = part.together(
        "MAEGE", lambda some: _maege(grounds, some, replicates=replicates, seed=seed, jobs=workers)
    )
    coverage = part.each("coverage", lambda metric: tuple(coverage_points(metric, grounds.annotators, jobs=workers)))
    attacks = part.each(
        "gaming", lambda metric: attack(grounds.corpus, [metric], systems=grounds.systems, seed=seed, jobs=workers)
    )
    announce(progress, PART)
    if sample or corpus is not None:
        people = None
        which = "sample" if sample else "given"
        for name in names:
            lacking[name].append(Lacking(part=PART, why=f"the {which} corpus has no human judgments"))
    else:
        people = agreement_with_people(wanted, jobs=workers, progress=progress)
        for name in names:
            lacking[name] += people.lacking[name]
    return Cards(
        cards=tuple(
            Card(
                metric=name,
                about=metric_entry(metric),
                grounds=grounds.name,
                measured=measured.get(name),
                edges=edges[name],
                maege=_levels(lattices[name], name, grounds) if name in lattices else None,
                agreement=tuple(people.agreement[name]) if people else (),
                against=tuple(people.against[name]) if people else (),
                coverage=coverage.get(name, ()),
                gaming=_gaming(attacks[name]) if name in attacks else None,
                lacking=tuple(lacking[name]),
            )
            for metric, name in zip(wanted, names, strict=True)
        ),
        notes=tuple(dict.fromkeys(note for result in attacks.values() for note in result.notes)),
    )


class _Parts:
    """Runs a part of the cards for all metrics. What cannot be done for a metric is written down as lacking."""

    def __init__(self, metrics: Sequence[Metric], lacking: Mapping[str, list[Lacking]], progress: Progress) -> None:
        self.metrics, self.lacking, self.progress = metrics, lacking, progress

    def each(self, part: str, study: Callable[[Metric], Value]) -> dict[str, Value]:
        """One metric after the other."""
        done = {}
        for number, metric in enumerate(self.metrics):
            self.progress(number, len(self.metrics))
            announce(self.progress, f"{part} of {metric!r}")
            try:
                done[repr(metric)] = study(metric)
            except InputError as error:
                self.lacking[repr(metric)].append(Lacking(part=part, why=str(error)))
        return done

    def together(self, part: str, study: Callable[[Sequence[Metric]], Value]) -> dict[str, Value]:
        """All metrics at once, which saves what they share; one by one where that fails."""
        announce(self.progress, part)
        try:
            return dict.fromkeys(map(repr, self.metrics), study(self.metrics))
        except InputError:
            return self.each(part, lambda metric: study([metric]))


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


def _maege(grounds: Grounds, metrics: Sequence[Metric], *, replicates: int, seed: int, jobs: int) -> Maege:
    return maege(
        grounds.gold,
        grounds.references,
        metrics,
        replicates=replicates,
        seed=seed,
        by_type=True,
        extractor=EXTRACTOR if any(map(needs_extractor, metrics)) else None,
        jobs=jobs,
    )


def _levels(result: Maege, name: str, grounds: Grounds) -> MaegeLevels:
    return MaegeLevels(
        summary=result[name],
        types=tuple(row for row in result.types if row.metric == name),
        replicates=result.replicates,
        sentences=result.sentences,
        references=grounds.references.reference_count,
        level=result.level,
    )


def _gaming(result: Attacks) -> Gaming:
    [price] = result.prices
    return Gaming(
        price=price,
        attacks=result.attacks,
        systems=result.systems,
        people=result.people[0] if result.people else None,
        notes=result.notes,
    )
