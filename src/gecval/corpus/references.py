"""References: objects, or columns where there are millions of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain
from operator import eq
from typing import TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from gecval._native import count_overlapping, print_edits
from gecval.corpus.edit import Edit

Item = TypeVar("Item")
Value = TypeVar("Value", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Reference:
    """One annotator's correction of one sentence: its text, its edits, or both."""

    text: str | None = None
    edits: tuple[Edit, ...] | None = None
    annotator: str = "0"

    def __post_init__(self) -> None:
        if isinstance(self.text, str):
            object.__setattr__(self, "text", as_line(self.text))


def as_line(text: str) -> str:
    """A text as a line of a file would hold it: line feeds become blanks, and blanks at both ends go.

    >>> as_line(" He go\\nhome . ")
    'He go home .'
    """
    return text.replace("\n", " ").strip()


class MadeOnDemand(Sequence[Item]):
    """A sequence that makes an item whenever it is asked for. It equals any sequence of equal items."""

    @abstractmethod
    def make(self, i: int) -> Item: ...

    @overload
    def __getitem__(self, index: int) -> Item: ...
    @overload
    def __getitem__(self, index: slice) -> list[Item]: ...
    def __getitem__(self, index: int | slice) -> Item | list[Item]:
        chosen = range(len(self))[index]
        return self.make(chosen) if isinstance(chosen, int) else [self.make(i) for i in chosen]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]  # as a list


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ReferenceTable(MadeOnDemand[list[Reference]]):
    """References that are edits alone, as columns.

    Sentence *i* has the references ``slots[i]`` to ``slots[i + 1]``. Reference *r* is by ``names[annotators[r]]`` and
    has rows ``spans[r, 0]`` to ``spans[r, 1]`` of the edits. A row is start, end, a place in ``corrections``, one in
    ``types``, and 1 where the edit is required.
    """

    slots: NDArray[np.int64]
    spans: NDArray[np.int64]
    annotators: NDArray[np.int32]
    edits: NDArray[np.int32]
    corrections: Sequence[tuple[str, ...]]
    types: Sequence[str]
    names: Sequence[str]
    sources: Sequence[str] | None = None  # those for which the edits are known to be in range

    @classmethod
    def of(cls, references: Sequence[Sequence[Reference]]) -> ReferenceTable:
        """The edits of references that are objects. A reference that is only text has none.

        In studies many sentences share one list of references: its edits stand in the table once.
        """
        references = list(references)  # where lists are made on demand, these are kept, and so are their identities
        different = {id(of_sentence): of_sentence for of_sentence in references}
        listed = list(chain.from_iterable(different.values()))
        edits = [edit for reference in listed for edit in reference.edits or ()]
        ends = offsets_of(len(reference.edits or ()) for reference in listed)
        corrections, entries = _number_values(tuple(edit.corrections) for edit in edits)
        types, kinds = _number_values(edit.type for edit in edits)
        names, annotators = _number_values(reference.annotator for reference in listed)
        starts, stops = [edit.start for edit in edits], [edit.end for edit in edits]
        columns = [starts, stops, entries, kinds, [edit.required for edit in edits]]
        first = dict(zip(different, offsets_of(map(len, different.values())).tolist(), strict=False))
        slots = offsets_of(map(len, references))
        shift = np.array([first[id(of_sentence)] for of_sentence in references], dtype=np.int64) - slots[:-1]
        places = np.arange(slots[-1]) + np.repeat(shift, np.diff(slots))
        return cls(
            slots=slots,
            spans=np.stack([ends[:-1], ends[1:]], axis=1)[places],
            annotators=np.array(annotators, dtype=np.int32)[places],
            edits=np.ascontiguousarray(np.array(columns, dtype=np.int32).T),
            corrections=corrections,
            types=types,
            names=names,
        )

    def __len__(self) -> int:
        return len(self.slots) - 1

    def take(self, places: NDArray[np.int64], sources: Sequence[str]) -> ReferenceTable:
        """The references of these sentences, whose sources these are."""
        counts = np.diff(self.slots)[places]
        slots = offsets_of(counts)
        rows = np.arange(slots[-1]) + np.repeat(self.slots[:-1][places] - slots[:-1], counts)
        known = sources if self.sources is not None else None
        return replace(self, slots=slots, spans=self.spans[rows], annotators=self.annotators[rows], sources=known)

    def __repr__(self) -> str:
        return f"<ReferenceTable of {len(self)} sentences>"

    def make(self, i: int) -> list[Reference]:
        mine = slice(self.slots[i], self.slots[i + 1])
        return [
            Reference(edits=self._edits(begin, end), annotator=self.names[who])
            for (begin, end), who in zip(self.spans[mine].tolist(), self.annotators[mine].tolist(), strict=True)
        ]

    def _edits(self, begin: int, end: int) -> tuple[Edit, ...]:
        return tuple(
            Edit(start, stop, self.corrections[entry], type=self.types[kind], required=bool(required))
            for start, stop, entry, kind, required in self.edits[begin:end].tolist()
        )

    def print(self, write: Callable[[bytes], object]) -> None:
        """Lines ``sentence<TAB>edits``, where the edits are what Python prints of a tuple of them."""
        corrections, types = list(map(repr, self.corrections)), list(map(repr, self.types))
        print_edits(write, self.slots, self.spans, self.edits, corrections, types)

    def count_overlapping(self) -> int:
        """How many references have edits that cannot both apply."""
        return count_overlapping(self.spans, self.edits)


def offsets_of(lengths: Iterable[int]) -> NDArray[np.int64]:
    """Where each part of a ragged array starts, and its end.

    >>> offsets_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    return np.fromiter(accumulate(lengths, initial=0), dtype=np.int64)


def _number_values(values: Iterable[Value]) -> tuple[list[Value], list[int]]:
    """The different values, and for each value its place among them."""
    places: dict[Value, int] = {}
    numbers = [places.setdefault(value, len(places)) for value in values]
    return list(places), numbers
