"""Every option changes something or is refused. A verb says here which options do nothing in the way it is called.

All of them go through ``refuse_idle``: it alone decides what becomes of an option without an effect.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from gecval.errors import InputError
from gecval.formats.kinds import kind_of
from gecval.formats.tabular import is_tabular

if TYPE_CHECKING:
    from gecval.corpus import Corpus
    from gecval.metrics.base import Metric

RESAMPLING = ("resamples", "level", "method", "seed")
MODELS = ("device", "batch_size")
CHUNKS = ("checkpoint", "backend")


def refuse_idle(parameters: Iterable[str], why: str) -> None:
    """Refuse options that were typed, but change nothing. Name them by the parameters that they set.

    ``why`` ends the sentence "--alpha changes nothing ...", e.g. "without -r".
    """
    if typed := _typed_options(parameters):
        *others, last = typed
        names = f"{', '.join(others)} and {last}" if others else last
        raise InputError(f"{names} {'change' if others else 'changes'} nothing {why}")


def _typed_options(parameters: Iterable[str]) -> list[str]:
    """The options that were typed and set these parameters."""
    context, wanted = click.get_current_context(), set(parameters)
    return [
        max(parameter.opts, key=len)
        for parameter in context.command.params
        if parameter.name in wanted and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    ]


def refuse_idle_missing(references: Iterable[Path]) -> None:
    """Only M2 files have annotators who may lack a line, files of essays essays, and lines with tabs references."""
    if not _typed_options(["missing"]):
        return  # no need to look into the files
    if not any(kind_of(path) in ("m2", "essays") or is_tabular(path) for path in references):
        refuse_idle(["missing"], "without references in M2")


def refuse_idle_judging(corpus: Corpus | None, metrics: Iterable[Metric]) -> None:
    """Refuse --edits where no metric asks for an extractor, and --lang where nothing knows one language only.

    Without a corpus, edits of references are of no use to the study, as it makes new sources.
    """
    from gecval.studies.scores.preparation import needs_extractor

    listed, with_edits = list(metrics), corpus is not None and corpus.has_edits()
    if not any(map(needs_extractor, listed)):
        refuse_idle(["edits"], "with these metrics: they need no edits, or find them in their own way")
    if with_edits:
        refuse_idle(["edits"], "with references that bring their edits")
    finds_edits = any(map(needs_extractor, listed)) and not with_edits
    if not finds_edits and not any(metric.language for metric in listed):
        refuse_idle(["language"], "here: these metrics judge any language")
