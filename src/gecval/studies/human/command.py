"""gecval human: which system do people like best, and which metric agrees with them?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, get_args

import click

from gecval.cli.common import MODELS, chosen, uses
from gecval.cli.effects import CHUNKS, note_idle, note_idle_judging, note_idle_missing
from gecval.cli.help import Command
from gecval.cli.inputs import INPUT, note_corpus
from gecval.cli.options import (
    distinct_metrics,
    edits_option,
    language_option,
    missing_annotator_option,
    run_options,
    tokenize_option,
)
from gecval.cli.output import PATH, Output, output_options, plot_option
from gecval.cli.progress_option import show_progress
from gecval.errors import InputError
from gecval.formats import Missing, load_corpus, load_systems
from gecval.formats.judgments import SKIPPED_JUDGES, read_judgment_sets
from gecval.metrics import Metric, metric
from gecval.metrics.base import find_proper_names
from gecval.runtime.run import Run
from gecval.stats.ranking import Opponents, Ties, Unit
from gecval.studies.human.charts import human_chart
from gecval.studies.human.ranking import METHODS, PRESETS, Ranker
from gecval.studies.human.study import human
from gecval.studies.human.system_scores import AGGREGATIONS, TIE_POLICIES, HumanOptions, Scope
from gecval.studies.human.transfer import choose_metric

EXAMPLES = """\b
Examples:
  gecval human judgments.xml                                      rankings alone
  gecval human judgments.xml --systems out/ -r gold.m2 -m m2 -m gleu
  gecval human a.xml b.xml --combined --without refmix1 --systems out/ -r gold.m2 -m 'interpolated(gleu, ld, 0.8)'
  gecval human judgments.xml --systems out/ -r gold.m2 --sweep gleu ld --plot ranks.svg
  gecval human judgments.xml --preset tools                       rank as infer_EW and EW.pl do
  gecval human a.xml b.xml --systems out/ -r gold.m2 -m gleu -m lt --train a --test b    choose here, test there

\b
Judgments are Appraise's .xml, .jsonl lines {"sentence": 1, "judge": "anna", "ranks": {"A": 1, "B": 2}}, or a .csv
with the columns sentence,judge,system,rank. Rank 1 is best; equal ranks are ties.
"""


def _pairs(ctx: click.Context, param: click.Parameter, spellings: Any) -> tuple[tuple[Metric, Metric], ...]:
    """The pairs of metrics that --sweep names, each once."""
    return tuple(dict.fromkeys((metric(based), metric(less)) for based, less in spellings))


def _judges(ctx: click.Context, param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...] | None:
    """The judges to leave out, None for the usual ones. An empty name stands for nobody."""
    return tuple(filter(None, ",".join(names).split(","))) if names else None


def _systems(ctx: click.Context, param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """The systems that are named, with commas or one by one."""
    return tuple(name for name in ",".join(names).split(",") if name)


def _choice(name: str, kind: Any, help: str, *, default: bool = True) -> Callable[[Any], Any]:
    options = get_args(kind) or tuple(kind)
    return click.option(
        name, type=click.Choice(options), default=options[0] if default else None, show_default=default, help=help
    )


OF_RANKING = ("resamples", "level", "seed")


def ranking_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """How people's judgments rank systems: the verb gets a ``ranker``."""

    @uses(*OF_RANKING)
    @wraps(verb)
    def gather(*args: Any, preset: str | None, methods: tuple[Any, ...], **others: Any) -> Any:
        given = {name: others.pop(name) for name in ("human_ties", "opponents", "unit", "runs")}
        given |= {name: chosen(name) for name in OF_RANKING}
        settings = {name: value for name, value in given.items() if value is not None}  # a preset may set the others
        settings["methods"] = tuple(dict.fromkeys(methods))
        ranker = Ranker.preset(preset, **settings) if preset else Ranker(**settings)
        return verb(*args, ranker=ranker, **others)

    for option in reversed(
        [
            click.option(
                "--ranking",
                "methods",
                type=click.Choice(METHODS),
                multiple=True,
                default=METHODS,
                show_default=True,
                help="How to rank; repeat for more.",
            ),
            _choice("--preset", PRESETS, "tools: rank as infer_EW and EW.pl do.", default=False),
            _choice("--human-ties", Ties, "Ties of people in Expected Wins."),
            click.option(
                "--opponents",
                type=click.Choice(get_args(Opponents)),
                help="Expected Wins is the mean over the opponents met (default); as published, over all opponents or "
                "those beaten at least once.",
            ),
            _choice(
                "--unit",
                Unit,
                "What the bootstrap draws; default: judges and sentences. Ranges from pairs are too narrow.",
                default=False,
            ),
            click.option(
                "--runs", type=click.IntRange(1, 10_000), default=50, show_default=True, help="Runs of TrueSkill."
            ),
        ]
    ):
        gather = option(gather)
    return gather


