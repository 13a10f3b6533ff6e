"""Downloads: always text, never a page of ours. CSV cells that a spreadsheet would run get an apostrophe in front."""

from __future__ import annotations

import csv
import io
import re

from fastapi.responses import Response

from gecval.board import clock
from gecval.board.leaderboard import Leaderboard
from gecval.board.web.security import FILE_POLICY

COLUMNS = (
    *("system", "team", "decoy", "metric", "score", "low", "high", "level", "best_rank", "worst_rank"),
    *("cluster", "submitted", "signature"),
)
_RUN = ("=", "+", "-", "@", "\t", "\r", "\n")


def text_answer(content: bytes, name: str, media: str = "text/plain") -> Response:
    """A file to save. Whatever it holds, no browser shows it as HTML."""
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", name) or "file"
    return Response(
        content,
        media_type=f"{media}; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{safe}"', "Content-Security-Policy": FILE_POLICY},
    )


def guarded(text: str) -> str:
    """A text that no spreadsheet takes for a formula.

    >>> guarded("=1+1"), guarded("AMU")
    ("'=1+1", 'AMU')
    """
    return f"'{text}" if text.startswith(_RUN) else text


def csv_answer(board: Leaderboard, name: str) -> Response:
    """The leaderboard with all numbers that the viewer may see, one line for each system and metric."""
    file = io.StringIO(newline="")
    rows = csv.writer(file)
    rows.writerow(COLUMNS)
    for line in board.lines:
        for metric, cell in line.cells.items():
            score = cell.score
            rows.writerow(
                [
                    guarded(line.system),
                    guarded(line.team or ""),
                    guarded(line.decoy or ""),
                    guarded(metric),
                    repr(score.score),
                    *("" if value is None else repr(value) for value in (score.low, score.high, score.level)),
                    *(cell.ranks or ("", "")),
                    cell.cluster or "",
                    clock.written(line.created),
                    guarded(score.signature),
                ]
            )
    return text_answer(file.getvalue().encode(), name, "text/csv")
