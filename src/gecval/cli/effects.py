"""Every option changes something, or is named in a note. A verb says here which options do nothing as it is called.

All of them go through ``note_idle``: it alone decides what becomes of an option without an effect. Where an option asks
for something of its own, a file or a table, that does not come, the command contradicts itself and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from gecval.errors import InputError

if TYPE_CHECKING:
    from gecval.corpus import Corpus
    from gecval.metrics.base import Metric

CHUNKS = ("checkpoint", "backend")
# What these options ask for is no matter of how: whoever types them waits for it.
ASKED = {
    "all_pairs", "by_type", "clusters", "folder", "listed", "looks", "most", "output", "passport", "plot", "plots",
    "references", "save", "sentences", "source", "status", "systems", "table",
}  # fmt: skip
_NOTED = "gecval.noted"  # the options that a note names already
IDLE = "gecval.idle"  # where the notes wait until the command has ended


def note_idle(parameters: Iterable[str], why: str, *, refused: bool = False) -> None:
    """Note options that were typed, but change nothing. Name them by the parameters that they set.

    ``why`` ends the sentence "--alpha changes nothing ...", e.g. "without -r". The note is printed when the command
    has ended, so that a refusal is one line. With ``refused``, all these options contradict what else was typed.
    """
    typed = _typed_options(parameters)
    if asked := [name for name, option in typed.items() if refused or _asks(option)]:
        raise InputError(_sentence(asked, why))
    noted: set[str] = click.get_current_context().meta.setdefault(_NOTED, set())
    if new := [name for name in typed if name not in noted]:
        noted.update(new)
        add_note(_sentence(new, why))


def _asks(option: click.Parameter) -> bool:
    """`score --sentences` asks for a table, `coverage --sentences 30` says how many."""
    return option.name in ASKED and (option.name != "sentences" or getattr(option, "is_flag", False))


def add_note(note: str) -> None:
    """Say this on stderr when the command has ended."""
    click.get_current_context().meta.setdefault(IDLE, {})[note] = None


def _sentence(options: Iterable[str], why: str) -> str:
    *others, last = options
    names = f"{', '.join(others)} and {last}" if others else last
    return f"{names} {'change' if others else 'changes'} nothing {why}"


def _typed_options(parameters: Iterable[str]) -> dict[str, click.Parameter]:
    """The options that were typed and set these parameters, by their longest spelling."""
    context, wanted = click.get_current_context(), set(parameters)
    return {
        max(parameter.opts, key=len): parameter
        for parameter in context.command.get_params(context)
        if parameter.name in wanted and context.get_parameter_source(parameter.name) is ParameterSource.COMMANDLINE
    }


def note_idle_missing(references: Iterable[Path]) -> None:
    """Only M2 files have annotators who may lack a line, files of essays essays, and lines with tabs references."""
    if not _typed_options(["missing"]):
        return  # no need to look into the files
    from gecval.formats.kinds import kind_of  # `gecval --help` imports this module
    from gecval.formats.tabular import is_tabular

    if not any(kind_of(path) in ("m2", "essays") or is_tabular(path) for path in references):
        note_idle(["missing"], "without references in M2")


def note_idle_judging(corpus: Corpus | None, metrics: Iterable[Metric]) -> None:
    """Note --edits where no metric asks for an extractor, and --lang where nothing knows one language only.

    Without a corpus, edits of references are of no use to the study, as it makes new sources.
    """
    from gecval.studies.scores.preparation import needs_extractor

    listed, with_edits = list(metrics), corpus is not None and corpus.has_edits()
    if not any(map(needs_extractor, listed)):
        hint = "; for errant write -m 'errant(model=\"plain\")'" if any(m.name == "errant" for m in listed) else ""
        note_idle(["edits"], f"with these metrics: they need no edits, or find them in their own way{hint}")
    elif with_edits:
        note_idle(["edits"], "with references that bring their edits")
    finds_edits = any(map(needs_extractor, listed)) and not with_edits
    if not finds_edits and not any(metric.language for metric in listed):
        note_idle(["language"], "here: these metrics judge any language")
