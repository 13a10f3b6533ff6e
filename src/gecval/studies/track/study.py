"""Keep scores per commit in one file, and see where they changed."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.formats.files import parse_json
from gecval.formats.sentence_pairs.engines import is_unicode
from gecval.metrics.evaluation import AGGREGATES, Aggregate, Evaluation
from gecval.results.signature import Signature
from gecval.runtime.processes import exclusive_lock
from gecval.runtime.run import HERE, Run, announce
from gecval.stats import Interval, Resampling
from gecval.stats.noninferiority import steps
from gecval.stats.resampling import Confidence, resolve_resampling
from gecval.studies.scores.input_notes import input_notes
from gecval.studies.scores.passport import PassportEntry, check_own_metric, output_hash, read_entry, score_object
from gecval.studies.scores.preparation import Edits, Metrics, Systems, prepare, resolve_metrics, resolve_systems
from gecval.studies.track.result import History, TrackedScore

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
    confidence: Confidence = True,
    edits: Edits = None,
    run: Run = HERE,
) -> History:
    """Score the systems, add the scores to a history, and return all of it.

    Parameters
    ----------
    file
        The history. It is made where there is none. Lines are only ever added to it.
    corpus, systems, metrics
        As ``gecval.score`` takes them. The corpus needs two sentences or more.
    commit
        What the scores are of; by default what git says of the current folder. A commit is added once: again with the
        same output, nothing is added; with another output, it is refused.
    time
        When, as in ``2026-11-16`` or ``2026-11-16T04:20:00+00:00``; by default now.
    level
        The chance that a stretch without a change has no false alarm, over all of its scores together: with 0.95, one
        stretch in 20 has one.
    aggregate
        ``corpus`` is the score of the whole corpus, ``mean`` the mean of the sentence scores.
    confidence
        How the interval of each score is computed. Where it draws documents, changes are tested over documents too.
    edits
        Finds the edits of plain-text references for metrics that need them: an extractor or its name.

    Returns
    -------
    History
        All scores of the file, with the commits at which they changed beyond chance.

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
    path, resampling = Path(file), resolve_resampling(confidence)
    _check_path(path)
    if aggregate not in AGGREGATES:
        raise InputError(f"a history keeps sums: aggregate is {' or '.join(AGGREGATES)}", parameter="aggregate")
    if len(corpus) < 2:
        raise InputError("a history needs two sentences or more, to tell a change from chance")
    listed = resolve_systems(systems, corpus)
    wanted = [check_own_metric(item) for item in resolve_metrics(metrics)]
    when = _check_time(time)
    named = find_commit() if commit is None else " ".join(commit.split())
    if not named:
        raise InputError("the commit has no name", parameter="commit")
    for name in (named, *(system.name for system in listed)):
        if not is_unicode(name):
            raise InputError(f"{name!a} is no text: it holds half of a surrogate pair")
    corpora = prepare(corpus, listed, wanted, extractor=edits, run=run)
    announce(run.progress, "scoring")
    objects: list[dict[str, Any]] = []
    for metric, prepared in zip(wanted, corpora, strict=True):
        for system in listed:
            evaluation = Evaluation.of(metric, prepared, system, aggregate=aggregate, run=run.quiet())
            signature = Signature.of(metric, prepared, aggregate, resampling=resampling)
            entry = PassportEntry(evaluation=evaluation, signature=str(signature), output=output_hash(system))
            objects.append(
                {
                    "schema": SCHEMA,
                    "commit": named,
                    "time": when,
                    "series": str(signature.series()),
                    "sentences": len(corpus),
                    **({"documents": list(resampling.documents)} if resampling.documents else {}),
                    "aggregate": aggregate,
                    "level": resampling.level,
                    **score_object(entry, resampling),
                }
            )
    notes = _add_new(path, objects)
    notes += [*input_notes(corpus, listed), *(note for prepared in corpora for note in prepared.notes)]
    lines, _ = _read_lines(path)
    return _build_history(lines, level, tuple(dict.fromkeys(notes)))


