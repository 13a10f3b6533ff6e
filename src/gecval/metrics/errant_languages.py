"""ERRANT's score in other languages: which extractor the parameters of ``errant`` mean, and ChERRANT's own counting.

    errant(lang="zh")                                     ChERRANT's rules for Chinese characters (edits/cherrant.py)
    errant(lang="it", parses=("src.conllu", "ref.conllu"))    language-neutral types (edits/universal.py)
    errant(lang="it", model="it_core_news_sm")                the same, parsed by spaCy, Stanza, UDPipe or anybody
    errant(model="multigec")                              any language, without types (edits/untagged.py)

A sentence that cannot be annotated (type NA) is skipped if nobody else annotated it. Beside others it is a reference
with one edit that only an unchanged hypothesis does not miss.
"""

from __future__ import annotations

from typing import Any

from gecval.edits.cherrant import ALIGNMENTS, NOT_AN_EDIT, CherrantExtractor
from gecval.edits.extractors import Extractor, extractor
from gecval.edits.universal import UniversalExtractor
from gecval.errors import InputError
from gecval.language import language_code
from gecval.metrics.parameters import one_of, text, texts
from gecval.models.spacy_parser import DEFAULT_MODEL

# Parameters that only choose the extractor: its own signature says it all.
OF_EXTRACTOR = ("lang", "model", "alignments", "resources", "parses", "words")
NOT_ANNOTATED = (NOT_AN_EDIT,)


def check_languages(name: str, parameters: dict[str, Any]) -> None:
    """Refuse parameters that do not go together."""
    lang, model = parameters["lang"], parameters["model"]
    text(name, **{key: parameters[key] for key in ("lang", "model", "resources", "words")})
    texts(name, "src.conllu", parses=parameters["parses"])
    one_of(name, ALIGNMENTS, alignments=parameters["alignments"])
    if lang and language_code(lang) != lang:
        raise InputError(f"{name}: lang is a code such as {language_code(lang)}, not {lang!r}")
    if lang != "zh" and (parameters["alignments"] != ALIGNMENTS[0] or parameters["resources"]):
        raise InputError(f'{name}: alignments and resources go with lang="zh"')
    if lang == "zh" and (model != DEFAULT_MODEL or parameters["parses"] or parameters["words"]):
        raise InputError(f'{name}: with lang="zh" there is no model, no parse and no word list to choose')
    if lang in ("", "en"):
        if parameters["parses"] or parameters["words"]:
            raise InputError(f"{name}: parses and words go with lang, for a language other than English")
    elif lang != "zh" and parameters["parses"] and model != DEFAULT_MODEL:
        raise InputError(f"{name}: give parses or model, not both")
    elif lang != "zh" and model == DEFAULT_MODEL and not parameters["parses"]:
        raise InputError(
            f"{name}: lang={lang!r} needs to know how words are parsed: give CoNLL-U files as parses, or as model a "
            'spaCy model, "stanza", "udpipe:FILE" or "none"',
            parameter="parses",
        )


def extractor_for(parameters: dict[str, Any]) -> Extractor:
    """The extractor that these parameters mean."""
    lang, model, parses = (parameters[name] for name in ("lang", "model", "parses"))
    if lang == "zh":
        return CherrantExtractor(parameters["alignments"], parameters["resources"])
    if lang in ("", "en"):
        return extractor(model)
    return UniversalExtractor(lang, "" if parses else model, parses, parameters["words"])
