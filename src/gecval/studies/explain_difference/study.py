"""Why do two scores differ?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, is_dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gecval.corpus import Corpus, System
from gecval.edits.extractors import Extractor, full_signature
from gecval.errors import InputError
from gecval.formats.datasets.catalog import name_corpus
from gecval.metrics.base import Metric
from gecval.results.signature import RESAMPLING, Signature
from gecval.runtime.run import HERE, Run, announce
from gecval.studies.explain_difference.result import DifferingField, ExplainedDifference, StatedPair, Step
from gecval.studies.explain_difference.settings import (
    SAME,
    Claim,
    Corpora,
    ScorePair,
    ScoreSettings,
    find_settings,
    load_first_corpus,
    move_settings,
    pair_scores,
    read_stated,
)
from gecval.studies.scores.preparation import Systems, resolve_systems
from gecval.studies.scores.result import Score, Scores
from gecval.studies.scores.study import score


def explain_difference(
    a: str | Path | Score | Scores,
    b: str | Path | Score | Scores,
    *,
    corpora: Corpus | Mapping[str, Corpus | Callable[[], Corpus]] | None = None,
    systems: Systems = (),
    run: Run = HERE,
) -> ExplainedDifference:
    """Say in what two scores differ, what of it can change the score, and by how much each setting does.

    Parameters
    ----------
    a, b
        Two signatures; or two scores, or results of ``gecval.score``; or paths of JSON files that hold such results.
    corpora
        The data for the steps: a corpus, or several by name where A and B have different references. Those
        with the hashes of A and of B are found by themselves.
    systems
        The outputs to score at every step.
    run
        How it runs: threads, progress, backend.

    Returns
    -------
    ExplainedDifference
        The fields in which the signatures differ. With data also ``steps``: the scores along the way from A to B.

    Examples
    --------
    >>> import gecval
    >>> corpus = gecval.Corpus.from_texts(["He go home ."], [["He goes home ."]])
    >>> outputs = {"mine": ["He goes to home ."]}
    >>> a, b = (gecval.score(corpus, outputs, [name]) for name in ("gleu", "gleu(n=2)"))
    >>> result = explain_difference(a, b, corpora=corpus, systems=outputs)
    >>> [(row.field, row.a, row.b, row.changes) for row in result]
    [('n', '4', '2', True)]
    >>> [round(step.score, 3) for step in result.steps] == [round(a[0].score, 3), round(b[0].score, 3)]
    True
    """
    given = {"the corpus": corpora} if isinstance(corpora, Corpus) else dict(corpora or {})
    loads: Corpora = {name: item if callable(item) else partial(_keep, item) for name, item in given.items()}
    if bool(loads) != bool(systems):
        raise InputError(
            "steps need the data and the outputs: give both, or none", parameter=("references", "source", "systems")
        )
    listed = resolve_systems(systems, load_first_corpus(loads)) if loads else []
    sides, notes = pair_scores(read_stated(a), read_stated(b))
    fields: list[DifferingField] = []
    made: list[Step] = []
    pairs: list[StatedPair] = []
    complete: list[bool] = []
    for group in _group_by_signatures(sides):
        announce(run.progress, "scoring")
        first = group[0]
        fields += differing_fields(first.a.signature, first.b.signature)
        group_steps: list[Step] = []
        if loads:
            try:
                start, end, whole = _find_ends(first, loads, notes, run=run)
                wanted = _select_systems(group, listed)
                group_steps = score_steps(start, end, wanted, run=run)
                complete.append(whole)
            except InputError as error:
                if not str(error).startswith("no steps: "):
                    raise
                notes.append(str(error))
        pairs += _stated_pairs(group, group_steps, notes)
        made += group_steps
    if not fields:
        notes.append("the signatures are the same: only another output of the system can change the score")
    metrics = dict.fromkeys(step.metric for step in made)
    return ExplainedDifference(
        fields=tuple(fields),
        steps=tuple(made),
        pairs=tuple(pairs),
        complete=all(complete) if made else None,
        interacts=tuple(name for name in metrics if have_interactions([step for step in made if step.metric == name])),
        notes=tuple(dict.fromkeys(notes)),
    )


def _keep(corpus: Corpus) -> Corpus:
    return corpus


def _group_by_signatures(sides: Sequence[ScorePair]) -> list[list[ScorePair]]:
    """Systems with the same two signatures together: what differs is said once."""
    groups: dict[tuple[str, str], list[ScorePair]] = {}
    for side in sides:
        groups.setdefault((str(side.a.signature), str(side.b.signature)), []).append(side)
    return list(groups.values())


def _select_systems(group: Sequence[ScorePair], systems: Sequence[System]) -> list[System]:
    """The systems that the results name, where the names fit; else all."""
    names = {name for side in group for name in (side.a.system, side.b.system)}
    return [system for system in systems if system.name in names] or list(systems)


def _find_ends(
    side: ScorePair, corpora: Corpora, notes: list[str], *, run: Run
) -> tuple[ScoreSettings, ScoreSettings, bool]:
    """The settings of A and B, and whether the data of both are given."""
    both = {"A": side.a, "B": side.b}
    made = {name: find_settings(row.signature, row.metric, corpora, run=run) for name, row in both.items()}
    known = next((settings for settings in made.values() if settings), None)
    if known is None:
        hashes = [
            f"{name}:{row.signature.fields[name]}"
            for row in both.values()
            for name in ("source", "references")
            if name in row.signature.fields
        ]
        raise InputError(
            f"none of the given data is that of A or B ({', '.join(dict.fromkeys(map(_with_name, hashes)))})",
            parameter=("references", "source"),
        )
    ends: list[ScoreSettings] = []
    for name, row in both.items():
        settings = made[name]
        if settings is None:
            notes.append(f"the data of {name} are not given; its settings are scored on {known.data}")
            settings = move_settings(known, row.signature, row.metric)
        ends.append(settings)
        stated_by, ours = row.signature.fields["gecval"], version("gecval")
        if stated_by != ours:
            notes.append(f"{name} was scored by gecval {stated_by}, and all steps are by gecval {ours}")
    return ends[0], ends[1], None not in made.values()


def _with_name(field: str) -> str:
    """A field of a signature; the source of a public corpus has its name."""
    name, _, value = field.partition(":")
    known = name_corpus(value) if name == "source" else None
    return f"{field}, the {known}" if known else field


def recompute(claim: Claim, corpora: Corpora, systems: Sequence[System], *, run: Run = HERE) -> tuple[Scores, bool]:
    """The score that a signature names, computed from the data, and whether the claim holds.

    Notes say whether the claimed number is that of each output, and which fields of the signature are others.

    Parameters
    ----------
    claim
        The signature, and the number if one is claimed.
    corpora
        Data by name; those with the hashes of the signature are found by themselves, else the first are taken.
    systems
        The outputs.
    run
        How it runs: threads, progress.
    """
    signed = claim.signature
    try:
        found = find_settings(signed, None, corpora, run=run)
        if found is None:
            first = {next(iter(corpora)): partial(load_first_corpus, corpora)}
            found = find_settings(signed.without_data(), None, first, run=run)
    except InputError as error:
        raise InputError(str(error).removeprefix("no steps: "), parameter=error.parameters) from None
    if found is None:
        raise InputError(f"the given data cannot be scored by {signed.head}", parameter=("references", "source"))
    announce(run.progress, "scoring")
    scores = score(
        found.corpus,
        systems,
        [found.metric],
        aggregate=found.aggregate,
        confidence=signed.resampling(),
        edits=found.extractor,
        run=run,
    )
    ours = Signature.parse(scores[0].signature)
    differ = [row for row in differing_fields(signed, ours) if row.changes and row.field not in ("test", "flips")]
    equal = [claim.number is None or claim.equals(scored.score, found.metric.scale) for scored in scores]
    notes = []
    if claim.number is not None:
        others = {} if all(equal) else _score_other_betas(found, systems, run=run)
        notes = [_judge(claim, scored, found.metric, others, to=differ) for scored in scores]
    if differ:
        listed = "; ".join(
            f"{row.field} is {_with_name(f'{row.field}:{row.a}').partition(':')[2] if row.a else 'missing'} there and "
            f"{row.b or 'missing'} here ({row.why})"
            for row in differ
        )
        notes.append(f"this is not the score that the signature names: {listed}")
    else:
        known = name_corpus(signed.fields["source"])
        data = f"the {known}, {found.data}" if known else found.data
        notes.append(
            f"the settings and the data are those of the signature ({data}); it does not name the output"
            + ("" if claim.number else "; to compare a printed number, write it next to the signature")
        )
    return replace(scores, notes=(*notes, *scores.notes)), all(equal) and not differ


BETAS = (0.5, 1.0)  # what papers take


def _score_other_betas(found: ScoreSettings, systems: Sequence[System], *, run: Run) -> dict[str, Scores]:
    """The scores under the metric with each other usual beta, by the metric's name."""
    own = getattr(found.metric, "beta", None)
    if own is None or not is_dataclass(found.metric):
        return {}
    metrics = [replace(found.metric, beta=beta) for beta in BETAS if beta != own]
    how: dict[str, Any] = {"aggregate": found.aggregate, "edits": found.extractor, "run": run}
    return {repr(metric): score(found.corpus, systems, [metric], **how) for metric in metrics}


