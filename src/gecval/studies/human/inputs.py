"""What users give the study, checked before anything takes long."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats.judgments import Judgments
from gecval.metrics.base import Metric
from gecval.metrics.interpolated import mixed_directions
from gecval.studies.inputs import Metrics, Systems, given_metrics, given_systems

PARTS = ("source", "references", "systems")  # what a corpus and its systems are given as


def given_sets(judgments: Judgments | Iterable[Judgments]) -> list[Judgments]:
    """One set or several, as a list."""
    listed = [judgments] if isinstance(judgments, Judgments) else list(judgments)
    for part in listed:
        if not isinstance(part, Judgments):
            raise InputError(f"judgments are given as {type(part).__name__}; read them with read_judgments(path)")
    if not listed:
        raise InputError("there are no judgments: give one set or more", parameter="judgments")
    return distinct_sets(listed)


def distinct_sets(sets: list[Judgments]) -> list[Judgments]:
    """Sets whose names differ: results tell them apart by name."""
    names = [part.name for part in sets]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two sets of judgments are named {name!r}; rename one")
    return sets


def given_pair(pair: Metrics) -> tuple[Metric, Metric]:
    """The two metrics of a hybrid."""
    metrics = given_metrics(pair)
    if len(metrics) != 2:
        raise InputError(f"a hybrid takes two metrics, not {len(metrics)}", parameter="hybrids")
    if metrics[0].higher_is_better != metrics[1].higher_is_better:
        raise mixed_directions(*metrics)
    return metrics[0], metrics[1]


def check_left_out(without: Iterable[str], sets: Iterable[Judgments]) -> None:
    """Refuse to leave out a system that nobody judged."""
    judged = sorted({name for part in sets for name in part.systems})
    for name in without:
        if name not in judged:
            raise InputError(
                f"there is no judged system {name!r} to leave out; there is {', '.join(judged)}", parameter="without"
            )


def given_outputs(
    corpus: Corpus | None, systems: Systems, metrics: Sequence[Metric], *, combined: bool
) -> list[System]:
    """The judged outputs. Metrics need them; without metrics, they only tell how sets count their sentences."""
    if corpus is None:
        if metrics:
            raise InputError("metrics need what was judged: the corpus and the systems", parameter=PARTS)
        if systems:
            raise InputError("systems need the corpus that they correct", parameter=PARTS[:2])
        return []
    if not metrics and not combined:
        raise InputError("the corpus and the systems change nothing without metrics", parameter="metrics")
    return given_systems(systems, corpus, least=0)
