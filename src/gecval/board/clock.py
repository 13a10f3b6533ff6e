"""Time on the board: seconds since 1970, UTC. Two databases and JSON all know a number."""

from __future__ import annotations

import time
from datetime import datetime, timezone

from gecval.errors import InputError

DAY = 86400.0
LAST_MOMENT = 253402300799.0  # the end of the year 9999: no later one can be written


read_clock = time.time  # tests set another


def now() -> float:
    return read_clock()


def start_of_day(moment: float) -> float:
    """Midnight UTC: limits per day count from here.

    >>> start_of_day(86400.0 * 3 + 5)
    259200.0
    """
    return moment - moment % DAY


def format_moment(moment: float | None) -> str:
    """A moment for people.

    >>> format_moment(0.0)
    '1970-01-01 00:00 UTC'
    """
    return "" if moment is None else datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%d %H:%M UTC")


def format_field(moment: float | None) -> str:
    """A moment as a field of a form has it, in UTC.

    >>> format_field(60.0)
    '1970-01-01T00:01'
    """
    return "" if moment is None else datetime.fromtimestamp(moment, timezone.utc).strftime("%Y-%m-%dT%H:%M")


def parse_moment(text: str, what: str) -> float | None:
    """A moment as forms and files write it, in UTC where no zone is named. An empty text is no moment.

    >>> parse_moment("1970-01-02T00:00", "the start"), parse_moment("", "the start")
    (86400.0, None)
    """
    if not text.strip():
        return None
    try:
        moment = datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
        seconds = (moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)).timestamp()
    except (ValueError, OverflowError):
        raise InputError(f"{what}: write a date such as 2026-05-31 or 2026-05-31T12:00") from None
    if not 0 <= seconds <= LAST_MOMENT:
        raise InputError(f"{what}: write a date from 1970 to 9999 (UTC)")
    return seconds
