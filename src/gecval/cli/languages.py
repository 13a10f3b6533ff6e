"""Other languages on the command line: --parses and --words, and the rules that the text's language asks for.

``-m errant`` means English rules. Where the text is in another language, by --lang or as it looks, it becomes the
metric for that language: ``errant(lang="zh")``, or with --parses ``errant(lang="it", parses=...)``. Tables show it so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from gecval.cli.effects import add_note, note_idle
from gecval.cli.inputs import INPUT
from gecval.corpus import Corpus
from gecval.edits.extractors import Extractor
from gecval.edits.universal import UniversalExtractor
from gecval.metrics import Metric, default_metrics
from gecval.metrics.errant import language_of_parses
from gecval.studies.scores.preparation import needs_extractor

parses_option = click.option(
    "--parses",
    type=INPUT,
    multiple=True,
    help="CoNLL-U files with the parses of sources, references and outputs, for typed edits in any language. Repeat "
    "for more.",
)
words_option = click.option(
    "--words", type=INPUT, help="With --parses: a file with the words of the language, for the type SPELL."
)


def language_options(verb: Callable[..., Any], *, usual: bool) -> Callable[..., Any]:
    """--parses and --words. The verb gets ``metrics`` for the language of its ``corpus``, and ``edits`` that fit.

    With ``usual``, it gets the usual metrics of the corpus where none is named, unless the rules of a gate name some.
    """

    @wraps(verb)
    def choose(
        *args: Any, parses: tuple[Path, ...], words: Path | None, metrics: tuple[Metric, ...], **others: Any
    ) -> Any:
        corpus: Corpus | None = others.get("corpus")
        if corpus is None:
            note_idle(["parses", "words"], "here: it scores no texts")
            return verb(*args, metrics=metrics, **others)
        if usual and not metrics and not others.get("rules"):
            metrics = choose_default_metrics(corpus, only_first=others.get("by_type", False))
        chosen = for_language(metrics, corpus, parses, words)
        finds = not corpus.has_edits() and any(map(needs_extractor, chosen)) and others.get("edits") is None
        if parses and finds:
            others["edits"] = parsed_extractor(corpus, parses, words)
        elif (parses or words) and chosen == metrics:
            note_idle(["parses", "words"], "here: no metric finds edits by parses")
        return verb(*args, metrics=chosen, **others)

    return parses_option(words_option(choose))


def choose_default_metrics(corpus: Corpus, *, only_first: bool = False) -> tuple[Metric, ...]:
    """The metrics where none is named; a note says which, and an option of one metric alone takes the first."""
    metrics = default_metrics(corpus)[: 1 if only_first else None]
    add_note(f"no metric is named: {', '.join(map(repr, metrics))} by default; choose with -m")
    return tuple(metrics)


def parsed_extractor(corpus: Corpus, parses: tuple[Path, ...], words: Path | None) -> Extractor:
    """What finds typed edits by these parses."""
    return UniversalExtractor(language_of_parses(corpus), "", tuple(map(str, parses)), str(words or ""))


def for_language(
    metrics: Sequence[Metric], corpus: Corpus, parses: tuple[Path, ...] = (), words: Path | None = None
) -> tuple[Metric, ...]:
    """The metrics as the language of the corpus asks for them."""
    files = tuple(map(str, parses)), str(words or "")
    english = [repr(metric) for metric in metrics if metric.language == "en"]
    if english and corpus.language is None and corpus.likely_language is None:
        add_note(
            f"the texts are too few to show their language: {', '.join(english)} took it for English; if it is not, "
            "say so (--lang CODE)"
        )
    return tuple(metric.for_language(corpus, *files) for metric in metrics)
