"""gecval validate: how good is a metric?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from gecval.cli.effects import refuse_idle, refuse_idle_missing
from gecval.cli.inputs import INPUT
from gecval.cli.options import (
    backend_options,
    language_option,
    metric_option,
    missing_annotator_option,
    model_options,
    tokenize_option,
)
from gecval.cli.output import emit, output_options, print_notes, show
from gecval.cli.progress import progress_bar, quiet_option
from gecval.errors import InputError
from gecval.formats import Missing, load_corpus, load_systems, write_files
from gecval.metrics import Metric
from gecval.runtime.run import Run
from gecval.studies.validate.documents import html, index, markdown
from gecval.studies.validate.people import agreement_table
from gecval.studies.validate.result import Cards
from gecval.studies.validate.study import REPLICATES, validate
from gecval.studies.validate.tables import agreement_page

EXAMPLES = """\b
Examples:
  gecval validate -m gleu                                    on the screen
  gecval validate -m my_metrics:novelty -o card.html         one page that needs no network
  gecval validate -m m2,gleu,errant -o cards.md              several cards in one file
  gecval validate -m m2,gleu,errant -o cards                 a folder: m2.md, gleu.md, errant.md, and index.md
  gecval validate -m gleu --sample -o card.json              in seconds, without any data set
  gecval validate -m gleu -r de.m2 --systems out/ -o card.md  on your own corpus, in any language
  gecval validate --agreement -o agreement.md                all metrics against people, in one table

\b
Agreement with people needs the data sets conll14, gjg15, nspt15 and seeda, MAEGE on real text needs references and
bryant-ng-2015: `gecval data fetch NAME...`. What is not at hand is left out, and the card says so.
"""

OF_CORPUS = ("missing", "language", "tokenize")
# What the end of a file's name asks for, where --format does not say otherwise.
SUFFIXES = {
    ".html": "html", ".md": "markdown", ".json": "json", ".jsonl": "jsonl", ".tsv": "tsv", ".csv": "csv",
    ".tex": "latex", ".txt": "text",
}  # fmt: skip


@click.command("validate", epilog=EXAMPLES)
@partial(metric_option, default="with --agreement all metrics that need no files or network")
@click.option("--agreement", is_flag=True, help="Only the agreement with people: one table of all metrics and sets.")
@click.option("-s", "--source", type=INPUT, help="Sources of a corpus of your own, in any language; see -r.")
@click.option(
    "-r",
    "--reference",
    "references",
    type=INPUT,
    multiple=True,
    help="References of your own corpus: measure on it, and on the outputs of --systems. Repeat for more.",
)
@click.option("--systems", type=INPUT, multiple=True, help="Outputs for your own corpus. Repeat for more.")
@missing_annotator_option("absent")
@language_option
@tokenize_option
@click.option("--sample", is_flag=True, help="Use the sample corpus only, whatever data sets are at hand.")
@click.option(
    "--replicates", type=int, default=REPLICATES, show_default=True, help="Samples that MAEGE draws; intervals need 2."
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the random numbers.")
@click.option("--jobs", type=click.IntRange(1, 4096), help="Threads; default: all cores.")
@backend_options("chunks")
@model_options
@quiet_option
@output_options
def command(
    metrics: tuple[Metric, ...],
    agreement: bool,
    source: Path | None,
    references: tuple[Path, ...],
    systems: tuple[Path, ...],
    missing: Missing,
    language: str | None,
    tokenize: str | None,
    sample: bool,
    replicates: int,
    seed: int,
    jobs: int | None,
    checkpoint: Path | None,
    backend: str | None,
    style: str,
    output: Path | None,
) -> None:
    """Make the card of a metric: all that can be measured about it.

    The card has the metric's formula, its agreement with people and with corrections of known order (MAEGE), tests
    against GLEU, M2 and ERRANT, what each type of error is worth to it, what few references hide, what can be had
    without merit, what it costs, and edge cases. The end of the output's name says how it is written: .html, .md,
    .json, ...; a name without an end is a folder.
    """
    document = _document(output)
    if backend is not None:
        refuse_idle(["jobs"], "with --backend, which has its own workers")
    if agreement:
        run = Run(jobs=jobs, backend=backend)
        _agreement(metrics, run, checkpoint, document=document, style=style, output=output)
        return
    if not metrics:
        raise InputError("a card is of a metric: name one", parameter="metrics")
    corpus = None
    if source or references:
        refuse_idle_missing(references)
        corpus = load_corpus(
            source, references, missing=missing, language=language, tokenize=tokenize, run=Run(jobs=jobs)
        )
    else:
        refuse_idle([*OF_CORPUS, "systems"], "without -r")
    with progress_bar("validating") as progress:
        cards = validate(
            metrics,
            corpus,
            load_systems(systems, corpus) if corpus else (),
            sample=sample,
            replicates=replicates,
            seed=seed,
            run=Run(jobs=jobs, backend=backend, progress=progress),
            checkpoint=checkpoint,
        )
    if output is None or document is None:
        show(cards, style, output)
    elif document == "folder":
        names = _file_names([card.metric for card in cards])
        documents = {
            output / f"{name}.md": markdown(Cards(cards=(card,))) for name, card in zip(names, cards, strict=True)
        }
        documents[output / "index.md"] = index(cards, [f"{name}.md" for name in names], str(output))
        _write(cards, documents)
    elif document == "html":
        _write(cards, {output: html(cards)})
    elif document == "markdown":
        _write(cards, {output: markdown(cards)})
    else:
        show(cards, document, output)


def _agreement(
    metrics: Sequence[Metric],
    run: Run,
    checkpoint: Path | None,
    *,
    document: str | None,
    style: str,
    output: Path | None,
) -> None:
    """The table of all metrics. Its page in Markdown has headings, and the command that made it."""
    refuse_idle(["sample", "replicates", "seed", "source", "references", "systems", *OF_CORPUS], "with --agreement")
    if document in ("folder", "html"):
        raise InputError(f"{output}: the table of agreement is one file: .md, .json, .jsonl, .tsv, .csv, .tex or .txt")
    with progress_bar("validating") as progress:
        table = agreement_table(metrics or None, run=replace(run, progress=progress), checkpoint=checkpoint)
    if output and document == "markdown":
        emit(agreement_page(table, str(output), [repr(metric) for metric in metrics]), output)
        print_notes(table.notes)
    else:
        show(table, document or style, output)


def _document(output: Path | None) -> str | None:
    """What to write, by the output's name. None: what --format says."""
    context = click.get_current_context()
    if output is None or context.get_parameter_source("style") is ParameterSource.COMMANDLINE:
        return None
    if not output.suffix or output.is_dir():
        return "folder"
    if output.suffix not in SUFFIXES:
        raise InputError(f"{output}: a card is written as {', '.join(SUFFIXES)}, or into a folder")
    return SUFFIXES[output.suffix]


def _write(cards: Cards, documents: dict[Path, str]) -> None:
    for path in documents:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_files({path: text.rstrip("\n").split("\n") for path, text in documents.items()})
    print_notes(cards.notes)


def _file_names(metrics: Sequence[str]) -> list[str]:
    """A name for the file of each card; where two would be the same, a number tells them apart.

    >>> _file_names(["gleu(n=3)", "mine:Metric", "gleu(n='3')"])
    ['gleu-n-3', 'mine-Metric', 'gleu-n-3-2']
    """
    seen: Counter[str] = Counter()
    names = []
    for metric in metrics:
        name = re.sub(r"[^\w.]+", "-", metric).strip("-.") or "metric"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}-{seen[name]}")
    return names
