"""Which metrics a benchmark may have. The board runs nobody's code and reads nobody's files: built-in names alone.

One kind of file is allowed: a model of ``lfm`` that the organiser puts into the board's folder.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf

from gecval.edits.extractors import Extractor, M2Extractor
from gecval.errors import InputError, shorten
from gecval.formats.files import exists
from gecval.metrics import Metric, metric, metric_names
from gecval.runtime.plugins import split_spellings

MAX_METRICS, MAX_SPELLING = 12, 300
REFUSED = ("from-file", "llm-judge")  # one reads files of the server, the other calls other hosts in its name
_FILE = re.compile(r"""\.[a-z]\w*["']""", re.IGNORECASE)  # a text that ends like the name of a file
# Types of errors have colons too, and so have their prices: ignore=('R:SPELL',), weights={'R:SPELL': 2}.
_TYPE = re.compile(r"""(["'])[A-Z]+(?::[A-Z]+)*\1(?:\s*:(?=\s*[0-9.]))?""")
_MODEL = re.compile(r"""\blfm\(\s*(?:model\s*=\s*)?(["'])[\w-]+\.json\1\s*\)""")  # a file without a folder
EDITS = (None, "plain", "errant")


@lru_cache(maxsize=1000)
def board_metric(spelling: str) -> Metric:
    """The metric, refused where its spelling names a module, a path, or a metric that reads files."""
    text = shorten(spelling, 60)
    if len(spelling) > MAX_SPELLING:
        raise InputError(f"the metric {text!r} is spelled with more than {MAX_SPELLING} letters")
    rest = _MODEL.sub("", _TYPE.sub("", spelling))
    if any(sign in rest for sign in ":/\\") or _FILE.search(rest):
        raise InputError(f"the metric {text!r} is not for a board: it names a module or a file")
    if any(name in spelling.lower() for name in REFUSED):
        raise InputError(f"{' and '.join(REFUSED)} are not for a board")
    made = metric(spelling)
    if _reads_files(made):
        raise InputError(f"the metric {text!r} is not for a board: it reads files or calls other hosts")
    return made


def _reads_files(made: Metric) -> bool:
    """Whether a metric, or one that it is made of, names a file of the server or is refused, however it is spelled."""
    if made.name in REFUSED or made.reads_files:
        return True
    values = [getattr(made, field.name) for field in made.parameter_fields()]
    if any(isinstance(value, str) and ":" in value for value in values) or _extractor_reads_files(made.extractor):
        return True
    return any(map(_reads_files, made.components))


def _extractor_reads_files(finder: Extractor | None) -> bool:
    """Whether it takes edits, dictionaries or a model from a folder. One in the current folder has a name like any."""
    if isinstance(finder, M2Extractor):
        return True
    return bool(getattr(finder, "resources", "")) or exists(getattr(finder, "model", ""), "meta.json")


def board_metrics(text: str | Sequence[str]) -> list[str]:
    """The canonical spellings of metrics in a text, separated by commas or lines, each once."""
    lines = text.replace("\n", ",") if isinstance(text, str) else ",".join(text)
    spellings = [spelling for spelling in split_spellings(lines) if spelling]
    if not spellings:
        raise InputError("a benchmark needs a metric", parameter="metrics")
    if len(spellings) > MAX_METRICS:
        raise InputError(f"a benchmark has at most {MAX_METRICS} metrics", parameter="metrics")
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


@dataclass(frozen=True)
class MetricText:
    """A metric in a sentence, for people who see its column."""

    spelling: str
    what: str
    scale: str
    higher_is_better: bool


def explain_metric(spelling: str) -> MetricText:
    """What a metric says, on what scale, and which way is better.

    >>> explain_metric("imeasure").scale, explain_metric("ld").scale
    ('From −1 to 1.', 'At most 1.')
    """
    made = board_metric(spelling)
    scale = {(-inf, inf): "Any number.", (1.0, inf): "From 1 up.", (-inf, 1.0): "At most 1."}.get(
        made.scale, "From {:g} to {:g}.".format(*made.scale).replace("-", "−")
    )
    return MetricText(spelling, made.summary, scale, made.higher_is_better)


def list_metrics() -> list[str]:
    """The names of metrics that a form offers."""
    return [name for name in metric_names() if name not in REFUSED]
