"""A note where a model that comes with gecval, which learned English, reads another language."""

from __future__ import annotations

from gecval.corpus import Corpus
from gecval.language import language_name
from gecval.models.model_files import DEFAULT_ENCODER, DEFAULT_MODEL


def language_notes(metric: str, model: str, corpus: Corpus) -> tuple[str, ...]:
    """For the notes of statistics."""
    likely = corpus.likely_language
    if model not in (DEFAULT_MODEL, DEFAULT_ENCODER) or likely in ("en", None):
        return ()
    name = language_name(likely)
    return (f"{metric}: {model} learned English, and the text looks {name}; choose a model for {name}",)