def _judge(
    claim: Claim, scored: Score, metric: Metric, others: Mapping[str, Scores], *, to: Sequence[DifferingField]
) -> str:
    """Whether the number of an output is the claimed one, or that of another beta."""
    ours = claim.write(scored.score, metric.scale)
    if claim.equals(scored.score, metric.scale):
        return f"equal: {claim.number} is claimed, and {scored.system} gives {ours}"
    reason = "" if to else ": another output, or a mistake"
    for name, scores in others.items():
        other = scores[scored.system, name].score
        if claim.equals(other, metric.scale):
            reason = f"; with {name} it gives {claim.write(other, metric.scale)}, the claimed number"
    return f"not equal: {claim.number} is claimed, and {scored.system} gives {ours}{reason}"


def _stated_pairs(group: Sequence[ScorePair], made: Sequence[Step], notes: list[str]) -> list[StatedPair]:
    """The scores as stated, and as they are at the two ends of the way. A note says where these differ."""
    pairs: list[StatedPair] = []
    for side in group:
        if side.a.score is None and side.b.score is None:
            continue
        name = side.system or ""
        again: list[float | None] = []
        for row, end in ((side.a, 0), (side.b, -1)):
            way = [step.score for step in made if step.system == row.system]
            again.append(way[end] if way and row.score is not None else None)
            if way and row.score is not None and abs(way[end] - row.score) > SAME:
                notes.append(
                    f"{'AB'[end]} states {row.score:.6f} for {row.system}, and the settings give {way[end]:.6f} here: "
                    "another output, other data, or another version"
                )
        metric = " → ".join(dict.fromkeys(row.metric or row.signature.metric for row in (side.a, side.b)))
        pairs.append(
            StatedPair(system=name, metric=metric, a=side.a.score, b=side.b.score, a_again=again[0], b_again=again[1])
        )
    return pairs