def history(file: str | Path, *, level: float = LEVEL) -> History:
    """The history in a file that ``track`` wrote, with its changes.

    A torn last line, as a killed run may leave, is left out with a note.

    Parameters
    ----------
    file
        The history.
    level
        The chance that a stretch without a change has no false alarm, as in ``track``.

    Returns
    -------
    History
        All scores of the file, with the commits at which they changed beyond chance.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> corpus = Corpus.from_texts(["a", "b"], [["a"], ["c"]])
    >>> with TemporaryDirectory() as folder:
    ...     _ = track(f"{folder}/scores.jsonl", corpus, {"mine": ["a", "b"]}, ["accuracy"], commit="v1")
    ...     [score] = history(f"{folder}/scores.jsonl")
    >>> score.commit, score.score
    ('v1', 0.5)
    """
    path = Path(file)
    if not path.is_file():
        raise InputError(f"{path} is no file")
    lines, torn = _read_lines(path)
    said = f"{path}: line {len(lines) + 1} is torn, as a run was killed while it wrote; all others are whole. "
    if not lines:
        raise InputError(f"{path} has no whole line yet; add scores to it")
    return _build_history(lines, level, (f"{said}Add its commit again",) if torn else ())


def _add_new(path: Path, objects: list[dict[str, Any]]) -> list[str]:
    """Add what is not in the file yet. The notes say what was there, and where a series begins."""
    notes: list[str] = []
    with exclusive_lock(path.with_name(f"{path.name}.lock")):
        lines, torn = _read_lines(path) if path.exists() else ([], b"")
        if torn:
            notes.append(
                f"{path}: line {len(lines) + 1} was torn; it now lies in {path.name}.torn. Add its commit again"
            )
        there = {(item.commit, *item.key): item.entry.output for item in lines}
        last = {item.entry.key: item.entry.signature for item in lines}
        new = []
        for item in objects:
            output = there.get((item["commit"], item["system"], item["series"]))
            who = f"{item['system']} under {item['metric']} at {item['commit']}"
            if output is None:
                new.append(item)
                notes += _note_new_series(last.get((item["system"], item["metric"])), item)
            elif output == item["output"]:
                notes.append(f"{who} is there already: nothing is added for it")
            else:
                raise InputError(f"{path} has another output of {who}; name another commit", parameter="commit")
        _append_lines(path, new, torn)
    return notes


def _note_new_series(before: str | None, item: dict[str, Any]) -> list[str]:
    """A note where a series begins next to another of the same system and metric."""
    if before is None:
        return []
    old, new = (Signature.parse(signature).series() for signature in (before, item["signature"]))
    if old == new:
        return []
    differences = old.printed_differences(new)
    differ = [f"{field} is new" for _, field in differences if field]
    differ += [f"{field} is gone" for field, _ in differences if field]
    return [
        f"{item['system']} under {item['metric']}: a new series begins, which is not compared with the last one: "
        f"{', '.join(differ)}"
    ]


def _check_time(time: str | None) -> str:
    if time is None:
        return datetime.now(timezone.utc).isoformat(timespec="seconds")
    try:
        datetime.fromisoformat(time)
    except ValueError:
        said = f"write a time as 2026-11-16 or 2026-11-16T04:20:00+00:00, not {time!r}"
        raise InputError(said, parameter="time") from None
    return time


def _build_history(lines: list[HistoryLine], level: float, notes: tuple[str, ...]) -> History:
    if not 0 < level < 1:
        raise InputError(f"the level lies between 0 and 1, not {level}", parameter="level")
    by_series: dict[tuple[str, str], list[HistoryLine]] = {}
    for item in lines:
        series = by_series.setdefault(item.key, [])
        if series and len(series[0].entry.evaluation) != len(item.entry.evaluation):
            raise InputError(f"the scores of {item.commit} are of other sentences than their series says; remove them")
        series.append(item)
    scores = [
        score
        for number, series in enumerate(by_series.values(), start=1)
        for score in _find_changes(number, series, level)
    ]
    return History(level=level, scores=tuple(scores), notes=notes)


def _find_changes(number: int, series: list[HistoryLine], level: float) -> list[TrackedScore]:
    evaluations, outputs = [item.entry.evaluation for item in series], [item.entry.output for item in series]
    made = steps(evaluations, outputs, level, resampling=Resampling(documents=series[0].documents))
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


# The file of a history: a line of JSON for each score, only ever added to.
#
#     {"schema": "gecval.history/1", "commit": "3f2a…", "time": "2026-11-16T04:20:00+00:00", "series": "m2|beta:0.5|…",
#      "sentences": 1312, "aggregate": "corpus", "level": 0.95, "system": "mine", "metric": "m2", "score": 0.35, …,
#      "rows": […]}
#
# A line holds what a line of a passport holds, so that entries can be tested against each other without the data. All
# lines of one run are written in one go, while a lock keeps other processes out. A run that is killed may leave a torn
# last line. Readers leave it out. The next run sets it aside, into FILE.torn.


