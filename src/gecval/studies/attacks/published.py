"""Published adversarial outputs for CoNLL-2014 (Goto, Sakai & Watanabe 2025): which file was made to please which
metric. They are data sets, found under GECVAL_DATA; they fit only the sources that they were made from."""

from __future__ import annotations

from dataclasses import replace

from gecval.corpus import Corpus, System
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.formats.datasets import dataset_file

# The hash of CoNLL-2014's 1312 sources, as ``Corpus.source_hash`` has it.
CONLL14 = "4c12b583"
PUBLISHED = {
    "for SOME": ("conll14-some.txt", "published, made to please SOME: one fluent sentence, always"),
    "for Scribendi": ("conll14-scribendi.txt", "published, made to please Scribendi: one swap that lowers perplexity"),
    "for IMPARA": ("conll14-impara.txt", "published, made to please IMPARA: the nearest correct sentence of others"),
    "for LLM-S": ("conll14-llmsent.txt", "published, made to please LLM judges: an instruction to them, always"),
}


def published(corpus: Corpus) -> tuple[list[System], str | None]:
    """The published outputs that fit a corpus; where they would fit but are not at hand, how to get them."""
    if corpus.source_hash != CONLL14:
        return [], None
    try:
        files = {name: dataset_file("attacks", file) for name, (file, _) in PUBLISHED.items()}
    except InputError as error:
        return [], f"the published attacks are left out: {error}"
    return [replace(load_systems([path], corpus)[0], name=name) for name, path in files.items()], None
