"""The way from A to B: one setting after the other takes B's value, and everything is scored after each.

The order is fixed: data, edits, the metric or its parameters one by one, aggregate. What a step changes may depend on
the steps before it. So the change of each setting alone, with all others as in A, stands beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gecval.corpus import System
from gecval.edits.extractors import Extractor, full_signature
from gecval.errors import InputError
from gecval.progress import Progress, silent
from gecval.studies.difference.results import Step
from gecval.studies.difference.settings import Settings

INTERACTION = 1e-9  # a difference below this is rounding


@dataclass(frozen=True, kw_only=True)
class Change:
    """Settings that take B's values together, with what is shown of them."""

    setting: str
    a: str | None
    b: str | None
    settings: Mapping[str, Any]  # by field of Settings
    parameters: Mapping[str, Any]  # of the metric


def way(a: Settings, b: Settings) -> list[Change]:
    """What differs, in the order of the steps. Settings that make no sense alone go together with the next."""
    changes: list[Change] = []
    before, waiting = a, None
    for change in _changes(a, b):
        joined = _joined(waiting, change) if waiting else change
        try:
            before, waiting = applied(before, joined), None
        except InputError:
            waiting = joined
            continue
        changes.append(joined)
    if waiting:  # only all of it together makes sense
        changes = [_joined(changes.pop(), waiting)] if changes else [waiting]
    return changes


def applied(settings: Settings, change: Change) -> Settings:
    """The settings with a change. A metric may refuse parameters that do not go together."""
    changed = replace(settings, **change.settings)
    return replace(changed, metric=replace(changed.metric, **change.parameters)) if change.parameters else changed  # type: ignore[type-var]


def steps(a: Settings, b: Settings, systems: Sequence[System], *, jobs: int, progress: Progress = silent) -> list[Step]:
    """The scores of all systems along the way from A to B, system after system."""
    changes = way(a, b)
    name = a.metric.name if a.metric.name == b.metric.name else f"{a.metric.name} → {b.metric.name}"
    first = a.scores(systems, jobs=jobs)
    along, alone = [first], []
    now = a
    for number, change in enumerate(changes, start=1):
        progress(number, len(changes) + 1)
        now = applied(now, change)
        along.append(now.scores(systems, jobs=jobs))
        alone.append(along[1] if number == 1 else _alone(a, change, systems, jobs=jobs))
    made: list[Step] = []
    for system in systems:
        here = [scores[system.name] for scores in along]
        made.append(Step(system=system.name, metric=name, step=0, setting="all as in A", score=here[0]))
        for number, change in enumerate(changes, start=1):
            of_alone = alone[number - 1]
            made.append(
                Step(
                    system=system.name,
                    metric=name,
                    step=number,
                    setting=change.setting,
                    a=change.a,
                    b=change.b,
                    score=here[number],
                    change=here[number] - here[number - 1],
                    alone=None if of_alone is None else of_alone[system.name] - here[0],
                )
            )
    return made


def interact(made: Sequence[Step]) -> bool:
    """Whether a setting changes a score by another amount alone than along the way."""
    both = ((step.change, step.alone) for step in made)
    return any(change is not None and alone is not None and abs(change - alone) > INTERACTION for change, alone in both)


def _alone(a: Settings, change: Change, systems: Sequence[System], *, jobs: int) -> dict[str, float] | None:
    try:
        return applied(a, change).scores(systems, jobs=jobs)
    except InputError:
        return None


def _changes(a: Settings, b: Settings) -> Iterator[Change]:
    if a.data != b.data:
        name = "references" if a.corpus.source_hash == b.corpus.source_hash else "source and references"
        yield Change(setting=name, a=a.data, b=b.data, settings={"data": b.data, "corpus": b.corpus}, parameters={})
    if _named(a.extractor) != _named(b.extractor):
        edits = _named(a.extractor), _named(b.extractor)
        yield Change(setting="edits", a=edits[0], b=edits[1], settings={"extractor": b.extractor}, parameters={})
    if type(a.metric) is not type(b.metric):
        yield Change(setting="metric", a=repr(a.metric), b=repr(b.metric), settings={"metric": b.metric}, parameters={})
    else:
        for field in a.metric.parameter_fields():
            old, new = getattr(a.metric, field.name), getattr(b.metric, field.name)
            if old != new:
                yield Change(setting=field.name, a=str(old), b=str(new), settings={}, parameters={field.name: new})
    if a.aggregate != b.aggregate:
        yield Change(
            setting="aggregate", a=a.aggregate, b=b.aggregate, settings={"aggregate": b.aggregate}, parameters={}
        )


def _joined(first: Change, second: Change) -> Change:
    """Two changes as one."""
    return Change(
        setting=f"{first.setting} + {second.setting}",
        a=f"{first.a} + {second.a}",
        b=f"{first.b} + {second.b}",
        settings={**first.settings, **second.settings},
        parameters={**first.parameters, **second.parameters},
    )


def _named(finder: Extractor | None) -> str | None:
    return full_signature(finder) if finder else None
