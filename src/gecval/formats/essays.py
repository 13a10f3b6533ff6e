"""Which sentences belong to one document, such as a learner's essay: by marks in the source, or by a list of ids.

Sentences of one essay share its writer and its topic, so they are not independent. Where whole documents are drawn
(``Resampling(documents=...)``), intervals and tests allow for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from gecval.errors import InputError, MissingExtraError, list_first, shorten
from gecval.formats.files import read_lines
from gecval.formats.kinds import ESSAY
from gecval.formats.realign import is_mark

if TYPE_CHECKING:
    from syntok.tokenizer import Tokenizer  # type: ignore[import-untyped]


def document_starts(sources: Sequence[str], ids: Sequence[str] | None = None) -> tuple[int, ...]:
    """The place of each document's first sentence, from 0.

    Parameters
    ----------
    sources
        The sentences. A line such as ``# 0002`` or ``### essay_id = 7`` starts a document, and belongs to it.
    ids
        The name of the document of each sentence, where the source has no such lines.

    Returns
    -------
    tuple of int
        For ``Resampling(documents=...)``.

    Examples
    --------
    >>> document_starts(["# 1", "He go home .", "# 2", "Fine .", "Good ."])
    (0, 2)
    >>> document_starts(["He go home .", "Fine .", "Good ."], ["a", "a", "b"])
    (0, 2)
    """
    if ids is None:
        starts = [place for place, source in enumerate(sources) if is_mark(source.split())]
        if not starts:
            raise InputError(
                "the source has no lines that mark a document, such as # 0002; name the document of each sentence",
                parameter="documents",
            )
        return tuple(sorted({0, *starts}))
    if len(ids) != len(sources):
        raise InputError(
            f"{len(ids)} sentences have the name of a document, and there are {len(sources)} sentences",
            parameter="documents",
        )
    starts = [place for place in range(len(ids)) if not place or ids[place] != ids[place - 1]]
    seen: set[str] = set()
    for place in starts:
        if ids[place] in seen:
            raise InputError(
                f"sentence {place + 1}: the document {shorten(ids[place])!r} begins again; its sentences must stand "
                "together",
                parameter="documents",
            )
        seen.add(ids[place])
    return tuple(starts)


# MultiGEC's essays: one file for all sources, one for each annotator, one for each system.
#
#     ### essay_id = ID
#     The text, with its line breaks.
#
# An id is what follows the mark, compared as it stands. A later essay with the same id takes the place of an earlier
# one. Files may lack essays. MultiGEC (2025) scores whole essays: each is cut into tokens by syntok and becomes one
# line.


PLACEHOLDER = "!"  # what MultiGEC's code puts in the place of an essay that a file lacks
NAMED = 3  # ids that a note names


def read_essays(path: Path) -> tuple[dict[str, str], list[str]]:
    """The essays by their ids, each as one line of tokens, and notes."""
    _, *parts = "\n".join(read_lines(path)).split(ESSAY)
    if not parts:
        raise InputError(f"{path} holds no essay (no line starts with {ESSAY!r})")
    pairs = [(name, text) for name, _, text in (part.partition("\n") for part in parts)]
    repeated = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    notes = [f"{path}: {_listed(repeated)} stands there more than once; the last counts"] if repeated else []
    return {name: join_paragraphs(text) for name, text in dict(pairs).items()}, notes


def in_order(
    path: Path, essays: dict[str, str], ids: Sequence[str], *, lacking: str
) -> tuple[list[str | None], list[str]]:
    """The essays in the order of the source, or None, and notes. ``lacking`` ends the note on these."""
    listed = set(ids)
    unknown = [name for name in essays if name not in listed]
    absent = [name for name in ids if name not in essays]
    notes = [f"{path}: {_listed(unknown)} left out: the source has no such essay"] if unknown else []
    if len(absent) == len(ids):
        raise InputError(f"{path} has no essay of the source; is it that of another corpus?")
    if absent:
        notes.append(f"{path} lacks {_listed(absent)}; {lacking}")
    return [essays.get(name) for name in ids], notes


def join_paragraphs(text: str) -> str:
    """A text as one line of syntok's tokens; line breaks are blanks.

    >>> join_paragraphs("He go home.\\n\\nFine!")
    'He go home . Fine !'
    """
    return " ".join(str(token).strip() for token in _tokenizer().tokenize(text))


def tokenizer_signature() -> str:
    _tokenizer()
    return f"syntok:{version('syntok')}"


@lru_cache(maxsize=1)
def _tokenizer() -> Tokenizer:
    try:
        from syntok.tokenizer import Tokenizer
    except ImportError:
        raise MissingExtraError("reading essays", "multigec") from None
    return Tokenizer()


def _listed(ids: Sequence[str]) -> str:
    """The number of essays, and the first of their ids.

    >>> _listed(["a", "b", "c", "d"])
    '4 essays (a, b, c, …)'
    """
    shown = list_first([shorten(name, 40) for name in ids], NAMED)
    return f"{len(ids)} essay{'' if len(ids) == 1 else 's'} ({shown})"