# The way from A to B: one setting after the other takes B's value, and everything is scored after each.
#
# The order is fixed: data, edits, the metric or its parameters one by one, aggregate. What a step changes may depend on
# the steps before it. So the change of each setting alone, with all others as in A, stands next to it.


INTERACTION = 1e-9  # a difference below this is rounding


@dataclass(frozen=True, kw_only=True)
class ChangedSettings:
    """ScoreSettings that take B's values together, with what is shown of them."""

    setting: str
    a: str | None
    b: str | None
    settings: Mapping[str, Any]  # by field of ScoreSettings
    parameters: Mapping[str, Any]  # of the metric


def list_changes(a: ScoreSettings, b: ScoreSettings) -> list[ChangedSettings]:
    """What differs, in the order of the steps. ScoreSettings that make no sense alone go together with the next."""
    changes: list[ChangedSettings] = []
    before, waiting = a, None
    for change in _changes(a, b):
        joined = _join_changes(waiting, change) if waiting else change
        try:
            before, waiting = apply_change(before, joined), None
        except InputError:
            waiting = joined
            continue
        changes.append(joined)
    if waiting:  # only all of it together makes sense
        changes = [_join_changes(changes.pop(), waiting)] if changes else [waiting]
    return changes


def apply_change(settings: ScoreSettings, change: ChangedSettings) -> ScoreSettings:
    """The settings with a change. A metric may refuse parameters that do not go together."""
    changed = replace(settings, **change.settings)
    return replace(changed, metric=replace(changed.metric, **change.parameters)) if change.parameters else changed  # type: ignore[type-var]


