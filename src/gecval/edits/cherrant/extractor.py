"""Edits between Chinese texts at the level of characters, found as ChERRANT does (Zhang & al. 2022).

    cut into characters → all cheapest alignments → merge neighbours → W, R, M or S

Several alignments may be equally cheap. ``alignments`` says what becomes of them:

    pooled   the edits of all, an edit of n alignments n times: ChERRANT's own scores, as published
    first    those of the first alignment
    best     every alignment of a reference is a reference of its own; a hypothesis has its first alignment

Corrected texts are turned into simplified characters, sources are not. So a traditional character of the source is an
edit. Two texts are words of command: ``没有错误`` (no error) and ``无法标注`` (cannot be annotated).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import ClassVar

from gecval.corpus.edit import Edit
from gecval.edits.cherrant.characters import character_tokens, load_characters, simplify, versions
from gecval.edits.cherrant.merging import MOST_WAYS, TYPES, cheapest_alignments, merge_steps
from gecval.errors import InputError
from gecval.models.cache import open_cache
from gecval.runtime.processes import in_processes
from gecval.runtime.run import SERIAL, Run, announce, silent

Pair = tuple[str, str]

ALIGNMENTS = ("pooled", "first", "best")
NO_ERROR, NOT_ANNOTATED = "没有错误", "无法标注"
NOT_AN_EDIT = Edit(0, 0, ("",), type="NA")  # what stands for a sentence that cannot be annotated
BLOCK = 256  # pairs; what an interrupt may cost
WORTH_PROCESSES = 2000  # pairs; below, starting processes takes longer than it saves


@dataclass(frozen=True)
class CherrantExtractor:
    """Edits by ChERRANT's rules, with its dictionaries where ``resources`` names their folder."""

    alignments: str = "pooled"
    resources: str = ""

    language: ClassVar[str | None] = "zh"
    types: ClassVar[tuple[str, ...]] = ("M", "R", "S", "W", "NA")

    def __post_init__(self) -> None:
        if self.alignments not in ALIGNMENTS:
            raise InputError(f"cherrant: alignments must be one of {', '.join(ALIGNMENTS)}, not {self.alignments!r}")
        if not isinstance(self.resources, str):
            raise InputError(f"cherrant: resources must be a text in quotes, not {self.resources!r}")

    @property
    def signature(self) -> str:
        return f"{self._rules}|alignments:{self.alignments}"

    @property
    def _rules(self) -> str:
        return f"cherrant|{versions()}|dictionaries:{load_characters(self.resources).hash}"

    def tokens(self, text: str) -> list[str]:
        """The tokens that its edits count."""
        return character_tokens(text)

    def edits(self, pairs: Sequence[Pair], *, run: Run = SERIAL) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        listed = self._alignments(pairs, run=run)
        if self.alignments == "pooled":
            return [tuple(chain.from_iterable(alignments)) for alignments, _ in listed]
        return [alignments[0] for alignments, _ in listed]

    def alternatives(self, pairs: Sequence[Pair], *, run: Run = SERIAL) -> list[list[tuple[Edit, ...]]]:
        """What references a pair gives: several, where every alignment is one of its own."""
        if self.alignments == "best":
            return [alignments for alignments, _ in self._alignments(pairs, run=run)]
        return [[edits] for edits in self.edits(pairs, run=run)]

    def notes(self, pairs: Sequence[Pair]) -> tuple[str, ...]:
        """What a user should know of these pairs."""
        more = sum(more for _, more in self._alignments(pairs, run=Run(jobs=1, progress=silent)))
        traditional = sum(simplify(source) != source for source in {source for source, _ in pairs})
        notes = []
        if more and self.alignments != "first":
            notes.append(
                f"cherrant: {more} pairs are very long or have over {MOST_WAYS} equally cheap alignments; the others "
                "are left out"
            )
        if traditional:
            notes.append(
                f"cherrant: {traditional} sources have traditional characters; corrections are simplified, as ChERRANT "
                "does it, so each such character is an edit"
            )
        return tuple(notes)

    def _alignments(self, pairs: Sequence[Pair], *, run: Run) -> list[tuple[list[tuple[Edit, ...]], bool]]:
        """The edits of all alignments of each pair, and whether some were left out."""
        keys = [f"{''.join(source.split())}\n{''.join(corrected.split())}" for source, corrected in pairs]
        cache = open_cache(f"cherrant-1|{self._rules}")
        known = cache.answers(sorted(set(keys)), lambda new: self._extract_batches(new, run), run=run)
        return [_decode(known[key]) for key in keys]

    def _extract_batches(self, pairs: list[str], run: Run) -> Iterator[dict[str, str]]:
        announce(run.progress, "finding edits with cherrant")
        blocks = [pairs[start : start + BLOCK] for start in range(0, len(pairs), BLOCK)]
        extract = partial(_extract, self.resources)
        if run.threads == 1 or len(pairs) < WORTH_PROCESSES:
            yield from map(extract, blocks)
            return
        yield from in_processes(extract, blocks, jobs=run.threads)


def cherrant_alignments(source: str, corrected: str, resources: str = "") -> tuple[list[tuple[Edit, ...]], bool]:
    """The edits of every cheapest alignment of two texts, distinct ones only, and whether more were left out.

    >>> [edits], _ = cherrant_alignments("他明天昨天去。", "他昨天去了。")
    >>> for edit in edits:
    ...     print(edit.start, edit.end, edit.correction, edit.type)
    1 3  R
    6 6 了 M
    """
    if corrected in (NO_ERROR, NOT_ANNOTATED):
        return [(NOT_AN_EDIT,) if corrected == NOT_ANNOTATED else ()], False
    tokens, others = character_tokens(source), character_tokens(simplify(corrected))
    ways, more = cheapest_alignments(tokens, others, load_characters(resources).substitution)
    listed = dict.fromkeys(tuple(merge_steps(way, tokens, others)) for way in ways)
    return [
        tuple(
            Edit(
                step.start,
                step.end,
                (" ".join(others[step.start_corrected : step.end_corrected]),),
                type=TYPES[step.operation[0]],
            )
            for step in steps
        )
        for steps in listed
    ], more


def _extract(resources: str, pairs: list[str]) -> dict[str, str]:
    """The edits of pairs, as text."""
    texts = {}
    for pair in pairs:
        source, corrected = pair.split("\n")
        listed, more = cherrant_alignments(source, corrected, resources)
        rows = [[[e.start, e.end, e.correction, e.type] for e in edits] for edits in listed]
        texts[pair] = json.dumps([rows, more], ensure_ascii=False)
    return texts


def _decode(value: str) -> tuple[list[tuple[Edit, ...]], bool]:
    listed, more = json.loads(value)
    return [
        tuple(Edit(start, end, (correction,), type=kind) for start, end, correction, kind in edits) for edits in listed
    ], more
