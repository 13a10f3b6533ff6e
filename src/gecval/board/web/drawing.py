"""Where the interval bars of a leaderboard begin and end, in percent of the width that all of them share."""

from __future__ import annotations

from dataclasses import dataclass

from gecval.board.leaderboard import Leaderboard


@dataclass(frozen=True)
class Bar:
    start: float
    width: float
    point: float


def bars(board: Leaderboard) -> dict[str, Bar]:
    """A bar for every line that has a score under the metric that the leaderboard is sorted by."""
    scores = {line.submission_id: cell.score for line in board.lines if (cell := line.cells.get(board.sort))}
    ends = [end for score in scores.values() for end in (score.low, score.high, score.score) if end is not None]
    if not ends or max(ends) == min(ends):
        return {}
    low, span = min(ends), max(ends) - min(ends)

    def place(value: float) -> float:
        return round(2 + 96 * (value - low) / span, 2)

    return {
        key: Bar(
            start=place(score.score if score.low is None else score.low),
            width=round(0 if score.low is None or score.high is None else place(score.high) - place(score.low), 2),
            point=place(score.score),
        )
        for key, score in scores.items()
    }