def score_steps(a: ScoreSettings, b: ScoreSettings, systems: Sequence[System], *, run: Run) -> list[Step]:
    """The scores of all systems along the way from A to B, system after system."""
    changes = list_changes(a, b)
    name = a.metric.name if a.metric.name == b.metric.name else f"{a.metric.name} → {b.metric.name}"
    first = a.scores(systems, run=run)
    along, alone = [first], []
    now = a
    for number, change in enumerate(changes, start=1):
        run.progress(number, len(changes) + 1)
        now = apply_change(now, change)
        along.append(now.scores(systems, run=run))
        alone.append(along[1] if number == 1 else _score_alone(a, change, systems, run=run))
    made: list[Step] = []
    for system in systems:
        here = [scores[system.name] for scores in along]
        made.append(Step(system=system.name, metric=name, step=0, setting="all as in A", score=here[0]))
        for number, change in enumerate(changes, start=1):
            scores_alone = alone[number - 1]
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
                    alone=None if scores_alone is None else scores_alone[system.name] - here[0],
                )
            )
    return made


def have_interactions(made: Sequence[Step]) -> bool:
    """Whether a setting changes a score by another amount alone than along the way."""
    both = ((step.change, step.alone) for step in made)
    return any(change is not None and alone is not None and abs(change - alone) > INTERACTION for change, alone in both)


def _score_alone(
    a: ScoreSettings, change: ChangedSettings, systems: Sequence[System], *, run: Run
) -> dict[str, float] | None:
    try:
        return apply_change(a, change).scores(systems, run=run)
    except InputError:
        return None


def _changes(a: ScoreSettings, b: ScoreSettings) -> Iterator[ChangedSettings]:
    if a.data != b.data:
        name = "references" if a.corpus.source_hash == b.corpus.source_hash else "source and references"
        yield ChangedSettings(
            setting=name, a=a.data, b=b.data, settings={"data": b.data, "corpus": b.corpus}, parameters={}
        )
    if _name_extractor(a.extractor) != _name_extractor(b.extractor):
        edits = _name_extractor(a.extractor), _name_extractor(b.extractor)
        yield ChangedSettings(
            setting="edits", a=edits[0], b=edits[1], settings={"extractor": b.extractor}, parameters={}
        )
    if type(a.metric) is not type(b.metric):
        yield ChangedSettings(
            setting="metric", a=repr(a.metric), b=repr(b.metric), settings={"metric": b.metric}, parameters={}
        )
    else:
        for field in a.metric.parameter_fields():
            old, new = getattr(a.metric, field.name), getattr(b.metric, field.name)
            if old != new:
                yield ChangedSettings(
                    setting=field.name, a=str(old), b=str(new), settings={}, parameters={field.name: new}
                )
    if a.aggregate != b.aggregate:
        yield ChangedSettings(
            setting="aggregate", a=a.aggregate, b=b.aggregate, settings={"aggregate": b.aggregate}, parameters={}
        )


