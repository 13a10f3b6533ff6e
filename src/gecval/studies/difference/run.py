"""Why do two scores differ?"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.progress import Progress, announce, silent
from gecval.studies.difference.at_hand import first_corpus
from gecval.studies.difference.effects import differing_fields
from gecval.studies.difference.reading import Sides, paired, stated
from gecval.studies.difference.results import DifferingField, ExplainedDifference, StatedPair, Step
from gecval.studies.difference.settings import Corpora, Settings, elsewhere, settings_of
from gecval.studies.difference.steps import interact, steps
from gecval.studies.inputs import Systems, given_jobs, given_systems
from gecval.studies.scores.results import Score, Scores

SAME = 1e-9  # scores that differ by less are the same


def explain_difference(
    a: str | Path | Score | Scores,
    b: str | Path | Score | Scores,
    *,
    corpora: Corpus | Mapping[str, Corpus | Callable[[], Corpus]] | None = None,
    systems: Systems = (),
    jobs: int | None = None,
    progress: Progress = silent,
) -> ExplainedDifference:
    """Say in what two scores differ, what of it can change the score, and by how much each setting does.

    Parameters
    ----------
    a, b
        Two signatures; or two scores, or results of ``gecval.score``; or paths of JSON files that hold such results.
    corpora
        The data at hand, for the steps: a corpus, or several by name where A and B have different references. Those
        with the hashes of A and of B are found by themselves.
    systems
        The outputs to score at every step.
    jobs
        Threads; by default as many as there are cores.

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
    workers = given_jobs(jobs)
    at_hand = {"the corpus": corpora} if isinstance(corpora, Corpus) else dict(corpora or {})
    loads: Corpora = {name: item if callable(item) else partial(_given, item) for name, item in at_hand.items()}
    if bool(loads) != bool(systems):
        raise InputError(
            "steps need the data and the outputs: give both, or none", parameter=("references", "source", "systems")
        )
    listed = given_systems(systems, first_corpus(loads)) if loads else []
    sides, notes = paired(stated(a), stated(b))
    fields: list[DifferingField] = []
    made: list[Step] = []
    pairs: list[StatedPair] = []
    complete: list[bool] = []
    for group in _groups(sides):
        announce(progress, "scoring")
        first = group[0]
        fields += differing_fields(first.a.signature, first.b.signature)
        of_group: list[Step] = []
        if loads:
            try:
                start, end, whole = _ends(first, loads, notes, jobs=workers)
                wanted = _of_group(group, listed)
                of_group = steps(start, end, wanted, jobs=workers, progress=progress)
                complete.append(whole)
            except InputError as error:
                if not str(error).startswith("no steps: "):
                    raise
                notes.append(str(error))
        pairs += _stated_pairs(group, of_group, notes)
        made += of_group
    if not fields:
        notes.append("the signatures are the same: only another output of the system can change the score")
    metrics = dict.fromkeys(step.metric for step in made)
    return ExplainedDifference(
        fields=tuple(fields),
        steps=tuple(made),
        pairs=tuple(pairs),
        complete=all(complete) if made else None,
        interacts=tuple(name for name in metrics if interact([step for step in made if step.metric == name])),
        notes=tuple(dict.fromkeys(notes)),
    )


def _given(corpus: Corpus) -> Corpus:
    return corpus


def _groups(sides: Sequence[Sides]) -> list[list[Sides]]:
    """Systems with the same two signatures together: what differs is said once."""
    groups: dict[tuple[str, str], list[Sides]] = {}
    for side in sides:
        groups.setdefault((side.a.signature.text, side.b.signature.text), []).append(side)
    return list(groups.values())


def _of_group(group: Sequence[Sides], systems: Sequence[System]) -> list[System]:
    """The systems that the results name, where the names fit; else all."""
    names = {name for side in group for name in (side.a.system, side.b.system)}
    return [system for system in systems if system.name in names] or list(systems)


def _ends(side: Sides, corpora: Corpora, notes: list[str], *, jobs: int) -> tuple[Settings, Settings, bool]:
    """The settings of A and B, and whether the data of both are at hand."""
    both = {"A": side.a, "B": side.b}
    made = {name: settings_of(row.signature, row.metric, corpora, jobs=jobs) for name, row in both.items()}
    known = next((settings for settings in made.values() if settings), None)
    if known is None:
        hashes = [
            f"{name}:{row.signature.fields[name]}"
            for row in both.values()
            for name in ("source", "references")
            if name in row.signature.fields
        ]
        raise InputError(
            f"none of the data at hand is that of A or B ({', '.join(dict.fromkeys(hashes))})",
            parameter=("references", "source"),
        )
    ends: list[Settings] = []
    for name, row in both.items():
        settings = made[name]
        if settings is None:
            notes.append(f"the data of {name} are not at hand; its settings are scored on {known.data}")
            settings = elsewhere(known, row.signature, row.metric)
        ends.append(settings)
        stated_by, ours = row.signature.fields["gecval"], version("gecval")
        if stated_by != ours:
            notes.append(f"{name} was scored by gecval {stated_by}, and all steps are by gecval {ours}")
    return ends[0], ends[1], None not in made.values()


def _stated_pairs(group: Sequence[Sides], made: Sequence[Step], notes: list[str]) -> list[StatedPair]:
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
