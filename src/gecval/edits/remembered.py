"""An extractor that remembers: for studies that ask about the same pairs of texts again and again.

Memory has a limit. When it is reached, what is remembered stays, and other pairs are extracted each time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gecval.corpus import Corpus, System
from gecval.edit import Edit
from gecval.edits.extractors import Extractor, extract, full_signature
from gecval.progress import Progress, silent

LIMIT = 500_000  # pairs and different edits; some 250 bytes each


class Remembered:
    """An extractor with all that it has. It is asked about a pair of texts once.

    >>> from gecval.edits.extractors import extractor
    >>> Remembered(extractor("plain")).edits([("a b", "a c")])
    [(Edit(start=1, end=2, corrections=('c',), type='R', required=True),)]
    """

    def __init__(self, extractor: Extractor, *, limit: int = LIMIT) -> None:
        self._extractor = extractor
        self._known: dict[tuple[str, str], tuple[Edit, ...]] = {}
        self._edits: dict[Edit, Edit] = {}  # an edit is in many pairs, and in memory once
        self._room = limit

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # a copy is asked for these before it has an extractor
            raise AttributeError(name)
        return getattr(self._extractor, name)

    @property
    def signature(self) -> str:
        return self._extractor.signature

    @property
    def language(self) -> str | None:
        return self._extractor.language

    def edits(
        self, pairs: Sequence[tuple[str, str]], *, jobs: int = 1, progress: Progress = silent
    ) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""
        new = list(dict.fromkeys(pair for pair in pairs if pair not in self._known))
        said = extract(self._extractor, new, jobs=jobs, progress=progress) if new else []
        answers = {pair: tuple(listed) for pair, listed in zip(new, said, strict=True)}
        edits = [answers[pair] if pair in answers else self._known[pair] for pair in pairs]
        self.keep(answers)
        return edits

    def keep(self, answers: Mapping[tuple[str, str], tuple[Edit, ...]]) -> None:
        """Remember what the extractor said."""
        for pair, listed in answers.items():
            if pair in self._known:
                continue
            edits = tuple(listed)
            try:
                new = sum(edit not in self._edits for edit in edits)
            except TypeError:  # an edit with a list in it has no hash: the extractor is asked again
                continue
            self._room -= 1 + new
            if self._room < 0:
                break
            self._known[pair] = tuple(self._edits.setdefault(edit, edit) for edit in edits)


class Finders:
    """The extractors that the metrics of a corpus ask, with what they said: several ask for the same edits."""

    def __init__(self, corpus: Corpus) -> None:
        self._sources = corpus.sources
        self._finders: dict[tuple[type[Extractor], str], Remembered] = {}

    def remembered(self, extractor: Extractor) -> Remembered:
        """This extractor, or the same one that was asked before.

        Whoever works on an extractor defines it anew, under its old signature. So its class must be the same too. The
        full signature has the language, whose rules may give edits other types.
        """
        return self._finders.setdefault((type(extractor), full_signature(extractor)), Remembered(extractor))

    def edits(self, extractor: Extractor, system: System, *, jobs: int = 1) -> list[tuple[Edit, ...]]:
        """The edits that lead from each source to the system's text."""
        pairs = list(zip(self._sources, system.hypotheses, strict=True))
        return self.remembered(extractor).edits(pairs, jobs=jobs)