SCHEMA = "gecval.history/1"
MAX_BYTES = 1_000_000_000
MAX_SENTENCES = 100_000_000


@dataclass(frozen=True, kw_only=True)
class HistoryLine:
    """A line of the file. ``series`` is the signature without the version of gecval; of the resampling, it names the
    documents. These are where the documents begin that changes are tested over.
    """

    commit: str
    time: str
    series: str
    entry: PassportEntry
    score: float
    interval: Interval | None
    level: float | None
    documents: tuple[int, ...] | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What makes entries comparable: the system's name, and data, metric and settings."""
        return self.entry.evaluation.system, self.series


def _read_lines(path: Path) -> tuple[list[HistoryLine], bytes]:
    """All whole lines, and what is left of a torn last one."""
    if path.stat().st_size > MAX_BYTES:
        raise InputError(f"{path}: a history has up to {MAX_BYTES:,} bytes; begin a new file")
    *whole, last = path.read_bytes().split(b"\n")
    lines = [_parse_line(path, number, line) for number, line in enumerate(whole, start=1)]
    if last and _load_object(last) is not None:
        return [*lines, _parse_line(path, len(whole) + 1, last)], b""
    return lines, last


def _load_object(line: bytes) -> dict[str, Any] | None:
    try:
        value = parse_json(line, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _refuse(name: str) -> Any:
    raise ValueError(name)


def _parse_line(path: Path, number: int, line: bytes) -> HistoryLine:
    wrong = f"{path}: line {number} is no score of a history ({SCHEMA})"
    given = _load_object(line)
    if given is None or given.get("schema") != SCHEMA:
        raise InputError(f"{wrong}; restore the file, or remove this line")
    try:
        if given["aggregate"] not in AGGREGATES or not 2 <= given["sentences"] <= MAX_SENTENCES:
            raise ValueError("aggregate or sentences")
        interval = given["interval"]
        return HistoryLine(
            commit=str(given["commit"]),
            time=str(given["time"]),
            series=str(given["series"]),
            entry=read_entry(given, int(given["sentences"]), given["aggregate"]),
            score=float(given["score"]),
            interval=None if interval is None else Interval(*map(float, interval)),
            level=None if given["level"] is None else float(given["level"]),
            documents=_parse_documents(given.get("documents"), given["sentences"]),
        )
    except InputError as error:
        raise InputError(f"{wrong}: {error}; restore the file, or remove this line") from None
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        said = f"{type(error).__name__} {str(error)[:80]}"
        raise InputError(f"{wrong}: {said}; restore the file, or remove this line") from None


def _parse_documents(given: Any, sentences: int) -> tuple[int, ...] | None:
    """Where documents begin, every value checked."""
    if given is None:
        return None
    if not isinstance(given, list) or not all(type(start) is int for start in given):
        raise ValueError("documents")
    Resampling(documents=tuple(given)).check_documents(sentences)
    return tuple(given)


def _check_path(path: Path) -> None:
    """Refuse what can be no file, before anything is scored."""
    if path.is_dir():
        raise InputError(f"{path} is a folder; name a file")
    if not path.parent.is_dir():
        raise InputError(f"{path.parent} is no folder; make it first")


def _append_lines(path: Path, objects: Sequence[Mapping[str, Any]], torn: bytes) -> None:
    """Add lines in one go, while no other process does. ``torn`` is what a killed run left at the end."""
    text = "".join(f"{json.dumps(item, allow_nan=False)}\n" for item in objects)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(handle, "r+b") as file:
        end = file.seek(0, os.SEEK_END)
        if torn:
            with path.with_name(f"{path.name}.torn").open("ab") as aside:
                aside.write(torn + b"\n")
            end = file.truncate(end - len(torn))
            file.seek(end)
        elif end:
            file.seek(end - 1)
            if file.read(1) != b"\n":  # a whole line that lacks only its end
                text = f"\n{text}"
        file.write(text.encode("ascii"))
        file.flush()
        os.fsync(file.fileno())


# Which commit is this? What git says of the current folder.


COMMAND = ("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")
LIMIT_S = 20


def find_commit() -> str:
    """The commit of the current folder, with ``-dirty`` where files that git knows have changed since."""
    try:
        said = subprocess.run(COMMAND, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        said = None
    if said is None or said.returncode or not said.stdout.strip():
        raise InputError("git knows of no commit here; name the commit yourself", parameter="commit")
    return said.stdout.strip()
