"""Extractors by name: who finds the edits between two texts.

    plain             this package's rules, for any language
    errant            ERRANT with its default model
    cherrant          ChERRANT's rules for Chinese characters
    multigec          ERRANT's rules over words without tags, for any language, as the scorer of MultiGEC-2025
    en_core_web_lg    ERRANT with this spaCy model, or with one in a folder
    it_core_news_sm   language-neutral types with this spaCy model for another language
    AMU.m2            the edits in this file, or in the M2 files of a folder, as they are (``given.py``)

Parameters stand in brackets, as with metrics: ``errant(alignment="levenshtein", merging="all-split")``.
Others come by entry points of the group ``gecval.extractors``, or as ``my_module:Name`` (see ``plugins.py``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeVar

from gecval.edit import Edit
from gecval.edits.errant import ErrantExtractor
from gecval.edits.given import GivenExtractor, holds_given_edits
from gecval.edits.universal import UniversalExtractor
from gecval.errors import InputError
from gecval.formats.files import exists
from gecval.models.spacy_parser import model_language
from gecval.plugins import Plugins
from gecval.progress import Progress, silent
from gecval.spelling import parse_spelling

EXTRACTORS = Plugins(
    kind="extractor",
    group="gecval.extractors",
    built_in={
        "errant": "gecval.edits.errant:ErrantExtractor",
        "plain": "gecval.edits.plain:PlainExtractor",
        "cherrant": "gecval.edits.cherrant:CherrantExtractor",
        "multigec": "gecval.edits.untagged:UntaggedExtractor",
    },
)
Answer = TypeVar("Answer")
NEEDS = ("signature", "language", "edits")
_SPACY_NAME = re.compile(r"[a-z]{2,3}_\w+_\w+")  # such as en_core_web_lg


class Extractor(Protocol):
    """Finds the edits between texts.

    These it may have besides: ``tokens(text)``, the tokens that its edits count, where blanks do not separate them;
    ``alternatives(pairs)``, several lists of edits for each pair; ``types``, those that it gives, where they are not
    like ERRANT's; ``notes(pairs)``, what a user should know.
    """

    @property
    def signature(self) -> str:
        """The names and versions of everything that decides which edits are found."""

    @property
    def language(self) -> str | None:
        """The language whose texts it reads, as a code such as ``en``; None where it reads any."""

    def edits(
        self, pairs: Sequence[tuple[str, str]], *, jobs: int = 1, progress: Progress = silent
    ) -> list[tuple[Edit, ...]]:
        """The edits of each pair of source and corrected text."""


def extract(
    extractor: Extractor, pairs: Sequence[tuple[str, str]], *, jobs: int = 1, progress: Progress = silent
) -> list[tuple[Edit, ...]]:
    """The edits of each pair. The extractor may be anybody's, so this looks whether it answers for every pair."""
    return _one_for_each(extractor.edits(pairs, jobs=jobs, progress=progress), extractor, pairs)


def extract_alternatives(
    extractor: Extractor, pairs: Sequence[tuple[str, str]], *, jobs: int = 1, progress: Progress = silent
) -> list[list[tuple[Edit, ...]]]:
    """What references each pair gives: one, unless the extractor has several lists of edits for it."""
    alternatives = getattr(extractor, "alternatives", None)
    if alternatives is None:
        return [[edits] for edits in extract(extractor, pairs, jobs=jobs, progress=progress)]
    listed: list[list[tuple[Edit, ...]]] = alternatives(pairs, jobs=jobs, progress=progress)
    return _one_for_each(listed, extractor, pairs)


def _one_for_each(answers: list[Answer], extractor: Extractor, pairs: Sequence[tuple[str, str]]) -> list[Answer]:
    if len(answers) != len(pairs):
        raise InputError(f"the extractor {extractor.signature} answers {len(answers)} times for {len(pairs)} pairs")
    return answers


def extractor_names() -> list[str]:
    """The names of all extractors at hand, ours first."""
    return EXTRACTORS.names()


def extractor(name: str) -> Extractor:
    """The extractor of this name.

    Examples
    --------
    >>> extractor("plain")
    PlainExtractor()
    >>> extractor("plane")
    Traceback (most recent call last):
    gecval.errors.InputError: there is no extractor 'plane'; did you mean plain?
    """
    path = exists(name)
    bare, parameters = _spelled(name) if name.rstrip().endswith(")") and not path else (name, {})
    # A path may have a colon, as C:\AMU.m2, and yet name no module.
    made: Extractor | None = None if path and ":" in name else EXTRACTORS.make(bare, NEEDS, parameters)
    if made is not None:
        return made
    if parameters:
        raise _takes_no_parameters(bare, parameters)
    if holds_given_edits(name):
        return GivenExtractor(name)
    if _SPACY_NAME.fullmatch(name) or exists(name, "meta.json"):
        lang = model_language(name)
        return ErrantExtractor(name) if lang == "en" else UniversalExtractor(lang, name)
    raise EXTRACTORS.unknown(name, others=", and spaCy models for errant such as en_core_web_lg")


def _takes_no_parameters(name: str, parameters: Iterable[str]) -> InputError:
    if _SPACY_NAME.fullmatch(name):
        return InputError(f'parameters go with errant: write errant(model="{name}", {next(iter(parameters))}=…)')
    return EXTRACTORS.unknown(name)


def _spelled(spelling: str) -> tuple[str, dict[str, Any]]:
    """The name and its parameters."""
    name, positional, named = parse_spelling(spelling, extractor, kind=EXTRACTORS.kind)
    if positional:
        raise InputError(f'{name}: say which parameter is meant, as in errant(merging="all-split")')
    return name, named


def short_name(chosen: Extractor) -> str:
    """What messages call it: the start of its signature, without versions.

    >>> short_name(extractor("plain"))
    'plain'
    """
    return re.split("[:|]", chosen.signature)[0]


def full_signature(chosen: Extractor) -> str:
    """Name and versions, and the language where the extractor knows only one: for the signatures of scores.

    >>> full_signature(extractor("plain"))
    'plain'
    """
    return f"{chosen.signature}|lang:{chosen.language}" if chosen.language else chosen.signature
