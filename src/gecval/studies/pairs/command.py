"""gecval files filter: which pairs are good enough?"""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import Any, get_args

import click
from click.core import ParameterSource

from gecval.cli.common import MODELS, Verb, chosen, uses
from gecval.cli.effects import note_idle, note_idle_judging
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT
from gecval.cli.options import edits_option, language_option, metric_option, run_options
from gecval.cli.output import PATH, Output, add_options
from gecval.cli.progress_option import show_progress
from gecval.errors import InputError
from gecval.formats.sentence_pairs import open_pairs, pair_kind
from gecval.metrics import Metric
from gecval.models.device import use_device
from gecval.runtime.run import Run
from gecval.studies.pairs.conditions import Condition
from gecval.studies.pairs.scorer import ROLES, BadRows
from gecval.studies.pairs.study import choose_metrics, score_pairs

# Files of pairs on the command line: options that ``score`` and ``filter`` share, and the way in which ``score`` takes
# such a file in the place of outputs, sources and references.


OWN = ("columns", "statistics", "bad_rows")
# What else means something to a file of pairs; all other options of `score` are refused with one.
SHARED = ("systems", "metrics", "edits", "language", "jobs", *MODELS, "style", "output", "quiet")


def pair_options(verb: Verb) -> Verb:
    """--column, --statistics and --bad-rows."""
    return add_options(
        verb,
        click.option(
            "--column",
            "columns",
            metavar="ROLE=NAME",
            multiple=True,
            help="Of a file of pairs: which column has the source, the hypothesis or references; repeat for more.",
        ),
        click.option("--statistics", is_flag=True, help="Of a file of pairs: add tp, fp, fn and the like as columns."),
        click.option(
            "--bad-rows",
            type=click.Choice(get_args(BadRows)),
            default="refuse",
            show_default=True,
            help="Of a file of pairs: what to do with a row without texts; note leaves its scores empty.",
        ),
    )


def takes_pairs(verb: Verb) -> Verb:
    """Let ``score`` take a file of pairs: one .parquet, .jsonl or .tsv file, without -s and -r, and with -o."""

    @wraps(verb)
    def run(**given: Any) -> None:
        if not _is_pairs(given):
            note_idle(OWN, "without a file of pairs: one .parquet, .jsonl or .tsv file, and no -s and -r")
            verb(**{name: value for name, value in given.items() if name not in OWN})
            return
        output = chosen("output")
        if output is None:
            raise InputError("name the file for the scored rows", parameter="output")
        context = click.get_current_context()
        names = {parameter.name or "" for parameter in context.command.get_params(context)}
        note_idle(names - {*SHARED, *OWN}, "with a file of pairs, which has a score for each row")
        if pair_kind(output) is None:
            raise InputError(f"{output}: name it .parquet, .jsonl or .tsv", parameter="output")
        settings = {name: given[name] for name in ("metrics", "edits", "language", *OWN)}
        with use_device(chosen("device"), batch_size=chosen("batch_size")):
            run_pairs(given["systems"][0], output=output, run=Run(jobs=chosen("jobs")), **settings)

    return pair_options(run)


def _is_pairs(given: dict[str, Any]) -> bool:
    if len(given["systems"]) != 1 or given["source"] is not None or given["references"]:
        return False
    kind = pair_kind(given["systems"][0])
    return kind == "parquet" or (kind is not None and chosen("output") is not None)


def run_pairs(
    path: Path,
    *,
    metrics: tuple[Metric, ...],
    columns: tuple[str, ...],
    output: Path,
    edits: str | None,
    run: Run,
    **settings: Any,
) -> None:
    """Score or filter a file, and show what became of its rows."""
    _note_idle(path, metrics, settings.get("where"))
    with show_progress(run, "scoring rows") as run:
        result = score_pairs(
            path,
            metrics,
            output,
            columns=parse_columns(columns),
            edits=edits,
            run=run,
            **settings,
        )
    Output(chosen("style")).show(result)


def _note_idle(path: Path, metrics: tuple[Metric, ...], where: str | None) -> None:
    """Refuse options that change nothing for these metrics, or where nothing is computed."""
    context, choosing = click.get_current_context(), ("edits", "language", *OWN)
    if all(context.get_parameter_source(name) is not ParameterSource.COMMANDLINE for name in choosing):
        return
    condition = None if where is None else Condition.of(where)
    wanted, with_statistics = choose_metrics(metrics, condition, open_pairs(path).names)
    if not wanted:
        note_idle(choosing, "where nothing is computed: the condition names columns only")
    if with_statistics:
        note_idle(["statistics"], "with a condition that names statistics, so that all are there")
    if all(type(metric).parts is Metric.parts for metric in wanted):
        note_idle(["statistics"], "with these metrics: they have no parts")
    note_idle_judging(None, wanted)


def parse_columns(typed: tuple[str, ...]) -> dict[str, str | list[str]]:
    """What --column says: ``hypothesis=output``; references may have several columns."""
    columns: dict[str, str | list[str]] = {}
    for item in typed:
        role, sign, name = item.partition("=")
        if not sign or role not in ROLES or not name:
            raise InputError(f"{item!r}: write source=NAME, hypothesis=NAME or references=NAME", parameter="columns")
        if role == "references":
            columns[role] = [*columns.get(role, ()), name]
        elif role in columns:
            raise InputError(f"the column of the {role} is named twice", parameter="columns")
        else:
            columns[role] = name
    return columns


EXAMPLES = """\b
Examples:
  gecval files filter pairs.parquet --where 'gleu > 0.4 and errant.fp < 3' -o kept.parquet
  gecval files filter scored.jsonl --where '`gleu(n=3)` >= 0.5 or not ld < 0.9' -o kept.jsonl
  gecval files filter pairs.tsv --where 'm2.fp == 0 and lang == "en"' --edits plain -o kept.tsv

\b
A condition compares columns, metrics, numbers and "texts" by < <= > >= == !=, joined by and, or, not and brackets.
A comparison with an empty cell is neither true nor false. Rows for which the condition is true are kept.
"""


@click.command("filter", cls=Command, epilog=EXAMPLES)
@click.argument("pairs", type=INPUT)
@click.option(
    "--where", required=True, help="Which rows to keep. Metrics that it names, and the file lacks, are computed."
)
@metric_option(default="those that the condition names")
@edits_option(None)
@language_option
@run_options()
@pair_options
@uses("style")
@click.option("-o", "--output", type=PATH, required=True, help="The file for the rows: .parquet, .jsonl or .tsv.")
def command(pairs: Path, **settings: Any) -> None:
    """Keep the rows of PAIRS that fulfil a condition, with their scores.

    PAIRS is a .parquet, .jsonl or .tsv file of any size with a source, a hypothesis and references in each row. After
    a kill, the same command goes on where it was.
    """
    run_pairs(pairs, **settings)
