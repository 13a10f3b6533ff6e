"""MultiGEC's essays: one file for all sources, one for each annotator, one for each system.

    ### essay_id = ID
    The text, with its line breaks.

An id is what follows the mark, compared as it stands. A later essay with the same id takes the place of an earlier one.
Files may lack essays. MultiGEC (2025) scores whole essays: each is cut into tokens by syntok and becomes one line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from gecval.errors import InputError, MissingExtraError, shortened
from gecval.formats.files import read_lines
from gecval.formats.kinds import ESSAY

if TYPE_CHECKING:
    from syntok.tokenizer import Tokenizer  # type: ignore[import-untyped]

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
    return {name: flattened(text) for name, text in dict(pairs).items()}, notes


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


def flattened(text: str) -> str:
    """A text as one line of syntok's tokens; line breaks are blanks.

    >>> flattened("He go home.\\n\\nFine!")
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
    shown = ", ".join(shortened(name, 40) for name in ids[:NAMED]) + (", …" if len(ids) > NAMED else "")
    return f"{len(ids)} essay{'' if len(ids) == 1 else 's'} ({shown})"
