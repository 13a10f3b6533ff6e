"""The rows of a batch that can be scored, and what is wrong with each of the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gecval.errors import InputError
from gecval.formats.pairs.tables import Batch, is_unicode, length_of, names_of, values_of

ROLES = ("source", "hypothesis", "references")
USUAL_REFERENCES = ("references", "reference")


@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which columns hold what. References are a column of texts, one of lists of texts, or several columns.

    Where no column is named for references, it is ``references`` or ``reference``, whichever a batch has.

    >>> Columns.given({"hypothesis": "output", "references": ["ref0", "ref1"]})
    Columns(source='source', hypothesis='output', references=('ref0', 'ref1'))
    """

    source: str = "source"
    hypothesis: str = "hypothesis"
    references: tuple[str, ...] = ()

    @classmethod
    def given(cls, columns: Mapping[str, str | Sequence[str]] | None) -> Columns:
        """From what a user says of some of them."""
        named = dict(columns or {})
        for role, name in named.items():
            if role not in ROLES:
                raise InputError(f"there is no {role!r} in a row; there are {', '.join(ROLES)}", parameter="columns")
            several = role == "references" and not isinstance(name, str)
            if not all(isinstance(text, str) and text for text in (name if several else [name])):
                raise InputError(f"the column of {role} is a name, not {name!r}", parameter="columns")
        references = named.pop("references", ())
        listed = (references,) if isinstance(references, str) else tuple(references)
        return cls(references=listed, **{role: str(name) for role, name in named.items()})

    def references_in(self, names: Sequence[str]) -> tuple[str, ...]:
        """The columns of references in a batch with these columns."""
        return self.references or tuple(name for name in USUAL_REFERENCES if name in names)[:1]


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Texts of the rows that can be scored. ``places`` are their numbers in the batch, from 0.

    ``wrong`` says what the matter is with each other row.
    """

    count: int
    places: list[int] = field(default_factory=list)
    sources: list[str] = field(default_factory=list)
    hypotheses: list[str] = field(default_factory=list)
    references: list[list[str]] = field(default_factory=list)
    wrong: dict[int, str] = field(default_factory=dict)


def read_rows(batch: Batch, columns: Columns, *, with_references: bool) -> Rows:
    """The rows of a batch. A row needs a reference where ``with_references`` says so."""
    names = names_of(batch)
    of_references = columns.references_in(names)
    wanted = [columns.source, columns.hypothesis, *of_references]
    if with_references and not of_references:
        wanted.append(USUAL_REFERENCES[0])
    for name in wanted:
        if name not in names:
            raise InputError(
                f"there is no column {name!r}; there are {', '.join(map(str, names)) or 'none'}", parameter="columns"
            )
        if names.count(name) > 1:
            raise InputError(f"there are two columns {name!r}; rename one", parameter="columns")
    rows = Rows(count=length_of(batch))
    texts = [values_of(batch, name) for name in (columns.source, columns.hypothesis)]
    listed = [values_of(batch, name) for name in of_references]
    for place, (source, hypothesis, *references) in enumerate(zip(*texts, *listed, strict=True)):
        gathered = _gathered(references)
        wrong = (
            _not_text("source", source)
            or _not_text("hypothesis", hypothesis)
            or next((wrong for reference in gathered if (wrong := _not_text("reference", reference))), None)
            or _not_references(gathered, needed=with_references)
        )
        if wrong:
            rows.wrong[place] = wrong
            continue
        rows.places.append(place)
        rows.sources.append(source)
        rows.hypotheses.append(hypothesis)
        rows.references.append(gathered)
    return rows


def _gathered(cells: Sequence[Any]) -> list[Any]:
    """The references of a row, from texts and lists of texts."""
    gathered: list[Any] = []
    for cell in cells:
        gathered += cell if isinstance(cell, list | tuple) else [cell]
    return gathered


def _not_references(texts: Sequence[str], *, needed: bool) -> str | None:
    if any(text.startswith(("['", '["')) and text.endswith(("']", '"]')) for text in texts):
        return "the reference is a list that was turned into text"  # as Dask does where it is not told otherwise
    return "there is no reference" if needed and not texts else None


def _not_text(what: str, value: Any) -> str | None:
    if isinstance(value, str):
        return None if value.isascii() or is_unicode(value) else f"the {what} holds half of a surrogate pair"
    missing = value is None or type(value).__name__ in ("NAType", "NaTType") or value != value
    return f"the {what} is missing" if missing else f"the {what} is {type(value).__name__}, not text"
