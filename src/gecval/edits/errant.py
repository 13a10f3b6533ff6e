"""Typed edits between English texts, found by ERRANT (Bryant, Felice & Briscoe 2017).

    parse both texts → align their tokens → merge neighbours by rules → classify, as in R:VERB:SVA

The edits of two texts are kept in the cache under the versions of errant, spaCy and its model. A second run needs none
of these. ``alignment`` and ``merging`` are the ways that errant_parallel has as ``-lev`` and ``-merge``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import ClassVar

from gecval.edit import Edit
from gecval.edits.errant_rules import ALIGNMENTS, MERGING, USUAL, Way, errant_edits
from gecval.errors import InputError
from gecval.models.cache import open_cache
from gecval.models.spacy_parser import DEFAULT_MODEL, SpacyParser, installed_version
from gecval.processes import in_processes
from gecval.progress import Progress, announce, silent

Pair = tuple[str, str]

BLOCK = 256  # pairs; what an interrupt may cost
WORTH_PROCESSES = 2000  # pairs; below, loading spaCy once more takes longer than it saves


@dataclass(frozen=True)
class ErrantExtractor:
    """Edits by ERRANT with a spaCy model, by the name of its package or the path of its folder."""

    model: str = DEFAULT_MODEL
    alignment: str = USUAL.alignment
    merging: str = USUAL.merging

    language: ClassVar[str | None] = "en"

    def __post_init__(self) -> None:
        if not isinstance(self.model, str):
            raise InputError(f"errant: model must be a text in quotes, not {self.model!r}")
        for name, value, allowed in zip(Way._fields, self._way, (ALIGNMENTS, MERGING), strict=True):
            if value not in allowed:
                raise InputError(f"errant: {name} must be one of {', '.join(allowed)}, not {value!r}")

    @property
    def _way(self) -> Way:
        return Way(self.alignment, self.merging)

    @cached_property
    def signature(self) -> str:
        pairs = zip(Way._fields, self._way, USUAL, strict=True)
        unusual = "".join(f"|{name}:{value}" for name, value, usual in pairs if value != usual)
        return f"errant:{installed_version('errant')}{unusual}|{SpacyParser(self.model).signature}"

    def edits(self, pairs: Sequence[Pair], *, jobs: int = 1, progress: Progress = silent) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        cache = open_cache(f"edits-1|{self.signature}")
        keys = [_key(pair) for pair in pairs]
        # Sorted, all pairs of a source stand together, so one process parses it, once.
        changed = sorted({"\n".join(key) for key in keys if key[0] != key[1]})
        known = cache.answers(changed, lambda new: self._extracted(new, jobs, progress), progress=progress)
        return [_edits(known["\n".join(key)]) if key[0] != key[1] else () for key in keys]

    def _extracted(self, pairs: list[str], jobs: int, progress: Progress) -> Iterator[dict[str, str]]:
        """The edits of pairs as text; a pair is two lines. Several processes work where there are many pairs."""
        announce(progress, "finding edits with errant")
        blocks = [pairs[start : start + BLOCK] for start in range(0, len(pairs), BLOCK)]
        if jobs == 1 or len(pairs) < WORTH_PROCESSES:
            yield from (_extract(self.model, self._way, block) for block in blocks)
            return
        yield from in_processes(partial(_extract, self.model, self._way), blocks, jobs=jobs)


def _key(pair: Pair) -> Pair:
    """Blanks separate tokens and mean nothing else."""
    source, corrected = pair
    return " ".join(source.split()), " ".join(corrected.split())


def _extract(model: str, way: Way, pairs: list[str]) -> dict[str, str]:
    """The edits of pairs, as text."""
    parsed = SpacyParser(model).parse(text for pair in pairs for text in pair.split("\n"))
    texts = {}
    for pair in pairs:
        source, corrected = pair.split("\n")
        edits = errant_edits(parsed[source], parsed[corrected], way)
        texts[pair] = json.dumps([[e.start, e.end, e.correction, e.type] for e in edits], ensure_ascii=False)
    return texts


def _edits(value: str) -> tuple[Edit, ...]:
    return tuple(Edit(start, end, (correction,), type=kind) for start, end, correction, kind in json.loads(value))
