"""What a viewer is shown of a score. Scores on hidden references are rounded, and lose all that tells of them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gecval.board import decoys
from gecval.board.access import Viewer, sees_scores_of
from gecval.board.database.models import Submission, SystemScore, Version
from gecval.board.errors import NotFoundError
from gecval.board.metrics import board_metric
from gecval.stats import Resampling
from gecval.studies.overview.commands import commands

HIDDEN = "references:hidden"


@dataclass(frozen=True, kw_only=True)
class ShownScore:
    """A score as it stands on a page or in JSON. ``command`` gives it again on any machine with the files."""

    metric: str
    score: float
    low: float | None
    high: float | None
    level: float | None
    parts: dict[str, Any]
    higher_is_better: bool
    signature: str
    command: str | None
    notes: tuple[str, ...]
    created: float


def reveals(viewer: Viewer, version: Version) -> bool:
    """Whether a viewer may see all about the scores of a version."""
    return viewer.organiser or not version.hidden


def shown(viewer: Viewer, version: Version, submission: Submission, row: SystemScore) -> ShownScore:
    if not sees_scores_of(viewer, submission, version.id):  # whoever asks should know; this is the last gate
        raise NotFoundError("there is no such score")
    open_ = reveals(viewer, version)

    def number(value: float) -> float:
        return value if open_ else round(value, version.digits)

    return ShownScore(
        metric=row.metric,
        score=number(row.score),
        low=None if row.low is None else number(row.low),
        high=None if row.high is None else number(row.high),
        level=row.level,
        parts=dict(row.parts) if open_ else {},
        higher_is_better=row.higher_is_better,
        signature=row.signature if open_ else re.sub(r"references:[^|]*", HIDDEN, row.signature),
        command=command(version, submission, row.metric) if open_ else None,
        notes=tuple(row.notes) if open_ else (),
        created=row.created,
    )


def command(version: Version, submission: Submission, metric: str) -> str | None:
    """The line that gives a score again, with the names under which the files can be downloaded."""
    if submission.system.name == decoys.REFERENCE:
        return None  # it is scored on fewer references than there are files of
    [line] = commands(
        " ".join(map(shlex.quote, inputs(version, [submission.file_name]))),
        [board_metric(metric)],
        Resampling(),
        aggregate=version.aggregate,  # type: ignore[arg-type]
        judging=judging(version),
        pairs=False,
        references=0,
    )[:1]
    return line


def inputs(version: Version, outputs: Sequence[str]) -> list[str]:
    """What names the files on the command line."""
    words = [*outputs, *(["-s", version.source_name] if version.source_name else [])]
    for reference in version.references:
        words += ["-r", reference.name]
    return words


def judging(version: Version) -> str:
    """The options that say how texts are judged."""
    options = [f"--missing-annotator {version.missing}"] if version.missing != "absent" else []
    options += [f"--lang {shlex.quote(version.language)}"] if version.language else []
    options += [f"--tokenize {version.tokenize}"] if version.tokenize else []
    options += [f"--edits {version.edits}"] if version.edits else []
    return " ".join(options)
