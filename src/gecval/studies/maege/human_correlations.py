"""How metrics correlate with people, from the JSON that ``gecval human`` writes: to set MAEGE beside it."""

from __future__ import annotations

import json
from pathlib import Path

from gecval.errors import InputError
from gecval.formats.files import read_lines


def read_human_correlations(path: Path) -> dict[str, float]:
    """Spearman's ρ of each metric that has one, under the first ranking in the file."""
    try:
        listed = json.loads("\n".join(read_lines(path)))["correlations"]
        by_metric = {item["metric"]: item["spearman"]["value"] for item in reversed(listed)}
        correlations = {str(metric): float(value) for metric, value in by_metric.items() if value is not None}
        if not all(-1 <= value <= 1 for value in correlations.values()):
            raise ValueError("no correlation")
        return correlations
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"{path} is not what `gecval human --format json` writes with metrics; run that first", parameter="human"
        ) from None
