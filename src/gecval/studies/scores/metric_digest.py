"""A metric in the signature of a checkpoint: by everything that decides its scores, as these must not be mixed.

in full    parameters, versions of models and of what finds edits
files      that parameters name, such as scores that were made elsewhere
code       of a metric of the user's own
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from glob import escape, glob
from hashlib import sha256
from inspect import getsource
from pathlib import Path
from typing import Any

from gecval.corpus import Corpus
from gecval.edits.extractors import choose_extractor, full_signature
from gecval.errors import InputError
from gecval.metrics.base import Metric
from gecval.metrics.from_file import PLACE
from gecval.results.checkpoint import digest
from gecval.studies.scores.preparation import Edits, needs_extractor, resolve_extractor

LARGEST = 2**26  # bytes; larger files are models, which sign for themselves


def metric_signature(metric: Metric) -> str:
    """The metric's name, and a hash of all that decides its scores.

    >>> from gecval.metrics import metric
    >>> metric_signature(metric("gleu")).rpartition(":")[0]
    'metric:gleu'
    """
    return f"metric:{metric!r}:{digest(_decisive(metric))}"


def finder_signature(corpus: Corpus, metrics: Sequence[Metric], extractor: Edits) -> list[str]:
    """What finds the edits that references lack, if anything: also where nobody was named."""
    finder = resolve_extractor(extractor)
    if finder is None and any(map(needs_extractor, metrics)) and not corpus.has_edits():
        finder = choose_extractor(corpus).extractor
    return [finder.signature] if finder else []


def _decisive(metric: Metric) -> Iterator[str]:
    try:
        yield metric.spell_in_full()
        yield full_signature(metric.extractor) if metric.extractor else ""
    except InputError:  # what it lacks it says itself, when it is asked for scores
        yield ""
    yield _code(type(metric))
    for field in metric.parameter_fields():
        value = getattr(metric, field.name)
        for part in value if isinstance(value, tuple | list) else [value]:
            if isinstance(part, Metric):
                yield from _decisive(part)
            elif isinstance(part, str):
                yield from _files(part)
            elif callable(part):
                yield _code(part)


def _files(name: str) -> Iterator[str]:
    """Hashes of the file of this name, or of the files in the folder. ``{system}`` stands for any."""
    named = sorted(glob(escape(name).replace(PLACE, "*")))  # noqa: PTH207 - Path.glob takes no absolute pattern
    for path in map(Path, named):
        with suppress(OSError):  # the metric itself will say so
            for file in sorted(path.iterdir()) if path.is_dir() else [path]:
                if file.is_file() and file.stat().st_size <= LARGEST:
                    yield f"{file.name}:{sha256(file.read_bytes()).hexdigest()}"


def _code(owner: Any) -> str:
    """A hash of the module of a class or function; of its own lines, in a script; nothing for gecval's own."""
    module = getattr(owner, "__module__", None) or ""
    if module.partition(".")[0] == "gecval":
        return ""
    try:
        if module == "__main__":
            return sha256(getsource(owner).encode()).hexdigest()
        return sha256(Path(str(getattr(sys.modules.get(module), "__file__", ""))).read_bytes()).hexdigest()
    except (OSError, TypeError):
        return ""