@click.command("human", cls=Command, everyday="--ranking --train --test", epilog=EXAMPLES)
@click.argument("judgments", type=PATH, nargs=-1, required=True, metavar="JUDGMENTS...")
@click.option("-s", "--source", type=INPUT, help="Source sentences; .m2 and .jsonl references bring their own.")
@click.option("-r", "--reference", "references", type=INPUT, multiple=True, help="References; repeat for more.")
@missing_annotator_option("absent")
@language_option
@tokenize_option
@click.option("--systems", type=INPUT, multiple=True, help="The judged outputs: files or folders; repeat for more.")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    callback=distinct_metrics,
    metavar="METRIC",
    help="A metric; repeat for more.",
)
@click.option(
    "--sweep",
    "hybrids",
    nargs=2,
    multiple=True,
    callback=_pairs,
    metavar="R G",
    help="Interpolate a reference-based metric R and a reference-less metric G.",
)
@_choice("--aggregate", AGGREGATIONS, "How sentence scores become a system's score.")
@_choice("--scope", Scope, "Score the judged sentences or all.")
@click.option(
    "--without",
    multiple=True,
    metavar="SYSTEM",
    callback=_systems,
    help="Leave a system out of correlations and accuracy; several: --without A,B.",
)
@_choice("--ties", TIE_POLICIES, "What a tie of the metric is worth where people prefer one output.")
@click.option("--window", type=int, default=0, help="Also correlate so many neighbours in the human ranking.")
@click.option("--combined", is_flag=True, help="Also take all sets of judgments as one.")
@click.option(
    "--skip-judge",
    "skip_judges",
    metavar="JUDGE",
    multiple=True,
    callback=_judges,
    help=f"Leave out a judge; repeat for more. Default: {' and '.join(SKIPPED_JUDGES)}; '' leaves out nobody.",
)
@click.option(
    "--train",
    multiple=True,
    metavar="SET",
    help="Fit interpolations of the metrics to this set of judgments (its file or name), and choose the best.",
)
@click.option("--test", multiple=True, metavar="SET", help="Test what was chosen on this set. Repeat both for more.")
@ranking_options
@plot_option("the ranks or, with metrics, their scores against people's")
@edits_option(None)
@run_options(chunks="chunks")
@output_options()
def command(
    judgments: tuple[Path, ...],
    source: Path | None,
    references: tuple[Path, ...],
    missing: Missing,
    language: str | None,
    tokenize: str | None,
    systems: tuple[Path, ...],
    metrics: tuple[Metric, ...],
    skip_judges: tuple[str, ...] | None,
    train: tuple[str, ...],
    test: tuple[str, ...],
    edits: str | None,
    checkpoint: Path | None,
    run: Run,
    output: Output,
    **settings: Any,
) -> None:
    """Rank systems by human JUDGMENTS. With outputs and metrics, say how well each metric agrees with people.

    With --train and --test, choose a metric or an interpolation of several on some judgments, and test it on others.
    """
    if train or test:
        note_idle(NOT_TRAINED, "with --train and --test")
        _check_training(train, test, metrics, systems=systems, corpus=bool(source or references))
    if not references:
        note_idle(["missing", "edits"], "without -r")
    if not (metrics or settings["hybrids"]):
        note_idle(["edits", "language", "tokenize", *MODELS], "without -m")
    if systems and not (source or references):
        raise InputError("outputs need the source that they correct", parameter=("source", "references"))
    sets = read_judgment_sets(judgments, skip_judges=skip_judges)
    corpus = (
        load_corpus(source, references, missing=missing, language=language, tokenize=tokenize, run=run)
        if source or references
        else None
    )
    if corpus:
        note_corpus(references, len(corpus))
        note_idle_missing(references)
        note_idle_judging(corpus, [*metrics, *(metric for pair in settings["hybrids"] for metric in pair)])
    if corpus and train:
        outputs = load_systems(systems, corpus)
        given: dict[str, Any] = {"without": settings["without"], "ranker": settings["ranker"]}
        names = {str(path): part.name for path, part in zip(judgments, sets, strict=True)}
        given |= {"train": [names.get(name, name) for name in train], "test": [names.get(name, name) for name in test]}
        with show_progress(run, "scoring") as run:
            output.show(choose_metric(sets, corpus, outputs, metrics, edits=edits, run=run, **given))
        return
    options = HumanOptions(confidence=bool(output.plot and metrics), **settings)
    with show_progress(run, "ranking") as run:
        result = human(
            sets,
            corpus,
            load_systems(systems, corpus) if corpus else [],
            metrics,
            options=options,
            edits=edits,
            run=run,
            checkpoint=checkpoint,
        )
    output.show(result, chart=lambda drawn: human_chart(drawn, find_proper_names(metrics)))


# With --train, rankings are by Expected Wins, and nothing is drawn.
NOT_TRAINED = ("hybrids", "aggregate", "scope", "ties", "window", "combined", "methods", "runs", "plot", *CHUNKS)


def _check_training(
    train: Sequence[str], test: Sequence[str], metrics: Sequence[Metric], *, systems: Sequence[Path], corpus: bool
) -> None:
    """Refuse one of the two options alone, and those that lack what they choose from."""
    if not (train and test):
        raise InputError(
            "a choice needs sets of judgments for both: to train on, and to test on", parameter=("train", "test")
        )
    if not (metrics and systems and corpus):
        raise InputError(
            "a choice needs metrics, references and the judged outputs", parameter=("metrics", "references", "systems")
        )
