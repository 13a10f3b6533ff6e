"""The corpora that files at hand can be: any of the reference files together, and every meaning of a missing line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import combinations
from pathlib import Path

from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.formats import MISSING, Missing, load_corpus
from gecval.formats.kinds import kind_of
from gecval.studies.difference.settings import Corpora

MOST_FILES = 6


def corpora_at_hand(
    source: Path | None, references: Sequence[Path], *, jobs: int | None = None
) -> dict[str, Callable[[], Corpus]]:
    """Corpora by name: all files first, then fewer. Each is read when it is asked for."""
    if len(references) > MOST_FILES:
        raise InputError(f"give up to {MOST_FILES} files of references, not {len(references)}", parameter="references")
    if len(set(references)) < len(references):
        raise InputError("a file of references is given twice", parameter="references")
    sizes = range(len(references), 0, -1) if references else [0]
    unique = len({path.name for path in references}) == len(references)
    made: dict[str, Callable[[], Corpus]] = {}
    for size in sizes:
        for files in combinations(references, size):
            meanings = MISSING if any(kind_of(path) == "m2" for path in files) else ("absent",)
            for missing in meanings:
                name = " + ".join(path.name if unique else str(path) for path in files) or (
                    source.name if source else ""
                )
                name += f" (missing annotators: {missing})" if missing != "absent" else ""
                made[name] = cache(partial(_load, source, files, missing, jobs=jobs))
    return made


def first_corpus(corpora: Corpora) -> Corpus:
    """The first that can be loaded: files of other sentences do not go together, and some need no meaning."""
    errors: list[InputError] = []
    for load in corpora.values():
        try:
            return load()
        except InputError as error:
            errors.append(error)
    raise errors[0]


def _load(source: Path | None, files: tuple[Path, ...], missing: Missing, *, jobs: int | None) -> Corpus:
    return load_corpus(source, files, missing=missing, jobs=jobs)
