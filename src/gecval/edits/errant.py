"""Typed edits between English texts, found by ERRANT (Bryant, Felice & Briscoe 2017).

    parse both texts → align their tokens → merge neighbours by rules → classify, as in R:VERB:SVA

What was found for two texts is kept in the cache under the versions of errant, spaCy and its model, so that a second
run needs none of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

from gecval.edits.edit import Edit
from gecval.edits.errant_rules import errant_edits
from gecval.models.cache import open_cache
from gecval.models.spacy_parser import DEFAULT_MODEL, SpacyParser, installed_version
from gecval.progress import Progress, announce, silent

Pair = tuple[str, str]

BLOCK = 256  # pairs; what an interrupt may cost
WORTH_PROCESSES = 2000  # pairs; below, loading spaCy once more takes longer than it saves


@dataclass(frozen=True)
class ErrantExtractor:
    """Edits by ERRANT with a spaCy model, by the name of its package or the path of its folder."""

    model: str = DEFAULT_MODEL

    @cached_property
    def signature(self) -> str:
        return f"errant:{installed_version('errant')}|{SpacyParser(self.model).signature}"

    def edits(self, pairs: Sequence[Pair], *, jobs: int = 1, progress: Progress = silent) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        cache = open_cache(f"edits-1|{self.signature}")
        keys = [_key(pair) for pair in pairs]
        # Sorted, the pairs of a source stand together, and it is parsed in one place only.
        changed = sorted({key for key in keys if key[0] != key[1]})
        known = cache.get_many(map("\n".join, changed))
        new = [key for key in changed if "\n".join(key) not in known]
        done = len(changed) - len(new)
        if new:
            announce(progress, "finding edits with errant")
        for block, found in self._extracted(new, jobs):
            values = dict(zip(map("\n".join, block), found, strict=True))
            cache.put_many(values)
            known |= values
            done += len(block)
            progress(done, len(changed))
        return [_edits(known["\n".join(key)]) if key[0] != key[1] else () for key in keys]

    def _extracted(self, pairs: list[Pair], jobs: int) -> Iterator[tuple[list[Pair], list[str]]]:
        """Blocks of pairs and their edits as text, from several processes where there are enough pairs."""
        blocks = [pairs[start : start + BLOCK] for start in range(0, len(pairs), BLOCK)]
        if jobs == 1 or len(pairs) < WORTH_PROCESSES:
            yield from ((block, _extract(self.model, block)) for block in blocks)
            return
        joblib = import_module("joblib")
        parallel = joblib.Parallel(n_jobs=jobs, return_as="generator")
        yield from zip(blocks, parallel(joblib.delayed(_extract)(self.model, block) for block in blocks), strict=True)


def _key(pair: Pair) -> Pair:
    """Blanks separate tokens and mean nothing else."""
    source, corrected = pair
    return " ".join(source.split()), " ".join(corrected.split())


def _extract(model: str, pairs: list[Pair]) -> list[str]:
    """The edits of each pair, as text."""
    parsed = SpacyParser(model).parse(text for pair in pairs for text in pair)
    return [
        json.dumps(
            [[e.start, e.end, e.correction, e.type] for e in errant_edits(parsed[source], parsed[corrected])],
            ensure_ascii=False,
        )
        for source, corrected in pairs
    ]


def _edits(value: str) -> tuple[Edit, ...]:
    return tuple(Edit(start, end, (correction,), kind) for start, end, correction, kind in json.loads(value))