def _join_changes(first: ChangedSettings, second: ChangedSettings) -> ChangedSettings:
    """Two changes as one."""
    return ChangedSettings(
        setting=f"{first.setting} + {second.setting}",
        a=f"{first.a} + {second.a}",
        b=f"{first.b} + {second.b}",
        settings={**first.settings, **second.settings},
        parameters={**first.parameters, **second.parameters},
    )


def _name_extractor(finder: Extractor | None) -> str | None:
    return full_signature(finder) if finder else None


# Which fields of a signature can change the score, and which cannot.


CHANGES = {
    "aggregate": "all sentences together, the mean of sentence scores, or contests of systems",
    "source": "other sentences, or other tokens",
    "tokenize": "all texts were split again into other tokens",
    "rule": "how several references count; it follows from the metric and its parameters",
    "refs": "references a sentence: most metrics find more to match in more of them",
    "references": "other references, or the same with edits (.m2) here and as plain text there",
    "rivals": "in contests, other systems change the scores of all",
    "edits": "what finds the edits, and its versions: other edits match",
    "hypotheses": "the edits of the outputs are given, or found in their texts",
    "unit": "whole essays count as one sentence each",
    "syntok": "what cuts essays into tokens",
    "gecval": "the changelog lists every change under 'Scores that change'",
}
KEEPS = {
    "lang": "the language that a part knows",
    "interval": "it changes the interval only",
    "level": "it changes the interval only",
    "resamples": "it changes the interval only",
    "seed": "it changes the interval only",
    "documents": "it changes the interval only",
    "borders": "it changes the interval only",
    "jackknife_blocks": "it changes the interval only",
}
# Parameters that never change the score of a metric.
IDLE = {("from-file", "label"): "a name only", ("from-file", "lower_is_better"): "it says which scores are better"}
# Parameters that say how to choose among references.
AMONG_REFERENCES = {("gleu", "iterations")}
ONE = "no sentence has two references to choose from"


def differing_fields(a: Signature, b: Signature) -> list[DifferingField]:
    """The fields in which two signatures differ: the metric, its parameters, then all others."""
    metric = a.metric if a.metric == b.metric else f"{a.metric} → {b.metric}"
    with_interval = ["interval" in signature.fields for signature in (a, b)]
    rows: list[DifferingField] = []
    for kind, name, *values in a.differences(b):
        if any(with_interval) and not all(with_interval) and name in RESAMPLING[1:] and kind == "field":
            continue  # one row says that there is an interval
        if kind == "metric":
            changes, why = True, "another metric: its scores are on another scale"
        else:
            changes, why = (_parameter if kind == "parameter" else _field)(name, a, b)
        rows.append(DifferingField(metric=metric, field=name, a=values[0], b=values[1], changes=changes, why=why))
    return rows


def _parameter(name: str, a: Signature, b: Signature) -> tuple[bool, str]:
    if (a.metric, name) in IDLE:
        return False, IDLE[a.metric, name]
    if (a.metric, name) in AMONG_REFERENCES and a.has_one_reference and b.has_one_reference:
        return False, ONE
    if name == "beta":
        return True, "how much recall counts compared with precision"
    return True, f"a parameter of {a.metric}"


def _field(name: str, a: Signature, b: Signature) -> tuple[bool, str]:
    if name in KEEPS:
        # A field of this name after the version belongs to a study, such as the seed of its simulation.
        both = a.fields, b.fields
        own = name in RESAMPLING and not all("interval" in fields or name not in fields for fields in both)
        return (True, "the study that gave the score draws with it") if own else (False, KEEPS[name])
    if (
        name == "rule"
        and a.has_one_reference
        and b.has_one_reference
        and all("sampled(" in str(signature) for signature in (a, b))
    ):
        return False, ONE
    return True, CHANGES.get(name, "it says how a study used the score")
