"""--unit and --documents: what resampling draws, sentences or whole documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any, Literal, get_args

import click

from gecval.cli.effects import refuse_idle
from gecval.cli.inputs import INPUT
from gecval.corpus import Corpus
from gecval.errors import InputError
from gecval.formats.documents import document_starts
from gecval.formats.files import read_sentences
from gecval.stats import Resampling

Unit = Literal["sentence", "document"]


def unit_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """The verb's ``resampling`` draws what --unit says. It stands below the options of corpus and resampling."""

    @wraps(verb)
    def choose(
        *args: Any, unit: Unit, documents: Path | None, corpus: Corpus, resampling: Resampling, **others: Any
    ) -> Any:
        if unit == "document":
            if corpus.essays is not None:
                raise InputError("--unit document changes nothing with essays: each is one line, and drawn as such")
            ids = None if documents is None else read_sentences(documents)
            resampling = replace(resampling, documents=document_starts(corpus.sources, ids))
        else:
            refuse_idle(["documents"], "without --unit document")
        return verb(*args, corpus=corpus, resampling=resampling, **others)

    choose = click.option(
        "--documents",
        type=INPUT,
        help="With --unit document: the document of each sentence, one a line. Default: marks in the source.",
    )(choose)
    return click.option(
        "--unit",
        type=click.Choice(get_args(Unit)),
        default="sentence",
        show_default=True,
        help="What resampling draws: sentences, or whole documents (essays), whose sentences are not independent.",
    )(choose)
