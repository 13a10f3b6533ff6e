"""Keep scores per commit in one file, and see where they changed."""

from __future__ import annotations

from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path
from typing import Any

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.metrics.evaluation import AGGREGATES, Aggregate, Evaluation
from gecval.progress import Progress, announce, silent
from gecval.stats import Resampling
from gecval.stats.changes import steps
from gecval.studies.inputs import Edits, Metrics, Systems, given_jobs, given_metrics, given_systems
from gecval.studies.oddities import oddities
from gecval.studies.passport.lines import Entry, output_hash, own_metric, score_object
from gecval.studies.preparation import prepare
from gecval.studies.scores.signature import signature
from gecval.studies.track.commit import current_commit
from gecval.studies.track.file import SCHEMA, Kept, append, check_place, locked, read_kept
from gecval.studies.track.results import History, TrackedScore

LEVEL = 0.95


def track(
    file: str | Path,
    corpus: Corpus,
    systems: Systems,
    metrics: Metrics,
    *,
    commit: str | None = None,
    time: str | None = None,
    level: float = LEVEL,
    aggregate: Aggregate = "corpus",
    resampling: Resampling | None = None,
    extractor: Edits = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> History:
    """Score the systems, add the scores to a history, and return all of it.

    Parameters
    ----------
    file
        The history. It is made where there is none, and only ever added to.
    commit
        What the scores are of; by default what git says of the current folder. A commit is added once: again with the
        same output, nothing is added; with another output, it is refused.
    time
        When, as in ``2026-11-16`` or ``2026-11-16T04:20:00+00:00``; by default now.
    level
        What all looks of a stretch without a change keep together: with 0.95, one in 20 has a false alarm.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> corpus = Corpus.from_texts(["a"] * 20, [["b"]] * 20)
    >>> with TemporaryDirectory() as folder:
    ...     for number, right in enumerate([5, 6, 18]):
    ...         output = {"mine": ["b"] * right + ["a"] * (20 - right)}
    ...         history = track(f"{folder}/scores.jsonl", corpus, output, ["accuracy"], commit=f"c{number}")
    >>> [(score.commit, score.score, score.change) for score in history]
    [('c0', 0.25, None), ('c1', 0.3, None), ('c2', 0.9, 'better')]
    """
    path, resampling = Path(file), resampling or Resampling()
    check_place(path)
    if aggregate not in AGGREGATES:
        raise InputError(f"a history keeps sums: aggregate is {' or '.join(AGGREGATES)}", parameter="aggregate")
    if len(corpus) < 2:
        raise InputError("a history needs two sentences or more, to tell a change from chance")
    listed, workers = given_systems(systems, corpus), given_jobs(jobs)
    wanted = [own_metric(item) for item in given_metrics(metrics)]
    when = _time(time)
    named = current_commit() if commit is None else " ".join(commit.split())
    if not named:
        raise InputError("the commit has no name", parameter="commit")
    corpora = prepare(corpus, listed, wanted, extractor=extractor, jobs=workers, progress=progress)
    announce(progress, "scoring")
    objects: list[dict[str, Any]] = []
    for metric, prepared in zip(wanted, corpora, strict=True):
        for system in listed:
            evaluation = Evaluation.of(metric, prepared, system, aggregate=aggregate, jobs=workers)
            signed = signature(metric, prepared, aggregate, resampling=resampling)
            entry = Entry(evaluation=evaluation, signature=signed, output=output_hash(system))
            objects.append(
                {
                    "schema": SCHEMA,
                    "commit": named,
                    "time": when,
                    "series": signature(metric, prepared, aggregate).removesuffix(f"|gecval:{version('gecval')}"),
                    "sentences": len(corpus),
                    "aggregate": aggregate,
                    "level": resampling.level,
                    **score_object(entry, resampling),
                }
            )
    notes = _add(path, objects)
    notes += [*oddities(corpus, listed), *(note for prepared in corpora for note in prepared.notes)]
    kept, _ = read_kept(path)
    return _history(kept, level, tuple(dict.fromkeys(notes)))


def history(file: str | Path, *, level: float = LEVEL) -> History:
    """The history in a file that ``track`` wrote, with its changes.

    A torn last line, as a killed run may leave, is left out with a note.
    """
    path = Path(file)
    if not path.is_file():
        raise InputError(f"{path} is no file")
    kept, torn = read_kept(path)
    said = f"{path}: line {len(kept) + 1} is torn, as a run was killed while it wrote; all others are whole. "
    if not kept:
        raise InputError(f"{path} has no whole line yet; add scores to it")
    return _history(kept, level, (f"{said}Add its commit again",) if torn else ())


def _add(path: Path, objects: list[dict[str, Any]]) -> list[str]:
    """Add what is new, and say what is odd."""
    notes: list[str] = []
    with locked(path):
        kept, torn = read_kept(path) if path.exists() else ([], b"")
        if torn:
            notes.append(
                f"{path}: line {len(kept) + 1} was torn; it now lies in {path.name}.torn. Add its commit again"
            )
        there = {(item.commit, *item.key): item.entry.output for item in kept}
        last = {(item.entry.evaluation.system, repr(item.entry.evaluation.metric)): item.series for item in kept}
        new = []
        for item in objects:
            output = there.get((item["commit"], item["system"], item["series"]))
            who = f"{item['system']} under {item['metric']} at {item['commit']}"
            if output is None:
                new.append(item)
                notes += _begins(last.get((item["system"], item["metric"])), item)
            elif output == item["output"]:
                notes.append(f"{who} is there already: nothing is added for it")
            else:
                raise InputError(f"{path} has another output of {who}; name another commit", parameter="commit")
        append(path, new, torn)
    return notes


def _begins(before: str | None, item: dict[str, Any]) -> list[str]:
    """A note where a series begins beside another of the same system and metric."""
    if before is None or before == item["series"]:
        return []
    old, new = (series.split("|") for series in (before, item["series"]))
    differ = [f"{field} is new" for field in new if field not in old]
    differ += [f"{field} is gone" for field in old if field not in new]
    return [
        f"{item['system']} under {item['metric']}: a new series begins, which is not compared with the last one: "
        f"{', '.join(differ)}"
    ]


def _time(time: str | None) -> str:
    if time is None:
        return datetime.now(timezone.utc).isoformat(timespec="seconds")
    try:
        datetime.fromisoformat(time)
    except ValueError:
        said = f"write a time as 2026-11-16 or 2026-11-16T04:20:00+00:00, not {time!r}"
        raise InputError(said, parameter="time") from None
    return time


def _history(kept: list[Kept], level: float, notes: tuple[str, ...]) -> History:
    if not 0 < level < 1:
        raise InputError(f"the level lies between 0 and 1, not {level}", parameter="level")
    by_series: dict[tuple[str, str], list[Kept]] = {}
    for item in kept:
        series = by_series.setdefault(item.key, [])
        if series and len(series[0].entry.evaluation) != len(item.entry.evaluation):
            raise InputError(f"the scores of {item.commit} are of other sentences than their series says; remove them")
        series.append(item)
    scores = [
        score for number, series in enumerate(by_series.values(), start=1) for score in _scores(number, series, level)
    ]
    return History(level=level, scores=tuple(scores), notes=notes)


def _scores(number: int, series: list[Kept], level: float) -> list[TrackedScore]:
    made = steps([item.entry.evaluation for item in series], [item.entry.output for item in series], level)
    return [
        TrackedScore(
            series=number,
            commit=item.commit,
            time=item.time,
            system=item.entry.evaluation.system,
            metric=repr(item.entry.evaluation.metric),
            score=item.score,
            interval=item.interval,
            level=item.level,
            since=series[step.since].commit,
            look=step.look,
            difference=step.difference,
            change_interval=step.interval,
            change_level=step.level,
            changed=step.changed,
            higher_is_better=item.entry.evaluation.metric.higher_is_better,
            output=item.entry.output,
            signature=item.entry.signature,
        )
        for item, step in zip(series, made, strict=True)
    ]
