"""Which metrics a benchmark may have. The board runs nobody's code and reads nobody's files: built-in names alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from gecval.errors import InputError, shortened
from gecval.metrics import Metric, metric, metric_names
from gecval.metrics.spelling import split_spellings

MOST, LONGEST = 12, 300
REFUSED = ("from-file", "llm-judge")  # one reads files of the server, the other calls other hosts in its name
_FILE = re.compile(r"""\.[a-z]\w*["']""", re.IGNORECASE)  # a text that ends like the name of a file
EDITS = (None, "plain", "errant")


@lru_cache(maxsize=1000)
def board_metric(spelling: str) -> Metric:
    """The metric, refused where its spelling names a module, a path, or a metric that reads files."""
    text = shortened(spelling, 60)
    if len(spelling) > LONGEST:
        raise InputError(f"the metric {text!r} is spelled with more than {LONGEST} letters")
    if any(sign in spelling for sign in ":/\\") or _FILE.search(spelling):
        raise InputError(f"the metric {text!r} is not for a board: it names a module or a file")
    if any(name in spelling.lower() for name in REFUSED):
        raise InputError(f"{' and '.join(REFUSED)} are not for a board")
    return metric(spelling)


def board_metrics(text: str | Sequence[str]) -> list[str]:
    """The canonical spellings of metrics in a text, separated by commas or lines, each once."""
    lines = text.replace("\n", ",") if isinstance(text, str) else ",".join(text)
    spellings = [spelling for spelling in split_spellings(lines) if spelling]
    if not spellings:
        raise InputError("a benchmark needs a metric", parameter="metrics")
    if len(spellings) > MOST:
        raise InputError(f"a benchmark has at most {MOST} metrics", parameter="metrics")
    listed = [repr(board_metric(spelling)) for spelling in spellings]
    for name in listed:
        if listed.count(name) > 1:
            raise InputError(f"the metric {name} is asked for twice", parameter="metrics")
    return listed


def board_edits(name: str | None) -> str | None:
    chosen = name or None
    if chosen not in EDITS:
        raise InputError("edits are found by plain or errant", parameter="edits")
    return chosen


def choosable() -> list[str]:
    """The names of metrics that a form offers."""
    return [name for name in metric_names() if name not in REFUSED]
