"""Who finds the edits where the user names nobody: one rule for every study.

ERRANT, where it is installed and the text is not clearly in another language than English; else plain rules
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gecval.edits.extractors import Extractor, extractor
from gecval.errors import InputError
from gecval.language import guess_language, language_name


class Choice(NamedTuple):
    """An extractor, and a note that says which and why."""

    extractor: Extractor
    note: str


def choose_extractor(texts: Iterable[str]) -> Choice:
    """The extractor for texts like these.

    >>> choice = choose_extractor(["Він пішов додому .", "Це дуже добре , що ти прийшов ."])
    >>> choice.note
    'edits are found by plain rules, since the text looks Ukrainian'
    """
    language = guess_language(texts)
    if language not in ("en", None):
        return _plain(f"the text looks {language_name(language)}")
    errant = extractor("errant")
    try:
        versions = errant.signature
    except InputError as missing:
        return _plain(str(missing))
    return Choice(errant, f"edits are found by ERRANT ({versions.replace('|', ', ')})")


def _plain(reason: str) -> Choice:
    return Choice(extractor("plain"), f"edits are found by plain rules, since {reason}")
