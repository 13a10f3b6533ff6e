"""gecval report: look at it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from gecval.cli.effects import note_idle
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT, corpus_name
from gecval.cli.languages import for_language
from gecval.cli.options import (
    corpus_options,
    is_lenient,
    realign_option,
    resampling_options,
    scoring_options,
)
from gecval.cli.output import PATH, emit, print_notes
from gecval.cli.progress_option import show_progress
from gecval.corpus import Corpus, System
from gecval.edits.matching import bring_edits
from gecval.errors import InputError
from gecval.formats import load_systems
from gecval.metrics import Metric
from gecval.metrics.error_types import find_scores_by_type
from gecval.metrics.evaluation import Aggregate
from gecval.runtime.run import Run
from gecval.stats import Resampling
from gecval.stats.ranking import Contest
from gecval.studies.report.page import write_page
from gecval.studies.report.study import default_metrics, overview
from gecval.studies.scores.preparation import needs_extractor
from gecval.studies.scores.scored_system import ensure_resamples

EXAMPLES = """\b
Examples:
  gecval report out/ -r gold.m2 -o report.html
  gecval report old.txt new.txt -s src.txt -r ref0.txt -m m2,gleu,errant -o report.html --title "New model"
  gecval report out/ -r gold.m2 -m m2 -o report.json
"""


@click.command("report", cls=Command, everyday="--title", epilog=EXAMPLES)
@click.argument("systems", type=INPUT, nargs=-1, required=True, metavar="SYSTEM...")
@corpus_options
@realign_option
@scoring_options("m2 and gleu, and errant where it is installed and the text may be English", contests=True)
@click.option(
    "--deciding",
    type=click.IntRange(0),
    help="For how many pairs of systems to find the sentences that decide, under each metric. Default: 10 for up to "
    "300 sentences, 2 for up to 2000, else 1.",
)
@click.option("--title", default="", help="The title of the page. Default: the systems and the corpus.")
@resampling_options()
@click.option(
    "-o", "--output", type=PATH, required=True, help="The file to write: .html is the page, .json its numbers."
)
def command(
    systems: tuple[Path, ...],
    corpus: Corpus,
    realign: bool,
    metrics: tuple[Metric, ...],
    aggregate: Aggregate | Contest,
    edits: str | None,
    run: Run,
    deciding: int | None,
    title: str,
    resampling: Resampling,
    output: Path,
) -> None:
    """Write one HTML page about system outputs that needs no network: scores, tests, types of errors, sentences.

    The page has every sentence with its edits. Filter the sentences, and its scores follow. It also says which
    sentences decide, how much was changed, what the references hide, and the commands that print its tables. Of many
    systems there are many tests, so more than 1000 resamples are drawn: 2000 for 13 systems, 5000 at most.
    """
    if output.suffix.lower() not in (".html", ".htm", ".json"):
        raise InputError(f"{output}: a report is a page, .html, or its numbers, .json", parameter="output")
    as_json = output.suffix.lower() == ".json"
    if as_json:
        note_idle(["title"], "in JSON")
    loaded = load_systems(systems, corpus, realign=realign, lenient=is_lenient())
    wanted = metrics or for_language(default_metrics(corpus, loaded), corpus)
    _note_idle_edits(corpus, wanted, loaded)
    if len(loaded) < 2:
        note_idle(["deciding"], "with one system")
    if click.get_current_context().get_parameter_source("resamples") is not ParameterSource.COMMANDLINE:
        resampling = replace(resampling, resamples=ensure_resamples(len(loaded)))
    with show_progress(run, "scoring") as run:
        seen = overview(
            corpus,
            loaded,
            wanted,
            aggregate=aggregate,
            confidence=resampling,
            edits=edits,
            deciding=deciding,
            inputs=_typed(["systems", "source", "references", "missing", "realign"]),
            judging=_typed(["tokenize", "language", "edits"]),
            for_page=not as_json,
            run=run,
        )
    if as_json:
        emit(seen.to_json(), output)
    else:
        write_page(seen, output, title=title, corpus=corpus_name(), date=_today())
    for sentence in seen.verdict:
        click.echo(sentence)
    print_notes(seen.notes)


def _note_idle_edits(corpus: Corpus, metrics: Iterable[Metric], systems: Sequence[System]) -> None:
    """The page shows the edits that ERRANT finds where it is among the metrics; another extractor is for others."""
    listed = list(metrics)
    if bring_edits(systems) and corpus.has_edits():
        note_idle(["edits"], "with outputs and references that bring their edits")
    others = any(map(needs_extractor, listed)) and not corpus.has_edits()
    if find_scores_by_type(listed) and not others:
        note_idle(["edits"], "with these metrics: errant finds edits in its own way")


def _typed(parameters: Iterable[str]) -> str:
    """These arguments and options as they were typed, but for those that were not."""
    context = click.get_current_context()
    by_name = {parameter.name: parameter for parameter in context.command.params}
    words: list[str] = []
    for name in parameters:
        if context.get_parameter_source(name) is not ParameterSource.COMMANDLINE:
            continue
        value = context.params[name]
        option = [] if isinstance(by_name[name], click.Argument) else [by_name[name].opts[0]]
        if value is True:
            words += option
            continue
        for item in value if isinstance(value, tuple) else (value,):
            words += [*option, _word(item)]
    return " ".join(map(shlex.quote, words))


def _word(value: Any) -> str:
    """A value as it was typed; what came through standard input lies in a file.

    Where a file lies on somebody's disk is nothing to publish: a path is relative to this folder, or a name alone.
    """
    if not isinstance(value, Path):
        return str(value)
    if value.name == "stdin" and value.parent.name.startswith("gecval-"):
        return "-"
    if not value.is_absolute():
        return str(value)
    return str(value.relative_to(Path.cwd())) if value.is_relative_to(Path.cwd()) else value.name


def _today() -> str:
    """The day, which SOURCE_DATE_EPOCH sets for builds that must give the same bytes every time."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH", "")
    day = datetime.fromtimestamp(int(seconds), timezone.utc) if seconds.isdigit() else datetime.now()
    return day.date().isoformat()
