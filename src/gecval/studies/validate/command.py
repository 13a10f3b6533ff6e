"""gecval validate: how good is a metric?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
from click.core import ParameterSource

from gecval.cli.effects import note_idle, note_idle_missing
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import (
    language_option,
    metric_option,
    missing_annotator_option,
    run_options,
    seed_option,
    tokenize_option,
)
from gecval.cli.output import ENDINGS, Output, emit, output_options, print_notes
from gecval.cli.progress_option import show_progress
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
bryant-ng-2015: `gecval data fetch NAME...`. What is not available is left out, and the card says so.
"""

OF_CORPUS = ("missing", "language", "tokenize")


@click.command("validate", cls=Command, everyday="--agreement", epilog=EXAMPLES)
@metric_option(default="with --agreement all metrics that need no files or network")
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
@click.option("--sample", is_flag=True, help="Use the sample corpus only, whatever data sets are available.")
@click.option(
    "--replicates", type=int, default=REPLICATES, show_default=True, help="Samples that MAEGE draws; intervals need 2."
)
@seed_option
@run_options(chunks="chunks")
@output_options()
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
    checkpoint: Path | None,
    run: Run,
    output: Output,
) -> None:
    """Make the card of a metric: all that can be measured about it.

    The card has the metric's formula, its agreement with people and with corrections of known order (MAEGE), tests
    against GLEU, M2 and ERRANT, what each type of error is worth to it, what few references hide, what score can be
    gained without correcting, what it costs, and edge cases. The end of the output's name says how it is written:
    .html, .md, .json, ...; a name without an end is a folder.
    """
    document, path = _document(output), output.path
    if agreement:
        _agreement(metrics, run, checkpoint, document=document, output=output)
        return
    if not metrics:
        raise InputError("a card is of a metric: name one", parameter="metrics")
    corpus = None
    if source or references:
        note_idle_missing(references)
        corpus = load_corpus(source, references, missing=missing, language=language, tokenize=tokenize, run=run)
    else:
        note_idle([*OF_CORPUS, "systems"], "without -r")
    with show_progress(run, "validating") as run:
        cards = validate(
            metrics,
            corpus,
            load_systems(systems, corpus) if corpus else (),
            sample=sample,
            replicates=replicates,
            seed=seed,
            run=run,
            checkpoint=checkpoint,
        )
    if path is None or document is None:
        output.show(cards)
    elif document == "folder":
        names = _file_names([card.metric for card in cards])
        documents = {
            path / f"{name}.md": markdown(Cards(cards=(card,))) for name, card in zip(names, cards, strict=True)
        }
        documents[path / "index.md"] = index(cards, [f"{name}.md" for name in names], str(path))
        _write(cards, documents)
    elif document == "html":
        _write(cards, {path: html(cards)})
    elif document == "markdown":
        _write(cards, {path: markdown(cards)})
    else:
        replace(output, style=document).show(cards)


def _agreement(
    metrics: Sequence[Metric],
    run: Run,
    checkpoint: Path | None,
    *,
    document: str | None,
    output: Output,
) -> None:
    """The table of all metrics. Its page in Markdown has headings, and the command that made it."""
    note_idle(["sample", "replicates", "seed", "source", "references", "systems", *OF_CORPUS], "with --agreement")
    if document in ("folder", "html"):
        raise InputError(
            f"{output.path}: the table of agreement is one file: .md, .json, .jsonl, .tsv, .csv, .tex or .txt"
        )
    with show_progress(run, "validating") as run:
        table = agreement_table(metrics or None, run=run, checkpoint=checkpoint)
    if output.path and document == "markdown":
        emit(agreement_page(table, str(output.path), [repr(metric) for metric in metrics]), output.path)
        print_notes(table.notes)
    else:
        replace(output, style=document or output.style).show(table)


def _document(output: Output) -> str | None:
    """What to write, by the output's name. None: what --format says."""
    context = click.get_current_context()
    path = output.path
    if path is None or context.get_parameter_source("style") is ParameterSource.COMMANDLINE:
        return None
    if not path.suffix or path.is_dir():
        return "folder"
    if path.suffix not in ENDINGS:
        raise InputError(f"{path}: a card is written as {', '.join(ENDINGS)}, or into a folder")
    return ENDINGS[path.suffix]


def _write(cards: Cards, documents: dict[Path, str]) -> None:
    for path in documents:
        path.parent.mkdir(parents=True, exist_ok=True)
    write_files({path: text.rstrip("\n").split("\n") for path, text in documents.items()})
    print_notes(cards.notes)


def _file_names(metrics: Sequence[str]) -> list[str]:
    """A name for the file of each card; where two would be the same, a number distinguishes them.

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
