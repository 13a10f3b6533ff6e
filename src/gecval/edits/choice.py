"""Who finds the edits where the user names nobody: one rule for every study.

ERRANT, where it is installed and the text is not clearly in another language than English; else plain rules
"""

from __future__ import annotations

from typing import NamedTuple

from gecval.corpus import Corpus
from gecval.edits.extractors import Extractor, extractor
from gecval.errors import InputError
from gecval.language import in_another_script, language_name


class Choice(NamedTuple):
    """An extractor, and a note that says which and why."""

    extractor: Extractor
    note: str


def choose_extractor(corpus: Corpus) -> Choice:
    """The extractor for the texts of a corpus.

    >>> choice = choose_extractor(Corpus.from_texts(["Він пішов додому .", "Це дуже добре , що ти прийшов ."]))
    >>> choice.note
    'edits are found by plain rules, since the text looks Ukrainian'
    """
    language = corpus.likely_language
    if language not in ("en", None):
        return _plain(f"the text {'is' if corpus.language else 'looks'} {language_name(language)}")
    if language is None and in_another_script(corpus.sources, "en"):
        return _plain("the text is written in other letters than English")
    errant = extractor("errant")
    try:
        versions = errant.signature
    except InputError as missing:
        return _plain(str(missing))
    return Choice(errant, f"edits are found by ERRANT ({versions.replace('|', ', ')})")


def _plain(reason: str) -> Choice:
    return Choice(extractor("plain"), f"edits are found by plain rules, since {reason}")
