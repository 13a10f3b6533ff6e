"""ERRANT's score in other languages: which extractor the parameters of ``errant`` mean, and ChERRANT's own counting.

    errant(lang="zh")            ChERRANT's rules for Chinese characters (edits/cherrant.py)

A sentence that cannot be annotated (type NA) is skipped if nobody else annotated it. Beside others it is a reference
with one edit that only an unchanged hypothesis does not miss.
"""

from __future__ import annotations

from gecval.edits.cherrant import ALIGNMENTS, NOT_AN_EDIT, CherrantExtractor
from gecval.edits.extractors import Extractor, extractor
from gecval.errors import InputError
from gecval.language import language_code
from gecval.metrics.parameters import one_of, text
from gecval.models.spacy_parser import DEFAULT_MODEL

OF_EXTRACTOR = frozenset({"lang", "model", "alignments", "resources"})  # parameters that only choose the extractor
NOT_ANNOTATED = (NOT_AN_EDIT,)


def check_languages(name: str, *, lang: str, model: str, alignments: str, resources: str) -> None:
    """Refuse parameters that do not go together."""
    text(name, lang=lang, resources=resources)
    one_of(name, ALIGNMENTS, alignments=alignments)
    if lang and language_code(lang) != lang:
        raise InputError(f"{name}: lang is a code such as {language_code(lang)}, not {lang!r}")
    if lang not in ("", "en", "zh"):
        raise InputError(f'{name}: there are no rules for lang={lang!r}; choose model="plain"')
    if lang != "zh" and (alignments != ALIGNMENTS[0] or resources):
        raise InputError(f'{name}: alignments and resources go with lang="zh"')
    if lang == "zh" and model != DEFAULT_MODEL:
        raise InputError(f'{name}: with lang="zh" there is no model to choose')


def extractor_for(*, lang: str, model: str, alignments: str, resources: str) -> Extractor:
    """The extractor that these parameters mean."""
    return CherrantExtractor(alignments, resources) if lang == "zh" else extractor(model)
